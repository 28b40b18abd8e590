/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/failure-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_LINES      20
#define MAX_CHARACTERS 160

#define ESCAPE 0x1b

/* What cloud-init and others put beside what nobody else should read. */
static const char *const secret_words[] = {
  "passw", "secret", "token", "private key", "credential",
};

static gboolean
may_hold_secret (const char *line)
{
  g_autofree char *folded = g_utf8_casefold (line, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (secret_words); i++)
    {
      if (strstr (folded, secret_words[i]) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* Past a command to a terminal: "ESC [ … letter", or one character behind an ESC. */
static const char *
skip_escape (const char *escape)
{
  const char *text = escape + 1;

  if (*text == '[')
    {
      text++;
      while (*text >= ' ' && *text < '@')
        text++;
    }
  return *text != '\0' ? g_utf8_next_char (text) : text;
}

static char *
tidy_line (const char *line)
{
  GString *tidy = g_string_new (NULL);
  glong n_characters = 0;

  for (const char *c = line; *c != '\0' && n_characters < MAX_CHARACTERS;)
    {
      gunichar character = g_utf8_get_char (c);

      c = character == ESCAPE ? skip_escape (c) : g_utf8_next_char (c);
      if (character == '\t')
        character = ' ';
      if (!g_unichar_isprint (character))
        continue;
      g_string_append_unichar (tidy, character);
      n_characters++;
    }
  return g_string_free (tidy, FALSE);
}

char *
os_tidy_console (const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : g_strdup ("");
  g_auto(GStrv) lines = g_strsplit_set (valid, "\n\r", -1);
  g_autoptr(GPtrArray) tidy = g_ptr_array_new_with_free_func (g_free);

  for (guint i = g_strv_length (lines); i > 0 && tidy->len < MAX_LINES; i--)
    {
      g_autofree char *line = tidy_line (lines[i - 1]);

      g_strchomp (line);
      if (may_hold_secret (lines[i - 1]))
        g_ptr_array_insert (tidy, 0, g_strdup (_("(a line that may hold a secret)")));
      else if (*line != '\0')
        g_ptr_array_insert (tidy, 0, g_steal_pointer (&line));
    }
  if (tidy->len == 0)
    return NULL;
  g_ptr_array_add (tidy, NULL);
  return g_strjoinv ("\n", (char **) tidy->pdata);
}

void
os_explain_failure (GError     *error,
                    GPtrArray  *tries,
                    const char *console)
{
  GString *text = g_string_new (error->message);

  if (tries->len > 1)
    g_string_append_printf (text, "\n%s", _("What was tried:"));
  for (guint i = 0; tries->len > 1 && i < tries->len; i++)
    g_string_append_printf (text, "\n  %s", (char *) g_ptr_array_index (tries, i));
  if (console != NULL)
    {
      g_auto(GStrv) lines = g_strsplit (console, "\n", -1);

      g_string_append_printf (text, "\n%s", _("The last lines of its console:"));
      for (gsize i = 0; lines[i] != NULL; i++)
        g_string_append_printf (text, "\n  %s", lines[i]);
    }
  g_free (error->message);
  error->message = g_string_free (text, FALSE);
}
