/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-listener.h"

#include <glib/gi18n-lib.h>

#include "agent/bounded-stream.h"

#define MAX_CONNECTIONS 4096
#define MAX_WAITING 1024
/* A report and its head are less than 1 KiB. */
#define MAX_BYTES ((gsize) 32 * 1024)
#define MAX_SECONDS 30
#define MAX_SHAKING 64

struct _AgentListener
{
  SoupServer      *server;        /* (owned) */
  GTlsCertificate *certificate;   /* (owned) */
  GSocketService  *service;       /* (owned) */
  WkClock         *clock;         /* (owned) */
  GThreadPool     *shaking;       /* (owned) in which hands are shaken */
  guint            n_connections;
};

/* One connection. It keeps the listener alive, and ends with the connection. */
typedef struct
{
  AgentListener *listener; /* (owned) */
  GSocket       *socket;   /* (owned) */
  GSource       *deadline; /* (owned) */
} Visit;

/* A client who has not shaken hands yet. */
typedef struct
{
  AgentListener *listener; /* (owned) */
  GIOStream     *tls;      /* (owned) */
  GError        *error;    /* (owned) (nullable) */
} Shake;

static void
listener_clear (gpointer data)
{
  AgentListener *self = data;

  g_thread_pool_free (self->shaking, TRUE, FALSE);
  wk_clock_unref (self->clock);
  g_object_unref (self->service);
  g_object_unref (self->certificate);
  g_object_unref (self->server);
}

static void
connection_gone_cb (gpointer data,
                    GObject *connection)
{
  Visit *visit = data;

  visit->listener->n_connections--;
  g_source_destroy (visit->deadline);
  g_source_unref (visit->deadline);
  g_object_unref (visit->socket);
  g_rc_box_release_full (visit->listener, listener_clear);
  g_free (visit);
}

/* Whoever reads or writes there sees its end, and lets it go. */
static gboolean
deadline_reached_cb (gpointer user_data)
{
  Visit *visit = user_data;

  g_debug ("a connection has taken too long");
  g_socket_shutdown (visit->socket, TRUE, TRUE, NULL);
  return G_SOURCE_REMOVE;
}

static void
begin_visit (AgentListener     *self,
             GSocketConnection *connection)
{
  Visit *visit = g_new0 (Visit, 1);

  self->n_connections++;
  visit->listener = g_rc_box_acquire (self);
  visit->socket = g_object_ref (g_socket_connection_get_socket (connection));
  visit->deadline = g_timeout_source_new (wk_clock_get_interval (self->clock, MAX_SECONDS));
  g_source_set_callback (visit->deadline, deadline_reached_cb, visit, NULL);
  g_source_attach (visit->deadline, NULL);
  g_object_weak_ref (G_OBJECT (connection), connection_gone_cb, visit);
}

/* libsoup takes no stream without addresses, whatever its documentation says; a client who has gone
 * has none. */
