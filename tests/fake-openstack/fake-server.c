/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * Requests from the socket to their service and back, and what rules do to
 * them on the way. A request is executed when it arrives and answered after
 * its delay: as with a real service, a client that gives up in between has
 * still changed the cloud.
 */

#include <gio/gio.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include "fake-keystone.h"
#include "fake-private.h"

#define ENTRY_KEY "fake-log-entry"
#define HANG_UP_US (2 * G_USEC_PER_SEC)

static void
close_stream_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GIOStream) stream = G_IO_STREAM (source);

  g_io_stream_close_finish (stream, result, NULL);
}

/* Takes the connection away from libsoup; the message is finished by that. */
static GIOStream *
steal_stream (FakeRequest *request)
{
  return soup_server_message_steal_connection (request->message);
}

static void
drop_connection (FakeRequest *request)
{
  GIOStream *stream = steal_stream (request);

  g_io_stream_close_async (stream, G_PRIORITY_DEFAULT, NULL, close_stream_cb, NULL);
}

static void
half_written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GIOStream *stream = user_data;

  g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL);
  g_io_stream_close_async (stream, G_PRIORITY_DEFAULT, NULL, close_stream_cb, NULL);
}

/* Half of the body, with the length of the whole. */
static void
cut_answer (FakeRequest *request)
{
  SoupServerMessage *message = request->message;
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  g_autoptr (GBytes) body =
    soup_message_body_flatten (soup_server_message_get_response_body (message));
  GString *out = g_string_new (NULL);
  SoupMessageHeadersIter iter;
  const char *name, *value;
  GIOStream *stream;
  gsize size;

  g_string_append_printf (out, "HTTP/1.1 %u %s\r\n", soup_server_message_get_status (message),
                          soup_status_get_phrase (soup_server_message_get_status (message)));
  soup_message_headers_iter_init (&iter, headers);
  while (soup_message_headers_iter_next (&iter, &name, &value))
    g_string_append_printf (out, "%s: %s\r\n", name, value);
  size = g_bytes_get_size (body);
  g_string_append_printf (out, "Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n", MAX (size, 2));
  g_string_append_len (out, g_bytes_get_data (body, NULL), (gssize) (size / 2));

  stream = steal_stream (request);
  size = out->len;
  g_object_set_data_full (G_OBJECT (stream), "fake-half", g_string_free (out, FALSE), g_free);
  g_output_stream_write_all_async (g_io_stream_get_output_stream (stream),
                                   g_object_get_data (G_OBJECT (stream), "fake-half"), size,
                                   G_PRIORITY_DEFAULT, NULL, half_written_cb, stream);
}

static void
finish_request (FakeRequest *request)
{
  gboolean is_dropped = request->action == FAKE_DROP_BEFORE || request->action == FAKE_DROP_AFTER;

  fake_log_close (request->cloud, request->entry, is_dropped ? NULL : request->message);
  switch (request->action)
    {
    case FAKE_DROP_BEFORE:
    case FAKE_DROP_AFTER:
      drop_connection (request);
      break;
    case FAKE_CUT:
      cut_answer (request);
      break;
    case FAKE_ANSWER:
    case FAKE_FAIL:
    case FAKE_HANG:
    default:
      /* libsoup would take the range of what is one already, and crash where that is short. */
      soup_message_headers_remove (fake_request_get_headers (request), "Range");
      soup_server_message_unpause (request->message);
      break;
    }
}

static gboolean
delay_over_cb (gpointer user_data)
{
  g_autoptr (FakeRequest) request = user_data;

  g_hash_table_steal (request->cloud->waiting, request->message);
  finish_request (request);
  return G_SOURCE_REMOVE;
}

static void
execute (FakeRequest *request)
{
  const FakeService *service = fake_cloud_find_service (request->path);

  fake_cloud_run_events (request->cloud);
  if (service == NULL)
    {
      fake_request_reply (request, 404, "text/plain", "No service here.\n");
      return;
    }
  request->path += strlen (service->prefix);
  service->handle (request);
}

