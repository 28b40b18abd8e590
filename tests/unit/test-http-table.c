/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "http-proxy.h"

/* Which outcome is followed by what: one section for each row of the table of retries. */

/* Minutes of waiting take a second. */
#define SCALE 100.0

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define ANSWER(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n"
#define AFTER(status, seconds) \
  "HTTP/1.1 " status "\r\nRetry-After: " seconds "\r\nContent-Length: 0\r\n\r\n"
#define CUT "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"
#define CUT_CHUNK "!HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf"
#define NONSENSE "!nonsense\r\n\r\n"
#define DROP "!"

#define NONE (-1)

/* What else there is to say about the request. */
typedef enum
{
  PLAIN,
  SAFE, /* the caller says that it may be sent twice */
} Kind;

typedef struct
{
  const char *condition;
  const char *method;
  Kind        kind;
  const char *answers[7]; /* the last one again and again */
  guint       status;     /* of the response; 0: an error */
  int         code;       /* of WELKIN_ERROR */
  guint       n_requests;
  double      wait;       /* seconds that it takes at least */
} Row;

static const Row rows[] = {
  /* connection reset, closed or cut after sending: nobody knows whether it was executed */
  { "dropped", "GET", PLAIN, { DROP, OK }, 200, NONE, 2, 0.8 },
  { "dropped", "HEAD", PLAIN, { DROP, ANSWER ("200 OK") }, 200, NONE, 2, 0.8 },
  { "dropped", "PUT", PLAIN, { DROP, OK }, 200, NONE, 2, 0.8 },
  { "dropped", "DELETE", PLAIN, { DROP, OK }, 200, NONE, 2, 0.8 },
  { "dropped", "POST", PLAIN, { DROP, OK }, 0, WELKIN_ERROR_UNAVAILABLE, 1, 0 },
  { "dropped", "PATCH", PLAIN, { DROP, OK }, 0, WELKIN_ERROR_UNAVAILABLE, 1, 0 },
  { "dropped", "POST", SAFE, { DROP, OK }, 200, NONE, 2, 0.8 },
  { "dropped", "GET", PLAIN, { DROP }, 0, WELKIN_ERROR_UNAVAILABLE, 4, 0.8 * 7 },
  { "dropped", "POST", SAFE, { DROP }, 0, WELKIN_ERROR_UNAVAILABLE, 4, 0.8 * 7 },
  { "cut", "GET", PLAIN, { CUT, CUT_CHUNK, OK }, 200, NONE, 3, 0.8 * 3 },
  { "cut", "GET", PLAIN, { CUT }, 0, WELKIN_ERROR_PROTOCOL, 4, 0.8 * 7 },
  { "cut", "POST", PLAIN, { CUT, OK }, 0, WELKIN_ERROR_PROTOCOL, 1, 0 },
  { "cut", "POST", SAFE, { CUT_CHUNK, OK }, 200, NONE, 2, 0.8 },
  { "nonsense", "GET", PLAIN, { NONSENSE, OK }, 200, NONE, 2, 0.8 },
  { "nonsense", "GET", PLAIN, { NONSENSE }, 0, WELKIN_ERROR_PROTOCOL, 4, 0.8 * 7 },
  { "nonsense", "POST", PLAIN, { NONSENSE, OK }, 0, WELKIN_ERROR_PROTOCOL, 1, 0 },

  /* 429, 413 or 403 with Retry-After above 0: it was not executed, and spends no send */
  { "too-many", "GET", PLAIN, { AFTER ("429 Too Many", "2"), OK }, 200, NONE, 2, 2 },
  { "too-many", "POST", PLAIN, { AFTER ("429 Too Many", "2.5"), OK }, 200, NONE, 2, 2.5 },
  { "too-many", "GET", PLAIN, { AFTER ("403 Forbidden", "2"), OK }, 200, NONE, 2, 2 },
  { "too-many", "DELETE", PLAIN, { AFTER ("403 Forbidden", "0.1"), OK }, 200, NONE, 2, 0.2 },
  { "too-many",
    "POST",
    PLAIN,
    { AFTER ("413 Over Limit", "6"), AFTER ("413 Over Limit", "6"), AFTER ("413 Over Limit", "6"),
      ANSWER ("202 Accepted") },
    202, NONE, 4, 18 },
  { "too-many",
    "POST",
    PLAIN,
    { AFTER ("429 Too Many", "1"), AFTER ("429 Too Many", "1"), AFTER ("429 Too Many", "1"),
      AFTER ("429 Too Many", "1"), AFTER ("429 Too Many", "1"), OK },
    200, NONE, 6, 5 },
  { "too-many", "GET", PLAIN, { AFTER ("429 Too Many", "179"), OK }, 200, NONE, 2, 179 },
  { "too-many", "GET", PLAIN, { AFTER ("429 Too Many", "50") }, 0, WELKIN_ERROR_RATE_LIMITED, 4,
    150 },
  { "too-many", "GET", PLAIN, { AFTER ("429 Too Many", "181"), OK }, 0, WELKIN_ERROR_RATE_LIMITED,
    1, 0 },
  { "too-many", "GET", PLAIN, { AFTER ("413 Over Limit", "601"), OK }, 0,
    WELKIN_ERROR_RATE_LIMITED, 1, 0 },

  /* 413 or 403 with Retry-After 0 or without: a quota, which no waiting helps */
  { "quota", "POST", PLAIN, { ANSWER ("413 Over Limit"), OK }, 413, NONE, 1, 0 },
  { "quota", "GET", PLAIN, { AFTER ("413 Over Limit", "0"), OK }, 413, NONE, 1, 0 },
  { "quota", "GET", PLAIN, { AFTER ("413 Over Limit", "-5"), OK }, 413, NONE, 1, 0 },
  { "quota", "POST", SAFE, { AFTER ("413 Over Limit", "soon"), OK }, 413, NONE, 1, 0 },
  { "quota", "GET", PLAIN, { ANSWER ("403 Forbidden"), OK }, 403, NONE, 1, 0 },
  { "quota", "GET", PLAIN, { AFTER ("403 Forbidden", "0"), OK }, 403, NONE, 1, 0 },

  /* 429 without Retry-After */
  { "429-alone", "GET", PLAIN, { ANSWER ("429 Too Many"), OK }, 200, NONE, 2, 0.8 },
  { "429-alone", "POST", PLAIN, { ANSWER ("429 Too Many"), OK }, 200, NONE, 2, 0.8 },
  { "429-alone", "POST", PLAIN, { AFTER ("429 Too Many", "soon"), OK }, 200, NONE, 2, 0.8 },
  { "429-alone", "POST", PLAIN, { ANSWER ("498 Rate Limited"), OK }, 200, NONE, 2, 0.8 },
  { "429-alone",
    "GET",
    PLAIN,
    { ANSWER ("429 Too Many"), ANSWER ("429 Too Many"), ANSWER ("429 Too Many"), OK },
    200, NONE, 4, 0.8 * 7 },
  { "429-at-once", "POST", PLAIN, { AFTER ("429 Too Many", "0"), OK }, 200, NONE, 2, 0.2 },
  { "429-at-once", "GET", PLAIN, { AFTER ("429 Too Many", "-7"), OK }, 200, NONE, 2, 0.2 },

  /* 503 with Retry-After: a proxy may have passed it on */
  { "503-after", "GET", PLAIN, { AFTER ("503 Busy", "2"), OK }, 200, NONE, 2, 2 },
  { "503-after", "DELETE", PLAIN, { AFTER ("503 Busy", "0"), OK }, 200, NONE, 2, 0.2 },
  { "503-after", "GET", PLAIN, { AFTER ("503 Busy", "2") }, 503, NONE, 4, 6 },
  { "503-after", "GET", PLAIN, { AFTER ("503 Busy", "700") }, 0, WELKIN_ERROR_RATE_LIMITED, 1, 0 },
  { "503-after", "POST", PLAIN, { AFTER ("503 Busy", "2"), OK }, 503, NONE, 1, 0 },
  { "503-after", "POST", SAFE, { AFTER ("503 Busy", "2"), OK }, 200, NONE, 2, 2 },

  /* 503 without, 502, 504 */
  { "gateway",
    "GET",
    PLAIN,
    { ANSWER ("503 Busy"), ANSWER ("502 Bad"), ANSWER ("504 Late"), OK },
    200, NONE, 4, 0.8 * 7 },
  { "gateway", "GET", PLAIN, { AFTER ("503 Busy", "soon"), OK }, 200, NONE, 2, 0.8 },
  { "gateway", "DELETE", PLAIN, { ANSWER ("503 Busy") }, 503, NONE, 4, 0.8 * 7 },
  { "gateway", "PUT", PLAIN, { ANSWER ("502 Bad") }, 502, NONE, 4, 0.8 * 7 },
  { "gateway", "HEAD", PLAIN, { ANSWER ("504 Late") }, 504, NONE, 4, 0.8 * 7 },
  { "gateway", "POST", PLAIN, { ANSWER ("503 Busy"), OK }, 503, NONE, 1, 0 },
  { "gateway", "POST", PLAIN, { ANSWER ("502 Bad"), OK }, 502, NONE, 1, 0 },
  { "gateway", "POST", PLAIN, { ANSWER ("504 Late"), OK }, 504, NONE, 1, 0 },
  { "gateway", "POST", SAFE, { ANSWER ("503 Busy"), OK }, 200, NONE, 2, 0.8 },
  { "gateway", "POST", SAFE, { ANSWER ("502 Bad"), ANSWER ("504 Late"), OK }, 200, NONE, 3, 2.4 },

  /* 500: reads alone, and twice at most */
  { "500", "GET", PLAIN, { ANSWER ("500 Oops"), OK }, 200, NONE, 2, 0.8 },
  { "500", "GET", PLAIN, { ANSWER ("500 Oops") }, 500, NONE, 2, 0.8 },
  { "500", "HEAD", PLAIN, { ANSWER ("500 Oops") }, 500, NONE, 2, 0.8 },
  { "500", "PUT", PLAIN, { ANSWER ("500 Oops"), OK }, 500, NONE, 1, 0 },
  { "500", "DELETE", PLAIN, { ANSWER ("500 Oops"), OK }, 500, NONE, 1, 0 },
  { "500", "POST", PLAIN, { ANSWER ("500 Oops"), OK }, 500, NONE, 1, 0 },
  { "500", "POST", SAFE, { ANSWER ("500 Oops"), OK }, 500, NONE, 1, 0 },

  /* 401, 409 and all the others are for the caller to judge */
  { "caller", "GET", PLAIN, { ANSWER ("401 Unauthorized"), OK }, 401, NONE, 1, 0 },
  { "caller", "POST", SAFE, { ANSWER ("401 Unauthorized"), OK }, 401, NONE, 1, 0 },
  { "caller", "GET", PLAIN, { ANSWER ("404 Not Found"), OK }, 404, NONE, 1, 0 },
  { "caller", "PUT", PLAIN, { ANSWER ("409 Conflict"), OK }, 409, NONE, 1, 0 },
  { "caller", "POST", SAFE, { ANSWER ("409 Conflict"), OK }, 409, NONE, 1, 0 },
  { "caller", "PUT", PLAIN, { ANSWER ("412 Failed"), OK }, 412, NONE, 1, 0 },
  { "caller", "GET", PLAIN, { AFTER ("501 No", "2"), OK }, 501, NONE, 1, 0 },
  { "caller", "GET", PLAIN, { AFTER ("404 Not Found", "2"), OK }, 404, NONE, 1, 0 },
};

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  double begin;

  fixture.http = http_peer_new_client (SCALE);
  fixture.peer = http_peer_new_with_answers (row->answers);
  request = http_fixture_make_request (&fixture, row->method, "/");
  if (row->kind == SAFE)
    wk_http_request_set_repeatable (request, TRUE);

  begin = wk_clock_get_seconds (wk_http_get_clock (fixture.http));
  response = http_peer_send (fixture.http, request, NULL, &error);
  g_assert_cmpfloat (wk_clock_get_seconds (wk_http_get_clock (fixture.http)) - begin, >=,
                     row->wait);
  if (row->status != 0)
    {
      g_assert_no_error (error);
      g_assert_cmpuint (wk_http_response_get_status (response), ==, row->status);
    }
  else
    g_assert_error (error, WELKIN_ERROR, row->code);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, row->n_requests);
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, row->n_requests);
}

