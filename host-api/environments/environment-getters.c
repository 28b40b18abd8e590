/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-getters.h"

#include <glib/gi18n-lib.h>

#include "environments/environment-config.h"
#include "environments/environment-schema.h"
#include "values/welkin-error.h"

/* A config of somebody else's may lack it, or say 0. */
static guint
get_seconds (WelkinConfig *config,
             const char   *key,
             guint         otherwise)
{
  gint64 seconds = welkin_config_get_int (config, key);

  return seconds > 0 && seconds <= G_MAXINT32 ? (guint) seconds : otherwise;
}

WelkinConnectDelays
welkin_environment_get_connect_delays (WelkinConfig *config)
{
  WelkinConnectDelays delays = {
    .timeout = get_seconds (config, "bootstrap-timeout", 600),
    .retry_delay = get_seconds (config, "bootstrap-retry-delay", 5),
    .addresses_delay = get_seconds (config, "bootstrap-addresses-delay", 10),
  };

  return delays;
}

/* The older attribute could only forbid to remove what nobody knows, or not. */
WelkinHarvestMode
welkin_environment_get_harvest_mode (WelkinConfig *config)
{
  static const char *const words[] = { "none", "unknown", "destroyed", "all" };
  const char *word = welkin_config_get_string (config, "provisioner-harvest-mode");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_ascii_strcasecmp (word, words[i]) == 0)
        return (WelkinHarvestMode) i;
    }
  if (welkin_config_has (config, "provisioner-safe-mode") &&
      !welkin_config_get_boolean (config, "provisioner-safe-mode"))
    return WELKIN_HARVEST_ALL;
  return WELKIN_HARVEST_DESTROYED;
}

const char *
welkin_environment_get_stream (WelkinConfig *config,
                               const char   *key)
{
  const char *stream = welkin_config_get_string (config, key);

  return *stream != '\0' ? stream : "released";
}

/* What says who uses the cloud goes as well: machines do not use it in that name. */
static WelkinConfig *
drop_secrets (WelkinConfig *config,
              WelkinSchema *schema)
{
  g_autofree const char **names = welkin_schema_get_names (schema);
  WelkinConfig *result = welkin_config_ref (config);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr(WelkinConfig) former = NULL;

      if ((welkin_schema_get_flags (schema, names[i])
           & (WELKIN_ATTRIBUTE_SECRET | WELKIN_ATTRIBUTE_IDENTITY)) == 0)
        continue;
      former = result;
      result = welkin_config_without (former, names[i]);
    }
  return result;
}

WelkinConfig *
welkin_environment_make_public_config (WelkinConfig *config,
                                       WelkinSchema *provider_schema,
                                       GError      **error)
{
  g_autoptr(WelkinSchema) own_schema = welkin_environment_schema_new ();
  g_autoptr(WelkinConfig) without_own = drop_secrets (config, own_schema);
  g_autoptr(WelkinConfig) without_any = drop_secrets (without_own, provider_schema);

  if (*welkin_config_get_string (config, "agent-version") == '\0')
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                           _("environment configuration has no agent-version"));
      return NULL;
    }
  return welkin_environment_config_restore (without_any, error);
}
