/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"

/* Writes a value of free shape again, as compact text, from what the parser finds in it. */

struct _WkJsonText
{
  GString *string;
  guint    depth;
  gboolean wants_comma;
};

WkJsonText *
wk_json_text_new (void)
{
  WkJsonText *self = g_new0 (WkJsonText, 1);

  self->string = g_string_new (NULL);
  return self;
}

void
wk_json_text_free (WkJsonText *self)
{
  g_string_free (self->string, TRUE);
  g_free (self);
}

static void
append_comma (WkJsonText *self)
{
  if (self->wants_comma)
    g_string_append_c (self->string, ',');
}

static void
append_quoted (GString    *string,
               const char *text,
               gsize       length)
{
  g_string_append_c (string, '"');
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '"' || text[i] == '\\')
        g_string_append_printf (string, "\\%c", text[i]);
      else if ((guchar) text[i] < 0x20)
        g_string_append_printf (string, "\\u%04x", (guint) text[i]);
      else
        g_string_append_c (string, text[i]);
    }
  g_string_append_c (string, '"');
}

void
wk_json_text_add_value (WkJsonText        *self,
                        const WkJsonValue *value)
{
  append_comma (self);
  if (value->type == WK_JSON_VALUE_STRING)
    append_quoted (self->string, value->text, value->length);
  else
    g_string_append_len (self->string, value->text, value->length);
  self->wants_comma = TRUE;
}

void
wk_json_text_add_key (WkJsonText *self,
                      const char *key,
                      gsize       length)
{
  append_comma (self);
  append_quoted (self->string, key, length);
  g_string_append_c (self->string, ':');
  self->wants_comma = FALSE;
}

void
wk_json_text_begin (WkJsonText     *self,
                    WkJsonValueType type)
{
  append_comma (self);
  g_string_append_c (self->string, type == WK_JSON_VALUE_OBJECT ? '{' : '[');
  self->wants_comma = FALSE;
  self->depth++;
}

void
wk_json_text_end (WkJsonText     *self,
                  WkJsonValueType type)
{
  g_string_append_c (self->string, type == WK_JSON_VALUE_OBJECT ? '}' : ']');
  self->wants_comma = TRUE;
  self->depth--;
}

gboolean
wk_json_text_is_complete (WkJsonText *self)
{
  return self->depth == 0;
}

gsize
wk_json_text_get_length (WkJsonText *self)
{
  return self->string->len;
}

char *
wk_json_text_dup_valid (WkJsonText *self)
{
  return g_utf8_make_valid (self->string->str, self->string->len);
}

char *
wk_json_text_dup (WkJsonText *self,
                  char      **complaint)
{
  WkJsonValue value = { WK_JSON_VALUE_STRING, self->string->str, self->string->len };

  return wk_json_value_to_string (&value, complaint);
}
