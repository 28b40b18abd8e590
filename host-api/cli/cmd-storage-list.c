/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "cli/cmd-storage.h"

static char *option_environment;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment"), N_("NAME") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format,
    N_("yaml or json, instead of lines"), N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

/* A name is whatever somebody put: one that would break its line, or tell the terminal to do
 * something, is shown quoted. */
static void
print_name (Cli        *cli,
            const char *name)
{
  g_autofree char *quoted = NULL;

  for (const char *place = name; *place != '\0'; place = g_utf8_next_char (place))
    if (g_unichar_iscntrl (g_utf8_get_char (place)))
      {
        quoted = wk_quote (name);
        break;
      }
  console_print (cli->console, quoted != NULL ? quoted : name);
}

static gboolean
print_names (Cli                *cli,
             const char * const *names,
             CliFormat           format,
             GError            **error)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);

  if (option_format == NULL)
    {
      for (gsize i = 0; names[i] != NULL; i++)
        print_name (cli, names[i]);
      return TRUE;
    }
  for (gsize i = 0; names[i] != NULL; i++)
    g_ptr_array_add (rows, welkin_value_new_text (names[i], TRUE, NULL));
  return cli_print_list (cli, rows, format, error);
}

static gboolean
run_storage_list (Cli     *cli,
                  char   **arguments,
                  GError **error)
{
  const char *prefix = arguments[0] != NULL ? arguments[0] : "";
  g_autoptr(WelkinStorage) storage = NULL;
  g_auto(GStrv) names = NULL;
  CliFormat format;

  if ((arguments[0] != NULL && !cli_expect_no_arguments (arguments + 1, error))
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  storage = cli_open_storage (cli, option_environment, error);
  if (storage == NULL)
    return FALSE;
  welkin_storage_list_async (storage, prefix, cli->cancellable, cli_done_cb, cli);
  names = welkin_storage_list_finish (storage, cli_wait (cli), error);
  if (names == NULL)
    return FALSE;
  return print_names (cli, (const char *const *) names, format, error);
}

const CliCommand cli_command_storage_list = {
  .name = "storage list",
  .usage = "[PREFIX]",
  .summary = N_("List the files in an environment's storage"),
  .description = N_("Prints the names of all files, or of those that begin with PREFIX, one on "
                    "each line."),
  .options = options,
  .run = run_storage_list,
};
