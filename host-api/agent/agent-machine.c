/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "agent/agent-report.h"
#include "agent/agent-server.h"

typedef struct
{
  GMainLoop    *loop;        /* (owned) */
  GCancellable *cancellable; /* (owned) */
  GError       *error;       /* (owned) (nullable) why reporting has ended */
} Machine;

static gboolean
told_to_stop_cb (gpointer user_data)
{
  Machine *self = user_data;

  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

static void
report_ended_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Machine *self = user_data;

  agent_report_finish (result, &self->error);
  g_main_loop_quit (self->loop);
}

static int
run (const AgentSettings *settings,
     const char          *machine_id,
     WkClock             *clock)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *version = agent_get_version ();
  Machine self = { loop, cancellable, NULL };
  g_autoptr(GError) error = NULL;

  g_unix_signal_add (SIGTERM, told_to_stop_cb, &self);
  g_unix_signal_add (SIGINT, told_to_stop_cb, &self);
  agent_report_async (settings, machine_id, version, clock, cancellable, report_ended_cb, &self);
  g_main_loop_run (loop);
  error = g_steal_pointer (&self.error);
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? EXIT_SUCCESS
                                                                   : agent_fail (error);
}

int
agent_run_machine (int    *argc,
                   char ***argv)
{
  g_autofree char *directory = NULL;
  g_autofree char *machine_id = NULL;
  gboolean is_debugging = FALSE;
  const GOptionEntry entries[] = {
    { "data-dir", 0, 0, G_OPTION_ARG_FILENAME, &directory, NULL, NULL },
    { "machine-id", 0, 0, G_OPTION_ARG_STRING, &machine_id, NULL, NULL },
    { "debug", 0, 0, G_OPTION_ARG_NONE, &is_debugging, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(AgentSettings) settings = NULL;
  g_autoptr(AgentState) state = NULL;
  g_autoptr(AgentServer) server = NULL;
  g_autoptr(WkClock) clock = wk_clock_new_parsed (g_getenv ("WELKIN_TIME_SCALE"));
  g_autoptr(GError) error = NULL;
  int status;

  if (!agent_parse_options (entries, argc, argv))
    return AGENT_EXIT_USAGE;
  if (directory == NULL || machine_id == NULL || !agent_machine_id_is_valid (machine_id))
    {
      g_printerr (_("welkin-agent: machine needs --data-dir DIR and --machine-id ID\n"));
      return AGENT_EXIT_USAGE;
    }
  if (is_debugging)
    g_setenv ("G_MESSAGES_DEBUG", "welkin-agent welkin-base", FALSE);
  settings = agent_settings_load (directory, machine_id, &error);
  if (settings == NULL)
    return agent_fail (error);
  if (settings->secret != NULL)
    {
      state = agent_state_load (directory, &error);
      if (state == NULL)
        return agent_fail (error);
      server = agent_server_new (settings, state);
      if (!agent_server_listen (server, directory, clock, &error))
        return agent_fail (error);
    }
  status = run (settings, machine_id, clock);
  if (server != NULL)
    agent_server_stop (server);
  while (state != NULL && agent_state_is_saving (state))
    g_main_context_iteration (NULL, TRUE);
  return status;
}
