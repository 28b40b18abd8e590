/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli/cmd-metadata.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/map-builder.h"

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

char *
cli_choose_tools_stream (const char    *option,
                         WelkinEnviron *environment)
{
  if (option != NULL || environment == NULL)
    return g_strdup (option);
  return g_strdup (welkin_config_get_string (welkin_environ_get_config (environment),
                                             "tools-stream"));
}

gboolean
cli_check_offline_options (Cli        *cli,
                           const char *type,
                           const char *series,
                           const char *region,
                           const char *directory,
                           GError    **error)
{
  g_autoptr(WelkinProvider) provider = NULL;

  if (type == NULL)
    return TRUE;
  if (series == NULL)
    return cli_usage_error (error, _("series required if provider type is specified: -s SERIES"));
  if (region == NULL)
    return cli_usage_error (error, _("region required if provider type is specified: -r REGION"));
  if (directory == NULL)
    return cli_usage_error (error, _("directory required if provider type is specified: -d DIR"));
  provider = welkin_registry_get_provider (cli->registry, type, error);
  return provider != NULL;
}

char *
cli_make_signed_path (const char *path)
{
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (CLI_PLAIN_SUFFIX));

  return g_strconcat (stem, CLI_SIGNED_SUFFIX, NULL);
}

void
cli_print_written (Cli               *cli,
                   const char *const *files,
                   const char        *directory)
{
  gboolean is_signed = FALSE;

  for (gsize i = 0; files[i] != NULL; i++)
    {
      g_autofree char *signed_path = cli_make_signed_path (files[i]);
      g_autofree char *place = g_canonicalize_filename (signed_path, directory);

      console_print (cli->console, files[i]);
      is_signed |= directory != NULL && g_file_test (place, G_FILE_TEST_EXISTS);
    }
  /* Who has the key reads nothing else. */
  if (is_signed)
    console_say (cli->console, _("warning: the signed files beside them say what was there before: "
                                 "sign them again with \"welkin metadata sign\""));
}

WelkinValue *
cli_describe_resolve_info (WelkinResolveInfo *info)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_string (&map, "source", welkin_resolve_info_get_source (info));
  wk_map_add_text (&map, "signed", welkin_resolve_info_is_signed (info) ? "true" : "false");
  wk_map_add_string (&map, "indexURL", welkin_resolve_info_get_index_uri (info));
  wk_map_add_string (&map, "mirrorURL", welkin_resolve_info_get_mirror_uri (info));
  return wk_map_end (&map);
}
