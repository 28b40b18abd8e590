/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "http-proxy.h"

/* A proxy learns who we are to it and nothing else, and what it says is told as its own. */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

typedef struct
{
  HttpFixture  http;  /* the server, and the session that has the proxy */
  HttpProxy   *proxy; /* (owned) */
} Fixture;

/* userinfo: as in http_proxy_get_uri(). */
static void
begin (Fixture    *fixture,
       gboolean    is_tls,
       const char *userinfo)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  g_autoptr(GTlsCertificate) certificate = g_tls_certificate_new_from_file (path, NULL);
  g_autoptr(WkClock) clock = wk_clock_new (HTTP_FIXTURE_SCALE);
  g_autoptr(GProxyResolver) resolver = NULL;
  g_autofree char *uri = NULL;
  WkHttpOptions options = { .clock = clock, .accept_any_certificate = TRUE };

  fixture->proxy = http_proxy_new ();
  uri = http_proxy_get_uri (fixture->proxy, userinfo);
  resolver = g_simple_proxy_resolver_new (uri, NULL);
  options.proxy_resolver = resolver;
  fixture->http.http = wk_http_new (&options);
  fixture->http.peer =
      http_peer_new (http_fixture_answer, (gpointer) OK, is_tls ? certificate : NULL);
}

static void
end (Fixture *fixture)
{
  http_fixture_end (&fixture->http);
  g_clear_pointer (&fixture->proxy, http_proxy_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, end)

/* The server as the proxy knows it, by a name that nobody else does. */
static WkHttpRequest *
make_request (Fixture    *fixture,
              const char *method)
{
  g_autofree char *here = http_peer_get_uri (fixture->http.peer, "/v2.1/servers?secret");
  gboolean is_tls = g_str_has_prefix (here, "https");
  g_autofree char *uri =
      g_strdup_printf ("http%s://nova.cloud.test%s", is_tls ? "s" : "", strrchr (here, ':'));
  WkHttpRequest *request = wk_http_request_new (method, uri);

  wk_http_request_set_header (request, "X-Auth-Token", "the-token");
  if (g_str_equal (method, "PUT"))
    http_fixture_set_upload (request, "body");
  return request;
}

static const struct
{
  const char *userinfo;
  const char *value; /* of Proxy-Authorization */
} identities[] = {
  { "", NULL },
  { "me:secret@", "Basic bWU6c2VjcmV0" },
  { "me@", "Basic bWU6" },
  { "me:a%3Ab%40c@", "Basic bWU6YTpiQGM=" },
  { "m%C3%A9:s@", "Basic bcOpOnM=" },
};

static void
test_tunnel (gconstpointer method)
{
  for (guint i = 0; i < G_N_ELEMENTS (identities); i++)
    {
      g_auto(Fixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      g_autofree char *header = NULL;
      const char *head;

      begin (&fixture, TRUE, identities[i].userinfo);
      request = make_request (&fixture, method);
      response = http_fixture_send (&fixture.http, request);
      http_fixture_assert_body (response, "ok");
      http_fixture_assert_header (&fixture.http, 0, "X-Auth-Token", "the-token");
      http_fixture_assert_header (&fixture.http, 0, "Proxy-Authorization", NULL);

      head = http_proxy_get_head (fixture.proxy, 0);
      g_assert_true (g_str_has_prefix (head, "CONNECT nova.cloud.test:"));
      g_assert_null (strstr (head, "the-token"));
      g_assert_null (strstr (head, "servers"));
      header = g_strdup_printf ("\r\nProxy-Authorization: %s\r\n", identities[i].value);
      g_assert_cmpint (strstr (head, header) != NULL, ==, identities[i].value != NULL);
    }
}

static void
test_plain_requests (gconstpointer method)
{
  for (guint i = 0; i < G_N_ELEMENTS (identities); i++)
    {
      g_auto(Fixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      g_autofree char *begin_with = g_strdup_printf ("%s http://nova.cloud.test:",
                                                     (const char *) method);
      g_autofree char *header = NULL;
      const char *head;

      begin (&fixture, FALSE, identities[i].userinfo);
      request = make_request (&fixture, method);
      response = http_fixture_send (&fixture.http, request);
      http_fixture_assert_body (response, "ok");

      head = http_proxy_get_head (fixture.proxy, 0);
      g_assert_true (g_str_has_prefix (head, begin_with));
      header = g_strdup_printf ("\r\nProxy-Authorization: %s\r\n", identities[i].value);
      g_assert_cmpint (strstr (head, header) != NULL, ==, identities[i].value != NULL);
    }
}

/* What a proxy says in place of the server. */
static const struct
{
  gboolean    is_tls;
  const char *answer;
  WelkinError code;
  const char *message;
  guint       n_sends;
} refusals[] = {
  { TRUE,
    "HTTP/1.1 503 Busy\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<h1>Busy</h1>",
    WELKIN_ERROR_UNAVAILABLE,
    "the proxy does not make the connection: Service Unavailable (HTTP 503)", 4 },
  { TRUE, "HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", WELKIN_ERROR_UNAVAILABLE,
    "the proxy does not make the connection: Bad Gateway (HTTP 502)", 4 },
  { TRUE, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", WELKIN_ERROR_UNAVAILABLE,
    "the proxy does not make the connection: Forbidden (HTTP 403)", 1 },
  { TRUE,
    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
    WELKIN_ERROR_UNAVAILABLE, "the proxy asks for a user and a password", 1 },
  { FALSE,
    "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
    WELKIN_ERROR_UNAVAILABLE, "the proxy asks for a user and a password", 1 },
  { TRUE, "", WELKIN_ERROR_UNAVAILABLE, "", 4 },
  { TRUE, "nonsense\r\n\r\n", WELKIN_ERROR_PROTOCOL, "", 4 },
};

static void
test_refusals (gconstpointer method)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_auto(Fixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(GError) error = NULL;
      g_autofree char *name = NULL;

      begin (&fixture, refusals[i].is_tls, "me:pass@");
      http_proxy_refuse (fixture.proxy, refusals[i].answer);
      name = http_proxy_get_uri (fixture.proxy, "");
      /* Nothing was sent: even what must go out once alone may go out again. */
      request = make_request (&fixture, method);
      g_assert_null (http_peer_send (fixture.http.http, request, NULL, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, WELKIN_ERROR, (int) refusals[i].code);
      g_assert_nonnull (strstr (error->message, ": through proxy "));
      g_assert_nonnull (strstr (error->message, name));
      g_assert_nonnull (strstr (error->message, refusals[i].message));
      g_assert_null (strstr (error->message, "pass@"));
      g_assert_cmpuint (wk_http_get_sends (fixture.http.http), ==, refusals[i].n_sends);
      g_assert_cmpuint (http_peer_get_n_requests (fixture.http.peer), ==, 0);
    }
}

static void
test_missing_proxy (void)
{
  g_autoptr(GProxyResolver) resolver =
      g_simple_proxy_resolver_new ("http://me:pass@127.0.0.1:1", NULL);
  g_autoptr(WkClock) clock = wk_clock_new (HTTP_FIXTURE_SCALE);
  const WkHttpOptions options = { .clock = clock, .proxy_resolver = resolver };
  g_autoptr(WkHttp) http = wk_http_new (&options);
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", "https://nova.cloud.test/");
  g_autoptr(GError) error = NULL;

  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "through proxy http://127.0.0.1:1"));
  g_assert_nonnull (strstr (error->message, "Connection refused"));
  g_assert_null (strstr (error->message, "pass@"));
}

/* Two environments in one process may have two ways out. */
static void
test_sessions_share_no_proxy (void)
{
  g_auto(Fixture) fixture = { 0 };
  g_auto(HttpFixture) direct = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  begin (&fixture, FALSE, "");
  http_fixture_begin (&direct, OK, NULL);
  request = http_fixture_make_request (&fixture.http, "GET", "/");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(WkHttpResponse) of_direct = http_fixture_send (&direct, request);

      http_fixture_assert_body (of_direct, "ok");
    }
  g_assert_cmpuint (http_proxy_get_n_requests (fixture.proxy), ==, 0);
  response = http_fixture_send (&fixture.http, request);
  g_assert_cmpuint (http_proxy_get_n_requests (fixture.proxy), ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/http-proxy/tunnel", "GET", test_tunnel);
  g_test_add_data_func ("/http-proxy/tunnel-of-an-upload", "PUT", test_tunnel);
  g_test_add_data_func ("/http-proxy/plain-requests", "POST", test_plain_requests);
  g_test_add_data_func ("/http-proxy/plain-uploads", "PUT", test_plain_requests);
  g_test_add_data_func ("/http-proxy/refusals-are-its-own", "POST", test_refusals);
  g_test_add_data_func ("/http-proxy/refusals-of-an-upload", "PUT", test_refusals);
  g_test_add_func ("/http-proxy/missing-one-is-named", test_missing_proxy);
  g_test_add_func ("/http-proxy/sessions-share-none", test_sessions_share_no_proxy);

  status = g_test_run ();

  /* As in test-http-tls.c: the leak sanitizer stumbles over threads that shook hands. */
  g_thread_pool_set_max_unused_threads (0);
  g_usleep (G_USEC_PER_SEC);
  return status;
}
