/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/yaml.h"

#include <string.h>
#include <yaml.h>

/* Whether a quoted text must stay quoted, because unquoted it might be read as
 * a number, a date, a truth value or nothing at all: only what cannot be is
 * printed without. */
static gboolean
needs_quotes (const char *text)
{
  const char *const words[] = { "y",  "yes", "true",  "on",   "t", "n",
                                "no", "off", "false", "null", "f", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  if (!g_ascii_isalpha (text[0]) && text[0] != '/' && text[0] != '_')
    return TRUE;
  return g_strv_contains (words, lower);
}

/* Whether the text means nothing when it is not quoted. */
static gboolean
is_unset (const char *text)
{
  const char *const words[] = { "", "~", "null", "Null", "NULL", NULL };

  return g_strv_contains (words, text);
}

/* A block keeps line ends only if they are all "\n", and escapes nothing. */
static yaml_scalar_style_t
choose_style (const char *text,
              gboolean    is_quoted)
{
  if (strpbrk (text, "\r\t") != NULL || strstr (text, "\xc2\x85") != NULL ||
      strstr (text, "\xe2\x80\xa8") != NULL || strstr (text, "\xe2\x80\xa9") != NULL)
    return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  if (strchr (text, '\n') != NULL)
    return g_ascii_isspace (text[0]) ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_LITERAL_SCALAR_STYLE;
  if (is_unset (text) || (is_quoted && needs_quotes (text)))
    return YAML_SINGLE_QUOTED_SCALAR_STYLE;
  return YAML_PLAIN_SCALAR_STYLE;
}

static void
emit (yaml_emitter_t *emitter,
      yaml_event_t   *event)
{
  /* It fails only without memory, or when events come in an order that makes no
   * sense. */
  if (!yaml_emitter_emit (emitter, event))
    g_assert_not_reached ();
}

static void
emit_scalar (yaml_emitter_t     *emitter,
             const char         *text,
             yaml_scalar_style_t style)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  yaml_event_t event = { 0 };

  yaml_scalar_event_initialize (&event, NULL, NULL, (const yaml_char_t *) valid,
                                (int) strlen (valid), TRUE, TRUE, style);
  emit (emitter, &event);
}

static int
compare_keys (gconstpointer a,
              gconstpointer b,
              gpointer      user_data)
{
  WelkinValue *map = user_data;

  return strcmp (welkin_value_get_key (map, *(const guint *) a),
                 welkin_value_get_key (map, *(const guint *) b));
}

static void emit_value (yaml_emitter_t *emitter,
                        WelkinValue    *value);

static void
emit_map (yaml_emitter_t *emitter,
          WelkinValue    *map)
{
  guint n_entries = welkin_value_get_length (map);
  g_autofree guint *order = g_new (guint, n_entries);
  yaml_event_t event = { 0 };

  for (guint i = 0; i < n_entries; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n_entries, sizeof *order, compare_keys, map);

  yaml_mapping_start_event_initialize (&event, NULL, NULL, TRUE, YAML_BLOCK_MAPPING_STYLE);
  emit (emitter, &event);
  for (guint i = 0; i < n_entries; i++)
    {
      const char *key = welkin_value_get_key (map, order[i]);

      emit_scalar (emitter, key, choose_style (key, TRUE));
      emit_value (emitter, welkin_value_get_item (map, order[i]));
    }
  yaml_mapping_end_event_initialize (&event);
  emit (emitter, &event);
}

static void
emit_list (yaml_emitter_t *emitter,
           WelkinValue    *list)
{
  yaml_event_t event = { 0 };

  yaml_sequence_start_event_initialize (&event, NULL, NULL, TRUE, YAML_BLOCK_SEQUENCE_STYLE);
  emit (emitter, &event);
  for (guint i = 0; i < welkin_value_get_length (list); i++)
    emit_value (emitter, welkin_value_get_item (list, i));
  yaml_sequence_end_event_initialize (&event);
  emit (emitter, &event);
}

static void
emit_value (yaml_emitter_t *emitter,
            WelkinValue    *value)
{
  switch (welkin_value_get_kind (value))
    {
    case WELKIN_VALUE_TEXT:
      emit_scalar (emitter, welkin_value_get_text (value),
                   choose_style (welkin_value_get_text (value), welkin_value_is_quoted (value)));
      break;
    case WELKIN_VALUE_LIST:
      emit_list (emitter, value);
      break;
    case WELKIN_VALUE_MAP:
      emit_map (emitter, value);
      break;
    case WELKIN_VALUE_UNSET:
    default:
      emit_scalar (emitter, "null", YAML_PLAIN_SCALAR_STYLE);
      break;
    }
}

static int
append_output (void          *user_data,
               unsigned char *buffer,
               size_t         size)
{
  g_string_append_len (user_data, (const char *) buffer, (gssize) size);
  return 1;
}

char *
wk_yaml_print (WelkinValue *value)
{
  GString *text = NULL;
  yaml_emitter_t emitter;
  yaml_event_t event = { 0 };

  g_return_val_if_fail (value != NULL, NULL);

  text = g_string_new (NULL);
  if (!yaml_emitter_initialize (&emitter))
    g_assert_not_reached ();
  yaml_emitter_set_output (&emitter, append_output, text);
  yaml_emitter_set_unicode (&emitter, TRUE);
  yaml_emitter_set_width (&emitter, -1);

  yaml_stream_start_event_initialize (&event, YAML_UTF8_ENCODING);
  emit (&emitter, &event);
  yaml_document_start_event_initialize (&event, NULL, NULL, NULL, TRUE);
  emit (&emitter, &event);
  emit_value (&emitter, value);
  yaml_document_end_event_initialize (&event, TRUE);
  emit (&emitter, &event);
  yaml_stream_end_event_initialize (&event);
  emit (&emitter, &event);

  yaml_emitter_delete (&emitter);
  return g_string_free (text, FALSE);
}
