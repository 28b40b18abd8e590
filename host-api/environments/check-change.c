/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-config.h"
#include "environments/welkin-environments.h"
#include "machine/welkin-series.h"
#include "registry/welkin-registry.h"

/* One that was remembered may be of another day, whose releases nobody knows any more. */
static gboolean
check_series (WelkinConfig *old_config,
              WelkinConfig *config,
              GError      **error)
{
  const char *series = welkin_config_get_string (config, "default-series");

  return g_str_equal (series, welkin_config_get_string (old_config, "default-series"))
         || welkin_series_lookup (series, NULL, NULL, error);
}

/**
 * welkin_environments_check_change:
 * @self: environments
 * @old_config: what is remembered of a bootstrapped environment
 * @config: what is to be remembered instead
 * @error: return location for an error
 *
 * Checks a change of the configuration of a bootstrapped environment, as its provider and what
 * holds for every environment have it. Nothing that stands elsewhere, as in variables, is added.
 *
 * An attribute that must stay as it is, and a value that makes no sense, are
 * %WELKIN_ERROR_INVALID_CONFIG.
 *
 * Returns: (transfer full): @config, with its values in their usual form, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_environments_check_change (WelkinEnvironments *self,
                                  WelkinConfig       *old_config,
                                  WelkinConfig       *config,
                                  GError            **error)
{
  g_autoptr(WelkinConfig) old_restored = NULL;
  g_autoptr(WelkinConfig) restored = NULL;
  g_autoptr(WelkinConfig) valid = NULL;
  g_autoptr(WelkinProvider) provider = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);
  g_return_val_if_fail (old_config != NULL && config != NULL, NULL);

  old_restored = welkin_environment_config_restore (old_config, error);
  if (old_restored == NULL)
    return NULL;
  restored = welkin_environment_config_restore (config, error);
  if (restored == NULL || !welkin_environment_config_validate (restored, old_restored, error)
      || !check_series (old_restored, restored, error))
    return NULL;
  provider = welkin_registry_get_provider (welkin_environments_get_registry (self),
                                           welkin_config_get_provider_type (restored), error);
  if (provider == NULL)
    return NULL;
  valid = welkin_provider_validate (provider, restored, old_restored,
                                    welkin_environments_get_surroundings (self), error);
  return valid != NULL ? g_steal_pointer (&restored) : NULL;
}