/* Retry-After in all its forms, with each status that may come with it. */

#define DATE "Sun, 06 Nov 1994 08:49:37 GMT"

static const struct
{
  const char *header; /* the whole line */
  double      wait;   /* seconds; 0: zero, past or negative; below 0: says nothing */
} waits[] = {
  { "Retry-After: 1", 1 },
  { "retry-after: 1", 1 },
  { "RETRY-AFTER:1", 1 },
  { "Retry-After:   1.5  ", 1.5 },
  { "Retry-After: 0001", 1 },
  { "Retry-After: .5", 0.5 },
  { "Retry-After: Sun, 06 Nov 1994 08:49:38 GMT", 1 },
  { "Retry-After: Sunday, 06-Nov-94 08:49:38 GMT", 1 },
  { "Retry-After: Sun Nov  6 08:49:38 1994", 1 },
  { "Retry-After: 0", 0 },
  { "Retry-After: 0.0", 0 },
  { "Retry-After: -1", 0 },
  { "Retry-After: " DATE, 0 },
  { "Retry-After: Sun, 06 Nov 1994 08:49:07 GMT", 0 },
  { "Retry-After: 1 second", -1 },
  { "Retry-After: 1,5", -1 },
  { "Retry-After: inf", -1 },
  { "Retry-After: 1e1", -1 },
  { "Retry-After: ", -1 },
  { "X-Retry-After: 1", -1 },
};

