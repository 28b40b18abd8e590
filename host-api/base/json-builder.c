/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* Puts each value that the parser meets in its place: there is a stack of frames, one
 * for each open container that is kept. A container that nobody wants has no frame: it
 * is only counted until it closes. */

typedef enum
{
  FRAME_ANSWER,  /* the outermost object, in which the member is */
  FRAME_LINKS,   /* the list of links beside it */
  FRAME_LINK,
  FRAME_RECORDS, /* a list of records: the member, a field, or one group */
  FRAME_RECORD,
  FRAME_STRINGS,
  FRAME_MAP,
  FRAME_GROUPS,
} FrameKind;

/* What the next value in an answer or in a link is. */
typedef enum
{
  SLOT_OTHER,
  SLOT_MEMBER,
  SLOT_LINKS,
  SLOT_NEXT,
  SLOT_REL,
  SLOT_HREF,
} Slot;

typedef struct
{
  FrameKind          kind;
  Slot               slot;      /* ANSWER, LINK */
  const WkJsonTable *table;     /* RECORD, RECORDS, GROUPS */
  gpointer           record;    /* RECORD: (owned) */
  const WkJsonField *field;     /* RECORD: what the next value is for; NULL: for nobody */
  guint64            seen;      /* RECORD: one bit for each field that has a value */
  gboolean           is_spoilt; /* RECORD */
  GPtrArray         *array;     /* RECORDS, STRINGS, GROUPS: (owned) */
  guint              index;     /* RECORDS, STRINGS: of the next value */
  GHashTable        *map;       /* MAP: (owned) */
  char              *key;       /* MAP, GROUPS: (owned) of the next value */
  gsize              group_key; /* GROUPS: where it goes in a record */
} Frame;

struct _WkJsonBuilder
{
  /* inputs */
  const WkJsonTable *table;
  char              *member;     /* (owned) (nullable) */
  char              *links;      /* (owned) (nullable) the member's key with _links */
  WkJsonLimits       limits;

  /* while running */
  GArray            *frames;     /* (owned) of Frame */
  guint              skip_depth; /* of open containers within one that nobody wants */
  WkJsonText        *text;       /* (owned) (nullable) writes the value of a TEXT field */
  gboolean           link_is_next;
  char              *link_href;  /* (owned) (nullable) */
  GError            *error;      /* (owned) (nullable) */

  WkJsonOutcome      outcome;
};

static void
frame_clear (gpointer data)
{
  Frame *frame = data;

  g_clear_pointer (&frame->record, wk_json_record_destroy);
  g_clear_pointer (&frame->array, g_ptr_array_unref);
  g_clear_pointer (&frame->map, g_hash_table_unref);
  g_clear_pointer (&frame->key, g_free);
}

static Frame *
builder_get_frame (WkJsonBuilder *self,
                   guint          from_top)
{
  if (self->frames->len <= from_top)
    return NULL;
  return &g_array_index (self->frames, Frame, self->frames->len - 1 - from_top);
}

static Frame *
builder_push (WkJsonBuilder *self,
              FrameKind      kind)
{
  Frame frame = { .kind = kind };

  g_array_append_val (self->frames, frame);
  return builder_get_frame (self, 0);
}

static void
builder_pop (WkJsonBuilder *self)
{
  g_array_set_size (self->frames, self->frames->len - 1);
}

static void
set_text (char      **place,
          const char *text)
{
  g_free (*place);
  *place = g_strdup (text);
}

static GPtrArray *
records_new (void)
{
  return g_ptr_array_new_with_free_func (wk_json_record_destroy);
}

G_GNUC_PRINTF (2, 3) static void
builder_fail (WkJsonBuilder *self,
              const char    *format,
              ...)
{
  va_list args;

  if (self->error != NULL)
    return;

  va_start (args, format);
  self->error = g_error_new_valist (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, format, args);
  va_end (args);
}

