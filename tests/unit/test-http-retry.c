/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"

/* Holding back, gates, deadlines and cancellation; which outcome is followed by what is in
 * test-http-table.c. */

/* Minutes of waiting take a second. */
#define SCALE 100.0

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define ANSWER(status) "HTTP/1.1 " status "\r\nContent-Length: 0\r\n\r\n"
#define AFTER(status, seconds) \
  "HTTP/1.1 " status "\r\nRetry-After: " seconds "\r\nContent-Length: 0\r\n\r\n"
#define DROP "!"

static void
test_pauses_grow (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpResponse) response = NULL;
  gint64 start = g_get_monotonic_time ();
  double waited;

  http_fixture_begin (&fixture, ANSWER ("502 Bad"), NULL);
  response = http_fixture_get (&fixture, "/");
  waited = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC * SCALE;
  g_assert_cmpfloat (waited, >=, 0.8 * (1 + 2 + 4));
  g_assert_cmpuint (wk_http_response_get_sends (response), ==, 4);
}

static void
test_too_many_spend_no_sends (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, AFTER ("429 Too Many", "1"), AFTER ("429 Too Many", "1"), OK, NULL);
  response = http_fixture_get (&fixture, "/");
  g_assert_cmpuint (wk_http_response_get_sends (response), ==, 1);
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 3);
}

static void
test_waits_until_a_date (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpResponse) response = NULL;
  gint64 start = g_get_monotonic_time ();
  double waited;

  http_fixture_begin (&fixture,
                      "HTTP/1.1 429 Too Many\r\nDate: Fri, 31 Dec 1999 23:59:50 GMT\r\n"
                      "Retry-After: Sat, 01 Jan 2000 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n",
                      OK, NULL);
  response = http_fixture_get (&fixture, "/");
  waited = (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC * SCALE;
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 200);
  g_assert_cmpfloat (waited, >=, 10.0);
}

/* Who comes later need not ask again, and other services have nothing to do with it. */
static void
test_long_hold_is_for_its_service (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpRequest) other = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, AFTER ("429 Too Many", "3600"), OK, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/a");
  wk_http_request_set_service (request, "compute");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_RATE_LIMITED, "asks to wait 60 min");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_RATE_LIMITED, "(HTTP 429)");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);

  other = http_fixture_make_request (&fixture, "GET", "/b");
  wk_http_request_set_service (other, "network");
  response = http_fixture_send (&fixture, other);
  http_fixture_assert_body (response, "ok");
}

/* Whoever lets us come again at once and then refuses us is not asked five times a second. */
static void
test_hold_of_no_time_has_an_end (void)
{
  g_auto(HttpFixture) fixture = { 100.0 };
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, AFTER ("429 Too Many", "0"), NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_service (request, "compute");
  g_test_expect_message ("welkin-base", G_LOG_LEVEL_INFO, "*holding requests back*");
  g_test_expect_message ("welkin-base", G_LOG_LEVEL_MESSAGE, "compute asks to wait (HTTP 429)");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_RATE_LIMITED,
                               "there were too many requests, and the server asks to wait ");
  g_test_assert_expected_messages ();
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), >=, 5);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), <=, 12);
}

static void
test_wait_is_told_as_people_read_it (void)
{
  static const struct
  {
    const char *answer;
    const char *told;
  } cases[] = {
    { AFTER ("429 Too Many", "200"), "asks to wait 200 s" },
    { AFTER ("429 Too Many", "36000"), "asks to wait 10 h" },
    { AFTER ("503 Busy", "99999999999999999999"), "asks to wait 24855 days" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(HttpFixture) fixture = { 1.0 };
      g_autoptr(WkHttpRequest) request = NULL;

      http_fixture_begin (&fixture, cases[i].answer, NULL);
      request = http_fixture_make_request (&fixture, "GET", "/");
      http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_RATE_LIMITED, cases[i].told);
    }
}

typedef struct
{
  guint n_wanted;
  guint n_done;
  guint n_ok;
} Crowd;

static void
crowd_sent_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Crowd *crowd = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WkHttpResponse) response = wk_http_send_finish (NULL, result, &error);

  g_assert_no_error (error);
  crowd->n_done++;
  if (wk_http_response_get_status (response) == 200)
    crowd->n_ok++;
}

