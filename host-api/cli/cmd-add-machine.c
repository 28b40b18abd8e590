/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/machines.h"

static char *option_environment;
static char **option_constraints;
static char *option_series;
static int option_count = 1;
static int option_parallel = CLI_DEFAULT_PARALLEL;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "constraints", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_constraints,
    N_("What the machines must have: \"mem=4G cores=2\""), N_("CONSTRAINTS") },
  { "series", 0, 0, G_OPTION_ARG_FILENAME, &option_series,
    N_("What they run (default: attribute default-series)"), N_("SERIES") },
  { "number", 'n', 0, G_OPTION_ARG_INT, &option_count, N_("How many (default: 1)"), N_("N") },
  { "parallel", 0, 0, G_OPTION_ARG_INT, &option_parallel,
    N_("How many machines to start at once (default: 16)"), N_("N") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

/* The state of the new machines, on standard output. */
static gboolean
print_machines (Cli        *cli,
                WelkinInfo *info,
                char      **ids,
                CliFormat   format,
                GError    **error)
{
  g_autoptr(WelkinInstances) instances = NULL;
  g_autoptr(WelkinValue) reports = NULL;
  g_autoptr(WelkinValue) machines = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(GError) local_error = NULL;
  const char *const key = "machines";

  instances = cli_ask_for_instances (cli, info, &local_error);
  if (local_error != NULL)
    g_info ("cannot ask the cloud: %s", local_error->message);
  g_clear_error (&local_error);
  reports = cli_ask_for_reports (cli, info, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  machines = cli_describe_machines (info, (const char *const *) ids, instances, reports);
  map = welkin_value_new_map (&key, &machines, 1, NULL);
  return cli_print_value (cli, map, format, NULL, error);
}

/* What was written down is not lost when the pass was cut short. */
static gboolean
provision (Cli        *cli,
           const char *name,
           char      **ids,
           GError    **error)
{
  g_autofree char *list = g_strjoinv (", ", ids);

  if (cli_provision (cli, name, option_parallel, error))
    return TRUE;
  console_say (cli->console,
               _("Remembered: machines %s; \"welkin provision --once\" starts what is not started"),
               list);
  return FALSE;
}

static char **
add_machines (Cli        *cli,
              const char *name,
              const char *placement,
              GError    **error)
{
  g_autoptr(WelkinConstraints) constraints = cli_read_constraints (option_constraints, error);

  if (constraints == NULL)
    return NULL;
  welkin_add_machines_async (cli->environments, name, (guint) option_count, option_series,
                             constraints, placement, cli->cancellable, cli_done_cb, cli);
  return welkin_add_machines_finish (cli->environments, cli_wait (cli), error);
}

static gboolean
run_add_machine (Cli     *cli,
                 char   **arguments,
                 GError **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_auto(GStrv) ids = NULL;
  g_autofree char *name = NULL;
  CliFormat format;

  if (arguments[0] != NULL && !cli_expect_no_arguments (arguments + 1, error))
    return FALSE;
  if (!cli_check_positive ("-n", option_count, error)
      || !cli_check_positive ("--parallel", option_parallel, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;

  ids = add_machines (cli, name, arguments[0], error);
  if (ids == NULL || !provision (cli, name, ids, error))
    return FALSE;
  info = cli_load_info (cli, name, error);
  return info != NULL && print_machines (cli, info, ids, format, error)
         && cli_check_started (info, (const char *const *) ids, error);
}

const CliCommand cli_command_add_machine = {
  .name = "add-machine",
  .usage = "[PLACEMENT]",
  .summary = N_("Start further machines in an environment"),
  .description = N_("Writes down that the environment is to have more machines, starts them, and "
                    "shows what became of them. PLACEMENT says where they are to be: "
                    "\"zone=NAME\"."),
  .options = options,
  .run = run_add_machine,
};
