/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-server.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "agent/agent-json.h"
#include "agent/agent-listener.h"
#include "machine/agent-conf.h"
#include "metadata/tools-version.h"

#define HEALTH_PATH "/v1/health"
#define STARTED "started"
#define MAX_NAME 128
#define MAX_VERSION 128

struct _AgentServer
{
  /* inputs */
  const AgentSettings *settings;
  AgentState          *state;

  /* while running */
  SoupServer          *server;   /* (owned) */
  SoupAuthDomain      *domain;   /* (owned) */
  AgentListener       *listener; /* (owned) (nullable) */
};

/* A message that waits until the state is saved. */
typedef struct
{
  AgentState        *state;
  SoupServerMessage *message; /* (owned) */
  gboolean           is_gone; /* nobody waits for its answer */
} Report;

static void
answer (SoupServerMessage *message,
        guint              status,
        JsonBuilder       *builder)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  SoupMessageBody *body = soup_server_message_get_response_body (message);
  g_autoptr(GBytes) bytes = agent_json_end (builder);

  soup_message_headers_set_content_type (headers, "application/json", NULL);
  soup_message_body_append_bytes (body, bytes);
  soup_server_message_set_status (message, status, NULL);
}

static JsonBuilder *
begin_answer (void)
{
  return json_builder_begin_object (json_builder_new ());
}

static void
refuse (SoupServerMessage *message,
        guint              status,
        const char        *text)
{
  g_autoptr(JsonBuilder) builder = begin_answer ();

  agent_json_add_text (builder, "error", text);
  answer (message, status, builder);
}

static gboolean
is_same_secret (const char *a,
                const char *b)
{
  gsize length = strlen (a);
  guint difference = 0;

  if (strlen (b) != length)
    return FALSE;
  /* Always as long, so that nobody learns by the clock how much of it was right. */
  for (gsize i = 0; i < length; i++)
    difference |= (guint) (guchar) a[i] ^ (guint) (guchar) b[i];
  return difference == 0;
}

static gboolean
login_came_cb (SoupAuthDomain    *domain,
               SoupServerMessage *message,
               const char        *name,
               const char        *password,
               gpointer           user_data)
{
  AgentServer *self = user_data;
  g_autofree char *expected = NULL;

  if (strlen (name) > MAX_NAME)
    return FALSE;
  expected = welkin_agent_password_derive (self->settings->secret, name);
  return is_same_secret (expected, password);
}

/* Answers itself, and returns FALSE, when the method is another. */
static gboolean
check_is_get (SoupServerMessage *message,
              const char        *allowed)
{
  if (g_str_equal (soup_server_message_get_method (message), SOUP_METHOD_GET))
    return TRUE;
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Allow",
                                allowed);
  refuse (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "this cannot be done here");
  return FALSE;
}

static void
health_asked_cb (SoupServer        *server,
                 SoupServerMessage *message,
                 const char        *path,
                 GHashTable        *query,
                 gpointer           user_data)
{
  g_autoptr(JsonBuilder) builder = NULL;

  if (!g_str_equal (path, HEALTH_PATH))
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
  else if (check_is_get (message, "GET"))
    {
      builder = begin_answer ();
      agent_json_add_text (builder, "status", "ok");
      answer (message, SOUP_STATUS_OK, builder);
    }
}

/* (transfer full): who asks; NULL when he is told to log in first */
static char *
check_login (AgentServer       *self,
             SoupServerMessage *message)
{
  char *name = soup_auth_domain_accepts (self->domain, message);

  if (name == NULL)
    soup_auth_domain_challenge (self->domain, message);
  return name;
}

