/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli/cmd-metadata.h"

#include <glib/gi18n-lib.h>

static WelkinEnviron *
open_entry (Cli        *cli,
            const char *name,
            GError    **error)
{
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinProvider) provider = NULL;

  config = welkin_environments_load_config (cli->environments, name, error);
  if (config == NULL)
    return NULL;
  provider = welkin_registry_get_provider (cli->registry, welkin_config_get_string (config, "type"),
                                           error);
  if (provider == NULL)
    return NULL;
  return welkin_provider_open (provider, config,
                               welkin_environments_get_surroundings (cli->environments), error);
}

WelkinEnviron *
cli_open_written (Cli        *cli,
                  const char *option,
                  GError    **error)
{
  g_autofree char *name = cli_choose_environment (cli, option, error);
  g_autoptr(GError) local_error = NULL;
  WelkinEnviron *environment;

  if (name == NULL)
    return NULL;
  environment = welkin_environments_open (cli->environments, name, &local_error);
  if (environment != NULL)
    return environment;
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED))
    return open_entry (cli, name, error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

char *
cli_get_region (WelkinEnviron *environment)
{
  char *region = NULL;

  if (WELKIN_IS_REGIONAL (environment))
    region = welkin_regional_get_region (WELKIN_REGIONAL (environment));
  /* Before a login it is only where the user has written it. */
  if (region == NULL)
    region = g_strdup (welkin_config_get_string (welkin_environ_get_config (environment),
                                                 "region"));
  return region;
}
