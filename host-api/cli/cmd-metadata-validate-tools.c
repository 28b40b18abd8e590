/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * metadata validate-tools: looks tools up in metadata, and tells which are found, or what each
 * place had to say.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/cli.h"
#include "cli/cmd-metadata.h"

static char *option_environment;
static char *option_type;
static char *option_directory;
static char *option_stream;
static char *option_region;
static char *option_endpoint;
static char *option_series;
static char *option_arch;
static char *option_exact;
static char *option_version;
static char *option_format;
static char *option_output;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "provider", 'p', 0, G_OPTION_ARG_STRING, &option_type,
    N_("The kind of cloud, when there is no environment"), N_("TYPE") },
  { "region", 'r', 0, G_OPTION_ARG_STRING, &option_region,
    N_("The region that they are for (default: any)"), N_("REGION") },
  { "endpoint", 'u', 0, G_OPTION_ARG_STRING, &option_endpoint,
    N_("The URL of the cloud that they are for (default: any)"), N_("URL") },
  { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &option_directory, N_("Look only in DIR/tools"),
    N_("DIR") },
  { "stream", 0, 0, G_OPTION_ARG_STRING, &option_stream,
    N_("Their stream, as in devel (default: the environment's, or what is released)"),
    N_("STREAM") },
  { "series", 's', 0, G_OPTION_ARG_STRING, &option_series, N_("The release (default: any)"),
    N_("SERIES") },
  { "arch", 'a', 0, G_OPTION_ARG_STRING, &option_arch, N_("The architecture (default: any)"),
    N_("ARCH") },
  { "exact-version", 'j', 0, G_OPTION_ARG_STRING, &option_exact,
    N_("This version alone, or \"current\" for that of this program"), N_("VERSION") },
  { "version", 'm', 0, G_OPTION_ARG_STRING, &option_version,
    N_("The beginning of the version, as in 1 or 1.2"), N_("VERSION") },
  { "format", 0, 0, G_OPTION_ARG_STRING, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output, N_("Write to FILE"), N_("FILE") },
  G_OPTION_ENTRY_NULL
};

/* stream: (out) (transfer full) */
static GPtrArray *
list_sources (Cli     *cli,
              char   **stream,
              GError **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GPtrArray) sources = NULL;
  WelkinDataSource *source;

  if (option_directory == NULL)
    {
      environment = cli_open_written (cli, option_environment, error);
      if (environment == NULL)
        return NULL;
      *stream = cli_choose_tools_stream (option_stream, environment);
      welkin_environ_list_tools_sources_async (environment, NULL, cli->surroundings,
                                               cli->cancellable, cli_done_cb, cli);
      return welkin_environ_list_tools_sources_finish (environment, cli_wait (cli), error);
    }
  *stream = cli_choose_tools_stream (option_stream, NULL);
  source = welkin_tools_source_new (option_directory, "local metadata directory",
                                    WELKIN_DATA_SOURCE_NONE, cli->surroundings, error);
  if (source == NULL)
    return NULL;
  sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (sources, source);
  return g_steal_pointer (&sources);
}

static WelkinValue *
list_versions (GPtrArray *tools)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);

  for (guint i = 0; i < tools->len; i++)
    {
      WelkinTools *each = g_ptr_array_index (tools, i);
      g_autofree char *binary =
        g_strjoin ("-", welkin_tools_get_version (each), welkin_tools_get_series (each),
                   welkin_tools_get_arch (each), NULL);

      g_ptr_array_add (rows, welkin_value_new_text (binary, TRUE, NULL));
    }
  return welkin_value_new_list ((WelkinValue **) rows->pdata, rows->len, NULL);
}

static WelkinValue *
describe_tools (GPtrArray         *tools,
                WelkinResolveInfo *info)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_take (&map, "Matching Tools Versions", list_versions (tools));
  wk_map_take (&map, "Resolve Metadata", cli_describe_resolve_info (info));
  return wk_map_end (&map);
}

static gboolean
run_validate_tools (Cli     *cli,
                    char   **arguments,
                    GError **error)
{
  g_autofree char *stream = NULL;
  g_autoptr(GPtrArray) sources = NULL;
  g_autoptr(GPtrArray) tools = NULL;
  g_autoptr(WelkinResolveInfo) info = NULL;
  g_autoptr(WelkinValue) value = NULL;
  const char *version = option_exact != NULL ? option_exact : option_version;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  if (option_exact != NULL && option_version != NULL)
    return cli_usage_error (error, _("-j and -m cannot be used together"));
  if (!cli_check_offline_options (cli, option_type, option_series, option_region,
                                  option_directory, error))
    return FALSE;
  sources = list_sources (cli, &stream, error);
  if (sources == NULL)
    return FALSE;
  welkin_tools_find_async (sources, stream, option_series, option_arch, version,
                           option_region, option_endpoint,
                           WELKIN_TOOLS_ALL_VERSIONS | WELKIN_TOOLS_DEVELOPMENT,
                           cli->surroundings, cli->cancellable, cli_done_cb, cli);
  tools = welkin_tools_find_finish (cli_wait (cli), &info, error);
  if (tools == NULL)
    return FALSE;
  value = describe_tools (tools, info);
  return cli_print_value (cli, value, format, option_output, error);
}

const CliCommand cli_command_metadata_validate_tools = {
  .name = "metadata validate-tools",
  .usage = "",
  .summary = N_("Look tools up in metadata"),
  .description = N_("Looks in the same places as an environment does, or in one directory, and "
                    "prints the versions of the first place that has any that are wanted."),
  .options = options,
  .run = run_validate_tools,
};
