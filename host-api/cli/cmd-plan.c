/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* plan: what a machine would be made of, as a start decides it, without making it. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/machines.h"

static char *option_environment;
static char **option_constraints;
static char *option_placement;
static char *option_series;
static int option_count = 1;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "constraints", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_constraints,
    N_("What the machine must have: \"mem=4G cores=2\""), N_("CONSTRAINTS") },
  { "to", 0, 0, G_OPTION_ARG_FILENAME, &option_placement,
    N_("Where the machine is to be: \"zone=NAME\""), N_("PLACEMENT") },
  { "series", 0, 0, G_OPTION_ARG_FILENAME, &option_series,
    N_("Which release it is to have"), N_("SERIES") },
  { "number", 'n', 0, G_OPTION_ARG_INT, &option_count, N_("How many (default: 1)"), N_("N") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

/* (transfer full) */
static GPtrArray *
plan (Cli               *cli,
      const char        *name,
      WelkinConstraints *constraints,
      GError           **error)
{
  welkin_plan_machines_async (cli->environments, name, (guint) option_count, option_series,
                              constraints, option_placement, cli->cancellable, cli_done_cb, cli);
  return welkin_plan_machines_finish (cli->environments, cli_wait (cli), error);
}

static WelkinValue *
describe_entry (WelkinPlanEntry *entry)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_text (&map, "subject", welkin_plan_entry_get_subject (entry));
  wk_map_add_text (&map, "choice", welkin_plan_entry_get_choice (entry));
  wk_map_add_text (&map, "reason", welkin_plan_entry_get_reason (entry));
  return wk_map_end (&map);
}

static gboolean
run_plan (Cli     *cli,
          char   **arguments,
          GError **error)
{
  g_autoptr(WelkinConstraints) constraints = NULL;
  g_autoptr(GPtrArray) entries = NULL;
  g_autoptr(GPtrArray) values = NULL;
  g_autofree char *name = NULL;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_check_positive ("-n", option_count, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  constraints = cli_read_constraints (option_constraints, error);
  if (constraints == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  entries = plan (cli, name, constraints, error);
  if (entries == NULL)
    return FALSE;

  values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (values, describe_entry (g_ptr_array_index (entries, i)));
  return cli_print_list (cli, values, format, error);
}

const CliCommand cli_command_plan = {
  .name = "plan",
  .usage = "",
  .summary = N_("Tell what a machine would be made of"),
  .description = N_("Decides as bootstrap does which image, flavor, zones and networks a machine "
                    "gets, and tells why, and what is left of the quota then; where the "
                    "environment is bootstrapped, as add-machine does. With --verbose, it tells "
                    "why other flavors and images are not taken. It only reads: nothing is made "
                    "or changed."),
  .options = options,
  .run = run_plan,
};
