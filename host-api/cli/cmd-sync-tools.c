/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * sync-tools: copies tools from where they are published to where an environment's machines get
 * them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cmd-metadata.h"
#include "cli/cmd-storage.h"

static char *option_environment;
static char *option_version;
static char *option_stream;
static char *option_source;
static char *option_directory;
static gboolean option_all;
static gboolean option_dry_run;
static gboolean option_development;
static gboolean option_public;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "source", 0, 0, G_OPTION_ARG_FILENAME, &option_source,
    N_("Where they are published: a directory or a URL (default: the public place)"), N_("PLACE") },
  { "version", 0, 0, G_OPTION_ARG_FILENAME, &option_version,
    N_("Which ones, as in 1.2 (default: those of this program)"), N_("VERSION") },
  { "stream", 0, 0, G_OPTION_ARG_STRING, &option_stream,
    N_("Their stream, as in devel (default: the environment's, or what is released)"),
    N_("STREAM") },
  { "all", 0, 0, G_OPTION_ARG_NONE, &option_all, N_("Copy all versions, not the newest only"),
    NULL },
  { "dev", 0, 0, G_OPTION_ARG_NONE, &option_development,
    N_("Copy versions as well that are tried out"), NULL },
  { "public", 0, 0, G_OPTION_ARG_NONE, &option_public,
    N_("Write the list of mirrors as well, for tools that everybody gets"), NULL },
  { "dry-run", 0, 0, G_OPTION_ARG_NONE, &option_dry_run, N_("Only tell what would be copied"),
    NULL },
  { "local-dir", 0, 0, G_OPTION_ARG_FILENAME, &option_directory,
    N_("Copy to a directory instead, which must be there"), N_("DIR") },
  { "destination", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &option_directory, NULL,
    N_("DIR") },
  G_OPTION_ENTRY_NULL
};

static WelkinToolsFlags
get_flags (void)
{
  return (option_all ? WELKIN_TOOLS_ALL_VERSIONS : 0)
         | (option_development ? WELKIN_TOOLS_DEVELOPMENT : 0)
         | (option_public ? WELKIN_TOOLS_PUBLIC : 0)
         | (option_dry_run ? WELKIN_TOOLS_DRY_RUN : 0);
}

static GPtrArray *
open_source (Cli     *cli,
             GError **error)
{
  g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *place = option_source != NULL && *option_source != '\0'
                             ? g_strdup (option_source)
                             : welkin_tools_get_public_place (cli->surroundings);
  WelkinDataSource *source;

  if (place == NULL)
    {
      cli_usage_error (error, _("there is no public place of tools: name one with --source"));
      return NULL;
    }
  source = welkin_tools_source_new (place, place, WELKIN_DATA_SOURCE_NONE, cli->surroundings,
                                    error);
  if (source == NULL)
    return NULL;
  g_ptr_array_add (sources, source);
  return g_steal_pointer (&sources);
}

/* stream: (out) (transfer full) */
static WelkinStorage *
open_target (Cli     *cli,
             char   **stream,
             GError **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;

  if (option_directory == NULL)
    {
      environment = cli_open_remembered (cli, option_environment, error);
      if (environment == NULL)
        return NULL;
    }
  *stream = cli_choose_tools_stream (option_stream, environment);
  return environment != NULL ? welkin_environ_get_storage (environment)
                             : welkin_file_storage_new (option_directory, error);
}

static gboolean
run_sync_tools (Cli     *cli,
                char   **arguments,
                GError **error)
{
  g_autoptr(GPtrArray) sources = NULL;
  g_autofree char *stream = NULL;
  g_autoptr(WelkinStorage) storage = NULL;
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_auto(GStrv) copied = NULL;

  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;
  sources = open_source (cli, error);
  if (sources == NULL)
    return FALSE;
  storage = open_target (cli, &stream, error);
  if (storage == NULL)
    return FALSE;

  console_watch_progress (cli->console, progress);
  welkin_tools_sync_async (sources, storage, stream, option_version, get_flags (),
                           cli->surroundings, progress, cli->cancellable, cli_done_cb, cli);
  copied = welkin_tools_sync_finish (cli_wait (cli), error);
  console_watch_progress (cli->console, NULL);
  if (copied == NULL)
    return FALSE;
  for (gsize i = 0; copied[i] != NULL; i++)
    console_print (cli->console, copied[i]);
  if (copied[0] == NULL)
    console_say (cli->console, _("Nothing is missing"));
  return TRUE;
}

const CliCommand cli_command_sync_tools = {
  .name = "sync-tools",
  .usage = "",
  .summary = N_("Copy tools to an environment's storage"),
  .description = N_("Copies what is missing, checks what was copied, and writes the metadata by "
                    "which it is found. Prints the name of each archive."),
  .options = options,
  .run = run_sync_tools,
};
