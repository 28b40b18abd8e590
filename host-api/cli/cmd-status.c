/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * status: what is remembered of an environment's machines, beside what the cloud says of
 * them and what they report themselves to the agent of the first one. When the cloud or the agent
 * cannot be asked, what is remembered is printed all the same.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/machines.h"

static char *option_environment;
static char *option_format;
static char *option_output;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output, N_("Write to FILE"), N_("FILE") },
  G_OPTION_ENTRY_NULL
};

/* The whole of it: environment and machines. */
static WelkinValue *
describe_environment (WelkinInfo      *info,
                      WelkinInstances *instances,
                      WelkinValue     *reports)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_text (&map, "environment", welkin_info_get_name (info));
  wk_map_take (&map, "machines", cli_describe_machines (info, NULL, instances, reports));
  return wk_map_end (&map);
}

static gboolean
run_status (Cli     *cli,
            char   **arguments,
            GError **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(WelkinInstances) instances = NULL;
  g_autoptr(WelkinValue) reports = NULL;
  g_autoptr(WelkinValue) value = NULL;
  g_autoptr(GError) cloud_error = NULL;
  g_autoptr(GError) local_error = NULL;
  g_autofree char *name = NULL;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  if (option_output != NULL && *option_output == '\0')
    return cli_usage_error (error, _("the name of the output file is empty"));
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  info = cli_load_info (cli, name, error);
  if (info == NULL)
    return FALSE;

  instances = cli_ask_for_instances (cli, info, &cloud_error);
  reports = cli_ask_for_reports (cli, info, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  value = describe_environment (info, instances, reports);
  if (!cli_print_value (cli, value, format, option_output, error))
    return FALSE;

  if (cloud_error == NULL)
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&cloud_error), "%s: ",
                              _("Cannot ask the cloud"));
  return FALSE;
}

static const char *const aliases[] = { "stat", NULL };

const CliCommand cli_command_status = {
  .name = "status",
  .aliases = aliases,
  .usage = "",
  .summary = N_("Show the machines of an environment"),
  .description = N_("Prints what is remembered of each machine beside what the cloud says of it. "
                    "The agent of the first machine, where there is one, tells which machines are "
                    "\"started\", \"pending\" or \"down\". When the cloud cannot be asked, what "
                    "is remembered is printed all the same, and the exit status is 1."),
  .options = options,
  .run = run_status,
};
