/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * metadata generate-tools: tells environments which tools there are in a directory.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"
#include "cli/cmd-metadata.h"

static char *option_directory;
static char *option_stream;
static gboolean option_public;

static const GOptionEntry options[] = {
  { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &option_directory,
    N_("What holds the directory \"tools\" (default: here)"), N_("DIR") },
  { "stream", 0, 0, G_OPTION_ARG_STRING, &option_stream,
    N_("Their stream, as in devel (default: what is released)"), N_("STREAM") },
  { "public", 0, 0, G_OPTION_ARG_NONE, &option_public,
    N_("Write the list of mirrors as well, for tools that everybody gets"), NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
run_generate_tools (Cli     *cli,
                    char   **arguments,
                    GError **error)
{
  g_autofree char *directory = NULL;
  g_autofree char *place = NULL;
  g_autoptr(WelkinStorage) storage = NULL;
  g_autoptr(WelkinDataSource) source = NULL;
  g_auto(GStrv) files = NULL;

  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;
  directory = g_canonicalize_filename (option_directory != NULL ? option_directory : ".", NULL);
  storage = welkin_file_storage_new (directory, error);
  if (storage == NULL)
    return FALSE;
  place = welkin_tools_get_public_place (cli->surroundings);
  if (place != NULL)
    {
      source = welkin_tools_source_new (place, "default simplestreams", WELKIN_DATA_SOURCE_NONE,
                                        cli->surroundings, error);
      if (source == NULL)
        return FALSE;
    }
  welkin_tools_generate_async (storage, source, option_stream,
                               option_public ? WELKIN_TOOLS_PUBLIC : WELKIN_TOOLS_NONE,
                               cli->surroundings, cli->cancellable, cli_done_cb, cli);
  files = welkin_tools_generate_finish (cli_wait (cli), error);
  if (files == NULL)
    return FALSE;
  cli_print_written (cli, (const char *const *) files, directory);
  return TRUE;
}

const CliCommand cli_command_metadata_generate_tools = {
  .name = "metadata generate-tools",
  .usage = "",
  .summary = N_("Write metadata of the tools in a directory"),
  .description = N_("Looks for archives \"tools/releases/welkin-VERSION-SERIES-ARCH.tgz\" below "
                    "the directory (of a stream: \"tools/STREAM/…\"), and writes metadata by which "
                    "they are found. Where there are none, it tells of those of the public "
                    "place."),
  .options = options,
  .run = run_generate_tools,
};
