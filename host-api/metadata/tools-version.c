/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-version.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "values/welkin-error.h"

#define MAX_DIGITS 9
#define FORCE_VERSION "FORCE-VERSION"

/* Reads a number of at most nine digits, so that it fits, and goes behind it. */
static gboolean
scan_number (const char **cursor,
             guint       *number)
{
  gsize n = strspn (*cursor, "0123456789");

  if (n == 0 || n > MAX_DIGITS)
    return FALSE;
  *number = 0;
  for (gsize i = 0; i < n; i++)
    *number = *number * 10 + (guint) g_ascii_digit_value ((*cursor)[i]);
  *cursor += n;
  return TRUE;
}

static gboolean
scan_char (const char **cursor,
           char         wanted)
{
  if (**cursor != wanted)
    return FALSE;
  (*cursor)++;
  return TRUE;
}

static gboolean
scan_tag (const char **cursor,
          char        *tag)
{
  gsize n = strspn (*cursor, "abcdefghijklmnopqrstuvwxyz");

  if (n == 0 || n > WELKIN_TOOLS_MAX_TAG)
    return FALSE;
  memcpy (tag, *cursor, n);
  *cursor += n;
  return TRUE;
}

static gboolean
scan_version (const char         *text,
              WelkinToolsVersion *version)
{
  const char *cursor = text;

  memset (version, 0, sizeof *version);
  if (!scan_number (&cursor, &version->major) || !scan_char (&cursor, '.')
      || !scan_number (&cursor, &version->minor))
    return FALSE;
  if (!scan_char (&cursor, '.')
      && !(scan_char (&cursor, '-') && scan_tag (&cursor, version->tag)))
    return FALSE;
  if (!scan_number (&cursor, &version->patch))
    return FALSE;
  if (scan_char (&cursor, '.') && !scan_number (&cursor, &version->build))
    return FALSE;
  return *cursor == '\0';
}

static gboolean
fail_invalid (GError    **error,
              const char *format,
              const char *text)
{
  g_autofree char *quoted = wk_quote (text);
  g_autofree char *message = g_strconcat (format, " ", quoted, NULL);

  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

gboolean
welkin_tools_version_parse (const char         *text,
                            WelkinToolsVersion *version,
                            GError            **error)
{
  return scan_version (text, version) || fail_invalid (error, _("invalid version"), text);
}

char *
welkin_tools_version_format (const WelkinToolsVersion *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%u.%u", self->major, self->minor);
  if (*self->tag != '\0')
    g_string_append_printf (text, "-%s%u", self->tag, self->patch);
  else
    g_string_append_printf (text, ".%u", self->patch);
  if (self->build > 0)
    g_string_append_printf (text, ".%u", self->build);
  return g_string_free (text, FALSE);
}

static int
compare_numbers (guint a,
                 guint b)
{
  return (a > b) - (a < b);
}

/* What is released is newer than what was tried before it. */
static int
compare_tags (const char *a,
              const char *b)
{
  if (*a == '\0' || *b == '\0')
    return (*a == '\0') - (*b == '\0');
  return strcmp (a, b);
}

int
welkin_tools_version_compare (const WelkinToolsVersion *a,
                              const WelkinToolsVersion *b)
{
  int order = compare_numbers (a->major, b->major);

  if (order == 0)
    order = compare_numbers (a->minor, b->minor);
  if (order == 0)
    order = compare_tags (a->tag, b->tag);
  if (order == 0)
    order = compare_numbers (a->patch, b->patch);
  return order != 0 ? order : compare_numbers (a->build, b->build);
}

gboolean
welkin_tools_version_is_development (const WelkinToolsVersion *self)
{
  return *self->tag != '\0' || self->build > 0;
}

gboolean
welkin_tools_version_parse_major_minor (const char *text,
                                        int        *major,
                                        int        *minor,
                                        GError    **error)
{
  g_auto(GStrv) parts = g_strsplit (text, ".", -1);
  guint n_parts = g_strv_length (parts);
  const char *cursor;
  guint number;

  if (n_parts < 1 || n_parts > 2)
    return fail_invalid (error, _("invalid major.minor version number"), text);
  cursor = parts[0];
  if (!scan_number (&cursor, &number) || *cursor != '\0')
    return fail_invalid (error, _("invalid major version number"), parts[0]);
  *major = (int) number;
  *minor = -1;
  if (n_parts == 1)
    return TRUE;
  cursor = parts[1];
  if (!scan_number (&cursor, &number) || *cursor != '\0')
    return fail_invalid (error, _("invalid minor version number"), parts[1]);
  *minor = (int) number;
  return TRUE;
}

/* The number may hold a dash, what comes behind it does not. */
gboolean
welkin_tools_binary_parse (const char         *text,
                           WelkinToolsVersion *version,
                           char              **series,
                           char              **arch,
                           GError            **error)
{
  g_autofree char *number = g_strdup (text);
  char *found_arch = strrchr (number, '-');
  char *found_series = NULL;

  if (found_arch != NULL)
    {
      *found_arch++ = '\0';
      found_series = strrchr (number, '-');
    }
  if (found_series != NULL)
    *found_series++ = '\0';
  if (found_series == NULL || *found_series == '\0' || *found_arch == '\0'
      || !scan_version (number, version))
    return fail_invalid (error, _("invalid binary version"), text);
  *series = g_strdup (found_series);
  *arch = g_strdup (found_arch);
  return TRUE;
}

void
welkin_tools_version_get_host (const char         *executable,
                               WelkinToolsVersion *version)
{
  g_autofree char *own = executable == NULL ? g_file_read_link ("/proc/self/exe", NULL) : NULL;
  g_autofree char *directory = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_valid = scan_version (PACKAGE_VERSION, version);
  WelkinToolsVersion forced;

  g_assert (is_valid);
  if (executable == NULL)
    executable = own != NULL ? own : "";
  directory = g_path_get_dirname (executable);
  path = g_build_filename (directory, FORCE_VERSION, NULL);
  if (!g_file_get_contents (path, &text, NULL, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_warning (_("Cannot read \"%s\": %s"), path, error->message);
      return;
    }
  if (welkin_tools_version_parse (g_strstrip (text), &forced, &error))
    *version = forced;
  else
    g_warning (_("File \"%s\" is ignored: %s"), path, error->message);
}