static void
accept_stream (AgentListener *self,
               GIOStream     *tls)
{
  g_autoptr(GInputStream) input = bounded_stream_new (tls, MAX_BYTES);
  g_autoptr(GSocketConnection) connection = NULL;
  g_autoptr(GSocketAddress) local = NULL;
  g_autoptr(GSocketAddress) remote = NULL;
  g_autoptr(GIOStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  g_object_get (tls, "base-io-stream", &connection, NULL);
  stream = g_simple_io_stream_new (input, g_io_stream_get_output_stream (tls));
  local = g_socket_connection_get_local_address (connection, &error);
  if (local != NULL)
    remote = g_socket_connection_get_remote_address (connection, &error);
  if (remote == NULL ||
      !soup_server_accept_iostream (self->server, stream, local, remote, &error))
    g_debug ("cannot speak with a client: %s", error->message);
}

static void
shake_free (gpointer data)
{
  Shake *self = data;

  g_clear_error (&self->error);
  g_object_unref (self->tls);
  g_rc_box_release_full (self->listener, listener_clear);
  g_free (self);
}

static gboolean
hands_shaken_cb (gpointer user_data)
{
  Shake *self = user_data;
  GTlsConnection *tls = G_TLS_CONNECTION (self->tls);

  if (self->error != NULL)
    g_debug ("a client does not speak TLS with us: %s", self->error->message);
  else if (g_tls_connection_get_protocol_version (tls) < G_TLS_PROTOCOL_VERSION_TLS_1_2)
    g_debug ("a client speaks an old TLS");
  else
    accept_stream (self->listener, self->tls);
  return G_SOURCE_REMOVE;
}

/* GLib's own threads, of which there are few, would do it as well, but then nobody else, as who
 * writes files, could use them while clients take their time. The thread that runs the loop frees
 * all of it. */
static void
shake_in_thread (gpointer data,
                 gpointer user_data)
{
  Shake *self = data;

  g_tls_connection_handshake (G_TLS_CONNECTION (self->tls), NULL, &self->error);
  g_idle_add_full (G_PRIORITY_DEFAULT, hands_shaken_cb, self, shake_free);
}

/* Whoever says nothing takes no thread. */
static gboolean
client_spoke_cb (GSocket     *socket,
                 GIOCondition condition,
                 gpointer     user_data)
{
  Shake *self = user_data;

  g_thread_pool_push (self->listener->shaking, self, NULL);
  return G_SOURCE_REMOVE;
}

static void
begin_shake (AgentListener *self,
             GSocket       *socket,
             GIOStream     *tls)
{
  g_autoptr(GSource) source = g_socket_create_source (socket, G_IO_IN, NULL);
  Shake *shake = g_new0 (Shake, 1);

  shake->listener = g_rc_box_acquire (self);
  shake->tls = g_object_ref (tls);
  g_source_set_callback (source, G_SOURCE_FUNC (client_spoke_cb), shake, NULL);
  g_source_attach (source, NULL);
}

static gboolean
connection_came_cb (GSocketService    *service,
                    GSocketConnection *connection,
                    GObject           *source,
                    gpointer           user_data)
{
  AgentListener *self = user_data;
  g_autoptr(GIOStream) tls = NULL;
  g_autoptr(GError) error = NULL;

  if (self->n_connections >= MAX_CONNECTIONS)
    {
      g_debug ("too many connections");
      return TRUE;
    }
  begin_visit (self, connection);
  tls = g_tls_server_connection_new (G_IO_STREAM (connection), self->certificate, &error);
  if (tls == NULL)
    {
      g_warning (_("cannot speak TLS: %s"), error->message);
      return TRUE;
    }
  /* Nobody is asked for a certificate: spare each the list of all authorities. */
  g_tls_connection_set_database (G_TLS_CONNECTION (tls), NULL);
  begin_shake (self, g_socket_connection_get_socket (connection), tls);
  return TRUE;
}

AgentListener *
agent_listener_new (SoupServer      *server,
                    GTlsCertificate *certificate,
                    guint16          port,
                    WkClock         *clock,
                    GError         **error)
{
  g_autoptr(AgentListener) self = g_rc_box_new0 (AgentListener);

  self->server = g_object_ref (server);
  self->certificate = g_object_ref (certificate);
  self->clock = wk_clock_ref (clock);
  self->shaking = g_thread_pool_new (shake_in_thread, NULL, MAX_SHAKING, FALSE, NULL);
  self->service = g_socket_service_new ();
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), MAX_WAITING);
  g_signal_connect (self->service, "incoming", G_CALLBACK (connection_came_cb), self);
  if (!g_socket_listener_add_inet_port (G_SOCKET_LISTENER (self->service), port, NULL, error))
    {
      g_prefix_error (error, _("Cannot serve at port %u: "), port);
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
agent_listener_stop (AgentListener *self)
{
  g_signal_handlers_disconnect_by_data (self->service, self);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_rc_box_release_full (self, listener_clear);
}
