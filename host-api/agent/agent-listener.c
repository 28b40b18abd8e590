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
/* Nobody keeps the others out. */
#define MAX_CONNECTIONS_BY_ADDRESS 1024
#define MAX_SHAKING_BY_ADDRESS 16

struct _AgentListener
{
  SoupServer      *server;        /* (owned) */
  GTlsCertificate *certificate;   /* (owned) */
  GSocketService  *service;       /* (owned) */
  WkClock         *clock;         /* (owned) */
  GThreadPool     *shaking;       /* (owned) in which hands are shaken */
  GHashTable      *callers;       /* (owned) of Caller (owned), by address */
  guint            n_connections;
};

/* All who come from one address. */
typedef struct
{
  char  *address;       /* (owned) */
  guint  n_connections;
  guint  n_shaking;
  GQueue waiting;       /* of Shake (owned), until others of them have shaken hands */
} Caller;

/* One connection. It keeps the listener alive, and ends with the connection. */
typedef struct
{
  AgentListener *listener; /* (owned) */
  Caller        *caller;
  GSocket       *socket;   /* (owned) */
  GSource       *deadline; /* (owned) */
} Visit;

/* A client who has not shaken hands yet. */
typedef struct
{
  AgentListener *listener; /* (owned) */
  Caller        *caller;
  GIOStream     *tls;      /* (owned) */
  GError        *error;    /* (owned) (nullable) */
} Shake;

static void
listener_clear (gpointer data)
{
  AgentListener *self = data;

  g_hash_table_unref (self->callers);
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
  if (--visit->caller->n_connections == 0)
    g_hash_table_remove (visit->listener->callers, visit->caller->address);
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
             Caller            *caller,
             GSocketConnection *connection)
{
  Visit *visit = g_new0 (Visit, 1);

  self->n_connections++;
  caller->n_connections++;
  visit->caller = caller;
  visit->listener = g_rc_box_acquire (self);
  visit->socket = g_object_ref (g_socket_connection_get_socket (connection));
  visit->deadline = g_timeout_source_new (wk_clock_get_interval (self->clock, MAX_SECONDS));
  g_source_set_callback (visit->deadline, deadline_reached_cb, visit, NULL);
  g_source_attach (visit->deadline, NULL);
  g_object_weak_ref (G_OBJECT (connection), connection_gone_cb, visit);
}

void
agent_listener_let_in (SoupServer     *server,
                       GIOStream      *tls,
                       GSocketAddress *local,
                       GSocketAddress *remote)
{
  g_autoptr(GInputStream) input = bounded_stream_new (tls, MAX_BYTES);
  g_autoptr(GIOStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  stream = g_simple_io_stream_new (input, g_io_stream_get_output_stream (tls));
  if (!soup_server_accept_iostream (server, stream, local, remote, &error))
    g_debug ("cannot speak with a client: %s", error->message);
}

/* libsoup takes no stream without addresses, whatever its documentation says; a client who has gone
 * has none. */
static void
accept_stream (AgentListener *self,
               GIOStream     *tls)
{
  g_autoptr(GSocketConnection) connection = NULL;
  g_autoptr(GSocketAddress) local = NULL;
  g_autoptr(GSocketAddress) remote = NULL;

  g_object_get (tls, "base-io-stream", &connection, NULL);
  local = g_socket_connection_get_local_address (connection, NULL);
  remote = g_socket_connection_get_remote_address (connection, NULL);
  if (local != NULL && remote != NULL)
    agent_listener_let_in (self->server, tls, local, remote);
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

/* Nobody waits any more, or his connection would be there. */
static void
caller_free (gpointer data)
{
  Caller *self = data;

  g_free (self->address);
  g_free (self);
}

static void
shake_hands (Shake *self)
{
  self->caller->n_shaking++;
  g_thread_pool_push (self->listener->shaking, self, NULL);
}

static gboolean
hands_shaken_cb (gpointer user_data)
{
  Shake *self = user_data;
  GTlsConnection *tls = G_TLS_CONNECTION (self->tls);

  self->caller->n_shaking--;
  if (!g_queue_is_empty (&self->caller->waiting))
    shake_hands (g_queue_pop_head (&self->caller->waiting));
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

  if (self->caller->n_shaking < MAX_SHAKING_BY_ADDRESS)
    shake_hands (self);
  else
    g_queue_push_tail (&self->caller->waiting, self);
  return G_SOURCE_REMOVE;
}

static void
begin_shake (AgentListener *self,
             Caller        *caller,
             GSocket       *socket,
             GIOStream     *tls)
{
  g_autoptr(GSource) source = g_socket_create_source (socket, G_IO_IN, NULL);
  Shake *shake = g_new0 (Shake, 1);

  shake->listener = g_rc_box_acquire (self);
  shake->caller = caller;
  shake->tls = g_object_ref (tls);
  g_source_set_callback (source, G_SOURCE_FUNC (client_spoke_cb), shake, NULL);
  g_source_attach (source, NULL);
}

/* Whose connection it is, however many there are. NULL when nobody knows. */
static Caller *
find_caller (AgentListener     *self,
             GSocketConnection *connection)
{
  g_autoptr(GSocketAddress) remote = g_socket_connection_get_remote_address (connection, NULL);
  g_autofree char *address = NULL;
  Caller *caller;

  if (!G_IS_INET_SOCKET_ADDRESS (remote))
    return NULL;
  address = g_inet_address_to_string (
    g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (remote)));
  caller = g_hash_table_lookup (self->callers, address);
  if (caller != NULL)
    return caller;
  caller = g_new0 (Caller, 1);
  caller->address = g_steal_pointer (&address);
  g_queue_init (&caller->waiting);
  g_hash_table_replace (self->callers, caller->address, caller);
  return caller;
}

static gboolean
connection_came_cb (GSocketService    *service,
                    GSocketConnection *connection,
                    GObject           *source,
                    gpointer           user_data)
{
  AgentListener *self = user_data;
  Caller *caller = NULL;
  g_autoptr(GIOStream) tls = NULL;
  g_autoptr(GError) error = NULL;

  if (self->n_connections < MAX_CONNECTIONS)
    caller = find_caller (self, connection);
  if (caller == NULL || caller->n_connections >= MAX_CONNECTIONS_BY_ADDRESS)
    {
      g_debug ("too many connections");
      return TRUE;
    }
  begin_visit (self, caller, connection);
  tls = g_tls_server_connection_new (G_IO_STREAM (connection), self->certificate, &error);
  if (tls == NULL)
    {
      g_warning (_("cannot speak TLS: %s"), error->message);
      return TRUE;
    }
  /* Nobody is asked for a certificate: spare each the list of all authorities. */
  g_tls_connection_set_database (G_TLS_CONNECTION (tls), NULL);
  begin_shake (self, caller, g_socket_connection_get_socket (connection), tls);
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
  self->callers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, caller_free);
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

/* A caller is gone with the last of his connections. */
static void
dismiss_waiting (AgentListener *self)
{
  GQueue waiting = G_QUEUE_INIT;
  GHashTableIter iter;
  gpointer caller;

  g_hash_table_iter_init (&iter, self->callers);
  while (g_hash_table_iter_next (&iter, NULL, &caller))
    while (!g_queue_is_empty (&((Caller *) caller)->waiting))
      g_queue_push_tail (&waiting, g_queue_pop_head (&((Caller *) caller)->waiting));
  g_queue_clear_full (&waiting, shake_free);
}

void
agent_listener_stop (AgentListener *self)
{
  g_signal_handlers_disconnect_by_data (self->service, self);
  dismiss_waiting (self);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_rc_box_release_full (self, listener_clear);
}
