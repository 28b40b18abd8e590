/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-agent.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "values/welkin-error.h"

/* A name that the certificates of all servers have, since nobody knows their addresses when they
 * are made. */
#define SERVER_NAME "anyServer"
/* Of one attempt, by the wall's clock. */
#define CONNECT_SECONDS 10

typedef struct
{
  /* inputs */
  char                *address;     /* (owned) */
  guint16              port;
  char                *ca_text;     /* (owned) */
  WelkinConnectDelays  delays;
  WkClock             *clock;       /* (owned) (nullable) */

  /* while running */
  GTlsCertificate     *authority;   /* (owned) (nullable) */
  GSocketConnectable  *identity;    /* (owned) */
  GSocketClient       *client;      /* (owned) */
  GSocketConnection   *connection;  /* (owned) (nullable) */
  GIOStream           *stream;      /* (owned) (nullable) TLS over it */
  double               deadline;
  GError              *last_error;  /* (owned) (nullable) */
} Wait;

static void
wait_free (gpointer data)
{
  Wait *self = data;

  g_clear_error (&self->last_error);
  g_clear_object (&self->stream);
  g_clear_object (&self->connection);
  g_object_unref (self->client);
  g_object_unref (self->identity);
  g_clear_object (&self->authority);
  g_clear_pointer (&self->clock, wk_clock_unref);
  g_free (self->ca_text);
  g_free (self->address);
  g_free (self);
}

/* The authority is no public one, so that the usual check has failed. */
static gboolean
accept_certificate_cb (GTlsConnection      *connection,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags flags,
                       gpointer             user_data)
{
  Wait *self = user_data;

  return g_tls_certificate_verify (certificate, self->identity, self->authority) == 0;
}

static gboolean
open_stream (Wait    *self,
             GError **error)
{
  g_clear_object (&self->stream);
  self->stream = g_tls_client_connection_new (G_IO_STREAM (self->connection), self->identity,
                                              error);
  if (self->stream == NULL)
    return FALSE;
  g_signal_connect (self->stream, "accept-certificate", G_CALLBACK (accept_certificate_cb), self);
  return TRUE;
}

static void
keep_error (Wait   *self,
            GError *error)
{
  g_clear_error (&self->last_error);
  self->last_error = error;
}

static gboolean
is_over (Wait *self)
{
  return wk_clock_get_seconds (self->clock) >= self->deadline;
}

static void
wait_run (WkFlow  *flow,
          gpointer user_data)
{
  Wait *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->authority = g_tls_certificate_new_from_pem (self->ca_text, -1, &error);
  if (self->authority == NULL)
    WK_FAIL (flow, &error, NULL);
  self->deadline = wk_clock_get_seconds (self->clock) + self->delays.timeout;
  do
    {
      g_clear_object (&self->connection);
      WK_AWAIT (flow, g_socket_client_connect_to_host_async (self->client, self->address,
                                                             self->port, WK_RESUME (flow)));
      self->connection = g_socket_client_connect_to_host_finish (self->client, WK_RESULT (flow),
                                                                 &error);
      if (self->connection != NULL && open_stream (self, &error))
        {
          WK_AWAIT (flow, g_tls_connection_handshake_async (G_TLS_CONNECTION (self->stream),
                                                            G_PRIORITY_DEFAULT, WK_RESUME (flow)));
          if (g_tls_connection_handshake_finish (G_TLS_CONNECTION (self->stream), WK_RESULT (flow),
                                                 &error))
            {
              wk_flow_return_boolean (flow, TRUE);
              return;
            }
        }
      if (wk_flow_is_cancelled (flow, NULL))
        WK_FAIL (flow, &error, NULL);
      keep_error (self, g_steal_pointer (&error));
      WK_AWAIT (flow, wk_clock_sleep_async (self->clock, self->delays.retry_delay,
                                            WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (self->clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (!is_over (self));

  g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
               _("the agent at %s does not answer: %s"), self->address, self->last_error->message);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

void
welkin_wait_for_agent_async (const char                *address,
                             guint16                    port,
                             const char                *ca_certificate,
                             const WelkinConnectDelays *delays,
                             WkClock                   *clock,
                             GCancellable              *cancellable,
                             GAsyncReadyCallback        callback,
                             gpointer                   user_data)
{
  Wait *self = g_new0 (Wait, 1);

  self->address = g_strdup (address);
  self->port = port;
  self->ca_text = g_strdup (ca_certificate);
  self->delays = *delays;
  self->clock = clock != NULL ? wk_clock_ref (clock) : NULL;
  self->identity = g_network_address_new (SERVER_NAME, port);
  self->client = g_socket_client_new ();
  g_socket_client_set_enable_proxy (self->client, FALSE);
  g_socket_client_set_timeout (self->client, CONNECT_SECONDS);

  wk_flow_start (NULL, cancellable, callback, user_data, welkin_wait_for_agent_async, wait_run,
                 self, wait_free);
}

gboolean
welkin_wait_for_agent_finish (GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_boolean (result, NULL, welkin_wait_for_agent_async, error);
}
