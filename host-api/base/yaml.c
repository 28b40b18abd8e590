/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/yaml.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <yaml.h>

#include "base/text.h"
#include "values/welkin-error.h"

#define MAX_BYTES (16 * 1024 * 1024)
#define MAX_DEPTH 64
/* Values after all aliases are expanded; a long text counts as several. */
#define MAX_VALUES 1000000
#define TEXT_BYTES_PER_VALUE 64

#define TAG_PREFIX "tag:yaml.org,2002:"

typedef struct
{
  const char   *text;
  gsize         length;
  const char   *name;

  yaml_parser_t parser;
  GHashTable   *anchors;  /* (owned) name to Anchor */
  guint         n_values; /* as MAX_VALUES counts them */
} Reader;

typedef struct
{
  WelkinValue *value;    /* (owned) */
  guint        n_values; /* how many it stands for */
} Anchor;

/* A mapping while it is read. */
typedef struct
{
  GPtrArray  *keys;   /* (owned) char *, as in the table */
  GPtrArray  *values; /* (owned) WelkinValue * */
  GHashTable *lines;  /* (owned) key to line */
  GPtrArray  *merges; /* (owned) WelkinValue *: what "<<" brings in */
} Mapping;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (yaml_event_t, yaml_event_delete)

static WelkinValue *read_value (Reader       *self,
                                yaml_event_t *event,
                                const char   *origin,
                                guint         depth,
                                GError      **error);

static void
anchor_free (Anchor *anchor)
{
  welkin_value_unref (anchor->value);
  g_free (anchor);
}

static void
mapping_clear (Mapping *mapping)
{
  g_ptr_array_unref (mapping->keys);
  g_ptr_array_unref (mapping->values);
  g_hash_table_unref (mapping->lines);
  g_ptr_array_unref (mapping->merges);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mapping, mapping_clear)

static void
mapping_init (Mapping *mapping)
{
  mapping->keys = g_ptr_array_new_with_free_func (g_free);
  mapping->values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  mapping->lines = g_hash_table_new (g_str_hash, g_str_equal);
  mapping->merges = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
}

static guint
line_of (const yaml_mark_t *mark)
{
  return (guint) mark->line + 1;
}

static void
set_error (Reader     *self,
           guint       line,
           const char *reason,
           GError    **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("%s:%u: cannot parse: %s"),
               self->name, line, reason);
}

static guint
line_at_offset (Reader *self,
                gsize   offset)
{
  guint line = 1;

  for (gsize i = 0; i < MIN (offset, self->length); i++)
    {
      if (self->text[i] == '\n')
        line++;
    }
  return line;
}

/* The character that the parser stumbled over. Marks count characters, and
 * everything before them has been decoded, so that part is good UTF-8. */
static char
character_at_mark (Reader            *self,
                   const yaml_mark_t *mark)
{
  const char *place = self->text;
  const char *end = self->text + self->length;

  for (gsize i = 0; i < mark->index && place < end; i++)
    place = g_utf8_next_char (place);
  return place < end ? *place : '\0';
}

static char *
describe_problem (Reader *self)
{
  const yaml_mark_t *mark = &self->parser.problem_mark;
  const char *problem = self->parser.problem;
  guint column = (guint) mark->column + 1;
  char character = character_at_mark (self, mark);

  if (problem == NULL)
    return g_strdup (_("not valid YAML"));
  if (character == '\t' || strstr (problem, "tab character") != NULL)
    return g_strdup_printf (_("there is a tab in column %u where only spaces may indent"), column);
  if (character != '\0' && strchr ("%@`", character) != NULL)
    return g_strdup_printf (_("a value may not begin with \"%c\" (column %u): "
                              "put it in quotes"), character, column);
  if (strstr (problem, "mapping values are not allowed") != NULL)
    return g_strdup_printf (_("unexpected \": \" in column %u: "
                              "put a value that contains it in quotes"), column);
  /* TRANSLATORS: the parenthesis holds the parser's own words, which are
   * English */
  return g_strdup_printf (_("not valid YAML in column %u (%s): a value that has special "
                            "characters must be in quotes"), column, problem);
}

/* The end of the file says nothing about where a quotation mark was forgotten. */
static gboolean
is_unclosed_quote (Reader *self)
{
  const char *context = self->parser.context;

  return g_strcmp0 (self->parser.problem, "found unexpected end of stream") == 0 &&
         g_strcmp0 (context, "while scanning a quoted scalar") == 0;
}