static void
environment_asked_cb (SoupServer        *server,
                      SoupServerMessage *message,
                      const char        *path,
                      GHashTable        *query,
                      gpointer           user_data)
{
  AgentServer *self = user_data;
  g_autofree char *name = check_login (self, message);
  g_autoptr(JsonBuilder) builder = NULL;

  if (name == NULL)
    return;
  if (!g_str_equal (path, WELKIN_AGENT_ENVIRONMENT_PATH))
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
  else if (check_is_get (message, "GET"))
    {
      builder = begin_answer ();
      agent_json_add_environment (builder, agent_state_get_environment (self->state));
      answer (message, SOUP_STATUS_OK, builder);
    }
}

static gboolean
may_see (const char *name,
         const char *machine_id)
{
  g_autofree char *tag = agent_machine_id_to_tag (machine_id);

  return g_str_equal (name, WELKIN_AGENT_ADMIN) || g_str_equal (name, tag);
}

static void
list_machines (AgentServer       *self,
               SoupServerMessage *message,
               const char        *name)
{
  g_autoptr(GPtrArray) machines = agent_state_list_machines (self->state);
  g_autoptr(GPtrArray) seen = g_ptr_array_new ();
  g_autoptr(JsonBuilder) builder = begin_answer ();

  for (guint i = 0; i < machines->len; i++)
    {
      WelkinAgentMachine *machine = g_ptr_array_index (machines, i);

      if (may_see (name, machine->id))
        g_ptr_array_add (seen, machine);
    }
  agent_json_add_machines (builder, seen);
  answer (message, SOUP_STATUS_OK, builder);
}

static void
client_gone_cb (SoupServerMessage *message,
                gpointer           user_data)
{
  Report *report = user_data;

  report->is_gone = TRUE;
}

static void
state_saved_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Report *report = user_data;

  if (agent_state_save_finish (report->state, result, NULL))
    soup_server_message_set_status (report->message, SOUP_STATUS_NO_CONTENT, NULL);
  else
    refuse (report->message, SOUP_STATUS_INTERNAL_SERVER_ERROR, "the report cannot be kept");
  g_signal_handlers_disconnect_by_data (report->message, report);
  if (!report->is_gone)
    soup_server_message_unpause (report->message);
  g_object_unref (report->message);
  g_free (report);
}

static gboolean
is_good_report (const WelkinAgentMachine *machine)
{
  WelkinToolsVersion version;
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;

  return g_str_equal (machine->status, STARTED) && strlen (machine->version) <= MAX_VERSION &&
         welkin_tools_binary_parse (machine->version, &version, &series, &arch, NULL);
}

static void
take_report (AgentServer       *self,
             SoupServerMessage *message,
             const char        *machine_id)
{
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr(GBytes) bytes = soup_message_body_flatten (body);
  WelkinAgentMachine *machine = NULL;
  Report *report;

  machine = wk_json_decode_record (&welkin_agent_machine_table, "machine", bytes, NULL);
  if (machine == NULL || !is_good_report (machine))
    {
      refuse (message, SOUP_STATUS_BAD_REQUEST, "this is no report of a machine");
      if (machine != NULL)
        wk_json_record_free (&welkin_agent_machine_table, machine);
      return;
    }
  agent_state_take_report (self->state, machine_id, machine->status, machine->version);
  wk_json_record_free (&welkin_agent_machine_table, machine);
  report = g_new0 (Report, 1);
  report->state = self->state;
  report->message = g_object_ref (message);
  g_signal_connect (message, "disconnected", G_CALLBACK (client_gone_cb), report);
  g_signal_connect (message, "finished", G_CALLBACK (client_gone_cb), report);
  soup_server_message_pause (message);
  agent_state_save_async (self->state, state_saved_cb, report);
}

