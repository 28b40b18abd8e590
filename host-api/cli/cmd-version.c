/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static gboolean
run_version (Cli     *cli,
             char   **arguments,
             GError **error)
{
  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;

  console_print (cli->console, PACKAGE_VERSION);
  return TRUE;
}

const CliCommand cli_command_version = {
  .name = "version",
  .usage = "",
  .summary = N_("Print the version of Welkin"),
  .run = run_version,
};