static void
send_crowd (HttpFixture *fixture,
            Crowd       *crowd,
            const char  *method)
{
  for (guint i = 0; i < crowd->n_wanted; i++)
    {
      g_autoptr(WkHttpRequest) request = http_fixture_make_request (fixture, method, "/");

      wk_http_send_async (fixture->http, request, NULL, crowd_sent_cb, crowd);
    }
  while (crowd->n_done < crowd->n_wanted)
    g_main_context_iteration (NULL, TRUE);
}

#define STORM_CROWD 200
#define STORM_PROBES 8

typedef struct
{
  GMutex mutex;
  guint  probes_at_once;
  guint  max_probes_at_once;
} Storm;

/* Too many for all that come at first, and for some probes. */
static gboolean
answer_storm (HttpPeer              *peer,
              const HttpPeerRequest *request,
              GOutputStream         *output,
              gpointer               data)
{
  Storm *storm = data;
  gboolean is_probe = request->number > WK_HTTP_DEFAULT_WIDTH &&
                      request->number <= WK_HTTP_DEFAULT_WIDTH + STORM_PROBES;
  gboolean is_limited = request->number <= WK_HTTP_DEFAULT_WIDTH + STORM_PROBES;
  const char *answer = is_limited ? AFTER ("429 Too Many", "2") : OK;

  if (is_probe)
    {
      g_mutex_lock (&storm->mutex);
      storm->probes_at_once++;
      storm->max_probes_at_once = MAX (storm->max_probes_at_once, storm->probes_at_once);
      g_mutex_unlock (&storm->mutex);
    }
  http_peer_sleep (peer, 5);
  if (is_probe)
    {
      g_mutex_lock (&storm->mutex);
      storm->probes_at_once--;
      g_mutex_unlock (&storm->mutex);
    }
  return g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL);
}

static void
test_storm (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  Storm storm = { .max_probes_at_once = 0 };
  Crowd crowd = { STORM_CROWD, 0, 0 };

  g_mutex_init (&storm.mutex);
  fixture.http = http_peer_new_client (SCALE);
  fixture.peer = http_peer_new (answer_storm, &storm, NULL);
  send_crowd (&fixture, &crowd, "POST");
  g_assert_cmpuint (crowd.n_ok, ==, STORM_CROWD);
  g_assert_cmpuint (storm.max_probes_at_once, ==, 1);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==,
                    STORM_CROWD + WK_HTTP_DEFAULT_WIDTH + STORM_PROBES);
  http_fixture_end (&fixture);
  g_mutex_clear (&storm.mutex);
}

static gboolean
answer_slowly (HttpPeer              *peer,
               const HttpPeerRequest *request,
               GOutputStream         *output,
               gpointer               data)
{
  http_peer_sleep (peer, GPOINTER_TO_UINT (data));
  return g_output_stream_write_all (output, OK, strlen (OK), NULL, NULL, NULL);
}

static void
test_gate_bounds_what_runs_at_once (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkClock) clock = wk_clock_new (SCALE);
  const WkHttpOptions options = { .clock = clock, .max_connections = 4 };
  Crowd crowd = { 100, 0, 0 };

  fixture.http = wk_http_new (&options);
  fixture.peer = http_peer_new (answer_slowly, GUINT_TO_POINTER (5), NULL);
  send_crowd (&fixture, &crowd, "GET");
  g_assert_cmpuint (crowd.n_ok, ==, 100);
  g_assert_cmpuint (http_peer_get_max_at_once (fixture.peer), >, 1);
  g_assert_cmpuint (http_peer_get_max_at_once (fixture.peer), <=, 4);
  g_assert_cmpuint (http_peer_get_n_connections (fixture.peer), <=, 4);
}

static void
test_default_gate (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  Crowd crowd = { 200, 0, 0 };

  fixture.http = http_peer_new_client (SCALE);
  fixture.peer = http_peer_new (answer_slowly, GUINT_TO_POINTER (200), NULL);
  send_crowd (&fixture, &crowd, "GET");
  g_assert_cmpuint (crowd.n_ok, ==, 200);
  g_assert_cmpuint (http_peer_get_max_at_once (fixture.peer), >, 10);
  g_assert_cmpuint (http_peer_get_max_at_once (fixture.peer), <=, 32);
}

static WkGate *
get_gate (HttpFixture *fixture)
{
  GHashTableIter iter;
  gpointer gate;

  g_hash_table_iter_init (&iter, fixture->http->gates);
  g_assert_true (g_hash_table_iter_next (&iter, NULL, &gate));
  return gate;
}

