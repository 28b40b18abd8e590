/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "cli/machines.h"

static char *option_environment;
static gboolean option_once;
static int option_interval = 30;
static int option_parallel = CLI_DEFAULT_PARALLEL;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "once", 0, 0, G_OPTION_ARG_NONE, &option_once, N_("One pass, and then end"), NULL },
  { "interval", 0, 0, G_OPTION_ARG_INT, &option_interval,
    N_("Seconds between two passes (default: 30)"), N_("S") },
  { "parallel", 0, 0, G_OPTION_ARG_INT, &option_parallel,
    N_("How many machines to start at once (default: 16)"), N_("N") },
  G_OPTION_ENTRY_NULL
};

static gboolean
run_once (Cli        *cli,
          const char *name,
          GError    **error)
{
  g_autoptr(WelkinInfo) info = NULL;

  if (!cli_provision (cli, name, option_parallel, error))
    return FALSE;
  info = cli_load_info (cli, name, error);
  return info != NULL && cli_check_started (info, NULL, error);
}

/* What another pass cannot change either. */
static gboolean
is_final (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_ENVIRONS_FILE)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
}

static gboolean
run_provision (Cli     *cli,
               char   **arguments,
               GError **error)
{
  g_autoptr(WkClock) clock = wk_clock_new (1);
  g_autofree char *name = NULL;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_check_positive ("--interval", option_interval, error)
      || !cli_check_positive ("--parallel", option_parallel, error))
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;

  while (TRUE)
    {
      g_autoptr(GError) local_error = NULL;
      gboolean is_done = run_once (cli, name, &local_error);

      if (option_once && is_done)
        return TRUE;
      if (!is_done && (option_once || is_final (local_error)))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      if (!is_done)
        console_say (cli->console, "%s", local_error->message);

      wk_clock_sleep_async (clock, option_interval, cli->cancellable, cli_done_cb, cli);
      if (!wk_clock_sleep_finish (clock, cli_wait (cli), error))
        return FALSE;
    }
}

const CliCommand cli_command_provision = {
  .name = "provision",
  .usage = "",
  .summary = N_("Start and stop machines as they are written down, again and again"),
  .description = N_("Makes the cloud follow what is remembered of the environment's machines: "
                    "goes on with what was cut off, stops the machines that are to go, starts "
                    "those that are to come, and tries again what failed for a passing reason. It "
                    "ends with Ctrl-C, or after one pass with --once; then the exit status is 1 "
                    "when a machine is not started."),
  .options = options,
  .run = run_provision,
};