static void
fail (FakeRequest *request, const FakeRule *rule)
{
  const char *type = rule->content_type;

  if (type == NULL && rule->body != NULL)
    type = rule->body[0] == '{' || rule->body[0] == '[' ? "application/json" : "text/plain";
  fake_request_reply (request, (guint) (rule->status != 0 ? rule->status : 500), type, rule->body);
  for (guint i = 0; rule->headers != NULL && rule->headers[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (rule->headers[i], ": ", 2);

      fake_request_set_header (request, parts[0], parts[1] != NULL ? parts[1] : "");
    }
}

static void
wait_for (FakeRequest *request, int delay_ms)
{
  if (request->action != FAKE_HANG)
    {
      request->timer = g_timeout_source_new ((guint) delay_ms);
      g_source_set_callback (request->timer, delay_over_cb, request, NULL);
      g_source_attach (request->timer, request->cloud->context);
    }
  g_hash_table_insert (request->cloud->waiting, request->message, request);
}

static void
set_date (FakeRequest *request)
{
  gint64 now = fake_keystone_get_time (request->cloud) / G_USEC_PER_SEC;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (now);
  g_autofree char *date = soup_date_time_to_string (time, SOUP_DATE_HTTP);

  fake_request_set_header (request, "Date", date);
}

static void
request_cb (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  FakeCloud *self = user_data;
  FakeLogEntry *entry = g_object_get_data (G_OBJECT (message), ENTRY_KEY);
  g_autoptr (FakeRequest) request = fake_request_new (self, message, entry);
  const FakeRule *rule = fake_rules_match (self->rules, entry);
  gboolean is_control = g_str_has_prefix (entry->path, fake_control_service.prefix);
  int delay = is_control ? 0 : self->settings.latency;

  fake_log_set_request (entry, fake_request_get_headers (request), request->body);
  if (rule != NULL)
    {
      request->action = rule->action;
      delay += rule->delay_ms;
    }

  soup_server_message_pause (message);
  set_date (request);
  if (request->action == FAKE_FAIL)
    fail (request, rule);
  else if (request->action != FAKE_DROP_BEFORE && request->action != FAKE_HANG)
    execute (request);

  if (delay > 0 || request->action == FAKE_HANG)
    wait_for (g_steal_pointer (&request), delay);
  else
    finish_request (request);
}

static void
got_headers_cb (SoupServerMessage *message, gpointer user_data)
{
  FakeCloud *self = user_data;
  FakeLogEntry *entry;

  entry = fake_log_open (self, soup_server_message_get_method (message),
                         soup_server_message_get_uri (message));
  g_object_set_data_full (G_OBJECT (message), ENTRY_KEY, entry,
                          (GDestroyNotify) fake_log_entry_unref);
}

static void
request_started_cb (SoupServer *server, SoupServerMessage *message, gpointer user_data)
{
  g_signal_connect (message, "got-headers", G_CALLBACK (got_headers_cb), user_data);
}

static void
request_over_cb (SoupServer *server, SoupServerMessage *message, gpointer user_data)
{
  FakeCloud *self = user_data;
  FakeLogEntry *entry = g_object_get_data (G_OBJECT (message), ENTRY_KEY);

  if (entry != NULL)
    fake_log_close (self, entry, NULL);
  g_hash_table_remove (self->waiting, message);
}

static void
forget_watch (gpointer data)
{
  g_source_destroy (data);
  g_source_unref (data);
}

static gboolean
client_gone_cb (GSocket *socket, GIOCondition condition, gpointer user_data)
{
  FakeCloud *self = user_data;

  /* A thread that shakes hands would wait for ever on a socket that is closed here. */
  if (self->certificate != NULL)
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
  else if (!g_socket_is_closed (socket))
    g_socket_close (socket, NULL);
  g_hash_table_remove (self->watches, g_main_current_source ());
  return G_SOURCE_REMOVE;
}

/* SoupServer does not see that a client has closed an idle connection (libsoup 3.2). */
static void
watch_client (FakeCloud *self, GSocket *socket)
{
  GSource *watch = g_socket_create_source (socket, (GIOCondition) POLLRDHUP, NULL);

  g_source_set_callback (watch, G_SOURCE_FUNC (client_gone_cb), self, NULL);
  g_source_attach (watch, self->context);
  g_hash_table_insert (self->watches, watch, g_object_ref (socket));
}

static void
stream_gone_cb (gpointer user_data, GObject *stream)
{
  guint *n_tls_streams = user_data;

  (*n_tls_streams)--;
  g_rc_box_release (n_tls_streams);
}

/* The hands are shaken with the first byte that is read. (transfer full) */
static GIOStream *
open_stream (FakeCloud *self, GSocketConnection *connection)
{
  GIOStream *tls;

  if (self->certificate == NULL)
    return g_object_ref (G_IO_STREAM (connection));
  tls = g_tls_server_connection_new (G_IO_STREAM (connection), self->certificate, NULL);
  g_tls_connection_set_require_close_notify (G_TLS_CONNECTION (tls), FALSE);
  (*self->n_tls_streams)++;
  g_object_weak_ref (G_OBJECT (tls), stream_gone_cb, g_rc_box_acquire (self->n_tls_streams));
  return tls;
}

static gboolean
incoming_cb (GSocketService *service,
             GSocketConnection *connection,
             GObject *source,
             gpointer user_data)
{
  FakeCloud *self = user_data;
  g_autoptr (GSocketAddress) local = g_socket_connection_get_local_address (connection, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_connection_get_remote_address (connection, NULL);

  g_autoptr (GIOStream) stream = open_stream (self, connection);
  GSocket *socket = g_socket_connection_get_socket (connection);

  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
  /* A request that is there already is read at once; its answer may have been to hang up. */
  if (remote != NULL
      && soup_server_accept_iostream (self->server, stream, local, remote, NULL)
      && !g_socket_is_closed (socket))
    watch_client (self, socket);
  return TRUE;
}

/*
 * SoupServer closes a connection after its first answer unless it has a listener
 * of its own (libsoup 3.2): this one has a port that nobody knows.
 */
static gboolean
add_idle_listener (FakeCloud *self, GError **error)
{
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  g_autoptr (GSocket) socket = NULL;

  socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);
  return socket != NULL && g_socket_bind (socket, any, FALSE, error)
         && g_socket_listen (socket, error)
         && soup_server_listen_socket (self->server, socket, 0, error);
}

/*
 * Not SoupServer's own listener: its backlog of 10 resets connections of clients
 * that open many at once, and it leaks a socket for each (libsoup 3.2).
 */
static gboolean
listen_on (FakeCloud *self, const char *host, guint port, GError **error)
{
  g_autoptr (GSocketAddress) wanted = g_inet_socket_address_new_from_string (host, port);
  g_autoptr (GSocketAddress) address = NULL;

  if (wanted == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s is no address", host);
      return FALSE;
    }

  self->service = g_socket_service_new ();
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), 4096);
  g_signal_connect (self->service, "incoming", G_CALLBACK (incoming_cb), self);
  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), wanted,
                                      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &address,
                                      error))
    return FALSE;
  self->url =
    g_strdup_printf ("http%s://%s:%u", self->certificate != NULL ? "s" : "", host,
                     g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
  self->auth_url = g_strconcat (self->url, "/identity/v3", NULL);
  return add_idle_listener (self, error);
}