/* How long it is at least until it goes out again; below 0: it does not. */
static double
expect_wait (guint    status,
             gboolean is_post,
             double   wait)
{
  if (status == 503)
    {
      if (is_post)
        return -1.0;
      return wait < 0 ? 0.8 : MAX (wait, 0.2);
    }
  if (status == 429 || status == 498)
    return wait < 0 ? 0.8 : MAX (wait, 0.2);
  return wait > 0 ? MAX (wait, 0.2) : -1.0;
}

static void
test_retry_after (gconstpointer data)
{
  guint status = GPOINTER_TO_UINT (data);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (waits); i++)
    {
      const char *method = i % 2 == 0 ? "GET" : "POST";
      double wait = expect_wait (status, i % 2 != 0, waits[i / 2].wait);
      g_autofree char *answer =
          g_strdup_printf ("HTTP/1.1 %u Wait\r\nDate: " DATE "\r\n%s\r\nContent-Length: 0\r\n\r\n",
                           status, waits[i / 2].header);
      g_auto(HttpFixture) fixture = { SCALE };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      double begin;

      g_test_message ("%s, %s", method, waits[i / 2].header);
      http_fixture_begin (&fixture, answer, OK, NULL);
      request = http_fixture_make_request (&fixture, method, "/");
      begin = wk_clock_get_seconds (wk_http_get_clock (fixture.http));
      response = http_fixture_send (&fixture, request);
      g_assert_cmpuint (wk_http_response_get_status (response), ==, wait < 0 ? status : 200);
      g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, wait < 0 ? 1 : 2);
      g_assert_cmpfloat (wk_clock_get_seconds (wk_http_get_clock (fixture.http)) - begin, >=, wait);
    }
}

