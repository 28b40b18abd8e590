/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-words-private.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

static void
word_free (gpointer data)
{
  WelkinWord *word = data;

  g_free (word->name);
  g_free (word->value);
  g_free (word);
}

/* "\ " is a space in a value, and does not end a word; other backslashes are
 * themselves. */
static char *
unescape (const char *value)
{
  GString *string = g_string_new (value);

  g_string_replace (string, "\\ ", " ", 0);
  return g_string_free (string, FALSE);
}

/* Up to the next space that no backslash escapes. */
static const char *
find_end (const char *word)
{
  const char *end = word;

  while (*end != '\0' && !(*end == ' ' && (end == word || end[-1] != '\\')))
    end++;
  return end;
}

/* Without the white space around it, other than escaped spaces. */
static char *
dup_trimmed (const char *start,
             const char *end)
{
  while (start < end && g_ascii_isspace (*start))
    start++;
  while (start < end && g_ascii_isspace (end[-1]) && end[-1] != ' ')
    end--;
  return g_strndup (start, end - start);
}

/* A value that ends in a backslash would swallow the word behind it when it
 * is written again. */
static WelkinWord *
parse_word (const char *text,
            const char *noun,
            GError    **error)
{
  const char *equals = strchr (text, '=');
  WelkinWord *word;

  if (equals == NULL || equals == text || g_str_has_suffix (text, "\\"))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("malformed %s \"%s\""),
                   noun, text);
      return NULL;
    }
  word = g_new0 (WelkinWord, 1);
  word->name = g_strndup (text, equals - text);
  word->value = unescape (equals + 1);
  return word;
}

GPtrArray *
welkin_words_split (const char *text,
                    const char *noun,
                    GError    **error)
{
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func (word_free);
  const char *start = text;
  const char *end;

  for (; *start != '\0'; start = *end != '\0' ? end + 1 : end)
    {
      g_autofree char *trimmed = NULL;
      WelkinWord *word;

      end = find_end (start);
      trimmed = dup_trimmed (start, end);
      if (*trimmed == '\0')
        continue;
      word = parse_word (trimmed, noun, error);
      if (word == NULL)
        return NULL;
      g_ptr_array_add (words, word);
    }
  return g_steal_pointer (&words);
}

void
welkin_words_append (GString    *string,
                     const char *name,
                     const char *value)
{
  if (string->len > 0)
    g_string_append_c (string, ' ');
  g_string_append (string, name);
  g_string_append_c (string, '=');
  for (; *value != '\0'; value++)
    {
      if (*value == ' ')
        g_string_append_c (string, '\\');
      g_string_append_c (string, *value);
    }
}

const char *
welkin_words_parse_number (const char *value,
                           guint64    *number)
{
  *number = 0;
  if (*value == '\0')
    return NULL;
  if (strspn (value, "0123456789") != strlen (value) ||
      !g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64, number, NULL))
    return _("must be a non-negative integer");
  return NULL;
}

static double
get_factor (char suffix)
{
  switch (suffix)
    {
    case 'G':
      return 0x1p10;
    case 'T':
      return 0x1p20;
    case 'P':
      return 0x1p30;
    default:
      return 1;
    }
}

const char *
welkin_words_parse_size (const char *value,
                         guint64    *mib)
{
  gsize length = strspn (value, "0123456789.eE+-");
  char *end = NULL;
  double size;

  *mib = 0;
  if (*value == '\0')
    return NULL;

  size = g_ascii_strtod (value, &end);
  if (end == value + length && end > value && (*end == '\0' || strchr ("MGTP", *end) != NULL))
    {
      size *= get_factor (*end);
      if ((*end == '\0' || end[1] == '\0') && *value != '-' && size <= 0x1p63)
        {
          *mib = (guint64) size;
          if (*mib < size)
            *mib += 1;
          return NULL;
        }
    }
  return _("must be a non-negative float with optional M/G/T/P suffix");
}

gboolean
welkin_words_is_arch (const char *value)
{
  static const char * const arches[] = {
    "amd64", "i386", "arm", "arm64", "armhf", "ppc64", "ppc64el", "riscv64", "s390x", NULL,
  };

  return g_strv_contains (arches, value);
}