gboolean
fake_server_listen (FakeCloud *self, const char *host, guint port, const char *certificate,
                    GError **error)
{
  self->waiting =
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) fake_request_free);
  self->n_tls_streams = g_rc_box_new0 (guint);
  self->watches = g_hash_table_new_full (NULL, NULL, forget_watch, g_object_unref);
  self->server = soup_server_new ("raw-paths", TRUE, "server-header", "fake-openstack", NULL);
  g_signal_connect (self->server, "request-started", G_CALLBACK (request_started_cb), self);
  g_signal_connect (self->server, "request-finished", G_CALLBACK (request_over_cb), self);
  g_signal_connect (self->server, "request-aborted", G_CALLBACK (request_over_cb), self);
  soup_server_add_handler (self->server, NULL, request_cb, self, NULL);

  if (certificate != NULL)
    {
      self->certificate = g_tls_certificate_new_from_file (certificate, error);
      if (self->certificate == NULL)
        return FALSE;
    }
  return listen_on (self, host, port, error);
}

/*
 * To close a TLS connection waits for hands that are still being shaken, which end in
 * the context that waits: so they have to come to an end before. What hangs on
 * purpose does not; its hands are shaken.
 */
static void
hang_up (FakeCloud *self)
{
  gint64 due = g_get_monotonic_time () + HANG_UP_US;
  GHashTableIter iter;
  gpointer socket;

  g_hash_table_iter_init (&iter, self->watches);
  while (g_hash_table_iter_next (&iter, NULL, &socket))
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
  while (*self->n_tls_streams > 0 && g_get_monotonic_time () < due)
    if (!g_main_context_iteration (self->context, FALSE))
      g_usleep (1000);
}

void
fake_server_stop (FakeCloud *self)
{
  g_signal_handlers_disconnect_by_data (self->service, self);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_clear_object (&self->service);
  g_signal_handlers_disconnect_by_data (self->server, self);
  hang_up (self);
  soup_server_disconnect (self->server);
  g_clear_pointer (&self->watches, g_hash_table_unref);
  g_clear_pointer (&self->n_tls_streams, g_rc_box_release);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_object (&self->server);
  g_clear_object (&self->certificate);
}
