/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* doctor: what would stand in the way of a bootstrap, found out without making anything. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "base/map-builder.h"
#include "cli/machines.h"

static char *option_environment;
static char **option_constraints;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "constraints", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_constraints,
    N_("What the machine must have: \"mem=4G cores=2\""), N_("CONSTRAINTS") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("text (default), yaml or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

/* By status: its word, and its colour on a terminal. */
static const struct
{
  const char *word;
  const char *colour;
} statuses[] = {
  [WELKIN_FINDING_OK] = { N_("ok"), "\033[32m" },
  [WELKIN_FINDING_WARNING] = { N_("warning"), "\033[33m" },
  [WELKIN_FINDING_FAILURE] = { N_("failure"), "\033[31m" },
  [WELKIN_FINDING_SKIPPED] = { N_("skipped"), "\033[2m" },
};

/* What cannot even be opened is a finding as well. (transfer full) */
static GPtrArray *
find_unusable (const GError *error)
{
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_finding_unref);

  g_ptr_array_add (findings, welkin_finding_new ("configuration", WELKIN_FINDING_FAILURE,
                                                 error->message, welkin_error_get_hint (error)));
  return findings;
}

/* (transfer full) */
static GPtrArray *
examine (Cli               *cli,
         const char        *name,
         WelkinConstraints *constraints,
         GError           **error)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) local_error = NULL;
  GPtrArray *findings;

  welkin_environments_preview_async (cli->environments, name, cli->cancellable, cli_done_cb, cli);
  environment =
    welkin_environments_preview_finish (cli->environments, cli_wait (cli), &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (environment == NULL)
    return find_unusable (local_error);
  if (!WELKIN_IS_EXAMINER (environment))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                   _("the provider of environment \"%s\" examines nothing"), name);
      return NULL;
    }

  console_watch_progress (cli->console, progress);
  welkin_examiner_examine_async (WELKIN_EXAMINER (environment), constraints, progress,
                                 cli->cancellable, cli_done_cb, cli);
  findings =
    welkin_examiner_examine_finish (WELKIN_EXAMINER (environment), cli_wait (cli), error);
  console_watch_progress (cli->console, NULL);
  return findings;
}

/* One finding is one line, with its remedy. */
static void
print_finding (Cli           *cli,
               WelkinFinding *finding,
               gboolean       has_colour)
{
  WelkinFindingStatus status = welkin_finding_get_status (finding);
  const char *remedy = welkin_finding_get_remedy (finding);
  g_autofree char *line = NULL;

  line = g_strdup_printf ("%s%-8s%s %-14s %s%s%s\n", has_colour ? statuses[status].colour : "",
                          _(statuses[status].word), has_colour ? "\033[0m" : "",
                          welkin_finding_get_check (finding), welkin_finding_get_text (finding),
                          remedy != NULL ? ". " : "", remedy != NULL ? remedy : "");
  console_print (cli->console, line);
}

static WelkinValue *
describe_finding (WelkinFinding *finding)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_string (&map, "check", welkin_finding_get_check (finding));
  wk_map_add_string (&map, "status", statuses[welkin_finding_get_status (finding)].word);
  wk_map_add_string (&map, "text", welkin_finding_get_text (finding));
  wk_map_add_string (&map, "remedy", welkin_finding_get_remedy (finding));
  return wk_map_end (&map);
}

static gboolean
print_findings (Cli        *cli,
                GPtrArray  *findings,
                gboolean    is_text,
                CliFormat   format,
                GError    **error)
{
  g_autoptr(GPtrArray) values = NULL;

  if (is_text)
    {
      for (guint i = 0; i < findings->len; i++)
        print_finding (cli, g_ptr_array_index (findings, i), isatty (STDOUT_FILENO) == 1);
      return TRUE;
    }
  values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < findings->len; i++)
    g_ptr_array_add (values, describe_finding (g_ptr_array_index (findings, i)));
  return cli_print_list (cli, values, format, error);
}

static guint
count_failures (GPtrArray *findings)
{
  guint n = 0;

  for (guint i = 0; i < findings->len; i++)
    n += welkin_finding_get_status (g_ptr_array_index (findings, i)) == WELKIN_FINDING_FAILURE;
  return n;
}

static gboolean
run_doctor (Cli     *cli,
            char   **arguments,
            GError **error)
{
  gboolean is_text = option_format == NULL || g_str_equal (option_format, "text");
  CliFormat format = CLI_FORMAT_YAML;
  g_autoptr(WelkinConstraints) constraints = NULL;
  g_autoptr(GPtrArray) findings = NULL;
  g_autofree char *name = NULL;
  guint n_failures;

  if (!cli_expect_no_arguments (arguments, error)
      || (!is_text && !cli_parse_format (option_format, &format, error)))
    return FALSE;
  constraints = cli_read_constraints (option_constraints, error);
  if (constraints == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  findings = examine (cli, name, constraints, error);
  if (findings == NULL || !print_findings (cli, findings, is_text, format, error))
    return FALSE;

  n_failures = count_failures (findings);
  if (n_failures == 0)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
               g_dngettext (GETTEXT_PACKAGE, "%u thing would stop a bootstrap of \"%s\"",
                            "%u things would stop a bootstrap of \"%s\"", n_failures),
               n_failures, name);
  return FALSE;
}

const CliCommand cli_command_doctor = {
  .name = "doctor",
  .usage = "",
  .summary = N_("Find out what would stop a bootstrap"),
  .description = N_("Looks at the configuration, at the way to the cloud, and at what the cloud "
                    "has for a machine, and tells of each how it stands and what to do about it. "
                    "It only reads: nothing is made or changed, in the cloud or here. When "
                    "something would stop a bootstrap, the exit status is 1."),
  .options = options,
  .run = run_doctor,
};
