/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* gc: finds what an environment has left behind in its cloud, and removes it. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/machines.h"

#define N_COLUMNS 6

static char *option_environment;
static gboolean option_dry_run;
static char *option_older_than;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "dry-run", 0, 0, G_OPTION_ARG_NONE, &option_dry_run,
    N_("Tell what would be removed, and remove nothing"), NULL },
  { "older-than", 0, 0, G_OPTION_ARG_FILENAME, &option_older_than,
    N_("Keep what is younger, as in 90s, 15m (default), 2h or 1d"), N_("AGE") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("text (default), yaml or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

static const char *const kinds[] = {
  [WELKIN_LEFTOVER_SERVER] = "server",
  [WELKIN_LEFTOVER_PORT] = "port",
  [WELKIN_LEFTOVER_FLOATING_IP] = "floating-ip",
  [WELKIN_LEFTOVER_SECURITY_GROUP] = "security-group",
  [WELKIN_LEFTOVER_SERVER_GROUP] = "server-group",
  [WELKIN_LEFTOVER_VOLUME] = "volume",
  [WELKIN_LEFTOVER_CONTAINER] = "container",
};

static const char *const states[] = {
  [WELKIN_LEFTOVER_FOUND] = N_("would be removed"),
  [WELKIN_LEFTOVER_KEPT] = N_("kept"),
  [WELKIN_LEFTOVER_REMOVED] = N_("removed"),
  [WELKIN_LEFTOVER_FAILED] = N_("not removed"),
};

/* "15m" in seconds.  Only nothing needs no unit: "15" may be meant as minutes, and what is removed
 * too early belongs to a start that goes on. */
static gboolean
parse_age (const char *text,
           guint      *seconds,
           GError    **error)
{
  static const struct { char unit; guint seconds; } units[] = {
    { '\0', 1 }, { 's', 1 }, { 'm', 60 }, { 'h', 60 * 60 }, { 'd', 24 * 60 * 60 },
  };
  gsize n_digits = strspn (text, "0123456789");
  guint64 number = g_ascii_strtoull (text, NULL, 10);

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (n_digits == 0 || text[n_digits] != units[i].unit
          || (units[i].unit != '\0' ? text[n_digits + 1] != '\0' : number != 0)
          || number > G_MAXUINT / units[i].seconds)
        continue;
      *seconds = (guint) number * units[i].seconds;
      return TRUE;
    }
  return cli_usage_error (error, _("invalid value \"%s\" for flag %s: %s"), text, "--older-than",
                          _("expected a number and one of s, m, h and d"));
}

/* (transfer full) */
static char *
format_age (WelkinLeftover *leftover)
{
  gint64 age = welkin_leftover_get_age (leftover);
  gint64 minutes = age / 60;

  if (age < 0)
    return g_strdup ("-");
  if (minutes < 2 * 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT "m", minutes);
  if (minutes < 2 * 24 * 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT "h", minutes / 60);
  return g_strdup_printf ("%" G_GINT64_FORMAT "d", minutes / 24 / 60);
}

/* (transfer full) */
static char *
format_action (WelkinLeftover *leftover)
{
  const char *state = _(states[welkin_leftover_get_state (leftover)]);
  const char *note = welkin_leftover_get_note (leftover);

  if (note == NULL)
    note = welkin_leftover_get_reason (leftover);
  return g_strdup_printf ("%s: %s", state, note);
}

static const char *
or_dash (const char *text)
{
  return text != NULL && *text != '\0' ? text : "-";
}

/* (transfer full) */
static char **
make_row (WelkinLeftover *leftover)
{
  char **row = g_new0 (char *, N_COLUMNS + 1);

  row[0] = g_strdup (kinds[welkin_leftover_get_kind (leftover)]);
  row[1] = g_strdup (or_dash (welkin_leftover_get_name (leftover)));
  row[2] = g_strdup (welkin_leftover_get_id (leftover));
  row[3] = g_strdup (or_dash (welkin_leftover_get_machine_id (leftover)));
  row[4] = format_age (leftover);
  row[5] = format_action (leftover);
  return row;
}

static void
print_table (Cli       *cli,
             GPtrArray *leftovers)
{
  char *head[] = { _("KIND"), _("NAME"), _("ID"), _("MACHINE"), _("AGE"), _("ACTION"), NULL };
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  if (leftovers->len == 0)
    return;
  g_ptr_array_add (rows, g_strdupv (head));
  for (guint i = 0; i < leftovers->len; i++)
    g_ptr_array_add (rows, make_row (g_ptr_array_index (leftovers, i)));
  console_print_table (cli->console, rows);
}

static WelkinValue *
describe (WelkinLeftover *leftover)
{
  GDateTime *changed = welkin_leftover_get_changed (leftover);
  g_autofree char *time = changed != NULL ? g_date_time_format_iso8601 (changed) : NULL;
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_string (&map, "kind", kinds[welkin_leftover_get_kind (leftover)]);
  wk_map_add_string (&map, "id", welkin_leftover_get_id (leftover));
  wk_map_add_string (&map, "name", welkin_leftover_get_name (leftover));
  wk_map_add_string (&map, "machine", welkin_leftover_get_machine_id (leftover));
  wk_map_add_string (&map, "start-id", welkin_leftover_get_start_id (leftover));
  wk_map_add_string (&map, "changed", time);
  wk_map_add_text (&map, "marked", welkin_leftover_is_marked (leftover) ? "true" : "false");
  wk_map_add_string (&map, "reason", welkin_leftover_get_reason (leftover));
  wk_map_add_string (&map, "action", states[welkin_leftover_get_state (leftover)]);
  wk_map_add_string (&map, "note", welkin_leftover_get_note (leftover));
  return wk_map_end (&map);
}

static gboolean
print_leftovers (Cli        *cli,
                 GPtrArray  *leftovers,
                 gboolean    is_text,
                 CliFormat   format,
                 GError    **error)
{
  g_autoptr(GPtrArray) values = NULL;

  if (is_text)
    {
      print_table (cli, leftovers);
      return TRUE;
    }
  values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < leftovers->len; i++)
    g_ptr_array_add (values, describe (g_ptr_array_index (leftovers, i)));
  return cli_print_list (cli, values, format, error);
}