static void
test_gate_narrows_when_the_server_is_busy (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, ANSWER ("503 Busy"), ANSWER ("503 Busy"), OK, NULL);
  response = http_fixture_get (&fixture, "/");
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 200);
  g_assert_cmpuint (wk_gate_get_width (get_gate (&fixture)), ==, 32 / 2 / 2 + 1);
}

/* libsoup sends again by itself on a connection that has died; a guard for what it does. */
static void
test_dead_connection (const char *method,
                      gboolean    is_resent)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(GBytes) body = g_bytes_new_static ("all of it", strlen ("all of it"));
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(WkHttpResponse) second = NULL;
  gint64 start;

  fixture.http = http_peer_new_client (0.1);
  fixture.peer = http_peer_new_with_answers ((const char *const[]) { OK, DROP, OK, NULL });
  request = http_fixture_make_request (&fixture, method, "/");
  if (!g_str_equal (method, "GET"))
    wk_http_request_set_body (request, body, "text/plain");
  response = http_fixture_send (&fixture, request);
  start = g_get_monotonic_time ();
  if (is_resent)
    {
      second = http_fixture_send (&fixture, request);
      g_assert_cmpuint (wk_http_response_get_sends (second), ==, 2);
      g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 3);
      /* Not after one of our own pauses, which takes ten seconds with this clock. */
      g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
      g_assert_cmpstr (http_peer_get_request (fixture.peer, 2)->body, ==,
                       http_peer_get_request (fixture.peer, 0)->body);
    }
  else
    http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_UNAVAILABLE, "");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, is_resent ? 3 : 2);
}

static void
test_dead_connection_get (void)
{
  test_dead_connection ("GET", TRUE);
}

static void
test_dead_connection_put (void)
{
  test_dead_connection ("PUT", TRUE);
}

static void
test_dead_connection_post (void)
{
  test_dead_connection ("POST", FALSE);
}

/* A far end that closes after each answer without saying so harms nobody. */
static void
test_connection_closed_after_each_answer (void)
{
  g_auto(HttpFixture) fixture = { SCALE };

  http_fixture_begin (&fixture, "!" OK, NULL);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr(WkHttpResponse) response = http_fixture_get (&fixture, "/");

      http_fixture_assert_body (response, "ok");
    }
}

/* One letter now and then: there is always something, and never an end. */
static gboolean
answer_dribbling (HttpPeer              *peer,
                  const HttpPeerRequest *request,
                  GOutputStream         *output,
                  gpointer               data)
{
  const char *head = data;

  if (!g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
    return FALSE;
  while (http_peer_sleep (peer, 10) && g_output_stream_write_all (output, "x", 1, NULL, NULL, NULL))
    continue;
  return FALSE;
}

static void
test_deadline (void)
{
  static const char *const heads[] = { "", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_auto(HttpFixture) fixture = { SCALE };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpRequest) post = NULL;

      fixture.http = http_peer_new_client (SCALE);
      fixture.peer = http_peer_new (answer_dribbling, (gpointer) heads[i], NULL);
      request = http_fixture_make_request (&fixture, "GET", "/");
      wk_http_request_set_deadline (request, 20.0);
      http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_TIMED_OUT, "in time");
      g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 4);
      g_assert_cmpuint (wk_gate_get_width (get_gate (&fixture)), ==, 2);

      post = http_fixture_make_request (&fixture, "POST", "/");
      wk_http_request_set_deadline (post, 20.0);
      http_fixture_assert_refused (&fixture, post, WELKIN_ERROR_TIMED_OUT, "in time");
      g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 5);
    }
}

static gboolean
answer_stalling (HttpPeer              *peer,
                 const HttpPeerRequest *request,
                 GOutputStream         *output,
                 gpointer               data)
{
  const char *head = data;

  g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
  while (http_peer_sleep (peer, 1000))
    continue;
  return FALSE;
}

static void
test_no_progress (void)
{
  static const char *const heads[] = { "",
                                       "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\nhalf" };

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_auto(HttpFixture) fixture = { SCALE };
      g_autoptr(WkHttpRequest) request = NULL;

      fixture.http = http_peer_new_client (SCALE);
      fixture.peer = http_peer_new (answer_stalling, (gpointer) heads[i], NULL);
      request = http_fixture_make_request (&fixture, "POST", "/");
      wk_http_request_set_deadline (request, 0.0);
      http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_TIMED_OUT,
                                   "nothing has come for 60 seconds");
    }
}

