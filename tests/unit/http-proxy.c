/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-proxy.h"

struct _HttpProxy
{
  GSocketService *service;
  guint16         port;
  GPtrArray      *threads;
  GPtrArray      *connections; /* with the clients */

  GMutex          mutex;   /* for all below */
  char           *refusal; /* (nullable) */
  GPtrArray      *heads;   /* of char * */
};

typedef struct
{
  HttpProxy         *proxy;
  GSocketConnection *connection; /* (owned) */
} Connection;

static gboolean
send_all (GSocket    *socket,
          const char *data,
          gsize       length)
{
  while (length > 0)
    {
      gssize sent = g_socket_send (socket, data, length, NULL, NULL);

      if (sent <= 0)
        return FALSE;
      data += sent;
      length -= sent;
    }
  return TRUE;
}

/* The head up to its empty line, byte for byte, so that nothing of the rest is taken. */
static char *
read_head (GSocket *client)
{
  g_autoptr(GString) head = g_string_new (NULL);
  char byte;

  while (!g_str_has_suffix (head->str, "\r\n\r\n"))
    {
      if (g_socket_receive (client, &byte, 1, NULL, NULL) <= 0)
        return NULL;
      g_string_append_c (head, byte);
    }
  return g_string_free (g_steal_pointer (&head), FALSE);
}

static GSocket *
connect_to (guint port)
{
  g_autoptr(GSocketAddress) address = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  g_autoptr(GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

  if (!g_socket_connect (socket, address, NULL, NULL))
    return NULL;
  return g_steal_pointer (&socket);
}

/* Both ways, until one of them has nothing more to say. */
static void
pass_on (GSocket *client,
         GSocket *server)
{
  GPollFD fds[] = {
    { g_socket_get_fd (client), G_IO_IN, 0 },
    { g_socket_get_fd (server), G_IO_IN, 0 },
  };
  GSocket *ends[] = { client, server };
  char buffer[8192];

  while (g_poll (fds, G_N_ELEMENTS (fds), -1) > 0)
    for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
      {
        gssize received;

        if (fds[i].revents == 0)
          continue;
        received = g_socket_receive (ends[i], buffer, sizeof buffer, NULL, NULL);
        if (received <= 0 || !send_all (ends[1 - i], buffer, received))
          return;
      }
}

/* "CONNECT host:port HTTP/1.1" or "GET http://host:port/path HTTP/1.1", which goes on without its
 * origin and for this once. */
static void
serve_request (GSocket    *client,
               const char *head)
{
  g_auto(GStrv) words = g_strsplit (head, " ", 3);
  gboolean is_tunnel = g_str_equal (words[0], "CONNECT");
  g_autofree char *uri = is_tunnel ? g_strconcat ("http://", words[1], "/", NULL)
                                   : g_strdup (words[1]);
  g_autoptr(GUri) parsed = g_uri_parse (uri, G_URI_FLAGS_ENCODED, NULL);
  const char *path = strchr (uri + strlen ("http://"), '/');
  g_autoptr(GSocket) server = connect_to (g_uri_get_port (parsed));
  const char *headers = strstr (words[2], "\r\n") + 2;
  g_autofree char *begin = NULL;

  if (server == NULL)
    return;
  if (is_tunnel)
    begin = g_strdup ("HTTP/1.1 200 Connected\r\n\r\n");
  else
    begin = g_strdup_printf ("%s %s HTTP/1.1\r\nConnection: close\r\n%s", words[0], path, headers);
  if (send_all (is_tunnel ? client : server, begin, strlen (begin)))
    pass_on (client, server);
}

static gpointer
serve_thread (gpointer data)
{
  g_autofree Connection *self = data;
  HttpProxy *proxy = self->proxy;
  g_autoptr(GSocketConnection) connection = self->connection;
  GSocket *client = g_socket_connection_get_socket (connection);
  g_autofree char *refusal = NULL;
  g_autofree char *head = read_head (client);

  if (head == NULL)
    return NULL;
  g_mutex_lock (&proxy->mutex);
  g_ptr_array_add (proxy->heads, g_strdup (head));
  refusal = g_strdup (proxy->refusal);
  g_mutex_unlock (&proxy->mutex);
  if (refusal != NULL)
    send_all (client, refusal, strlen (refusal));
  else
    serve_request (client, head);
  g_socket_shutdown (client, FALSE, TRUE, NULL);
  return NULL;
}

static gboolean
incoming_cb (GSocketService    *service,
             GSocketConnection *connection,
             GObject           *source,
             gpointer           user_data)
{
  HttpProxy *self = user_data;
  Connection *served = g_new0 (Connection, 1);

  served->proxy = self;
  served->connection = g_object_ref (connection);
  g_socket_set_blocking (g_socket_connection_get_socket (connection), TRUE);
  g_ptr_array_add (self->connections, g_object_ref (connection));
  g_ptr_array_add (self->threads, g_thread_new ("http-proxy", serve_thread, served));
  return TRUE;
}

HttpProxy *
http_proxy_new (void)
{
  HttpProxy *self = g_new0 (HttpProxy, 1);
  g_autoptr(GSocketAddress) wanted = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  g_autoptr(GSocketAddress) address = NULL;
  g_autoptr(GError) error = NULL;

  g_mutex_init (&self->mutex);
  self->threads = g_ptr_array_new ();
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  self->heads = g_ptr_array_new_with_free_func (g_free);
  self->service = g_socket_service_new ();
  g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), wanted, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_TCP, NULL, &address, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_signal_connect (self->service, "incoming", G_CALLBACK (incoming_cb), self);
  g_socket_service_start (self->service);
  return self;
}

void
http_proxy_free (HttpProxy *self)
{
  g_signal_handlers_disconnect_by_data (self->service, self);
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  for (guint i = 0; i < self->connections->len; i++)
    g_socket_shutdown (g_socket_connection_get_socket (self->connections->pdata[i]), TRUE, TRUE,
                       NULL);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);

  g_object_unref (self->service);
  g_ptr_array_unref (self->threads);
  g_ptr_array_unref (self->connections);
  g_ptr_array_unref (self->heads);
  g_free (self->refusal);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
http_proxy_refuse (HttpProxy  *self,
                   const char *answer)
{
  g_mutex_lock (&self->mutex);
  g_free (self->refusal);
  self->refusal = g_strdup (answer);
  g_mutex_unlock (&self->mutex);
}

char *
http_proxy_get_uri (HttpProxy  *self,
                    const char *userinfo)
{
  return g_strdup_printf ("http://%s127.0.0.1:%u", userinfo, self->port);
}

guint
http_proxy_get_n_requests (HttpProxy *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->heads->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

const char *
http_proxy_get_head (HttpProxy *self,
                     guint      index)
{
  const char *head;

  g_mutex_lock (&self->mutex);
  g_assert_cmpuint (index, <, self->heads->len);
  head = self->heads->pdata[index];
  g_mutex_unlock (&self->mutex);
  return head;
}