static void
set_parser_error (Reader  *self,
                  GError **error)
{
  g_autofree char *reason = NULL;

  if (is_unclosed_quote (self))
    {
      const yaml_mark_t *mark = &self->parser.context_mark;

      reason = g_strdup_printf (_("the quotation mark in column %u is never closed"),
                                (guint) mark->column + 1);
      set_error (self, line_of (mark), reason, error);
      return;
    }
  if (self->parser.error == YAML_READER_ERROR)
    {
      set_error (self, line_at_offset (self, self->parser.problem_offset),
                 _("the file holds a control character or is not UTF-8 text"), error);
      return;
    }

  reason = describe_problem (self);
  set_error (self, line_of (&self->parser.problem_mark), reason, error);
}

static gboolean
next_event (Reader       *self,
            yaml_event_t *event,
            GError      **error)
{
  if (yaml_parser_parse (&self->parser, event))
    return TRUE;

  set_parser_error (self, error);
  return FALSE;
}

static gboolean
count_values (Reader             *self,
              gsize               n,
              const yaml_event_t *event,
              GError            **error)
{
  if (n <= MAX_VALUES - self->n_values)
    {
      self->n_values += (guint) n;
      return TRUE;
    }

  set_error (self, line_of (&event->start_mark), _("the file holds too many values"), error);
  return FALSE;
}

/* A value like &abc or !abc that somebody forgot to quote would silently be
 * something else. */
static void
set_unquoted_error (Reader             *self,
                    const yaml_event_t *event,
                    char                character,
                    GError            **error)
{
  g_autofree char *reason = NULL;

  reason = g_strdup_printf (_("a value that begins with \"%c\" (column %u) has a special meaning "
                              "in YAML: put it in quotes"),
                            character, (guint) event->start_mark.column + 1);
  set_error (self, line_of (&event->start_mark), reason, error);
}

static gboolean
is_null (const char *text)
{
  const char *const words[] = { "", "~", "null", "Null", "NULL", NULL };

  return g_strv_contains (words, text);
}

/* Only the tags for what can be told without them; "!!str" makes any scalar
 * text. */
static gboolean
check_tag (Reader             *self,
           const yaml_event_t *event,
           const yaml_char_t  *tag,
           GError            **error)
{
  const char *const names[] = { "str", "int", "float", "bool", "null", "map", "seq", NULL };
  const char *text = (const char *) tag;

  if (text == NULL || g_str_equal (text, "!"))
    return TRUE;
  if (g_str_has_prefix (text, TAG_PREFIX) && g_strv_contains (names, text + strlen (TAG_PREFIX)))
    return TRUE;

  set_unquoted_error (self, event, '!', error);
  return FALSE;
}

static WelkinValue *
read_scalar (Reader             *self,
             const yaml_event_t *event,
             const char         *origin,
             GError            **error)
{
  const char *text = (const char *) event->data.scalar.value;
  const char *tag = (const char *) event->data.scalar.tag;
  gsize length = event->data.scalar.length;
  gboolean is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;

  if (!check_tag (self, event, event->data.scalar.tag, error) ||
      !count_values (self, length / TEXT_BYTES_PER_VALUE, event, error))
    return NULL;
  if (strlen (text) != length)
    {
      set_error (self, line_of (&event->start_mark), _("a value holds a NUL character"), error);
      return NULL;
    }
  if (event->data.scalar.anchor != NULL && length == 0 && !is_quoted)
    {
      set_unquoted_error (self, event, '&', error);
      return NULL;
    }

  if (g_strcmp0 (tag, "!") == 0 || g_strcmp0 (tag, TAG_PREFIX "str") == 0)
    is_quoted = TRUE;
  if (!is_quoted && is_null (text))
    return welkin_value_new_unset (origin);
  return welkin_value_new_text (text, is_quoted, origin);
}

static WelkinValue *
read_list (Reader     *self,
           const char *origin,
           guint       depth,
           GError    **error)
{
  g_autoptr(GPtrArray) items = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  while (TRUE)
    {
      g_auto(yaml_event_t) event = { 0 };
      WelkinValue *item = NULL;

      if (!next_event (self, &event, error))
        return NULL;
      if (event.type == YAML_SEQUENCE_END_EVENT)
        break;

      item = read_value (self, &event, NULL, depth, error);
      if (item == NULL)
        return NULL;
      g_ptr_array_add (items, item);
    }
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, origin);
}

