/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* get-constraints and set-constraints: what every further machine must have. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/machines.h"

static char *option_environment;
static char *option_format;

#define OPTION_ENVIRONMENT \
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment, \
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") }

static const GOptionEntry get_options[] = {
  OPTION_ENVIRONMENT,
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format,
    N_("yaml or json (default: as set-constraints takes them)"), N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

static const GOptionEntry set_options[] = {
  OPTION_ENVIRONMENT,
  G_OPTION_ENTRY_NULL
};

static WelkinInfo *
load_info (Cli     *cli,
           GError **error)
{
  g_autofree char *name = cli_choose_environment (cli, option_environment, error);

  return name != NULL ? cli_load_info (cli, name, error) : NULL;
}

static gboolean
print_constraints (Cli               *cli,
                   WelkinConstraints *constraints,
                   CliFormat          format,
                   GError           **error)
{
  g_autoptr(WelkinValue) value = NULL;
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  if (option_format != NULL)
    {
      value = welkin_constraints_to_value (constraints);
      return cli_print_value (cli, value, format, NULL, error);
    }
  text = welkin_constraints_to_string (constraints);
  line = g_strconcat (text, "\n", NULL);
  if (*text != '\0')
    console_print (cli->console, line);
  return TRUE;
}

static gboolean
run_get_constraints (Cli     *cli,
                     char   **arguments,
                     GError **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(WelkinConstraints) constraints = NULL;
  WelkinValue *value;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  info = load_info (cli, error);
  if (info == NULL)
    return FALSE;
  value = welkin_info_lookup (info, "constraints");
  constraints = welkin_constraints_new_parsed (
    value != NULL && welkin_value_get_text (value) != NULL ? welkin_value_get_text (value) : "",
    error);
  return constraints != NULL && print_constraints (cli, constraints, format, error);
}

static gboolean
run_set_constraints (Cli     *cli,
                     char   **arguments,
                     GError **error)
{
  g_autoptr(WelkinConstraints) constraints = cli_read_constraints (arguments, error);
  g_autofree char *name = NULL;

  if (constraints == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  welkin_set_constraints_async (cli->environments, name, constraints, cli->cancellable, cli_done_cb,
                                cli);
  return welkin_set_constraints_finish (cli->environments, cli_wait (cli), error);
}

const CliCommand cli_command_get_constraints = {
  .name = "get-constraints",
  .usage = "",
  .summary = N_("Show what every further machine must have"),
  .description = N_("Prints the constraints of the environment, which hold for each machine that "
                    "says nothing else of the same."),
  .options = get_options,
  .run = run_get_constraints,
};

const CliCommand cli_command_set_constraints = {
  .name = "set-constraints",
  .usage = "[CONSTRAINT…]",
  .summary = N_("Say what every further machine must have"),
  .description = N_("Replaces the constraints of the environment, as in \"mem=4G cores=2\"; "
                    "without any, there are none. The cloud is asked whether it knows them. "
                    "Machines that there are already stay as they are."),
  .options = set_options,
  .run = run_set_constraints,
};