/* (transfer container) */
static GPtrArray *
collect (Cli        *cli,
         const char *name,
         guint       min_age,
         GError    **error)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  GPtrArray *leftovers;

  console_watch_progress (cli->console, progress);
  welkin_collect_leftovers_async (cli->environments, name,
                                  option_dry_run ? WELKIN_COLLECT_DRY_RUN : WELKIN_COLLECT_NONE,
                                  min_age, progress, cli->cancellable, cli_done_cb, cli);
  leftovers = welkin_collect_leftovers_finish (cli->environments, cli_wait (cli), error);
  console_watch_progress (cli->console, NULL);
  return leftovers;
}

static guint
count (GPtrArray          *leftovers,
       WelkinLeftoverState state)
{
  guint n = 0;

  for (guint i = 0; i < leftovers->len; i++)
    n += welkin_leftover_get_state (g_ptr_array_index (leftovers, i)) == state;
  return n;
}

static gboolean
run_gc (Cli     *cli,
        char   **arguments,
        GError **error)
{
  gboolean is_text = option_format == NULL || g_str_equal (option_format, "text");
  CliFormat format = CLI_FORMAT_YAML;
  guint min_age = WELKIN_COLLECT_MIN_AGE;
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autofree char *name = NULL;
  guint n_failed;

  if (!cli_expect_no_arguments (arguments, error)
      || (!is_text && !cli_parse_format (option_format, &format, error))
      || (option_older_than != NULL && !parse_age (option_older_than, &min_age, error)))
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  leftovers = collect (cli, name, min_age, error);
  if (leftovers == NULL || !print_leftovers (cli, leftovers, is_text, format, error))
    return FALSE;

  n_failed = count (leftovers, WELKIN_LEFTOVER_FAILED);
  if (leftovers->len == 0)
    console_say (cli->console, _("Nothing was left behind"));
  if (n_failed == 0)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
               g_dngettext (GETTEXT_PACKAGE,
                            "%u thing that was left behind could not be removed",
                            "%u things that were left behind could not be removed", n_failed),
               n_failed);
  return FALSE;
}

const CliCommand cli_command_gc = {
  .name = "gc",
  .usage = "",
  .summary = N_("Remove what starts that came to nothing have left behind"),
  .description = N_("Looks for servers, ports, floating IPs, groups and volumes that carry the "
                    "environment's mark and belong to no machine of it, and removes them; and the "
                    "container of the environment's files, where nothing else is left. What is "
                    "younger than --older-than stays, unless its start is known to be over: "
                    "somebody else may be starting a machine. What is only named like the "
                    "environment's and carries no mark is told of, and never removed. When "
                    "something could not be removed, the exit status is 1."),
  .options = options,
  .run = run_gc,
};
