/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-report.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#include "agent/agent-json.h"
#include "base/backoff.h"
#include "base/flow.h"
#include "machine/agent-authority.h"

#define IDLE_SECONDS 20
#define RETRY_SECONDS 1
#define MAX_RETRY_SECONDS 60

typedef struct
{
  /* inputs */
  char               *authority_text; /* (owned) */
  GStrv               addresses;      /* (owned) */
  char               *path;           /* (owned) */
  char               *login;          /* (owned) the header */
  GBytes             *body;           /* (owned) */
  WkClock            *clock;          /* (owned) */

  /* while running */
  SoupSession        *session;        /* (owned) */
  SoupMessage        *message;        /* (owned) (nullable) */
  WkBackoff           backoff;
  guint               index;          /* of the address */
  gboolean            is_taken;
} Report;

static void
report_free (gpointer data)
{
  Report *self = data;

  g_clear_object (&self->message);
  g_object_unref (self->session);
  wk_clock_unref (self->clock);
  g_bytes_unref (self->body);
  g_free (self->login);
  g_free (self->path);
  g_strfreev (self->addresses);
  g_free (self->authority_text);
  g_free (self);
}

/* FALSE for what is no address. */
static gboolean
make_message (Report     *self,
              const char *address)
{
  g_autofree char *uri = g_strconcat ("https://", address, self->path, NULL);
  SoupMessageHeaders *headers;

  g_clear_object (&self->message);
  self->message = soup_message_new (SOUP_METHOD_PUT, uri);
  if (self->message == NULL)
    {
      g_warning (_("\"%s\" is no address to report to"), address);
      return FALSE;
    }
  headers = soup_message_get_request_headers (self->message);
  soup_message_headers_replace (headers, "Authorization", self->login);
  soup_message_set_request_body_from_bytes (self->message, "application/json", self->body);
  /* The password is for this server alone. */
  soup_message_add_flags (self->message, SOUP_MESSAGE_NO_REDIRECT |
                                         SOUP_MESSAGE_DO_NOT_USE_AUTH_CACHE |
                                         SOUP_MESSAGE_NEW_CONNECTION);
  return TRUE;
}

static void
take_answer (Report       *self,
             GAsyncResult *result)
{
  const char *address = self->addresses[self->index];
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  stream = soup_session_send_finish (self->session, result, &error);
  self->is_taken = stream != NULL &&
                   SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (self->message));
  if (self->is_taken)
    g_message (_("reported to %s"), address);
  else if (stream == NULL)
    g_message (_("cannot report to %s: %s"), address, error->message);
  else
    g_message (_("cannot report to %s: it answers %u %s"), address,
               soup_message_get_status (self->message),
               soup_message_get_reason_phrase (self->message));
}

static double
get_pause (Report *self)
{
  if (!self->is_taken)
    return wk_backoff_next (&self->backoff);
  wk_backoff_init (&self->backoff, RETRY_SECONDS, MAX_RETRY_SECONDS);
  return AGENT_REPORT_SECONDS;
}

static void
report_run (WkFlow  *flow,
            gpointer user_data)
{
  Report *self = user_data;
  g_autoptr(GTlsDatabase) authority = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  authority = welkin_agent_authority_new (self->authority_text, &error);
  if (authority == NULL)
    WK_FAIL (flow, &error, _("Cannot read the certificate of the authority"));
  soup_session_set_tls_database (self->session, authority);
  do
    {
      self->is_taken = FALSE;
      for (self->index = 0; !self->is_taken && self->addresses[self->index] != NULL; self->index++)
        {
          if (!make_message (self, self->addresses[self->index]))
            continue;
          WK_AWAIT (flow, soup_session_send_async (self->session, self->message,
                                                   G_PRIORITY_DEFAULT, WK_RESUME (flow)));
          take_answer (self, WK_RESULT (flow));
        }
      WK_AWAIT (flow, wk_clock_sleep_async (self->clock, get_pause (self), WK_RESUME (flow)));
    }
  while (wk_clock_sleep_finish (self->clock, WK_RESULT (flow), &error));
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static GBytes *
print_report (const char *version)
{
  const WelkinAgentMachine machine = { .status = (char *) "started", .version = (char *) version };
  g_autoptr(JsonBuilder) builder = json_builder_begin_object (json_builder_new ());

  agent_json_add_machine (builder, &machine);
  return agent_json_end (builder);
}

static char *
print_login (const AgentSettings *settings)
{
  g_autofree char *plain = g_strconcat (settings->tag, ":", settings->password, NULL);
  g_autofree char *encoded = g_base64_encode ((const guchar *) plain, strlen (plain));

  return g_strconcat ("Basic ", encoded, NULL);
}

void
agent_report_async (const AgentSettings *settings,
                    const char          *machine_id,
                    const char          *version,
                    WkClock             *clock,
                    GCancellable        *cancellable,
                    GAsyncReadyCallback  callback,
                    gpointer             user_data)
{
  Report *self = g_new0 (Report, 1);

  self->authority_text = g_strdup (settings->authority);
  self->addresses = g_strdupv (settings->addresses);
  self->path = g_strconcat ("/v1/machines/", machine_id, NULL);
  self->login = print_login (settings);
  self->body = print_report (version);
  self->clock = wk_clock_ref (clock);
  self->session = soup_session_new_with_options ("timeout", IDLE_SECONDS, NULL);
  soup_session_set_proxy_resolver (self->session, NULL);
  wk_backoff_init (&self->backoff, RETRY_SECONDS, MAX_RETRY_SECONDS);
  wk_flow_start (NULL, cancellable, callback, user_data, agent_report_async, report_run, self,
                 report_free);
}

gboolean
agent_report_finish (GAsyncResult *result,
                     GError      **error)
{
  return wk_flow_finish_boolean (result, NULL, agent_report_async, error);
}