static gboolean
check_key (Reader             *self,
           const yaml_event_t *event,
           Mapping            *mapping,
           GError            **error)
{
  const char *key = (const char *) event->data.scalar.value;
  guint first = 0;

  if (event->type != YAML_SCALAR_EVENT || strlen (key) != event->data.scalar.length)
    {
      set_error (self, line_of (&event->start_mark), _("a key must be plain text"), error);
      return FALSE;
    }

  first = GPOINTER_TO_UINT (g_hash_table_lookup (mapping->lines, key));
  if (first != 0)
    {
      g_autofree char *quoted = wk_quote (key);
      g_autofree char *reason = NULL;

      reason = g_strdup_printf (_("duplicate key %s, which is also on line %u"), quoted, first);
      set_error (self, line_of (&event->start_mark), reason, error);
      return FALSE;
    }
  return TRUE;
}

/* "<<: *other" brings in the entries of other mappings that are not given
 * themselves. */
static gboolean
add_merge (Reader             *self,
           const yaml_event_t *key,
           Mapping            *mapping,
           WelkinValue        *value,
           GError            **error)
{
  gboolean is_list = welkin_value_get_kind (value) == WELKIN_VALUE_LIST;
  guint n_sources = is_list ? welkin_value_get_length (value) : 1;

  for (guint i = 0; i < n_sources; i++)
    {
      WelkinValue *source = is_list ? welkin_value_get_item (value, i) : value;

      if (welkin_value_get_kind (source) != WELKIN_VALUE_MAP)
        {
          set_error (self, line_of (&key->start_mark), _("\"<<\" stands only before mappings"),
                     error);
          return FALSE;
        }
      g_ptr_array_add (mapping->merges, welkin_value_ref (source));
    }
  return TRUE;
}

static void
merge_source (Mapping     *mapping,
              WelkinValue *source)
{
  for (guint i = 0; i < welkin_value_get_length (source); i++)
    {
      g_autofree char *key = g_strdup (welkin_value_get_key (source, i));

      if (g_hash_table_contains (mapping->lines, key))
        continue;
      g_hash_table_insert (mapping->lines, key, GUINT_TO_POINTER (1));
      g_ptr_array_add (mapping->keys, g_steal_pointer (&key));
      g_ptr_array_add (mapping->values, welkin_value_ref (welkin_value_get_item (source, i)));
    }
}

static gboolean
read_entry (Reader             *self,
            const yaml_event_t *key,
            Mapping            *mapping,
            guint               depth,
            GError            **error)
{
  g_auto(yaml_event_t) event = { 0 };
  g_autoptr(WelkinValue) value = NULL;
  g_autofree char *origin = NULL;
  char *name = NULL;

  if (!check_key (self, key, mapping, error) || !next_event (self, &event, error))
    return FALSE;

  /* People look for the line of the key. */
  origin = g_strdup_printf ("%s:%u", self->name, line_of (&key->start_mark));
  value = read_value (self, &event, origin, depth, error);
  if (value == NULL)
    return FALSE;

  if (key->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
      g_str_equal ((const char *) key->data.scalar.value, "<<"))
    return add_merge (self, key, mapping, value, error);

  name = g_strdup ((const char *) key->data.scalar.value);
  g_hash_table_insert (mapping->lines, name, GUINT_TO_POINTER (line_of (&key->start_mark)));
  g_ptr_array_add (mapping->keys, name);
  g_ptr_array_add (mapping->values, g_steal_pointer (&value));
  return TRUE;
}

static WelkinValue *
read_map (Reader     *self,
          const char *origin,
          guint       depth,
          GError    **error)
{
  g_auto(Mapping) mapping = { 0 };

  mapping_init (&mapping);
  while (TRUE)
    {
      g_auto(yaml_event_t) event = { 0 };

      if (!next_event (self, &event, error))
        return NULL;
      if (event.type == YAML_MAPPING_END_EVENT)
        break;
      if (!read_entry (self, &event, &mapping, depth, error))
        return NULL;
    }

  for (guint i = 0; i < mapping.merges->len; i++)
    merge_source (&mapping, mapping.merges->pdata[i]);
  return welkin_value_new_map ((const char *const *) mapping.keys->pdata,
                               (WelkinValue **) mapping.values->pdata, mapping.keys->len, origin);
}

