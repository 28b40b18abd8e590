/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <yajl/yajl_parse.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* The decoder: the parser and its limits. What it finds goes to a builder. */

#define DEFAULT_MAX_BYTES ((gsize) 256 * 1024 * 1024)
#define DEFAULT_MAX_DEPTH 64
#define DEFAULT_MAX_RECORDS 1000000
#define DEFAULT_MAX_STRING ((gsize) 1024 * 1024)

/* A byte of a string takes six when it is written as \u0041. */
#define ESCAPE_FACTOR 6

struct _WkJsonDecoder
{
  /* inputs */
  const WkJsonTable *table;
  char              *member;     /* (owned) (nullable) */
  WkJsonLimits       limits;

  /* while running */
  yajl_handle        parser;     /* (owned) */
  WkJsonBuilder     *builder;    /* (owned) */
  gsize              bytes;
  gsize              last_event; /* how many bytes there were when something was last found */
  guint              mark;       /* bytes of a byte order mark so far; all of it when past */
  GError            *error;      /* (owned) (nullable) why the text has failed */
};

static int
value_cb (WkJsonDecoder  *self,
          WkJsonValueType type,
          const char     *text,
          gsize           length)
{
  WkJsonValue value = { type, text, length };

  self->last_event = self->bytes;
  return wk_json_builder_add_value (self->builder, &value, &self->error);
}

static int
null_cb (void *user_data)
{
  return value_cb (user_data, WK_JSON_VALUE_NULL, "null", strlen ("null"));
}

static int
boolean_cb (void *user_data,
            int   boolean)
{
  const char *text = boolean ? "true" : "false";

  return value_cb (user_data, WK_JSON_VALUE_BOOLEAN, text, strlen (text));
}

static int
number_cb (void       *user_data,
           const char *text,
           size_t      length)
{
  return value_cb (user_data, WK_JSON_VALUE_NUMBER, text, length);
}

static int
string_cb (void                *user_data,
           const unsigned char *text,
           size_t               length)
{
  return value_cb (user_data, WK_JSON_VALUE_STRING, (const char *) text, length);
}

static int
map_key_cb (void                *user_data,
            const unsigned char *key,
            size_t               length)
{
  WkJsonDecoder *self = user_data;

  self->last_event = self->bytes;
  return wk_json_builder_add_key (self->builder, (const char *) key, length, &self->error);
}

static int
start_map_cb (void *user_data)
{
  WkJsonDecoder *self = user_data;

  self->last_event = self->bytes;
  return wk_json_builder_begin (self->builder, WK_JSON_VALUE_OBJECT, &self->error);
}

static int
end_map_cb (void *user_data)
{
  WkJsonDecoder *self = user_data;

  self->last_event = self->bytes;
  return wk_json_builder_end (self->builder, WK_JSON_VALUE_OBJECT, &self->error);
}

static int
start_array_cb (void *user_data)
{
  WkJsonDecoder *self = user_data;

  self->last_event = self->bytes;
  return wk_json_builder_begin (self->builder, WK_JSON_VALUE_ARRAY, &self->error);
}

static int
end_array_cb (void *user_data)
{
  WkJsonDecoder *self = user_data;

  self->last_event = self->bytes;
  return wk_json_builder_end (self->builder, WK_JSON_VALUE_ARRAY, &self->error);
}

static const yajl_callbacks callbacks = {
  .yajl_null = null_cb,
  .yajl_boolean = boolean_cb,
  .yajl_number = number_cb,
  .yajl_string = string_cb,
  .yajl_start_map = start_map_cb,
  .yajl_map_key = map_key_cb,
  .yajl_end_map = end_map_cb,
  .yajl_start_array = start_array_cb,
  .yajl_end_array = end_array_cb,
};

static void
decoder_begin (WkJsonDecoder *self)
{
  self->builder = wk_json_builder_new (self->table, self->member, &self->limits);
  self->parser = yajl_alloc (&callbacks, NULL, self);
  /* Only what is kept is looked at, where it is kept. */
  yajl_config (self->parser, yajl_dont_validate_strings, 1);
  self->bytes = 0;
  self->last_event = 0;
  self->mark = 0;
}

static void
decoder_end (WkJsonDecoder *self)
{
  g_clear_pointer (&self->parser, yajl_free);
  g_clear_pointer (&self->builder, wk_json_builder_free);
  g_clear_error (&self->error);
}