static void
machine_asked (AgentServer       *self,
               SoupServerMessage *message,
               const char        *name,
               const char        *machine_id)
{
  const char *method = soup_server_message_get_method (message);
  g_autofree char *tag = agent_machine_id_to_tag (machine_id);
  const WelkinAgentMachine *machine;
  g_autoptr(JsonBuilder) builder = NULL;

  if (g_str_equal (method, SOUP_METHOD_PUT) || g_str_equal (method, SOUP_METHOD_POST))
    {
      if (g_str_equal (name, tag))
        take_report (self, message, machine_id);
      else
        refuse (message, SOUP_STATUS_FORBIDDEN, "a machine reports only itself");
      return;
    }
  if (!check_is_get (message, "GET, PUT, POST"))
    return;
  if (!may_see (name, machine_id))
    {
      refuse (message, SOUP_STATUS_FORBIDDEN, "this is another machine");
      return;
    }
  machine = agent_state_get_machine (self->state, machine_id);
  if (machine == NULL)
    {
      refuse (message, SOUP_STATUS_NOT_FOUND, "the machine has not reported");
      return;
    }
  builder = begin_answer ();
  agent_json_add_machine (builder, machine);
  answer (message, SOUP_STATUS_OK, builder);
}

static void
machines_asked_cb (SoupServer        *server,
                   SoupServerMessage *message,
                   const char        *path,
                   GHashTable        *query,
                   gpointer           user_data)
{
  AgentServer *self = user_data;
  g_autofree char *name = check_login (self, message);
  const char *rest = path + strlen (WELKIN_AGENT_MACHINES_PATH);

  if (name == NULL)
    return;
  if (*rest == '\0')
    {
      if (check_is_get (message, "GET"))
        list_machines (self, message, name);
    }
  else if (*rest == '/' && agent_machine_id_is_valid (rest + 1))
    machine_asked (self, message, name, rest + 1);
  else
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
}

static void
anything_asked_cb (SoupServer        *server,
                   SoupServerMessage *message,
                   const char        *path,
                   GHashTable        *query,
                   gpointer           user_data)
{
  refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
}

void
agent_server_stop (AgentServer *self)
{
  g_clear_pointer (&self->listener, agent_listener_stop);
}

void
agent_server_free (AgentServer *self)
{
  agent_server_stop (self);
  soup_server_disconnect (self->server);
  g_object_unref (self->server);
  g_object_unref (self->domain);
  g_free (self);
}

AgentServer *
agent_server_new (const AgentSettings *settings,
                  AgentState          *state)
{
  AgentServer *self = g_new0 (AgentServer, 1);

  self->settings = settings;
  self->state = state;
  self->server = soup_server_new (NULL, NULL);
  self->domain = soup_auth_domain_basic_new ("realm", "welkin", NULL);
  soup_auth_domain_basic_set_auth_callback (self->domain, login_came_cb, self, NULL);
  soup_auth_domain_add_path (self->domain, "/");
  soup_auth_domain_remove_path (self->domain, HEALTH_PATH);
  soup_server_add_auth_domain (self->server, self->domain);
  soup_server_add_handler (self->server, HEALTH_PATH, health_asked_cb, self, NULL);
  soup_server_add_handler (self->server, WELKIN_AGENT_ENVIRONMENT_PATH, environment_asked_cb, self,
                           NULL);
  soup_server_add_handler (self->server, WELKIN_AGENT_MACHINES_PATH, machines_asked_cb, self, NULL);
  soup_server_add_handler (self->server, NULL, anything_asked_cb, self, NULL);
  return self;
}

SoupServer *
agent_server_get_http (AgentServer *self)
{
  return self->server;
}

gboolean
agent_server_listen (AgentServer *self,
                     const char  *data_directory,
                     WkClock     *clock,
                     GError     **error)
{
  g_autofree char *path = g_build_filename (data_directory, "server.pem", NULL);
  g_autoptr(GTlsCertificate) certificate = g_tls_certificate_new_from_file (path, error);

  if (certificate == NULL)
    {
      g_prefix_error (error, _("Cannot read \"%s\": "), path);
      return FALSE;
    }
  self->listener = agent_listener_new (self->server, certificate, self->settings->port, clock,
                                       error);
  return self->listener != NULL;
}
