/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static gboolean option_list;

static const GOptionEntry options[] = {
  { "list", 'l', 0, G_OPTION_ARG_NONE, &option_list, N_("List the environments"), NULL },
  G_OPTION_ENTRY_NULL
};

static gboolean
list_names (Cli     *cli,
            GError **error)
{
  g_auto(GStrv) names = welkin_environments_list_names (cli->environments, error);

  if (names == NULL)
    return FALSE;

  for (gsize i = 0; names[i] != NULL; i++)
    console_print (cli->console, names[i]);
  return TRUE;
}

static gboolean
print_current (Cli     *cli,
               GError **error)
{
  g_autofree char *path = welkin_environments_get_path (cli->environments, error);
  g_autofree char *current = NULL;

  if (path == NULL)
    return FALSE;
  current = welkin_environments_get_current (cli->environments);
  if (current == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                           _("no currently specified environment: name one with \"welkin switch "
                             "NAME\""));
      return FALSE;
    }
  console_print (cli->console, current);
  return TRUE;
}

static gboolean
switch_to (Cli        *cli,
           const char *name,
           GError    **error)
{
  WelkinSurroundings *surroundings;
  g_auto(GStrv) names = NULL;
  g_autofree char *current = NULL;
  g_autofree char *line = NULL;
  const char *variable;

  surroundings = welkin_environments_get_surroundings (cli->environments);
  variable = welkin_surroundings_get_variable (surroundings, "WELKIN_ENV");
  if (variable != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("cannot switch when WELKIN_ENV is set (to \"%s\"): unset it first"), variable);
      return FALSE;
    }

  names = welkin_environments_list_names (cli->environments, error);
  if (names == NULL)
    return FALSE;
  if (!g_strv_contains ((const char *const *) names, name))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("\"%s\" is not a name of an existing defined environment: \"welkin switch "
                     "--list\" tells which there are"),
                   name);
      return FALSE;
    }

  current = welkin_environments_get_current (cli->environments);
  if (!welkin_environments_set_current (cli->environments, name, error))
    return FALSE;

  line = current != NULL ? g_strdup_printf ("%s -> %s", current, name)
                         : g_strdup_printf ("-> %s", name);
  console_print (cli->console, line);
  return TRUE;
}

static gboolean
run_switch (Cli     *cli,
            char   **arguments,
            GError **error)
{
  if (option_list)
    {
      if (arguments[0] != NULL)
        return cli_usage_error (error, _("cannot switch and list at the same time"));
      return list_names (cli, error);
    }
  if (arguments[0] == NULL)
    return print_current (cli, error);
  if (!cli_expect_no_arguments (arguments + 1, error))
    return FALSE;
  return switch_to (cli, arguments[0], error);
}

static const char *const aliases[] = { "env", NULL };

const CliCommand cli_command_switch = {
  .name = "switch",
  .aliases = aliases,
  .usage = "[NAME]",
  .summary = N_("Show or change which environment is meant"),
  .description = N_("Without NAME, prints the environment that commands work on when they are not "
                    "told; with NAME, makes it that one."),
  .options = options,
  .run = run_switch,
};