WkJsonDecoder *
wk_json_decoder_new (const WkJsonTable  *table,
                     const char         *member,
                     const WkJsonLimits *limits)
{
  WkJsonDecoder *self;

  g_return_val_if_fail (table != NULL, NULL);

  self = g_new0 (WkJsonDecoder, 1);
  self->table = table;
  self->member = g_strdup (member);
  if (limits != NULL)
    self->limits = *limits;
  if (self->limits.max_bytes == 0)
    self->limits.max_bytes = DEFAULT_MAX_BYTES;
  if (self->limits.max_depth == 0)
    self->limits.max_depth = DEFAULT_MAX_DEPTH;
  if (self->limits.max_records == 0)
    self->limits.max_records = DEFAULT_MAX_RECORDS;
  if (self->limits.max_string == 0)
    self->limits.max_string = DEFAULT_MAX_STRING;
  decoder_begin (self);
  return self;
}

void
wk_json_decoder_free (WkJsonDecoder *self)
{
  if (self == NULL)
    return;

  decoder_end (self);
  g_free (self->member);
  g_free (self);
}

void
wk_json_decoder_reset (WkJsonDecoder *self)
{
  decoder_end (self);
  decoder_begin (self);
}

/* Takes what the parser has to say, which never quotes the text. */
static GError *
decoder_dup_syntax_error (WkJsonDecoder *self,
                          gsize          chunk_begin)
{
  gulong place = chunk_begin + yajl_get_bytes_consumed (self->parser);
  unsigned char *message = yajl_get_error (self->parser, FALSE, NULL, 0);
  g_autofree char *text = g_strchomp (g_strdup ((const char *) message));

  yajl_free_error (self->parser, message);
  if (g_str_has_suffix (text, "."))
    text[strlen (text) - 1] = '\0';
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                      /* TRANSLATORS: the first is what the parser says, in English */
                      _("the answer is not JSON: %s at byte %lu"), text, place);
}

/* A byte order mark may stand in front, and may come in pieces. */
static void
decoder_skip_mark (WkJsonDecoder *self,
                   const char   **data,
                   gsize         *length)
{
  while (self->mark < WK_JSON_MARK_LENGTH && *length > 0
         && **data == WK_JSON_MARK[self->mark])
    {
      (*data)++;
      (*length)--;
      self->mark++;
    }
  if (*length == 0)
    return;

  /* Half a mark is no JSON; the parser shall say so. */
  if (self->mark > 0 && self->mark < WK_JSON_MARK_LENGTH)
    {
      *data = WK_JSON_MARK;
      *length = self->mark;
    }
  self->mark = WK_JSON_MARK_LENGTH;
}

static gboolean
decoder_parse (WkJsonDecoder *self,
               const char    *data,
               gsize          length)
{
  gsize begin = self->bytes;

  if (length > self->limits.max_bytes || self->bytes > self->limits.max_bytes - length)
    {
      g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("the answer is longer than %lu bytes"), (gulong) self->limits.max_bytes);
      return FALSE;
    }

  self->bytes += length;
  decoder_skip_mark (self, &data, &length);
  if (length > 0
      && yajl_parse (self->parser, (const unsigned char *) data, length) != yajl_status_ok)
    {
      if (self->error == NULL)
        self->error = decoder_dup_syntax_error (self, begin);
      return FALSE;
    }

  /* The parser holds all of a value that has not ended, even of one that nobody wants. */
  if ((self->bytes - self->last_event) / ESCAPE_FACTOR > self->limits.max_string)
    {
      g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("a value of more than %lu bytes"), (gulong) self->limits.max_string);
      return FALSE;
    }
  return TRUE;
}

static gboolean
decoder_propagate (WkJsonDecoder *self,
                   GError       **error)
{
  if (self->error == NULL)
    return TRUE;

  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

gboolean
wk_json_decoder_feed (WkJsonDecoder *self,
                      const char    *data,
                      gsize          length,
                      GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  if (self->error == NULL)
    decoder_parse (self, data, length);
  return decoder_propagate (self, error);
}

gboolean
wk_json_decoder_finish (WkJsonDecoder *self,
                        GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->error == NULL && yajl_complete_parse (self->parser) != yajl_status_ok
      && self->error == NULL)
    g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                 _("the answer is cut off after %lu bytes"), (gulong) self->bytes);
  if (self->error == NULL && !wk_json_builder_get_outcome (self->builder)->has_member)
    g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                 _("the answer lacks “%s”"), self->member);
  return decoder_propagate (self, error);
}

GPtrArray *
wk_json_decoder_steal_records (WkJsonDecoder *self)
{
  return wk_json_builder_steal_records (self->builder);
}

gpointer
wk_json_decoder_steal_record (WkJsonDecoder *self)
{
  GPtrArray *records = wk_json_builder_get_outcome (self->builder)->records;

  return records->len > 0 ? g_ptr_array_steal_index (records, 0) : NULL;
}

guint
wk_json_decoder_get_spoilt (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->spoilt;
}

const char *
wk_json_decoder_get_complaint (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->complaint;
}

const char *
wk_json_decoder_get_next (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->next;
}
