/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ssh and scp: find out how a machine is reached, and become the client. */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "cli/cli.h"

static char *option_environment;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  G_OPTION_ENTRY_NULL
};

/* "--" tells us that the options behind it are the other program's. */
static char **
skip_separator (char **arguments)
{
  return g_strcmp0 (*arguments, "--") == 0 ? arguments + 1 : arguments;
}

/* Its status is then ours, and the terminal is its own. Returns only when that fails. */
static gboolean
become (Cli     *cli,
        char   **command,
        GError **error)
{
  int saved_errno;

  if (!console_finish (cli->console, error))
    return FALSE;
  console_watch_progress (cli->console, NULL);
  cli_forget_signals (cli);
  execv (command[0], command);
  saved_errno = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _("Cannot run \"%s\": %s"), command[0], g_strerror (saved_errno));
  return FALSE;
}

static gboolean
run (Cli           *cli,
     char         **arguments,
     WelkinSshFlags flags,
     GError       **error)
{
  g_autofree char *name = cli_choose_environment (cli, option_environment, error);
  g_auto(GStrv) command = NULL;

  if (name == NULL)
    return FALSE;
  welkin_ssh_command_async (cli->environments, name, (const char *const *) arguments, flags,
                            cli->cancellable, cli_done_cb, cli);
  command = welkin_ssh_command_finish (cli->environments, cli_wait (cli), error);
  return command != NULL && become (cli, command, error);
}

static gboolean
run_ssh (Cli     *cli,
         char   **arguments,
         GError **error)
{
  arguments = skip_separator (arguments);
  if (*arguments == NULL)
    return cli_usage_error (error, _("no target name specified"));
  return run (cli, arguments, isatty (STDIN_FILENO) ? WELKIN_SSH_TERMINAL : WELKIN_SSH_NONE,
              error);
}

static gboolean
run_scp (Cli     *cli,
         char   **arguments,
         GError **error)
{
  guint n_files = 0;

  arguments = skip_separator (arguments);
  for (gsize i = 0; arguments[i] != NULL; i++)
    n_files += arguments[i][0] != '-';
  if (n_files < 2)
    return cli_usage_error (error, _("at least two files are needed"));
  return run (cli, arguments, WELKIN_SSH_COPY, error);
}

const CliCommand cli_command_ssh = {
  .name = "ssh",
  .usage = "MACHINE [ARGUMENT…]",
  .summary = N_("Log in to a machine"),
  .description = N_("Runs the SSH client with what stands behind the id of the machine, and ends "
                    "with its exit status. The host key is the one that is remembered of the "
                    "machine."),
  .options = options,
  .ends_options = TRUE,
  .run = run_ssh,
};

const CliCommand cli_command_scp = {
  .name = "scp",
  .usage = "[--] [OPTION…] FILE FILE…",
  .summary = N_("Copy files from and to machines"),
  .description = N_("Runs scp, in whose arguments \"7:PATH\" stands for a file of machine 7, and "
                    "ends with its exit status. Options of scp stand behind \"--\"."),
  .options = options,
  .ends_options = TRUE,
  .run = run_scp,
};
