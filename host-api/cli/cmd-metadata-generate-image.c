/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * metadata generate-image: tells environments which image to start machines from, where the
 * cloud's own list of images does not.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"
#include "cli/cmd-metadata.h"
#include "cli/cmd-storage.h"

#define DEFAULT_ARCH "amd64"

static char *option_environment;
static char *option_image;
static char *option_series;
static char *option_arch;
static char *option_directory;
static char *option_region;
static char *option_endpoint;
static char *option_virt_type;
static gboolean option_storage;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "image", 'i', 0, G_OPTION_ARG_STRING, &option_image, N_("The image, by its id in the cloud"),
    N_("ID") },
  { "series", 's', 0, G_OPTION_ARG_STRING, &option_series,
    N_("The release that it holds (default: default-series)"), N_("SERIES") },
  { "arch", 'a', 0, G_OPTION_ARG_STRING, &option_arch,
    N_("The architecture that it is for (default: amd64)"), N_("ARCH") },
  { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &option_directory,
    N_("Where to write (default: here)"), N_("DIR") },
  { "region", 'r', 0, G_OPTION_ARG_STRING, &option_region,
    N_("The region that has it (default: the environment's)"), N_("REGION") },
  { "endpoint", 'u', 0, G_OPTION_ARG_STRING, &option_endpoint,
    N_("The URL of the cloud that has it (default: the environment's)"), N_("URL") },
  { "virt-type", 0, 0, G_OPTION_ARG_STRING, &option_virt_type,
    N_("The kind of virtualization that it needs: \"kvm\""), N_("TYPE") },
  { "storage", 0, 0, G_OPTION_ARG_NONE, &option_storage,
    N_("Write into the environment's storage instead"), NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
check_options (GError **error)
{
  if (option_image == NULL || *option_image == '\0')
    return cli_usage_error (error, _("image id must be specified: -i ID"));
  if (option_storage && option_directory != NULL)
    return cli_usage_error (error, _("cannot write into a directory and into the storage at once"));
  return TRUE;
}

/* Completes what the command line leaves open; environment: (nullable) */
static void
complete_options (WelkinEnviron *environment)
{
  WelkinConfig *config = environment != NULL ? welkin_environ_get_config (environment) : NULL;

  if (option_series == NULL && config != NULL)
    option_series = g_strdup (welkin_config_get_string (config, "default-series"));
  if (option_arch == NULL)
    option_arch = g_strdup (DEFAULT_ARCH);
  if (option_region == NULL && environment != NULL)
    option_region = cli_get_region (environment);
  if (option_endpoint == NULL && environment != NULL && WELKIN_IS_REGIONAL (environment))
    option_endpoint = welkin_regional_get_endpoint (WELKIN_REGIONAL (environment));
}

static gboolean
check_completed (GError **error)
{
  if (option_series == NULL)
    return cli_usage_error (error, _("image series must be specified: -s SERIES"));
  if (option_region == NULL || *option_region == '\0')
    return cli_usage_error (error, _("image region must be specified: -r REGION"));
  if (option_endpoint == NULL || *option_endpoint == '\0')
    return cli_usage_error (error, _("cloud endpoint URL must be specified: -u URL"));
  return TRUE;
}

static char **
write_metadata (Cli           *cli,
                const char    *directory,
                WelkinStorage *storage,
                GError       **error)
{
  g_autoptr(GPtrArray) images =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_image_unref);

  g_ptr_array_add (images, welkin_image_new (option_image, option_series, option_arch,
                                             option_virt_type, option_region, option_endpoint));
  welkin_image_metadata_write_async (images, option_series, option_region, option_endpoint,
                                     directory, storage, cli->cancellable, cli_done_cb, cli);
  return welkin_image_metadata_write_finish (cli_wait (cli), error);
}

/* A newcomer is to know what to do with it. */
static void
say_what_to_do (Cli        *cli,
                const char *directory)
{
  console_say (cli->console, _("Metadata of image %s are written. To use them, either"),
               option_image);
  console_say (cli->console, _("  publish the directory \"%s/images\" and name its URL in "
                               "environments.yaml, or the directory itself:"), directory);
  console_say (cli->console, "    image-metadata-url: %s/images", directory);
  console_say (cli->console, _("  or let bootstrap put them into the environment's storage:"));
  console_say (cli->console, "    welkin bootstrap --metadata-source %s", directory);
}

static gboolean
run_generate_image (Cli     *cli,
                    char   **arguments,
                    GError **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinStorage) storage = NULL;
  g_autoptr(GError) local_error = NULL;
  g_autofree char *directory = NULL;
  g_auto(GStrv) files = NULL;

  if (!cli_expect_no_arguments (arguments, error) || !check_options (error))
    return FALSE;

  environment = option_storage ? cli_open_remembered (cli, option_environment, error)
                               : cli_open_written (cli, option_environment, &local_error);
  if (environment == NULL && option_storage)
    return FALSE;
  if (environment == NULL && (option_series == NULL || option_region == NULL
                              || option_endpoint == NULL))
    console_say (cli->console, _("warning: there is no environment to complete the options from: "
                                 "%s"), local_error->message);
  complete_options (environment);
  if (!check_completed (error))
    return FALSE;

  if (option_storage)
    storage = welkin_environ_get_storage (environment);
  else
    directory = g_canonicalize_filename (option_directory != NULL ? option_directory : ".", NULL);
  files = write_metadata (cli, directory, storage, error);
  if (files == NULL)
    return FALSE;
  cli_print_written (cli, (const char *const *) files, directory);
  if (directory != NULL)
    say_what_to_do (cli, directory);
  return TRUE;
}

const CliCommand cli_command_metadata_generate_image = {
  .name = "metadata generate-image",
  .usage = "",
  .summary = N_("Write metadata that tell which image to use"),
  .description = N_("Adds an image to the metadata of a directory, or of the environment's "
                    "storage. What the options leave open is taken from the environment."),
  .options = options,
  .run = run_generate_image,
};
