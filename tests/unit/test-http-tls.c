/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"

/* Certificates: wrong ones are final and named, and none is shared between sessions. */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

static char *
find_file (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "tls", name, NULL);
}

static GTlsCertificate *
load_certificate (const char *name)
{
  g_autofree char *path = find_file (name);
  g_autoptr(GError) error = NULL;
  GTlsCertificate *certificate = g_tls_certificate_new_from_file (path, &error);

  g_assert_no_error (error);
  return certificate;
}

/* What a session of a test accepts. */
typedef enum
{
  STRICT = 0,
  WITH_AUTHORITY = 1 << 0,
  ANY_CERTIFICATE = 1 << 1,
  AS_CLIENT = 1 << 2,
} Trust;

static WkHttp *
make_session (Trust trust)
{
  g_autofree char *authority = find_file ("authority.pem");
  g_autoptr(WkClock) clock = wk_clock_new (HTTP_FIXTURE_SCALE);
  g_autoptr(GTlsDatabase) database = NULL;
  g_autoptr(GTlsCertificate) client = NULL;
  WkHttpOptions options = { .clock = clock };

  if ((trust & WITH_AUTHORITY) != 0)
    {
      database = g_tls_file_database_new (authority, NULL);
      g_assert_nonnull (database);
      options.tls_database = database;
    }
  if ((trust & AS_CLIENT) != 0)
    {
      client = load_certificate ("client.pem");
      options.client_certificate = client;
    }
  options.accept_any_certificate = (trust & ANY_CERTIFICATE) != 0;
  return wk_http_new (&options);
}

static void
begin (HttpFixture *fixture,
       const char  *certificate_name,
       Trust        trust)
{
  g_autoptr(GTlsCertificate) certificate = load_certificate (certificate_name);

  fixture->peer = http_peer_new (http_fixture_answer, (gpointer) OK, certificate);
  fixture->http = make_session (trust);
}

/* A body to send goes out in a thread. */
static WkHttpRequest *
make_request (HttpFixture *fixture,
              const char  *method)
{
  WkHttpRequest *request = http_fixture_make_request (fixture, method, "/v3?secret");

  if (g_str_equal (method, "PUT"))
    http_fixture_set_upload (request, "body");
  return request;
}

static void
assert_good (HttpFixture *fixture)
{
  static const char *const methods[] = { "GET", "PUT", "GET" };

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr(WkHttpRequest) request = make_request (fixture, methods[i]);
      g_autoptr(WkHttpResponse) response = http_fixture_send (fixture, request);

      http_fixture_assert_body (response, "ok");
    }
}

static void
assert_bad (HttpFixture *fixture,
            const char  *method,
            const char  *words)
{
  g_autoptr(WkHttpRequest) request = make_request (fixture, method);
  g_autofree char *uri = http_peer_get_uri (fixture->peer, "/v3");
  g_autofree char *begin_with = g_strdup_printf ("%s %s: ", method, uri);
  g_autoptr(GError) error = NULL;

  g_assert_null (http_peer_send (fixture->http, request, NULL, &error));
  g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, begin_with));
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, "ca-certificates"));
  g_assert_nonnull (strstr (error->message, "ssl-hostname-verification"));
  /* It will not be another one the next time. */
  g_assert_cmpuint (wk_http_get_sends (fixture->http), ==, 1);
  g_assert_cmpuint (http_peer_get_n_requests (fixture->peer), ==, 0);
}

static void
test_unknown_issuer (gconstpointer method)
{
  g_auto(HttpFixture) fixture = { 0 };

  begin (&fixture, "server.pem", STRICT);
  assert_bad (&fixture, method,
              "the issuer of the certificate is unknown: \"CN=Welkin test authority\"");
}

static void
test_own_authority (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  begin (&fixture, "server.pem", WITH_AUTHORITY);
  assert_good (&fixture);
}

