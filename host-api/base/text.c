/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/text.h"

#include <unistd.h>

char *
wk_quote (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *quoted = g_string_new ("\"");

  for (const char *place = valid; *place != '\0'; place = g_utf8_next_char (place))
    {
      gunichar character = g_utf8_get_char (place);

      if (character == '"' || character == '\\')
        g_string_append_printf (quoted, "\\%c", (char) character);
      else if (character == '\n')
        g_string_append (quoted, "\\n");
      else if (character == '\t')
        g_string_append (quoted, "\\t");
      else if (g_unichar_iscntrl (character))
        g_string_append_printf (quoted, "\\u%04x", character);
      else
        g_string_append_unichar (quoted, character);
    }
  g_string_append_c (quoted, '"');
  return g_string_free (quoted, FALSE);
}

char *
wk_shell_quote (const char *text)
{
  GString *quoted = g_string_new ("'");

  for (const char *place = text; *place != '\0'; place++)
    {
      if (*place == '\'')
        g_string_append (quoted, "'\"'\"'");
      else
        g_string_append_c (quoted, *place);
    }
  g_string_append_c (quoted, '\'');
  return g_string_free (quoted, FALSE);
}

char *
wk_random_hex (gsize n_bytes)
{
  g_autofree guchar *bytes = g_malloc (n_bytes);
  GString *digits = g_string_new (NULL);

  /* It fails only for more than 256 bytes, or on a kernel older than the C
   * library can run on. */
  if (getentropy (bytes, n_bytes) != 0)
    g_assert_not_reached ();
  for (gsize i = 0; i < n_bytes; i++)
    g_string_append_printf (digits, "%02x", bytes[i]);
  return g_string_free (digits, FALSE);
}
