/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/system-error.h"

gboolean
wk_fail_with_errno (GError    **error,
                    int         code,
                    const char *words,
                    const char *path)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s \"%s\": %s", words, path,
               g_strerror (code));
  return FALSE;
}
