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
  { "force", 0, 0, G_OPTION_ARG_NONE, &option_force,
    N_("Do not wait for the agent on the machine"), NULL },
  { "keep-instance", 0, 0, G_OPTION_ARG_NONE, &option_keep_instance,
    N_("Forget the machine, and let its instance run until the environment is destroyed"), NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
remove_machines (Cli        *cli,
                 const char *name,
                 char      **ids,
                 GError    **error)
{
  WelkinRemoveFlags flags = WELKIN_REMOVE_NONE;

  if (option_force)
    flags |= WELKIN_REMOVE_FORCE;
  if (option_keep_instance)
    flags |= WELKIN_REMOVE_KEEP_INSTANCE;
  welkin_remove_machines_async (cli->environments, name, (const char *const *) ids, flags,
                                cli->cancellable, cli_done_cb, cli);
  return welkin_remove_machines_finish (cli->environments, cli_wait (cli), error);
}

static void
tell_of_machines (Cli        *cli,
                  WelkinInfo *info,
                  char      **ids)
{
  WelkinValue *machines = welkin_info_lookup (info, "machines");

  for (gsize i = 0; ids[i] != NULL; i++)
    {
      if (machines != NULL && welkin_value_lookup (machines, ids[i]) != NULL)
        console_say (cli->console, _("Machine %s is to go as soon as its agent says so"), ids[i]);
      else
        console_say (cli->console, _("Machine %s is destroyed"), ids[i]);
    }
}

static gboolean
run_destroy_machine (Cli     *cli,
                     char   **arguments,
                     GError **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autofree char *name = NULL;

  if (arguments[0] == NULL)
    return cli_usage_error (error, _("no machines specified"));
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;

  if (!remove_machines (cli, name, arguments, error))
    return FALSE;
  if (!cli_provision (cli, name, CLI_DEFAULT_PARALLEL, error))
    {
      console_say (cli->console, _("The machines are marked to go: \"welkin provision --once\" "
                                   "goes on"));
      return FALSE;
    }
  info = cli_load_info (cli, name, error);
  if (info == NULL)
    return FALSE;
  tell_of_machines (cli, info, arguments);
  return TRUE;
}

static const char *const aliases[] = { "remove-machine", "terminate-machine", NULL };

const CliCommand cli_command_destroy_machine = {
  .name = "destroy-machine",
  .aliases = aliases,
  .usage = "ID...",
  .summary = N_("Stop machines of an environment and forget them"),
  .description = N_("Stops the machines and removes what was made for them. Machine 0 goes with "
                    "its environment alone."),
  .options = options,
  .run = run_destroy_machine,
};