static gboolean
answer_with_endless_head (HttpPeer              *peer,
                          const HttpPeerRequest *request,
                          GOutputStream         *output,
                          gpointer               data)
{
  g_autofree char *line = g_strnfill (10000, 'x');

  line[1] = ':';
  line[9998] = '\r';
  line[9999] = '\n';
  if (!g_output_stream_write_all (output, "HTTP/1.1 200 OK\r\n", 17, NULL, NULL, NULL))
    return FALSE;
  while (g_output_stream_write_all (output, line, 10000, NULL, NULL, NULL))
    continue;
  return FALSE;
}

static void
test_endless_head (void)
{
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpRequest) request = NULL;

  fixture.http = http_peer_new_client (SCALE);
  fixture.peer = http_peer_new (answer_with_endless_head, NULL, NULL);
  request = http_fixture_make_request (&fixture, "POST", "/");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_UNAVAILABLE, "");
}

/* A port whose queue is full answers nobody, as a firewall that drops. */
static char *
listen_deaf (GPtrArray *sockets)
{
  g_autoptr(GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr(GSocketAddress) wanted = g_inet_socket_address_new (loopback, 0);
  g_autoptr(GSocketAddress) address = NULL;
  GSocket *socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

  g_socket_set_listen_backlog (socket, 1);
  g_assert_true (g_socket_bind (socket, wanted, TRUE, NULL));
  g_assert_true (g_socket_listen (socket, NULL));
  address = g_socket_get_local_address (socket, NULL);
  for (guint i = 0; i < 8; i++)
    {
      GSocket *caller =
          g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

      g_socket_set_blocking (caller, FALSE);
      g_socket_connect (caller, address, NULL, NULL);
      g_ptr_array_add (sockets, caller);
    }
  g_ptr_array_add (sockets, socket);
  return g_strdup_printf ("http://127.0.0.1:%u/",
                          g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
}

static void
test_connect_deadline (void)
{
  g_autoptr(GPtrArray) sockets = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *uri = listen_deaf (sockets);
  g_autoptr(WkHttp) http = http_peer_new_client (SCALE);
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("POST", uri);
  g_autoptr(GError) error = NULL;

  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "connection could not be made within 10 seconds"));
  g_assert_cmpuint (wk_http_get_sends (http), ==, 4);
}

