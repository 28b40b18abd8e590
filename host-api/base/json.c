/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* Whole buffers: with a table, or small documents of free shape. */

static WkJsonDecoder *
decode (const WkJsonTable *table,
        const char        *member,
        GBytes            *bytes,
        GError           **error)
{
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (table, member, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (!wk_json_decoder_feed (decoder, data, length, error)
      || !wk_json_decoder_finish (decoder, error))
    return NULL;
  return g_steal_pointer (&decoder);
}

gpointer
wk_json_decode_record (const WkJsonTable *table,
                       const char        *member,
                       GBytes            *bytes,
                       GError           **error)
{
  g_autoptr(WkJsonDecoder) decoder = decode (table, member, bytes, error);
  gpointer record;

  if (decoder == NULL)
    return NULL;

  record = wk_json_decoder_steal_record (decoder);
  if (record != NULL)
    return record;

  if (wk_json_decoder_get_complaint (decoder) != NULL)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                         wk_json_decoder_get_complaint (decoder));
  else if (member != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                 _("the answer lacks “%s”"), member);
  else
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("the answer is empty"));
  return NULL;
}

GPtrArray *
wk_json_decode_records (const WkJsonTable *table,
                        const char        *member,
                        GBytes            *bytes,
                        GError           **error)
{
  g_autoptr(WkJsonDecoder) decoder = decode (table, member, bytes, error);

  return decoder != NULL ? wk_json_decoder_steal_records (decoder) : NULL;
}

JsonNode *
wk_json_parse (GBytes  *bytes,
               GError **error)
{
  /* A table without fields keeps nothing, and its decoder still checks depth and syntax. */
  static const WkJsonTable nothing = { 0, NULL, 0 };
  g_autoptr(WkJsonDecoder) decoder = decode (&nothing, NULL, bytes, error);
  g_autoptr(JsonParser) parser = NULL;
  g_autoptr(GError) local_error = NULL;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  if (decoder == NULL)
    return NULL;

  if (length >= WK_JSON_MARK_LENGTH && memcmp (data, WK_JSON_MARK, WK_JSON_MARK_LENGTH) == 0)
    {
      data += WK_JSON_MARK_LENGTH;
      length -= WK_JSON_MARK_LENGTH;
    }
  if (!g_utf8_validate_len (data, length, NULL))
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                           _("the answer is not valid UTF-8 text"));
      return NULL;
    }

  parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, data, length, &local_error))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("the answer is not JSON: %s"),
                   local_error->message);
      return NULL;
    }
  return json_parser_steal_root (parser);
}
