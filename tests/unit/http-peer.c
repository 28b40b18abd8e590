/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-peer.h"
#include "result.h"

struct _HttpPeer
{
  GSocketService  *service;
  guint16          port;
  GTlsCertificate *certificate;   /* (nullable) */
  gboolean         wants_client_certificate;
  const char      *farewell;      /* (nullable) */
  HttpPeerAnswer   answer;
  gpointer         data;
  char           **answers;       /* (nullable) */
  gsize            max_read;      /* of a body */
  GPtrArray       *threads;       /* one for each connection */
  GPtrArray       *sockets;       /* theirs */

  GMutex           mutex;         /* for all below */
  GCond            cond;
  gboolean         is_ending;
  GPtrArray       *requests;
  guint            at_once;
  guint            max_at_once;
};

typedef struct
{
  HttpPeer  *peer;
  GIOStream *connection;
  guint      number;
} Connection;

static void
request_free (gpointer data)
{
  HttpPeerRequest *request = data;

  g_free (request->method);
  g_free (request->target);
  g_free (request->head);
  g_free (request->body);
  g_free (request);
}

char *
http_peer_request_dup_header (const HttpPeerRequest *request,
                              const char            *name)
{
  g_auto(GStrv) lines = g_strsplit (request->head, "\r\n", -1);

  for (guint i = 1; lines[i] != NULL; i++)
    {
      gsize length = strlen (name);

      if (g_ascii_strncasecmp (lines[i], name, length) == 0 && lines[i][length] == ':')
        return g_strstrip (g_strdup (lines[i] + length + 1));
    }
  return NULL;
}

/* The head up to its empty line; NULL at the end of the connection. */
static char *
read_head (HttpPeer         *self,
           GDataInputStream *input)
{
  g_autoptr(GString) head = g_string_new (NULL);

  while (TRUE)
    {
      g_autofree char *line = g_data_input_stream_read_line (input, NULL, NULL, NULL);

      if (line == NULL)
        return NULL;
      if (*line == '\0')
        return g_string_free (g_steal_pointer (&head), FALSE);
      g_string_append_printf (head, "%s\r\n", line);
    }
}

static HttpPeerRequest *
read_request (HttpPeer         *self,
              GDataInputStream *input)
{
  g_autofree char *head = read_head (self, input);
  g_autofree char *length = NULL;
  g_auto(GStrv) words = NULL;
  HttpPeerRequest *request;

  if (head == NULL)
    return NULL;

  words = g_strsplit (head, " ", 3);
  if (g_strv_length (words) < 3)
    return NULL;
  request = g_new0 (HttpPeerRequest, 1);
  request->method = g_strdup (words[0]);
  request->target = g_strdup (words[1]);
  request->head = g_steal_pointer (&head);
  length = http_peer_request_dup_header (request, "Content-Length");
  if (length != NULL)
    request->body_length = MIN (g_ascii_strtoull (length, NULL, 10), self->max_read);
  request->body = g_malloc0 (request->body_length + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (input), request->body, request->body_length,
                                &request->body_length, NULL, NULL))
    g_clear_pointer (&request, request_free);
  return request;
}

static void
note_request (HttpPeer        *self,
              HttpPeerRequest *request)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->requests, request);
  request->number = self->requests->len;
  self->at_once++;
  self->max_at_once = MAX (self->max_at_once, self->at_once);
  g_mutex_unlock (&self->mutex);
}

static gboolean
accept_certificate_cb (GTlsConnection      *connection,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags flags,
                       gpointer             user_data)
{
  return TRUE;
}

static GIOStream *
begin_tls (HttpPeer  *self,
           GIOStream *connection)
{
  GIOStream *tls = g_tls_server_connection_new (connection, self->certificate, NULL);

  if (self->wants_client_certificate)
    {
      g_object_set (tls, "authentication-mode", G_TLS_AUTHENTICATION_REQUIRED, NULL);
      g_signal_connect (tls, "accept-certificate", G_CALLBACK (accept_certificate_cb), NULL);
    }
  g_tls_connection_set_require_close_notify (G_TLS_CONNECTION (tls), FALSE);
  if (!g_tls_connection_handshake (G_TLS_CONNECTION (tls), NULL, NULL))
    g_clear_object (&tls);
  return tls;
}

static void
serve (HttpPeer  *self,
       GIOStream *connection,
       guint      number)
{
  g_autoptr(GDataInputStream) input
      = g_data_input_stream_new (g_io_stream_get_input_stream (connection));
  GOutputStream *output = g_io_stream_get_output_stream (connection);
  HttpPeerRequest *request;
  gboolean goes_on = TRUE;

  g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (input), FALSE);
  while (goes_on && (request = read_request (self, input)) != NULL)
    {
      request->connection = number;
      note_request (self, request);
      goes_on = self->answer (self, request, output, self->data);
      g_mutex_lock (&self->mutex);
      self->at_once--;
      g_mutex_unlock (&self->mutex);
    }
}