/* Connections are made, and nobody takes them: as a hung server. (transfer full) */
static GSocket *
listen_silently (guint *port)
{
  g_autoptr(GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr(GSocketAddress) wanted = g_inet_socket_address_new (loopback, 0);
  g_autoptr(GSocketAddress) address = NULL;
  GSocket *socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

  g_assert_true (g_socket_bind (socket, wanted, TRUE, NULL));
  g_assert_true (g_socket_listen (socket, NULL));
  address = g_socket_get_local_address (socket, NULL);
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  return socket;
}

typedef struct
{
  const char *scheme;
  double      total;      /* 0: none */
  const char *message;
  guint       n_requests;
  double      seconds;    /* about how long it takes at most */
} Silence;

static const Silence silences[] = {
  { "http", 0.0, "60 seconds", 2, 125.0 },
  { "http", 90.0, "no whole answer in time", 2, 95.0 },
  { "http", 30.0, "no whole answer in time, which is 30 seconds", 1, 35.0 },
  { "https", 0.0, "TLS within 10 seconds", 4, 55.0 },
};

static void
test_silent_server (void)
{
  guint port;
  g_autoptr(GSocket) socket = listen_silently (&port);

  for (guint i = 0; i < G_N_ELEMENTS (silences); i++)
    {
      const Silence *row = &silences[i];
      g_autofree char *uri = g_strdup_printf ("%s://127.0.0.1:%u/", row->scheme, port);
      g_autoptr(WkHttp) http = http_peer_new_client (SCALE);
      g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", uri);
      g_autoptr(GError) error = NULL;
      double begin = wk_clock_get_seconds (wk_http_get_clock (http));
      double seconds;

      wk_http_request_set_total (request, row->total);
      g_assert_null (http_peer_send (http, request, NULL, &error));
      seconds = wk_clock_get_seconds (wk_http_get_clock (http)) - begin;
      g_test_message ("%.1f s: %s", seconds, error->message);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
      g_assert_nonnull (strstr (error->message, row->message));
      g_assert_nonnull (strstr (error->message, uri));
      g_assert_cmpuint (wk_http_get_sends (http), ==, row->n_requests);
      /* A busy machine may be slow by half a second of its own. */
      g_assert_cmpfloat (seconds, <, row->seconds + 0.5 * SCALE);
    }
}

/* Where a request is when it is cancelled. */
typedef enum
{
  AT_THE_START,
  WAITING_FOR_THE_HEAD,
  WAITING_FOR_THE_BODY,
  BACKING_OFF,
  HELD_BACK,
  AT_THE_GATE,
} Phase;

static void
cancel_sent_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  gboolean *is_done = user_data;
  g_autoptr(GError) error = NULL;

  g_assert_null (wk_http_send_finish (NULL, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  *is_done = TRUE;
}

static void
run_for (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;

  while (g_get_monotonic_time () < until)
    {
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (500);
    }
}

static gboolean
answer_phase (HttpPeer              *peer,
              const HttpPeerRequest *request,
              GOutputStream         *output,
              gpointer               data)
{
  const char *answer = OK;

  switch ((Phase) GPOINTER_TO_INT (data))
    {
    case WAITING_FOR_THE_HEAD:
    case AT_THE_GATE:
      return answer_stalling (peer, request, output, (gpointer) "");
    case WAITING_FOR_THE_BODY:
      return answer_stalling (peer, request, output, (gpointer) "HTTP/1.1 200 OK\r\n\r\nhalf");
    case BACKING_OFF:
      answer = ANSWER ("503 Busy");
      break;
    case HELD_BACK:
      answer = AFTER ("429 Too Many", "100");
      break;
    case AT_THE_START:
    default:
      break;
    }
  return g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL);
}

static void
test_cancel (gconstpointer data)
{
  Phase phase = GPOINTER_TO_INT (data);
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkClock) clock = wk_clock_new (0.01);
  const WkHttpOptions options = { .clock = clock, .max_connections = 1 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GCancellable) first = g_cancellable_new ();
  gboolean is_first_done = phase != AT_THE_GATE;
  gboolean is_done = FALSE;
  gint64 start;

  fixture.http = wk_http_new (&options);
  fixture.peer = http_peer_new (answer_phase, GINT_TO_POINTER (phase), NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  if (phase == AT_THE_START)
    g_cancellable_cancel (cancellable);
  if (phase == AT_THE_GATE)
    wk_http_send_async (fixture.http, request, first, cancel_sent_cb, &is_first_done);
  wk_http_send_async (fixture.http, request, cancellable, cancel_sent_cb, &is_done);
  run_for (100);
  g_assert_cmpint (is_done, ==, phase == AT_THE_START);

  start = g_get_monotonic_time ();
  g_cancellable_cancel (cancellable);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);

  g_cancellable_cancel (first);
  while (!is_first_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, phase == AT_THE_START ? 0 : 1);
}

static void
test_cancel_connecting (void)
{
  g_autoptr(GPtrArray) sockets = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *uri = listen_deaf (sockets);
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", uri);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  gboolean is_done = FALSE;

  http_fixture_begin (&fixture, OK, NULL);
  wk_http_send_async (fixture.http, request, cancellable, cancel_sent_cb, &is_done);
  run_for (20);
  g_assert_false (is_done);
  g_cancellable_cancel (cancellable);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* Too many at first; the one that goes ahead then, and the other service, take their time. */
static gboolean
answer_probe (HttpPeer              *peer,
              const HttpPeerRequest *request,
              GOutputStream         *output,
              gpointer               data)
{
  const char *answer = request->number == 1 ? AFTER ("429 Too Many", "5") : OK;

  if (request->number == 2)
    http_peer_sleep (peer, 400);
  return g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL);
}

/* The one that goes ahead is cancelled, on its way or while it waits for another service's request
 * to leave the gate: the next one goes in its place. */