/* DNS, connection refused, TLS, CONNECT: nothing was sent, so all go out again */

/* Knows no name at first, and then that everything is here. */
G_DECLARE_FINAL_TYPE (LateResolver, late_resolver, LATE, RESOLVER, GResolver)

struct _LateResolver
{
  GResolver parent;

  guint     n_failures;
};

G_DEFINE_FINAL_TYPE (LateResolver, late_resolver, G_TYPE_RESOLVER)

static void
late_resolver_lookup_async (GResolver               *resolver,
                            const char              *name,
                            GResolverNameLookupFlags flags,
                            GCancellable            *cancellable,
                            GAsyncReadyCallback      callback,
                            gpointer                 user_data)
{
  LateResolver *self = LATE_RESOLVER (resolver);
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);

  if (self->n_failures > 0 || flags == G_RESOLVER_NAME_LOOKUP_FLAGS_IPV6_ONLY)
    g_task_return_new_error (task, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "no %s", name);
  else
    g_task_return_pointer (
        task, g_list_prepend (NULL, g_inet_address_new_from_string ("127.0.0.1")), NULL);
  if (self->n_failures > 0 && flags != G_RESOLVER_NAME_LOOKUP_FLAGS_IPV6_ONLY)
    self->n_failures--;
}

static GList *
late_resolver_lookup_finish (GResolver    *resolver,
                             GAsyncResult *result,
                             GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
late_resolver_class_init (LateResolverClass *class)
{
  GResolverClass *resolver_class = G_RESOLVER_CLASS (class);

  resolver_class->lookup_by_name_with_flags_async = late_resolver_lookup_async;
  resolver_class->lookup_by_name_with_flags_finish = late_resolver_lookup_finish;
}

static void
late_resolver_init (LateResolver *self)
{
}

static void
test_unknown_name (gconstpointer method)
{
  g_autoptr(GResolver) former = g_resolver_get_default ();
  g_autoptr(LateResolver) resolver = g_object_new (late_resolver_get_type (), NULL);
  g_auto(HttpFixture) fixture = { SCALE };
  g_autofree char *here = NULL;
  g_autofree char *uri = NULL;
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, OK, NULL);
  here = http_peer_get_uri (fixture.peer, "/");
  uri = g_strdup_printf ("http://nova.cloud.test%s", strrchr (here, ':'));
  request = wk_http_request_new (method, uri);
  g_resolver_set_default (G_RESOLVER (resolver));

  resolver->n_failures = 2;
  response = http_fixture_send (&fixture, request);
  g_assert_cmpuint (wk_http_response_get_sends (response), ==, 3);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);

  resolver->n_failures = 100;
  g_clear_pointer (&fixture.http, wk_http_unref);
  fixture.http = http_peer_new_client (SCALE);
  g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
  g_assert_error (error, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "http://nova.cloud.test"));
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 4);
  g_resolver_set_default (former);
}

