/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-refuse.h"

#include "values/welkin-error.h"

gboolean
os_refuse (WelkinValue  *value,
           char         *message,
           GError      **error)
{
  const char *origin = value != NULL ? welkin_value_get_origin (value) : NULL;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, "%s%s%s",
               origin != NULL ? origin : "", origin != NULL ? ": " : "", message);
  g_free (message);
  return FALSE;
}

gboolean
os_refuse_key (WelkinConfig  *config,
               const char    *key,
               char          *message,
               GError       **error)
{
  return os_refuse (welkin_config_lookup (config, key), message, error);
}