static WelkinValue *
read_alias (Reader             *self,
            const yaml_event_t *event,
            GError            **error)
{
  Anchor *anchor = g_hash_table_lookup (self->anchors, event->data.alias.anchor);

  if (anchor == NULL)
    {
      set_unquoted_error (self, event, '*', error);
      return NULL;
    }
  if (!count_values (self, anchor->n_values, event, error))
    return NULL;
  return welkin_value_ref (anchor->value);
}

static void
remember_anchor (Reader      *self,
                 const char  *name,
                 WelkinValue *value,
                 guint        n_values)
{
  Anchor *anchor = g_new0 (Anchor, 1);

  anchor->value = welkin_value_ref (value);
  anchor->n_values = n_values;
  g_hash_table_replace (self->anchors, g_strdup (name), anchor);
}

/* origin: nullable: where the event is */
static WelkinValue *
read_value (Reader       *self,
            yaml_event_t *event,
            const char   *origin,
            guint         depth,
            GError      **error)
{
  g_autofree char *own_origin = NULL;
  const yaml_char_t *anchor = NULL;
  guint n_before = self->n_values;
  WelkinValue *value = NULL;

  if (event->type == YAML_ALIAS_EVENT)
    return read_alias (self, event, error);
  if (!count_values (self, 1, event, error))
    return NULL;
  if (depth >= MAX_DEPTH)
    {
      set_error (self, line_of (&event->start_mark), _("the values are nested too deeply"), error);
      return NULL;
    }
  if (origin == NULL)
    origin = own_origin = g_strdup_printf ("%s:%u", self->name, line_of (&event->start_mark));

  if (event->type == YAML_SCALAR_EVENT)
    {
      anchor = event->data.scalar.anchor;
      value = read_scalar (self, event, origin, error);
    }
  else if (event->type == YAML_SEQUENCE_START_EVENT)
    {
      anchor = event->data.sequence_start.anchor;
      if (check_tag (self, event, event->data.sequence_start.tag, error))
        value = read_list (self, origin, depth + 1, error);
    }
  else
    {
      g_assert (event->type == YAML_MAPPING_START_EVENT);
      anchor = event->data.mapping_start.anchor;
      if (check_tag (self, event, event->data.mapping_start.tag, error))
        value = read_map (self, origin, depth + 1, error);
    }

  if (value != NULL && anchor != NULL)
    remember_anchor (self, (const char *) anchor, value, self->n_values - n_before);
  return value;
}

static WelkinValue *
read_stream (Reader  *self,
             GError **error)
{
  g_autoptr(WelkinValue) value = NULL;

  while (TRUE)
    {
      g_auto(yaml_event_t) event = { 0 };

      if (!next_event (self, &event, error))
        return NULL;
      if (event.type == YAML_STREAM_END_EVENT)
        break;
      if (event.type == YAML_DOCUMENT_START_EVENT && value != NULL)
        {
          set_error (self, line_of (&event.start_mark),
                     _("there is more than one document in the file"), error);
          return NULL;
        }
      if (event.type == YAML_STREAM_START_EVENT || event.type == YAML_DOCUMENT_START_EVENT ||
          event.type == YAML_DOCUMENT_END_EVENT)
        continue;

      value = read_value (self, &event, NULL, 0, error);
      if (value == NULL)
        return NULL;
    }

  if (value == NULL)
    {
      g_autofree char *origin = g_strdup_printf ("%s:1", self->name);

      return welkin_value_new_unset (origin);
    }
  return g_steal_pointer (&value);
}

WelkinValue *
wk_yaml_parse (const char *text,
               gssize      length,
               const char *name,
               GError    **error)
{
  Reader self = { 0 };
  WelkinValue *value = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self.text = text;
  self.length = length < 0 ? strlen (text) : (gsize) length;
  self.name = name;
  if (self.length > MAX_BYTES)
    {
      set_error (&self, 1, _("the file is too large"), error);
      return NULL;
    }
  /* The parser's marks do not count a byte order mark, so neither do we. */
  if (self.length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    {
      self.text += 3;
      self.length -= 3;
    }

  if (!yaml_parser_initialize (&self.parser))
    g_assert_not_reached ();
  yaml_parser_set_encoding (&self.parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string (&self.parser, (const unsigned char *) self.text, self.length);
  self.anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) anchor_free);

  value = read_stream (&self, error);

  g_hash_table_unref (self.anchors);
  yaml_parser_delete (&self.parser);
  return value;
}
