/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-agent.h"

#include <string.h>

#include "machine/certificates.h"
#include "values/welkin-error.h"

/* A server with a certificate, which shows it to whoever comes. */
typedef struct
{
  char            *authority;     /* (owned) PEM */
  char            *authority_key; /* (owned) PEM */
  GTlsCertificate *certificate;   /* (owned) */
  GSocketService  *service;       /* (owned) */
  guint16          port;
  WkClock         *clock;         /* (owned) */
  GCancellable    *cancellable;   /* (owned) */
  GAsyncResult    *result;        /* (owned) (nullable) */
} Fixture;

static gboolean
connected_cb (GThreadedSocketService *service,
              GSocketConnection      *connection,
              GObject                *source,
              gpointer                user_data)
{
  Fixture *fixture = user_data;
  g_autoptr(GIOStream) stream = NULL;

  stream = g_tls_server_connection_new (G_IO_STREAM (connection), fixture->certificate, NULL);
  g_tls_connection_handshake (G_TLS_CONNECTION (stream), NULL, NULL);
  return TRUE;
}

static void
make_certificate (Fixture *fixture)
{
  g_autofree char *certificate = NULL;
  g_autofree char *private_key = NULL;
  g_autofree char *both = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("lab", &fixture->authority, &fixture->authority_key, &error);
  g_assert_no_error (error);
  welkin_certificates_make_server (fixture->authority, fixture->authority_key, &certificate,
                                   &private_key, &error);
  g_assert_no_error (error);
  both = g_strconcat (certificate, private_key, NULL);
  fixture->certificate = g_tls_certificate_new_from_pem (both, -1, &error);
  g_assert_no_error (error);
}

static void
listen_there (Fixture *fixture)
{
  g_autoptr(GSocketAddress) address = NULL;
  g_autoptr(GError) error = NULL;

  address = g_inet_socket_address_new_from_string ("127.0.0.1", fixture->port);
  g_socket_listener_add_address (G_SOCKET_LISTENER (fixture->service), address,
                                 G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, NULL, &error);
  g_assert_no_error (error);
}

static guint16
find_port (void)
{
  g_autoptr(GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_socket_listener_close (listener);
  return port;
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  make_certificate (fixture);
  fixture->port = find_port ();
  fixture->service = g_threaded_socket_service_new (4);
  g_signal_connect (fixture->service, "run", G_CALLBACK (connected_cb), fixture);
  fixture->clock = wk_clock_new (10);
  fixture->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_object_unref (fixture->cancellable);
  wk_clock_unref (fixture->clock);
  g_socket_service_stop (fixture->service);
  g_socket_listener_close (G_SOCKET_LISTENER (fixture->service));
  g_object_unref (fixture->service);
  g_object_unref (fixture->certificate);
  g_free (fixture->authority_key);
  g_free (fixture->authority);
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Fixture *fixture = user_data;

  g_set_object (&fixture->result, result);
}

static gboolean
wait_with (Fixture    *fixture,
           const char *authority,
           guint       timeout,
           GError    **error)
{
  const WelkinConnectDelays delays = { timeout, 1, 1 };

  welkin_wait_for_agent_async ("127.0.0.1", fixture->port, authority, &delays, fixture->clock,
                               fixture->cancellable, done_cb, fixture);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return welkin_wait_for_agent_finish (fixture->result, error);
}

static gboolean
listen_cb (gpointer data)
{
  listen_there (data);
  return G_SOURCE_REMOVE;
}

static void
test_late (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_timeout_add (500, listen_cb, fixture);
  g_assert_true (wait_with (fixture, fixture->authority, 600, &error));
  g_assert_no_error (error);
}

/* Another environment's agent at the same address. */
static void
test_foreign (Fixture      *fixture,
              gconstpointer data)
{
  g_autofree char *other = NULL;
  g_autofree char *other_key = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("lab", &other, &other_key, &error);
  g_assert_no_error (error);
  listen_there (fixture);
  g_assert_false (wait_with (fixture, other, 5, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "the agent at 127.0.0.1 does not answer: "));
  g_assert_nonnull (strstr (error->message, "certificate"));
}

static gboolean
cancel_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancelled (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_timeout_add (150, cancel_cb, fixture->cancellable);
  g_assert_false (wait_with (fixture, fixture->authority, 600, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
add (const char *name,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/wait-for-agent/takes-one-that-comes-up-late", test_late);
  add ("/wait-for-agent/refuses-a-foreign-certificate", test_foreign);
  add ("/wait-for-agent/ends-when-cancelled", test_cancelled);
  return g_test_run ();
}