static void
test_cancelled_probe_is_replaced (gconstpointer data)
{
  Phase phase = GPOINTER_TO_INT (data);
  g_auto(HttpFixture) fixture = { SCALE };
  g_autoptr(WkClock) clock = wk_clock_new (SCALE);
  const WkHttpOptions options = { .clock = clock, .max_connections = 1 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpRequest) other = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  Crowd crowd = { phase == AT_THE_GATE ? 2 : 1, 0, 0 };
  gboolean is_done = FALSE;

  fixture.http = wk_http_new (&options);
  fixture.peer = http_peer_new (answer_probe, NULL, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  other = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_service (other, "other");

  wk_http_send_async (fixture.http, request, cancellable, cancel_sent_cb, &is_done);
  while (http_peer_get_n_requests (fixture.peer) < 1)
    run_for (10);
  if (phase == AT_THE_GATE)
    wk_http_send_async (fixture.http, other, NULL, crowd_sent_cb, &crowd);
  wk_http_send_async (fixture.http, request, NULL, crowd_sent_cb, &crowd);
  while (http_peer_get_n_requests (fixture.peer) < 2)
    run_for (10);
  run_for (100);
  g_cancellable_cancel (cancellable);
  while (!is_done || crowd.n_done < crowd.n_wanted)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (crowd.n_ok, ==, crowd.n_wanted);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http-retry/pauses-grow", test_pauses_grow);
  g_test_add_func ("/http-retry/too-many/spend-no-sends", test_too_many_spend_no_sends);
  g_test_add_func ("/http-retry/too-many/waits-until-a-date", test_waits_until_a_date);
  g_test_add_func ("/http-retry/too-many/long-hold-is-for-its-service",
                   test_long_hold_is_for_its_service);
  g_test_add_func ("/http-retry/too-many/of-no-time-has-an-end", test_hold_of_no_time_has_an_end);
  g_test_add_func ("/http-retry/too-many/told-as-people-read-it",
                   test_wait_is_told_as_people_read_it);
  g_test_add_func ("/http-retry/too-many/storm-is-probed-by-one", test_storm);
  g_test_add_data_func ("/http-retry/too-many/cancelled-probe-is-replaced",
                        GINT_TO_POINTER (WAITING_FOR_THE_HEAD), test_cancelled_probe_is_replaced);
  g_test_add_data_func ("/http-retry/too-many/cancelled-probe-at-the-gate-is-replaced",
                        GINT_TO_POINTER (AT_THE_GATE), test_cancelled_probe_is_replaced);
  g_test_add_func ("/http-retry/gate/bounds-what-runs-at-once", test_gate_bounds_what_runs_at_once);
  g_test_add_func ("/http-retry/gate/default-width", test_default_gate);
  g_test_add_func ("/http-retry/gate/narrows-when-the-server-is-busy",
                   test_gate_narrows_when_the_server_is_busy);
  g_test_add_func ("/http-retry/dead-connection/get-is-resent", test_dead_connection_get);
  g_test_add_func ("/http-retry/dead-connection/put-is-resent", test_dead_connection_put);
  g_test_add_func ("/http-retry/dead-connection/post-is-not", test_dead_connection_post);
  g_test_add_func ("/http-retry/dead-connection/after-each-answer",
                   test_connection_closed_after_each_answer);
  g_test_add_func ("/http-retry/late/whole-answer", test_deadline);
  g_test_add_func ("/http-retry/late/next-byte", test_no_progress);
  g_test_add_func ("/http-retry/late/connection", test_connect_deadline);
  g_test_add_func ("/http-retry/late/silent-server", test_silent_server);
  g_test_add_func ("/http-retry/endless-head-is-refused", test_endless_head);
  g_test_add_data_func ("/http-retry/cancel/at-the-start", GINT_TO_POINTER (AT_THE_START),
                        test_cancel);
  g_test_add_data_func ("/http-retry/cancel/waiting-for-the-head",
                        GINT_TO_POINTER (WAITING_FOR_THE_HEAD), test_cancel);
  g_test_add_data_func ("/http-retry/cancel/waiting-for-the-body",
                        GINT_TO_POINTER (WAITING_FOR_THE_BODY), test_cancel);
  g_test_add_data_func ("/http-retry/cancel/backing-off", GINT_TO_POINTER (BACKING_OFF),
                        test_cancel);
  g_test_add_data_func ("/http-retry/cancel/held-back", GINT_TO_POINTER (HELD_BACK), test_cancel);
  g_test_add_data_func ("/http-retry/cancel/at-the-gate", GINT_TO_POINTER (AT_THE_GATE),
                        test_cancel);
  g_test_add_func ("/http-retry/cancel/connecting", test_cancel_connecting);

  return g_test_run ();
}
