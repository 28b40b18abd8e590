/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static gboolean option_force;
static gboolean option_show;

static const GOptionEntry options[] = {
  { "force", 'f', 0, G_OPTION_ARG_NONE, &option_force, N_("Replace a file that is there"), NULL },
  { "show", 0, 0, G_OPTION_ARG_NONE, &option_show, N_("Print the text instead of writing it"),
    NULL },
  G_OPTION_ENTRY_NULL
};

/* A file that cannot be read is never replaced, even by force: there may be secrets in it that
 * are nowhere else. */
static gboolean
check_present_file (Cli     *cli,
                    GError **error)
{
  g_auto(GStrv) names = NULL;
  g_autofree char *path = welkin_environments_get_path (cli->environments, error);

  if (path == NULL)
    return FALSE;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;

  names = welkin_environments_list_names (cli->environments, error);
  if (names == NULL)
    return FALSE;

  if (!option_force)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("The file \"%s\" already exists: edit it, or use -f to replace it"), path);
      return FALSE;
    }
  return TRUE;
}

static gboolean
run_init (Cli     *cli,
          char   **arguments,
          GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;

  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;

  if (!option_show && !check_present_file (cli, error))
    return FALSE;

  text = welkin_environments_make_boilerplate (cli->environments, error);
  if (text == NULL)
    return FALSE;
  if (option_show)
    {
      console_print (cli->console, text);
      return TRUE;
    }

  path = welkin_environments_write (cli->environments, text, option_force, error);
  if (path == NULL)
    return FALSE;

  console_print (cli->console, path);
  console_say (cli->console, _("A boilerplate of environments was written: edit it, then run "
                               "\"welkin bootstrap\""));
  return TRUE;
}

static const char *const aliases[] = { "generate-config", NULL };

const CliCommand cli_command_init = {
  .name = "init",
  .aliases = aliases,
  .usage = "",
  .summary = N_("Write a first environments.yaml"),
  .description = N_("Writes a file with an example environment for each provider that there is, "
                    "and prints where it is."),
  .options = options,
  .run = run_init,
};
