/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * welkin: the reference host. Reads the global options, finds the command, gives it what
 * is left, and turns its error into an exit status: 0 well, 1 failed, 2 used wrongly, 130
 * interrupted.
 */

#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

#define EXIT_USAGE 2
#define EXIT_INTERRUPTED 130

static char **option_plugin_directories;
static char *option_cloud;
static char *option_log_file;
static char *option_debug_http;
static gboolean option_quiet;
static gboolean option_verbose;
static gboolean option_debug;
static gboolean option_version;
static gboolean option_help;

const GOptionEntry cli_global_options[] = {
  { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_plugin_directories,
    N_("Look for providers in DIR first"), N_("DIR") },
  { "cloud", 0, 0, G_OPTION_ARG_FILENAME, &option_cloud,
    N_("Log in with the entry NAME of clouds.yaml"), N_("NAME") },
  { "log-file", 0, 0, G_OPTION_ARG_FILENAME, &option_log_file, N_("Append a log to PATH"),
    N_("PATH") },
  { "debug-http", 0, 0, G_OPTION_ARG_FILENAME, &option_debug_http,
    N_("Write what goes over the wire to FILE"), N_("FILE") },
  { "quiet", 'q', 0, G_OPTION_ARG_NONE, &option_quiet, N_("Show no progress"), NULL },
  { "verbose", 'v', 0, G_OPTION_ARG_NONE, &option_verbose, N_("Say more"), NULL },
  { "debug", 0, 0, G_OPTION_ARG_NONE, &option_debug, N_("Say everything"), NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &option_version, N_("Print the version"), NULL },
  { "help", 'h', 0, G_OPTION_ARG_NONE, &option_help, N_("Show help"), NULL },
  G_OPTION_ENTRY_NULL
};

/* Stops what runs, which then undoes what it made; further signals only say so. */
static gboolean
interrupted_cb (gpointer user_data)
{
  Cli *cli = user_data;

  if (cli->is_interrupted)
    console_say (cli->console, "%s", cli->ending != NULL ? cli->ending
                                                       : _("Still coming to an end; please wait"));
  else
    console_say (cli->console, _("Interrupted: coming to an orderly end"));
  cli->is_interrupted = TRUE;
  g_cancellable_cancel (cli->cancellable);
  return G_SOURCE_CONTINUE;
}

/* Reads options up to the first argument, or behind a command those of the command as well. */
static gboolean
parse_options (const CliCommand *command,
               int              *argc,
               char           ***argv,
               GError          **error)
{
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_strict_posix (context, command == NULL || command->ends_options);
  /* Where both have an option of a name, it is the command's. */
  if (command != NULL && command->options != NULL)
    g_option_context_add_main_entries (context, command->options, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, cli_global_options, GETTEXT_PACKAGE);
  return g_option_context_parse (context, argc, argv, error);
}

/* GLib leaves "--" where one of the arguments behind it begins with a dash. */
static void
drop_end_of_options (char **arguments)
{
  while (*arguments != NULL && !g_str_equal (*arguments, "--"))
    arguments++;
  for (; *arguments != NULL; arguments++)
    arguments[0] = arguments[1];
}

static gboolean
open_surroundings (Cli     *cli,
                   GError **error)
{
  g_autoptr(WelkinSurroundings) plain = welkin_surroundings_new_for_process ();

  if (option_debug_http != NULL)
    {
      cli->trace = welkin_trace_new_for_file (option_debug_http, error);
      if (cli->trace == NULL)
        return FALSE;
    }
  cli->surroundings = welkin_surroundings_with_trace (plain, cli->trace);
  return TRUE;
}

static void
cli_open (Cli *cli)
{
  cli->plugin_directories = option_plugin_directories;
  cli->cancellable = g_cancellable_new ();
  cli->loop = g_main_loop_new (NULL, FALSE);
  cli->registry = welkin_registry_new ((const char *const *) cli->plugin_directories);
  cli->environments = welkin_environments_new (cli->registry, cli->surroundings);
  if (option_cloud != NULL)
    {
      g_autoptr(WelkinValue) cloud = welkin_value_new_text (option_cloud, TRUE, "--cloud");

      welkin_environments_override (cli->environments, "cloud", cloud);
    }
  cli->signals[0] = g_unix_signal_add (SIGINT, interrupted_cb, cli);
  cli->signals[1] = g_unix_signal_add (SIGTERM, interrupted_cb, cli);
  cli->signals[2] = g_unix_signal_add (SIGHUP, interrupted_cb, cli);
}

