/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cmd-storage.h"

static char *option_environment;
static gboolean option_force;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment"), N_("NAME") },
  { "force", 'f', 0, G_OPTION_ARG_NONE, &option_force,
    N_("Remove what the environment itself lives by, too"), NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
run_storage_rm (Cli     *cli,
                char   **arguments,
                GError **error)
{
  g_auto(GStrv) names = cli_drop_repeats (arguments);
  g_autoptr(WelkinStorage) storage = NULL;

  if (names[0] == NULL)
    return cli_usage_error (error, _("no name given: say which files to remove"));
  for (gsize i = 0; names[i] != NULL; i++)
    if (!cli_check_storage_name (names[i], option_force, error))
      return FALSE;
  storage = cli_open_storage (cli, option_environment, error);
  if (storage == NULL)
    return FALSE;
  for (gsize i = 0; names[i] != NULL; i++)
    {
      welkin_storage_remove_async (storage, names[i], cli->cancellable, cli_done_cb, cli);
      if (!welkin_storage_remove_finish (storage, cli_wait (cli), error))
        return FALSE;
    }
  return TRUE;
}

const CliCommand cli_command_storage_rm = {
  .name = "storage rm",
  .usage = "NAME…",
  .summary = N_("Remove files from an environment's storage"),
  .description = N_("One that is not there is no error."),
  .options = options,
  .run = run_storage_rm,
};
