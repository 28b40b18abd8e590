/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * metadata validate-images: looks images up in metadata as bootstrap does, and tells where they
 * were found, or what each place had to say.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/cli.h"
#include "cli/cmd-metadata.h"

static char *option_environment;
static char *option_type;
static char *option_directory;
static char *option_series;
static char *option_region;
static char *option_endpoint;
static char *option_stream;
static char *option_format;
static char *option_output;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "provider", 'p', 0, G_OPTION_ARG_STRING, &option_type,
    N_("The kind of cloud, when there is no environment"), N_("TYPE") },
  { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &option_directory,
    N_("Look only in DIR/images"), N_("DIR") },
  { "series", 's', 0, G_OPTION_ARG_STRING, &option_series,
    N_("The release (default: default-series)"), N_("SERIES") },
  { "region", 'r', 0, G_OPTION_ARG_STRING, &option_region,
    N_("The region (default: the environment's)"), N_("REGION") },
  { "endpoint", 'u', 0, G_OPTION_ARG_STRING, &option_endpoint,
    N_("The URL of the cloud (default: the environment's)"), N_("URL") },
  { "stream", 'm', 0, G_OPTION_ARG_STRING, &option_stream,
    N_("Which images: \"released\" (default) or \"daily\""), N_("STREAM") },
  { "format", 0, 0, G_OPTION_ARG_STRING, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output, N_("Write to FILE"), N_("FILE") },
  G_OPTION_ENTRY_NULL
};

/* environment: (nullable) */
static GPtrArray *
list_sources (Cli           *cli,
              WelkinEnviron *environment,
              GError       **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (cli->environments);
  g_autofree char *path = NULL;
  WelkinDataSource *source;
  GPtrArray *sources;

  if (option_directory == NULL)
    {
      welkin_environ_list_image_sources_async (environment, NULL, surroundings, cli->cancellable,
                                               cli_done_cb, cli);
      return welkin_environ_list_image_sources_finish (environment, cli_wait (cli), error);
    }

  path = g_build_filename (option_directory, "images", NULL);
  source = welkin_data_source_new_for_location (path, "local metadata directory",
                                                WELKIN_DATA_SOURCE_NONE, surroundings, error);
  if (source == NULL)
    return NULL;
  sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (sources, source);
  return sources;
}

/* Completes what the command line leaves open, now that the cloud has been asked. */
static void
complete_options (WelkinEnviron *environment)
{
  WelkinConfig *config = welkin_environ_get_config (environment);

  if (option_series == NULL)
    option_series = g_strdup (welkin_config_get_string (config, "default-series"));
  if (option_stream == NULL)
    option_stream = g_strdup (welkin_config_get_string (config, "image-stream"));
  if (option_region == NULL)
    option_region = cli_get_region (environment);
  if (option_endpoint == NULL && WELKIN_IS_REGIONAL (environment))
    option_endpoint = welkin_regional_get_endpoint (WELKIN_REGIONAL (environment));
}

static WelkinValue *
list_ids (GPtrArray *images)
{
  g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);

  for (guint i = 0; i < images->len; i++)
    {
      WelkinImage *image = g_ptr_array_index (images, i);

      g_ptr_array_add (ids, welkin_value_new_text (welkin_image_get_id (image), TRUE, NULL));
    }
  return welkin_value_new_list ((WelkinValue **) ids->pdata, ids->len, NULL);
}

static WelkinValue *
describe_lookup (WelkinImageLookup *lookup)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_take (&map, "ImageIds", list_ids (welkin_image_lookup_get_images (lookup)));
  wk_map_add_string (&map, "Region", option_region != NULL ? option_region : "");
  wk_map_take (&map, "Resolve Metadata",
               cli_describe_resolve_info (welkin_image_lookup_get_info (lookup)));
  return wk_map_end (&map);
}

static void
set_nothing_found (WelkinImageLookup *lookup,
                   GError           **error)
{
  if (welkin_image_lookup_get_info (lookup) == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
                           _("there is no place to look in: name one with -d DIR or in "
                             "\"image-metadata-url\""));
      return;
    }
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
               /* TRANSLATORS: the last is a list of places, each on a line of its own */
               _("no matching image ids for region \"%s\" using sources:\n%s"),
               option_region != NULL ? option_region : "",
               welkin_image_lookup_get_explanation (lookup));
}

static gboolean
run_validate_images (Cli     *cli,
                     char   **arguments,
                     GError **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GPtrArray) sources = NULL;
  g_autoptr(WelkinImageLookup) lookup = NULL;
  g_autoptr(WelkinValue) value = NULL;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error)
      || !cli_check_offline_options (cli, option_type, option_series, option_region,
                                     option_directory, error))
    return FALSE;
  if (option_type == NULL)
    {
      environment = cli_open_written (cli, option_environment, error);
      if (environment == NULL)
        return FALSE;
    }
  sources = list_sources (cli, environment, error);
  if (sources == NULL)
    return FALSE;
  if (environment != NULL)
    complete_options (environment);

  welkin_image_lookup_async (sources, option_series, NULL, option_stream, option_region,
                             option_endpoint,
                             welkin_environments_get_surroundings (cli->environments),
                             cli->cancellable, cli_done_cb, cli);
  lookup = welkin_image_lookup_finish (cli_wait (cli), error);
  if (lookup == NULL)
    return FALSE;
  if (welkin_image_lookup_get_images (lookup)->len == 0)
    {
      set_nothing_found (lookup, error);
      return FALSE;
    }
  value = describe_lookup (lookup);
  return cli_print_value (cli, value, format, option_output, error);
}

const CliCommand cli_command_metadata_validate_images = {
  .name = "metadata validate-images",
  .usage = "",
  .summary = N_("Look images up in metadata, and tell where they are found"),
  .description = N_("Looks in the same places as bootstrap, or in one directory, and prints the "
                    "images of the first place that has any for the series and the cloud."),
  .options = options,
  .run = run_validate_images,
};