static gboolean
builder_propagate (WkJsonBuilder *self,
                   GError       **error)
{
  if (self->error == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* Where the parser is, as in "servers[3].addresses.net[0]". */
static char *
builder_describe_place (WkJsonBuilder *self)
{
  GString *place = g_string_new (NULL);

  for (guint i = 0; i < self->frames->len; i++)
    {
      const Frame *frame = &g_array_index (self->frames, Frame, i);

      if (frame->kind == FRAME_ANSWER)
        g_string_append (place, self->member);
      else if (frame->kind == FRAME_RECORDS || frame->kind == FRAME_STRINGS)
        g_string_append_printf (place, "[%u]", frame->index);
      else if (frame->kind == FRAME_RECORD && frame->field != NULL)
        g_string_append_printf (place, "%s%s", place->len > 0 ? "." : "", frame->field->key);
      else if (frame->key != NULL)
        g_string_append_printf (place, ".%s", frame->key);
    }

  return g_string_free (place, FALSE);
}

/* Takes the reason. The innermost record is lost; so is an element of a list that is
 * no record at all. */
static void
builder_spoil (WkJsonBuilder *self,
               char          *reason)
{
  g_autofree char *owned_reason = reason;
  Frame *frame = NULL;

  if (self->outcome.complaint == NULL)
    {
      g_autofree char *place = builder_describe_place (self);

      if (*place == '\0')
        self->outcome.complaint = g_steal_pointer (&owned_reason);
      else
        self->outcome.complaint = g_strdup_printf ("%s: %s", place, owned_reason);
    }

  for (guint i = 0; (frame = builder_get_frame (self, i)) != NULL; i++)
    {
      if (frame->kind == FRAME_RECORDS)
        {
          self->outcome.spoilt++;
          return;
        }
      if (frame->kind == FRAME_RECORD)
        {
          frame->is_spoilt = TRUE;
          return;
        }
    }
}

/* One value has ended, whatever became of it. */
static void
builder_step (WkJsonBuilder *self)
{
  Frame *frame = builder_get_frame (self, 0);

  if (frame != NULL && (frame->kind == FRAME_RECORDS || frame->kind == FRAME_STRINGS))
    {
      frame->index++;
      if (frame->index > self->limits.max_records)
        builder_fail (self, _("a list of more than %u elements"), self->limits.max_records);
    }
}

static void
builder_begin_member (WkJsonBuilder *self,
                      WkJsonValueType type)
{
  Frame *frame;

  self->outcome.has_member = TRUE;
  /* A key that comes twice means its last value, as everywhere. */
  g_ptr_array_set_size (self->outcome.records, 0);

  if (type == WK_JSON_VALUE_ARRAY)
    {
      frame = builder_push (self, FRAME_RECORDS);
      frame->array = g_ptr_array_ref (self->outcome.records);
    }
  else
    {
      frame = builder_push (self, FRAME_RECORD);
      frame->record = wk_json_record_new (self->table);
    }
  frame->table = self->table;
}

static void
builder_begin_record (WkJsonBuilder *self,
                      const WkJsonTable *table)
{
  const Frame *groups = builder_get_frame (self, 1);
  gpointer record;
  Frame *frame;

  if (groups != NULL && groups->kind == FRAME_GROUPS)
    record = wk_json_record_new_in_group (table, groups->group_key, groups->key);
  else
    record = wk_json_record_new (table);

  frame = builder_push (self, FRAME_RECORD);
  frame->table = table;
  frame->record = record;
}

/* One group of a GROUPS field: its records go into the list of the whole field. */
static void
builder_begin_group (WkJsonBuilder *self)
{
  const Frame *groups = builder_get_frame (self, 0);
  const WkJsonTable *table = groups->table;
  GPtrArray *array = g_ptr_array_ref (groups->array);
  Frame *frame;

  frame = builder_push (self, FRAME_RECORDS);
  frame->table = table;
  frame->array = array;
}

static guint64
field_bit (const Frame       *frame,
           const WkJsonField *field)
{
  return G_GUINT64_CONSTANT (1) << (field - frame->table->fields);
}

/* The value of a field starts: one that it had under the same key before is forgotten. */
static void
frame_clear_field (Frame *frame)
{
  wk_json_field_clear (frame->field, frame->record);
  frame->seen &= ~field_bit (frame, frame->field);
}

static void
frame_take_field (Frame   *frame,
                  gpointer value)
{
  *(gpointer *) wk_json_field_get_place (frame->field, frame->record) = value;
  frame->seen |= field_bit (frame, frame->field);
}

/* The parser is at a container for a field of a record. */
static void
builder_begin_field (WkJsonBuilder     *self,
                     const WkJsonField *field,
                     WkJsonValueType    type)
{
  gboolean is_object = type == WK_JSON_VALUE_OBJECT;
  Frame *frame = builder_get_frame (self, 0);
  char *complaint = NULL;

  frame_clear_field (frame);
  if (field->kind == WK_JSON_TEXT)
    {
      self->text = wk_json_text_new ();
      wk_json_text_begin (self->text, type);
    }
  else if (field->kind == WK_JSON_RECORD && is_object)
    builder_begin_record (self, field->table);
  else if (field->kind == WK_JSON_RECORDS && !is_object)
    {
      frame = builder_push (self, FRAME_RECORDS);
      frame->table = field->table;
      frame->array = records_new ();
    }
  else if (field->kind == WK_JSON_STRINGS && !is_object)
    {
      frame = builder_push (self, FRAME_STRINGS);
      frame->array = g_ptr_array_new_with_free_func (g_free);
    }
  else if (field->kind == WK_JSON_MAP && is_object)
    {
      frame = builder_push (self, FRAME_MAP);
      frame->map = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    }
  else if (field->kind == WK_JSON_GROUPS && is_object)
    {
      frame = builder_push (self, FRAME_GROUPS);
      frame->table = field->table;
      frame->group_key = field->group_key;
      frame->array = records_new ();
    }
  else
    {
      const WkJsonValue value = { type, "", 0 };

      wk_json_field_set (field, frame->record, &value, &complaint);
      builder_spoil (self, complaint);
      self->skip_depth = 1;
    }
}

/* One more piece of a TEXT value has been written. */
static void
builder_step_text (WkJsonBuilder *self)
{
  Frame *frame = builder_get_frame (self, 0);
  char *complaint = NULL;
  char *text;

  if (wk_json_text_get_length (self->text) > self->limits.max_string)
    builder_fail (self, _("a value of more than %lu bytes"), (gulong) self->limits.max_string);
  if (!wk_json_text_is_complete (self->text))
    return;

  text = wk_json_text_dup (self->text, &complaint);
  g_clear_pointer (&self->text, wk_json_text_free);
  if (text != NULL)
    frame_take_field (frame, text);
  else
    builder_spoil (self, complaint);
}

static void
builder_set_field (WkJsonBuilder     *self,
                   const WkJsonValue *value)
{
  Frame *frame = builder_get_frame (self, 0);
  char *complaint = NULL;

  frame_clear_field (frame);
  if (value->type == WK_JSON_VALUE_NULL)
    return;

  if (frame->field->kind == WK_JSON_TEXT)
    {
      self->text = wk_json_text_new ();
      wk_json_text_add_value (self->text, value);
      builder_step_text (self);
    }
  else if (wk_json_field_set (frame->field, frame->record, value, &complaint))
    frame->seen |= field_bit (frame, frame->field);
  else
    builder_spoil (self, complaint);
}

static void
builder_set_slot (WkJsonBuilder     *self,
                  const WkJsonValue *value)
{
  Frame *frame = builder_get_frame (self, 0);
  g_autofree char *complaint = NULL;
  g_autofree char *text = NULL;

  if (frame->slot == SLOT_MEMBER && value->type == WK_JSON_VALUE_NULL)
    {
      self->outcome.has_member = TRUE;
      g_ptr_array_set_size (self->outcome.records, 0);
      return;
    }
  if (frame->slot == SLOT_MEMBER)
    {
      builder_fail (self, _("“%s” is neither a list nor an object"), self->member);
      return;
    }

  text = wk_json_value_to_string (value, &complaint);
  if (frame->slot == SLOT_NEXT)
    set_text (&self->outcome.next, text);
  else if (frame->slot == SLOT_HREF)
    set_text (&self->link_href, text);
  else if (frame->slot == SLOT_REL)
    self->link_is_next = g_strcmp0 (text, "next") == 0;
}

static void
builder_add_to_map (WkJsonBuilder     *self,
                    const WkJsonValue *value)
{
  Frame *frame = builder_get_frame (self, 0);
  char *complaint = NULL;
  char *text = NULL;

  if (value->type == WK_JSON_VALUE_NULL)
    {
      g_hash_table_remove (frame->map, frame->key);
      return;
    }

  text = wk_json_value_to_any_text (value, &complaint);
  if (text == NULL)
    builder_spoil (self, complaint);
  else
    g_hash_table_replace (frame->map, g_steal_pointer (&frame->key), text);
  if (g_hash_table_size (frame->map) > self->limits.max_records)
    builder_fail (self, _("a list of more than %u elements"), self->limits.max_records);
}

static void
builder_add_string (WkJsonBuilder     *self,
                    const WkJsonValue *value)
{
  char *complaint = NULL;
  char *text = NULL;

  if (value->type == WK_JSON_VALUE_NULL)
    return;

  text = wk_json_value_to_id (value, &complaint);
  if (text == NULL)
    builder_spoil (self, complaint);
  else
    g_ptr_array_add (builder_get_frame (self, 0)->array, text);
}

static gboolean
frame_wants_value (const Frame *frame)
{
  switch (frame->kind)
    {
    case FRAME_ANSWER:
    case FRAME_LINK:
      return frame->slot != SLOT_OTHER;
    case FRAME_LINKS:
      return FALSE;
    case FRAME_RECORD:
      return frame->field != NULL;
    case FRAME_MAP:
    case FRAME_GROUPS:
      return frame->key != NULL;
    case FRAME_RECORDS:
    case FRAME_STRINGS:
      return TRUE;
    default:
      g_assert_not_reached ();
    }
}

static void
builder_take_value (WkJsonBuilder     *self,
                    const WkJsonValue *value)
{
  Frame *frame = builder_get_frame (self, 0);

  if (frame == NULL)
    {
      builder_fail (self, _("neither a list nor an object"));
      return;
    }
  if (!frame_wants_value (frame))
    return;
  if (value->length > self->limits.max_string)
    {
      builder_fail (self, _("a value of more than %lu bytes"), (gulong) self->limits.max_string);
      return;
    }

  if (frame->kind == FRAME_RECORD)
    builder_set_field (self, value);
  else if (frame->kind == FRAME_STRINGS)
    builder_add_string (self, value);
  else if (frame->kind == FRAME_MAP)
    builder_add_to_map (self, value);
  else if (frame->kind == FRAME_ANSWER || frame->kind == FRAME_LINK)
    builder_set_slot (self, value);
  else if (value->type != WK_JSON_VALUE_NULL)
    builder_spoil (self, wk_json_complain (frame->kind == FRAME_GROUPS ? _("a list")
                                                                       : _("an object"),
                                           value->type));
}

static gboolean
builder_add_value (gpointer           user_data,
                   const WkJsonValue *value,
                   GError           **error)
{
  WkJsonBuilder *self = user_data;

  if (self->text != NULL)
    {
      wk_json_text_add_value (self->text, value);
      builder_step_text (self);
    }
  else if (self->skip_depth == 0)
    {
      builder_take_value (self, value);
      builder_step (self);
    }
  return builder_propagate (self, error);
}

/* A container where there is no place for one. */
static void
builder_skip (WkJsonBuilder *self,
              char          *complaint)
{
  if (complaint != NULL)
    builder_spoil (self, complaint);
  self->skip_depth = 1;
}

static void
builder_begin_outermost (WkJsonBuilder  *self,
                         WkJsonValueType type)
{
  if (self->member == NULL)
    builder_begin_member (self, type);
  else if (type == WK_JSON_VALUE_OBJECT)
    builder_push (self, FRAME_ANSWER);
  else
    builder_fail (self, _("a list where an object with “%s” was expected"), self->member);
}

static void
builder_begin_container (WkJsonBuilder  *self,
                         WkJsonValueType type)
{
  gboolean is_object = type == WK_JSON_VALUE_OBJECT;
  Frame *frame = builder_get_frame (self, 0);

  if (frame == NULL)
    builder_begin_outermost (self, type);
  else if (frame->kind == FRAME_ANSWER && frame->slot == SLOT_MEMBER)
    builder_begin_member (self, type);
  else if (frame->kind == FRAME_ANSWER && frame->slot == SLOT_LINKS && !is_object)
    builder_push (self, FRAME_LINKS);
  else if (frame->kind == FRAME_LINKS && is_object)
    builder_push (self, FRAME_LINK);
  else if (frame->kind == FRAME_RECORDS && is_object)
    builder_begin_record (self, frame->table);
  else if (frame->kind == FRAME_RECORDS)
    builder_skip (self, wk_json_complain (_("an object"), type));
  else if (frame->kind == FRAME_GROUPS && frame->key != NULL && !is_object)
    builder_begin_group (self);
  else if (frame->kind == FRAME_GROUPS && frame->key != NULL)
    builder_skip (self, wk_json_complain (_("a list"), type));
  else if (frame->kind == FRAME_STRINGS || (frame->kind == FRAME_MAP && frame->key != NULL))
    builder_skip (self, wk_json_complain (_("a string"), type));
  else if (frame->kind == FRAME_RECORD && frame->field != NULL)
    builder_begin_field (self, frame->field, type);
  else
    builder_skip (self, NULL);
}

static gboolean
builder_begin (gpointer        user_data,
               WkJsonValueType type,
               GError        **error)
{
  WkJsonBuilder *self = user_data;

  if (self->text != NULL)
    wk_json_text_begin (self->text, type);
  else if (self->skip_depth > 0)
    self->skip_depth++;
  else
    builder_begin_container (self, type);
  return builder_propagate (self, error);
}

static void
builder_end_record (WkJsonBuilder *self)
{
  Frame *frame = builder_get_frame (self, 0);
  gboolean is_spoilt;
  gpointer record;

  frame->field = NULL;
  for (guint i = 0; i < frame->table->n_fields; i++)
    {
      const WkJsonField *field = &frame->table->fields[i];

      if (!frame->is_spoilt && (field->flags & WK_JSON_REQUIRED) != 0
          && (frame->seen & field_bit (frame, field)) == 0)
        builder_spoil (self, g_strdup_printf (_("lacks “%s”"), field->key));
    }

  is_spoilt = frame->is_spoilt;
  record = g_steal_pointer (&frame->record);
  builder_pop (self);
  frame = builder_get_frame (self, 0);

  if (is_spoilt)
    {
      self->outcome.spoilt++;
      wk_json_record_destroy (record);
    }
  else if (frame == NULL || frame->kind == FRAME_ANSWER)
    g_ptr_array_add (self->outcome.records, record);
  else if (frame->kind == FRAME_RECORDS)
    g_ptr_array_add (frame->array, record);
  else
    frame_take_field (frame, record);
}

/* A list or a map goes into the field of the record around it; one that is a group or
 * the member itself has its place already. */
static void
builder_end_collection (WkJsonBuilder *self)
{
  Frame *frame = builder_get_frame (self, 0);
  gpointer collection = frame->map;

  if (frame->array != NULL)
    collection = frame->array;

  frame = builder_get_frame (self, 1);
  if (frame != NULL && frame->kind == FRAME_RECORD)
    {
      frame_take_field (frame, collection);
      frame = builder_get_frame (self, 0);
      frame->array = NULL;
      frame->map = NULL;
    }
  builder_pop (self);
}

static void
builder_end_container (WkJsonBuilder *self)
{
  switch (builder_get_frame (self, 0)->kind)
    {
    case FRAME_RECORD:
      builder_end_record (self);
      break;
    case FRAME_RECORDS:
    case FRAME_STRINGS:
    case FRAME_MAP:
    case FRAME_GROUPS:
      builder_end_collection (self);
      break;
    case FRAME_LINK:
      if (self->link_is_next && self->link_href != NULL)
        set_text (&self->outcome.next, self->link_href);
      self->link_is_next = FALSE;
      g_clear_pointer (&self->link_href, g_free);
      builder_pop (self);
      break;
    case FRAME_ANSWER:
    case FRAME_LINKS:
      builder_pop (self);
      break;
    default:
      g_assert_not_reached ();
    }
}

static gboolean
builder_end (gpointer        user_data,
             WkJsonValueType type,
             GError        **error)
{
  WkJsonBuilder *self = user_data;

  if (self->text != NULL)
    {
      wk_json_text_end (self->text, type);
      builder_step_text (self);
    }
  else if (self->skip_depth > 0)
    self->skip_depth--;
  else
    builder_end_container (self);

  if (self->text == NULL && self->skip_depth == 0)
    builder_step (self);
  return builder_propagate (self, error);
}

static Slot
find_answer_slot (WkJsonBuilder *self,
                  const char    *key)
{
  if (g_str_equal (key, self->member))
    return SLOT_MEMBER;
  if (g_str_equal (key, self->links))
    return SLOT_LINKS;
  return g_str_equal (key, "next") ? SLOT_NEXT : SLOT_OTHER;
}

static Slot
find_link_slot (const char *key)
{
  if (g_str_equal (key, "rel"))
    return SLOT_REL;
  return g_str_equal (key, "href") ? SLOT_HREF : SLOT_OTHER;
}

static gboolean
builder_add_key (gpointer    user_data,
                 const char *key,
                 gsize       length,
                 GError    **error)
{
  WkJsonBuilder *self = user_data;
  Frame *frame = builder_get_frame (self, 0);
  g_autofree char *text = NULL;

  if (self->text != NULL)
    {
      wk_json_text_add_key (self->text, key, length);
      builder_step_text (self);
      return builder_propagate (self, error);
    }
  if (self->skip_depth > 0)
    return TRUE;
  if (frame->kind == FRAME_RECORD)
    {
      frame->field = frame->is_spoilt ? NULL : wk_json_table_find (frame->table, key, length);
      return TRUE;
    }

  /* Too long for a key that anybody asks for, or bad text: a value without a place. */
  if (length <= self->limits.max_string && g_utf8_validate_len (key, length, NULL))
    text = g_strndup (key, length);

  if (frame->kind == FRAME_ANSWER)
    frame->slot = text != NULL ? find_answer_slot (self, text) : SLOT_OTHER;
  else if (frame->kind == FRAME_LINK)
    frame->slot = text != NULL ? find_link_slot (text) : SLOT_OTHER;
  else if (text == NULL)
    builder_spoil (self, g_strdup (_("a key that is not valid UTF-8 text")));
  g_free (frame->key);
  frame->key = g_steal_pointer (&text);
  return TRUE;
}

const WkJsonHandler wk_json_builder_handler = {
  .add_value = builder_add_value,
  .add_key = builder_add_key,
  .begin = builder_begin,
  .end = builder_end,
};

const WkJsonOutcome *
wk_json_builder_get_outcome (WkJsonBuilder *self)
{
  return &self->outcome;
}

GPtrArray *
wk_json_builder_steal_records (WkJsonBuilder *self)
{
  GPtrArray *records = g_steal_pointer (&self->outcome.records);

  self->outcome.records = records_new ();
  return records;
}

WkJsonBuilder *
wk_json_builder_new (const WkJsonTable  *table,
                     const char         *member,
                     const WkJsonLimits *limits)
{
  WkJsonBuilder *self = g_new0 (WkJsonBuilder, 1);

  self->table = table;
  self->member = g_strdup (member);
  if (member != NULL)
    self->links = g_strconcat (member, "_links", NULL);
  self->limits = *limits;
  self->frames = g_array_new (FALSE, TRUE, sizeof (Frame));
  g_array_set_clear_func (self->frames, frame_clear);
  self->outcome.records = records_new ();
  return self;
}

void
wk_json_builder_free (WkJsonBuilder *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->text, wk_json_text_free);
  g_array_unref (self->frames);
  g_free (self->link_href);
  g_free (self->member);
  g_free (self->links);
  g_clear_error (&self->error);
  g_ptr_array_unref (self->outcome.records);
  g_free (self->outcome.next);
  g_free (self->outcome.complaint);
  g_free (self);
}