static void
cli_close (Cli *cli)
{
  cli_forget_signals (cli);
  g_clear_object (&cli->result);
  g_clear_object (&cli->environments);
  g_clear_object (&cli->registry);
  g_clear_object (&cli->trace);
  g_clear_pointer (&cli->surroundings, welkin_surroundings_unref);
  g_clear_object (&cli->cancellable);
  g_clear_pointer (&cli->loop, g_main_loop_unref);
  g_clear_pointer (&option_plugin_directories, g_strfreev);
  g_clear_pointer (&option_log_file, g_free);
  g_clear_pointer (&option_cloud, g_free);
  g_clear_pointer (&option_debug_http, g_free);
  g_clear_pointer (&cli->console, console_free);
}

static gboolean
run_command (Cli              *cli,
             const CliCommand *command,
             char            **arguments,
             GError          **error)
{
  gboolean is_ok;

  if (option_cloud != NULL && *option_cloud == '\0')
    return cli_usage_error (error, _("the name of the cloud is empty"));
  console_set_levels (cli->console, option_quiet, option_verbose, option_debug);
  if (option_log_file != NULL && !console_open_log (cli->console, option_log_file, error))
    return FALSE;
  if (!open_surroundings (cli, error))
    return FALSE;

  cli_open (cli);
  is_ok = command->run (cli, arguments, error);
  console_watch_progress (cli->console, NULL);
  /* What the command itself says comes first. */
  if (cli->trace != NULL && !welkin_trace_close (cli->trace, is_ok ? error : NULL))
    is_ok = FALSE;
  return is_ok;
}

static gboolean
run (Cli     *cli,
     int      argc,
     char   **argv,
     GError **error)
{
  static char *nothing[] = { NULL };
  const CliCommand *command;
  guint n_words;

  if (!parse_options (NULL, &argc, &argv, error))
    return FALSE;
  if (option_version)
    return run_command (cli, &cli_command_version, nothing, error);
  if (argc < 2)
    return run_command (cli, &cli_command_help, nothing, error);

  command = cli_find_command (argv + 1, &n_words, error);
  if (command == NULL)
    return FALSE;

  argc -= (int) n_words;
  argv += n_words;
  if (!parse_options (command, &argc, &argv, error))
    return FALSE;
  if (option_help)
    {
      g_autofree char *text = cli_make_help (command);

      console_print (cli->console, text);
      return TRUE;
    }
  if (!command->ends_options)
    drop_end_of_options (argv + 1);
  return run_command (cli, command, argv + 1, error);
}

static gboolean
is_interruption (Cli          *cli,
                 const GError *error)
{
  return cli->is_interrupted && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static int
exit_status (Cli          *cli,
             const GError *error)
{
  if (is_interruption (cli, error))
    return EXIT_INTERRUPTED;
  if (error->domain == CLI_ERROR || error->domain == G_OPTION_ERROR)
    return EXIT_USAGE;
  return EXIT_FAILURE;
}

/* Where we were stopped is our own business, unless something is told that was left there. */
static void
tell_error (Cli          *cli,
            const GError *error)
{
  g_autoptr(GError) interruption = NULL;

  /* What GIO says, in the language of the user. */
  if (is_interruption (cli, error) && welkin_error_get_hint (error) == NULL
      && g_str_has_suffix (error->message, g_dgettext ("glib20", "Operation was cancelled")))
    interruption = g_error_new_literal (error->domain, error->code, _("interrupted"));
  console_print_error (cli->console, interruption != NULL ? interruption : error);
}

/* What we open would become standard output where that is closed, and get what is meant for it. In
 * its place stands something that cannot be read, or written: that is told as before. */
static void
keep_closed_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      g_open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0);
}

static void
nothing_cb (int number)
{
}

/* What cannot be written is an error, and no end without a word. Programs that we run do not
 * inherit that, as they would if it were ignored. */
static void
survive_writes (void)
{
  struct sigaction action = { .sa_handler = nothing_cb, .sa_flags = SA_RESTART };

  sigaction (SIGPIPE, &action, NULL);
  sigaction (SIGXFSZ, &action, NULL);
}

int
main (int    argc,
      char **argv)
{
  Cli cli = { NULL };
  g_autoptr(GError) error = NULL;
  int status = EXIT_SUCCESS;

  keep_closed_streams ();
  survive_writes ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_prgname ("welkin");

  cli.console = console_new ();
  if (!run (&cli, argc, argv, &error) || !console_finish (cli.console, &error))
    {
      tell_error (&cli, error);
      status = exit_status (&cli, error);
    }
  cli_close (&cli);
  return status;
}