static gpointer
serve_thread (gpointer data)
{
  Connection *self = data;
  HttpPeer *peer = self->peer;
  g_autoptr(GIOStream) stream = NULL;

  if (peer->certificate != NULL)
    stream = begin_tls (peer, self->connection);
  else if (peer->farewell != NULL)
    g_output_stream_write_all (g_io_stream_get_output_stream (self->connection), peer->farewell,
                               strlen (peer->farewell), NULL, NULL, NULL);
  else
    stream = g_object_ref (self->connection);
  if (stream != NULL)
    serve (peer, stream, self->number);

  g_io_stream_close (stream != NULL ? stream : self->connection, NULL, NULL);
  g_object_unref (self->connection);
  g_free (self);
  return NULL;
}

static gboolean
incoming_cb (GSocketService    *service,
             GSocketConnection *connection,
             GObject           *source,
             gpointer           user_data)
{
  HttpPeer *self = user_data;
  Connection *served = g_new0 (Connection, 1);

  served->peer = self;
  served->connection = G_IO_STREAM (g_object_ref (connection));
  served->number = self->threads->len + 1;
  g_ptr_array_add (self->sockets, g_object_ref (g_socket_connection_get_socket (connection)));
  g_ptr_array_add (self->threads, g_thread_new ("http-peer", serve_thread, served));
  return TRUE;
}

HttpPeer *
http_peer_new (HttpPeerAnswer   answer,
               gpointer         data,
               GTlsCertificate *certificate)
{
  HttpPeer *self = g_new0 (HttpPeer, 1);
  g_autoptr(GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr(GSocketAddress) wanted = g_inet_socket_address_new (loopback, 0);
  g_autoptr(GSocketAddress) address = NULL;
  g_autoptr(GError) error = NULL;

  self->answer = answer;
  self->data = data;
  self->max_read = G_MAXSIZE;
  if (certificate != NULL)
    self->certificate = g_object_ref (certificate);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->threads = g_ptr_array_new ();
  self->sockets = g_ptr_array_new_with_free_func (g_object_unref);
  self->requests = g_ptr_array_new_with_free_func (request_free);

  self->service = g_socket_service_new ();
  g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), wanted, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_TCP, NULL, &address, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_signal_connect (self->service, "incoming", G_CALLBACK (incoming_cb), self);
  g_socket_service_start (self->service);
  return self;
}

static gboolean
answer_in_turn (HttpPeer              *self,
                const HttpPeerRequest *request,
                GOutputStream         *output,
                gpointer               data)
{
  guint last = g_strv_length (self->answers) - 1;
  const char *answer = self->answers[MIN (request->number - 1, last)];
  gboolean closes = *answer == '!';

  if (closes)
    answer++;
  return g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL)
         && !closes;
}

HttpPeer *
http_peer_new_with_answers (const char *const *answers)
{
  HttpPeer *self = http_peer_new (answer_in_turn, NULL, NULL);

  self->answers = g_strdupv ((char **) answers);
  return self;
}

void
http_peer_free (HttpPeer *self)
{
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  for (guint i = 0; i < self->sockets->len; i++)
    g_socket_shutdown (self->sockets->pdata[i], TRUE, TRUE, NULL);

  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_unref (self->threads);
  g_ptr_array_unref (self->sockets);

  g_signal_handlers_disconnect_by_data (self->service, self);
  g_object_unref (self->service);
  g_clear_object (&self->certificate);
  g_strfreev (self->answers);
  g_ptr_array_unref (self->requests);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

char *
http_peer_get_uri (HttpPeer   *self,
                   const char *path)
{
  return g_strdup_printf ("http%s://127.0.0.1:%u%s", self->certificate != NULL ? "s" : "",
                          self->port, path);
}

void
http_peer_set_wants_client_certificate (HttpPeer *self)
{
  self->wants_client_certificate = TRUE;
}

void
http_peer_set_max_read (HttpPeer *self,
                        gsize     bytes)
{
  self->max_read = bytes;
}

void
http_peer_hang_up (HttpPeer   *self,
                   const char *farewell)
{
  self->farewell = farewell;
}

guint
http_peer_get_n_requests (HttpPeer *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->requests->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

guint
http_peer_get_n_connections (HttpPeer *self)
{
  return self->threads->len;
}

guint
http_peer_get_max_at_once (HttpPeer *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->max_at_once;
  g_mutex_unlock (&self->mutex);
  return n;
}

const HttpPeerRequest *
http_peer_get_request (HttpPeer *self,
                       guint     index)
{
  const HttpPeerRequest *request;

  g_mutex_lock (&self->mutex);
  g_assert_cmpuint (index, <, self->requests->len);
  request = self->requests->pdata[index];
  g_mutex_unlock (&self->mutex);
  return request;
}

gboolean
http_peer_sleep (HttpPeer *self,
                 guint     milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;
  gboolean is_ending;

  g_mutex_lock (&self->mutex);
  while (!self->is_ending && g_cond_wait_until (&self->cond, &self->mutex, until))
    continue;
  is_ending = self->is_ending;
  g_mutex_unlock (&self->mutex);
  return !is_ending;
}

WkHttpResponse *
http_peer_send (WkHttp        *http,
                WkHttpRequest *request,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  wk_http_send_async (http, request, cancellable, result_cb, &result);
  return wk_http_send_finish (http, result_wait (&result), error);
}

WkHttp *
http_peer_new_client (double scale)
{
  g_autoptr(WkClock) clock = wk_clock_new (scale);
  const WkHttpOptions options = { .user_agent = "welkin-test/1", .clock = clock };

  return wk_http_new (&options);
}
