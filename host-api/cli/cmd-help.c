/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static char *
make_overview (void)
{
  GString *text = g_string_new (NULL);
  const CliCommand *const *commands = cli_get_commands ();

  g_string_append (text, _("Usage: welkin [GLOBAL OPTION…] COMMAND [OPTION…] [ARGUMENT…]"));
  g_string_append_printf (text, "\n\n%s\n\n%s\n",
                          _("Boots and keeps environments of machines on a cloud."),
                          _("Commands:"));
  for (gsize i = 0; commands[i] != NULL; i++)
    g_string_append_printf (text, "  %-28s %s\n", commands[i]->name, _(commands[i]->summary));

  g_string_append_printf (text, "\n%s\n", _("Global options:"));
  cli_add_options (text, cli_global_options);
  g_string_append_printf (text, "\n%s\n",
                          _("\"welkin help COMMAND\" tells about one command. To begin: "
                            "\"welkin init\", then edit the file that it names, then "
                            "\"welkin bootstrap\"."));
  return g_string_free (text, FALSE);
}

static gboolean
run_help (Cli     *cli,
          char   **arguments,
          GError **error)
{
  g_autofree char *text = NULL;

  if (arguments[0] == NULL)
    {
      text = make_overview ();
    }
  else
    {
      guint n_words;
      const CliCommand *command = cli_find_command (arguments, &n_words, error);

      if (command == NULL || !cli_expect_no_arguments (arguments + n_words, error))
        return FALSE;
      text = cli_make_help (command);
    }

  console_print (cli->console, text);
  return TRUE;
}

const CliCommand cli_command_help = {
  .name = "help",
  .usage = "[COMMAND]",
  .summary = N_("Tell about Welkin, or about one command"),
  .run = run_help,
};