static void
test_wrong_name (gconstpointer method)
{
  g_auto(HttpFixture) fixture = { 0 };

  begin (&fixture, "elsewhere.pem", WITH_AUTHORITY);
  assert_bad (&fixture, method,
              "the certificate is not for 127.0.0.1 but for \"id.cloud.test, 192.0.2.10\"");
}

static void
test_any_certificate (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  begin (&fixture, "elsewhere.pem", ANY_CERTIFICATE);
  assert_good (&fixture);
}

/* A connection that one session has accepted is not there for the others. */
static void
test_sessions_share_no_connection (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttp) lax = NULL;
  guint n_requests;

  begin (&fixture, "server.pem", ANY_CERTIFICATE);
  assert_good (&fixture);
  lax = g_steal_pointer (&fixture.http);
  n_requests = http_peer_get_n_requests (fixture.peer);

  fixture.http = make_session (STRICT);
  {
    g_autoptr(WkHttpRequest) request = http_fixture_make_request (&fixture, "GET", "/");
    g_autoptr(GError) error = NULL;

    g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
    g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
  }
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, n_requests);
}

static void
test_client_certificate (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  begin (&fixture, "server.pem", WITH_AUTHORITY | AS_CLIENT);
  http_peer_set_wants_client_certificate (fixture.peer);
  assert_good (&fixture);
}

static void
test_missing_client_certificate (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GError) error = NULL;

  begin (&fixture, "server.pem", WITH_AUTHORITY);
  http_peer_set_wants_client_certificate (fixture.peer);
  request = http_fixture_make_request (&fixture, "GET", "/");
  g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
  g_assert_error (error, G_TLS_ERROR, G_TLS_ERROR_CERTIFICATE_REQUIRED);
  g_assert_nonnull (strstr (error->message, "client-cert"));
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 1);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 0);
}

/* A handshake that breaks off, or that meets no TLS at all, is no verdict on a certificate: nothing
 * was sent, so that even what must not be executed twice goes out again. */
static void
test_broken_handshake (gconstpointer farewell)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autofree char *plain = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *begin_with = NULL;
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, OK, NULL);
  http_peer_hang_up (fixture.peer, farewell);
  plain = http_peer_get_uri (fixture.peer, "/");
  uri = g_strdup_printf ("https%s", plain + strlen ("http"));
  request = wk_http_request_new ("POST", uri);
  g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
  g_test_message ("%s", error->message);
  begin_with = g_strdup_printf ("POST %s: ", uri);
  g_assert_true (g_str_has_prefix (error->message, begin_with));
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 4);
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/http-tls/unknown-issuer-is-final", "GET", test_unknown_issuer);
  g_test_add_data_func ("/http-tls/unknown-issuer-of-an-upload", "PUT", test_unknown_issuer);
  g_test_add_func ("/http-tls/own-authority", test_own_authority);
  g_test_add_data_func ("/http-tls/wrong-name-is-final", "GET", test_wrong_name);
  g_test_add_data_func ("/http-tls/wrong-name-at-an-upload", "PUT", test_wrong_name);
  g_test_add_func ("/http-tls/any-certificate", test_any_certificate);
  g_test_add_func ("/http-tls/sessions-share-no-connection", test_sessions_share_no_connection);
  g_test_add_func ("/http-tls/client-certificate", test_client_certificate);
  g_test_add_func ("/http-tls/missing-client-certificate", test_missing_client_certificate);
  g_test_add_data_func ("/http-tls/broken-handshake-is-repeated", "", test_broken_handshake);
  g_test_add_data_func ("/http-tls/no-tls-at-all", "HTTP/1.1 400 Bad Request\r\n\r\n",
                        test_broken_handshake);

  status = g_test_run ();

  /* A handshake runs in a thread of GLib's pool, and the leak sanitizer stumbles over the dynamic
   * thread-local storage of one that is still there, which an idle one is for half a second. */
  g_thread_pool_set_max_unused_threads (0);
  g_usleep (G_USEC_PER_SEC);
  return status;
}
