/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <yajl/yajl_parse.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* The parser and its limits. It alone knows who parses; what is found goes to a handler. */

#define DEFAULT_MAX_BYTES ((gsize) 256 * 1024 * 1024)
#define DEFAULT_MAX_DEPTH 64
#define DEFAULT_MAX_RECORDS 1000000
#define DEFAULT_MAX_STRING ((gsize) 1024 * 1024)

/* A byte of a string takes six when it is written as \u0041. */
#define ESCAPE_FACTOR 6

struct _WkJsonParser
{
  /* inputs */
  const WkJsonHandler *handler;
  gpointer             data;       /* of the handler */
  WkJsonLimits         limits;

  /* while running */
  yajl_handle          parser;     /* (owned) */
  gsize                bytes;
  gsize                last_event; /* how many bytes there were when something was last found */
  guint                mark;       /* bytes of a byte order mark so far; all of it when past */
  guint                depth;      /* of open containers */
  GError              *error;      /* (owned) (nullable) why the text has failed */
};

static int
value_cb (WkJsonParser   *self,
          WkJsonValueType type,
          const char     *text,
          gsize           length)
{
  WkJsonValue value = { type, text, length };

  self->last_event = self->bytes;
  return self->handler->add_value (self->data, &value, &self->error);
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
  WkJsonParser *self = user_data;

  self->last_event = self->bytes;
  return self->handler->add_key (self->data, (const char *) key, length, &self->error);
}

static int
begin_cb (WkJsonParser   *self,
          WkJsonValueType type)
{
  self->last_event = self->bytes;
  self->depth++;
  if (self->depth > self->limits.max_depth)
    {
      g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("nested more than %u deep"), self->limits.max_depth);
      return FALSE;
    }
  return self->handler->begin (self->data, type, &self->error);
}

static int
end_cb (WkJsonParser   *self,
        WkJsonValueType type)
{
  self->last_event = self->bytes;
  self->depth--;
  return self->handler->end (self->data, type, &self->error);
}

static int
start_map_cb (void *user_data)
{
  return begin_cb (user_data, WK_JSON_VALUE_OBJECT);
}

static int
end_map_cb (void *user_data)
{
  return end_cb (user_data, WK_JSON_VALUE_OBJECT);
}

static int
start_array_cb (void *user_data)
{
  return begin_cb (user_data, WK_JSON_VALUE_ARRAY);
}

static int
end_array_cb (void *user_data)
{
  return end_cb (user_data, WK_JSON_VALUE_ARRAY);
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

WkJsonLimits
wk_json_limits_complete (const WkJsonLimits *limits)
{
  WkJsonLimits complete = { 0 };

  if (limits != NULL)
    complete = *limits;
  if (complete.max_bytes == 0)
    complete.max_bytes = DEFAULT_MAX_BYTES;
  if (complete.max_depth == 0)
    complete.max_depth = DEFAULT_MAX_DEPTH;
  if (complete.max_records == 0)
    complete.max_records = DEFAULT_MAX_RECORDS;
  if (complete.max_string == 0)
    complete.max_string = DEFAULT_MAX_STRING;
  return complete;
}

WkJsonParser *
wk_json_parser_new (const WkJsonHandler *handler,
                    gpointer             data,
                    const WkJsonLimits  *limits)
{
  WkJsonParser *self = g_new0 (WkJsonParser, 1);

  self->handler = handler;
  self->data = data;
  self->limits = *limits;
  self->parser = yajl_alloc (&callbacks, NULL, self);
  /* Only what is kept is looked at, where it is kept. */
  yajl_config (self->parser, yajl_dont_validate_strings, 1);
  return self;
}

void
wk_json_parser_free (WkJsonParser *self)
{
  if (self == NULL)
    return;

  yajl_free (self->parser);
  g_clear_error (&self->error);
  g_free (self);
}

/* Takes what the parser has to say, which never quotes the text. */
static GError *
parser_dup_syntax_error (WkJsonParser *self,
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
parser_skip_mark (WkJsonParser *self,
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
parser_parse (WkJsonParser *self,
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
  parser_skip_mark (self, &data, &length);
  if (length > 0
      && yajl_parse (self->parser, (const unsigned char *) data, length) != yajl_status_ok)
    {
      if (self->error == NULL)
        self->error = parser_dup_syntax_error (self, begin);
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
parser_propagate (WkJsonParser *self,
                   GError       **error)
{
  if (self->error == NULL)
    return TRUE;

  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

gboolean
wk_json_parser_feed (WkJsonParser *self,
                     const char   *data,
                     gsize         length,
                     GError      **error)
{
  if (self->error == NULL)
    parser_parse (self, data, length);
  return parser_propagate (self, error);
}

gboolean
wk_json_parser_finish (WkJsonParser *self,
                       GError      **error)
{
  if (self->error == NULL && yajl_complete_parse (self->parser) != yajl_status_ok
      && self->error == NULL)
    g_set_error (&self->error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                 _("the answer is cut off after %lu bytes"), (gulong) self->bytes);
  return parser_propagate (self, error);
}
