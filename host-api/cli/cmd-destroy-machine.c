/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/machines.h"

static char *option_environment;
static gboolean option_force;
static gboolean option_keep_instance;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "keep-instance", 0, 0, G_OPTION_ARG_NONE, &option_keep_instance,
    N_("Forget the machine, and let its instance run until the environment is destroyed"), NULL },
  /* Of 2014, when the agent on the machine was waited for. */
  { "force", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &option_force, NULL, NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
remove_machines (Cli        *cli,
                 const char *name,
                 char      **ids,
                 GError    **error)
{
  WelkinRemoveFlags flags = WELKIN_REMOVE_NONE;

  if (option_keep_instance)
    flags |= WELKIN_REMOVE_KEEP_INSTANCE;
  welkin_remove_machines_async (cli->environments, name, (const char *const *) ids, flags,
                                cli->cancellable, cli_done_cb, cli);
  return welkin_remove_machines_finish (cli->environments, cli_wait (cli), error);
}

static gboolean
run_destroy_machine (Cli     *cli,
                     char   **arguments,
                     GError **error)
{
  g_auto(GStrv) ids = cli_drop_repeats (arguments);
  g_autofree char *name = NULL;

  if (ids[0] == NULL)
    return cli_usage_error (error, _("no machines specified"));
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;

  if (!remove_machines (cli, name, ids, error))
    return FALSE;
  if (!cli_provision (cli, name, CLI_DEFAULT_PARALLEL, error))
    {
      console_say (cli->console, _("The machines are marked to go: \"welkin provision --once\" "
                                   "goes on"));
      return FALSE;
    }
  for (gsize i = 0; ids[i] != NULL; i++)
    console_say (cli->console,
                 option_keep_instance ? _("Machine %s is forgotten, and its instance runs on")
                                      : _("Machine %s is destroyed"),
                 ids[i]);
  return TRUE;
}

static const char *const aliases[] = { "remove-machine", "terminate-machine", NULL };

const CliCommand cli_command_destroy_machine = {
  .name = "destroy-machine",
  .aliases = aliases,
  .usage = "ID…",
  .summary = N_("Stop machines of an environment and forget them"),
  .description = N_("Stops the machines and removes what was made for them. Machine 0 goes with "
                    "its environment alone."),
  .options = options,
  .run = run_destroy_machine,
};
