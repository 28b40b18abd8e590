/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * clouds: what there is to log in to, as files of other clients and variables say, so that a user
 * can name one of them in environments.yaml instead of writing it all down again.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/cli.h"

static char *option_format;

static const GOptionEntry options[] = {
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

static WelkinValue *
list_texts (const char *const *texts)
{
  g_autoptr(GPtrArray) items = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; texts[i] != NULL; i++)
    g_ptr_array_add (items, welkin_value_new_text (texts[i], TRUE, NULL));
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
}

static WelkinValue *
describe_cloud (WelkinCloud *cloud,
                const char  *provider_type)
{
  WelkinCloudFlags flags = welkin_cloud_get_flags (cloud);
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_string (&map, "name", welkin_cloud_get_name (cloud));
  wk_map_add_text (&map, "type", provider_type);
  wk_map_add_text (&map, "from", welkin_cloud_get_origin (cloud));
  wk_map_add_text (&map, "url", welkin_cloud_get_endpoint (cloud));
  wk_map_take (&map, "regions", list_texts (welkin_cloud_get_regions (cloud)));
  wk_map_add_text (&map, "secret", (flags & WELKIN_CLOUD_HAS_SECRET) != 0 ? "true" : "false");
  wk_map_add_text (&map, "default", (flags & WELKIN_CLOUD_IS_DEFAULT) != 0 ? "true" : "false");
  wk_map_add_text (&map, "problem", welkin_cloud_get_problem (cloud));
  return wk_map_end (&map);
}

static gboolean
run_clouds (Cli     *cli,
            char   **arguments,
            GError **error)
{
  g_autoptr(GPtrArray) rows = NULL;
  g_auto(GStrv) types = NULL;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;

  welkin_registry_open_all (cli->registry);
  types = welkin_registry_get_types (cli->registry);
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; types[i] != NULL; i++)
    {
      g_autoptr(WelkinProvider) provider =
        welkin_registry_get_provider (cli->registry, types[i], error);
      g_autoptr(GPtrArray) clouds = NULL;

      if (provider == NULL)
        return FALSE;
      clouds = welkin_provider_list_clouds (provider, NULL);
      for (guint j = 0; j < clouds->len; j++)
        g_ptr_array_add (rows, describe_cloud (g_ptr_array_index (clouds, j), types[i]));
    }

  if (rows->len == 0)
    console_say (cli->console, _("There is no cloud: no file and no variable names one"));
  return cli_print_list (cli, rows, format, error);
}

const CliCommand cli_command_clouds = {
  .name = "clouds",
  .usage = "",
  .summary = N_("List the clouds that files and variables name"),
  .description = N_("Prints each cloud that you can log in to already: those of clouds.yaml and "
                    "secure.yaml, and the one that the OS_ variables name. For each it is told "
                    "where it comes from, its URL and regions, whether there is a secret to log in "
                    "with, and whether it is what an environment gets that names none. Attribute "
                    "\"cloud\" of an environment, or option --cloud, chooses one by its name."),
  .options = options,
  .run = run_clouds,
};