static void
test_refused_connection (gconstpointer method)
{
  g_autoptr(WkHttp) http = http_peer_new_client (SCALE);
  g_autoptr(WkHttpRequest) request = wk_http_request_new (method, "http://127.0.0.1:1/");
  g_autoptr(GError) error = NULL;

  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_cmpuint (wk_http_get_sends (http), ==, 4);
}

/* What must go out once alone does so in the end. */
static void
test_broken_handshake (gconstpointer method)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autofree char *plain = NULL;
  g_autofree char *uri = NULL;
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, OK, NULL);
  http_peer_hang_up (fixture.peer, "");
  plain = http_peer_get_uri (fixture.peer, "/");
  uri = g_strdup_printf ("https%s", plain + strlen ("http"));
  request = wk_http_request_new (method, uri);
  g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 4);
}

static gboolean
accept_connections_cb (gpointer proxy)
{
  http_proxy_refuse (proxy, NULL);
  return G_SOURCE_REMOVE;
}

static void
test_refused_tunnel (gconstpointer method)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "tls", "server.pem", NULL);
  g_autoptr(GTlsCertificate) certificate = g_tls_certificate_new_from_file (path, NULL);
  g_autoptr(HttpProxy) proxy = http_proxy_new ();
  g_autofree char *proxy_uri = http_proxy_get_uri (proxy, "");
  g_autoptr(GProxyResolver) resolver = g_simple_proxy_resolver_new (proxy_uri, NULL);
  g_autoptr(WkClock) clock = wk_clock_new (10);
  const WkHttpOptions options = {
    .clock = clock, .proxy_resolver = resolver, .accept_any_certificate = TRUE,
  };
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  fixture.http = wk_http_new (&options);
  fixture.peer = http_peer_new (http_fixture_answer, (gpointer) OK, certificate);
  http_proxy_refuse (proxy, ANSWER ("503 Busy"));
  g_timeout_add (50, accept_connections_cb, proxy);
  request = http_fixture_make_request (&fixture, method, "/");
  response = http_fixture_send (&fixture, request);
  http_fixture_assert_body (response, "ok");
  g_assert_cmpuint (wk_http_response_get_sends (response), >=, 2);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);
}

static void
add (const char   *name,
     const char   *detail,
     gconstpointer data,
     GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/http-table/%s/%s", name, detail);

  g_test_add_data_func (path, data, test);
}

static void
add_rows (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *detail = g_strdup_printf ("%s-%02u", rows[i].method, i + 1);

      add (rows[i].condition, detail, &rows[i], test_row);
    }
}

int
main (int   argc,
      char *argv[])
{
  static const char *const methods[] = { "GET", "POST" };
  static const guint statuses[] = { 403, 413, 429, 498, 503 };
  int status;

  g_test_init (&argc, &argv, NULL);

  add_rows ();
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      add ("unknown-name", methods[i], methods[i], test_unknown_name);
      add ("refused-connection", methods[i], methods[i], test_refused_connection);
      add ("broken-handshake", methods[i], methods[i], test_broken_handshake);
      add ("refused-tunnel", methods[i], methods[i], test_refused_tunnel);
    }
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      g_autofree char *detail = g_strdup_printf ("%u", statuses[i]);

      add ("retry-after", detail, GUINT_TO_POINTER (statuses[i]), test_retry_after);
    }

  status = g_test_run ();

  /* As in test-http-tls.c: the leak sanitizer stumbles over threads that shook hands. */
  g_thread_pool_set_max_unused_threads (0);
  g_usleep (G_USEC_PER_SEC);
  return status;
}
