/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "os-storage-names.h"
#include "values/welkin-error.h"

#define MAX_NAME 1024

static gboolean
is_good (const char *name)
{
  g_auto(GStrv) parts = NULL;

  if (strlen (name) > MAX_NAME || !g_utf8_validate (name, -1, NULL))
    return FALSE;
  parts = g_strsplit (name, "/", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return FALSE;
  return parts[0] != NULL;
}

gboolean
os_storage_check_name (const char  *name,
                       GError     **error)
{
  g_autofree char *quoted = NULL;

  if (is_good (name))
    return TRUE;
  quoted = wk_quote (name);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("%s is not a name that a file in storage can have"), quoted);
  return FALSE;
}
