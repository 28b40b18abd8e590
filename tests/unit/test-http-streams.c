/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "result.h"
#include "values/welkin-error.h"

/* Bodies that the caller reads at his own pace. */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

static void
test_stream (void)
{
  g_autofree char *data = g_strnfill (100000, 'x');
  g_autofree char *answer =
      g_strconcat ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", data, NULL);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(WkHttpResponse) second = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, answer, OK, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (&fixture, request);
  stream = wk_http_response_steal_stream (response);
  g_assert_nonnull (stream);
  g_assert_null (wk_http_response_steal_stream (response));
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 1);

  body = result_read_all (stream, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (body), ==, 100000);
  g_clear_object (&stream);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);

  second = http_fixture_get (&fixture, "/");
  http_fixture_assert_body (second, "ok");
  g_assert_cmpuint (http_peer_get_n_connections (fixture.peer), ==, 1);
}

static void
test_stream_outlives_its_session (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttp) http = NULL;
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, OK, NULL);
  http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_streaming (request, TRUE);
  response = http_peer_send (http, request, NULL, &error);
  g_assert_no_error (error);
  stream = wk_http_response_steal_stream (response);
  g_clear_pointer (&response, wk_http_response_unref);
  g_clear_pointer (&http, wk_http_unref);
  body = result_read_all (stream, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (body), ==, 2);
}

/* The place comes back however little of the stream was read, and nobody waits for the rest. */
static void
test_stream_left_early (void)
{
  static const char success[] = "HTTP/1.1 200 OK\r\n\r\n";

  for (guint i = 0; i < 3; i++)
    {
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      g_autoptr(GInputStream) stream = NULL;
      gint64 start = g_get_monotonic_time ();

      fixture.http = http_peer_new_client (1.0);
      fixture.peer = http_peer_new (http_fixture_answer_for_ever, (gpointer) success, NULL);
      request = http_fixture_make_request (&fixture, "GET", "/");
      wk_http_request_set_streaming (request, TRUE);
      response = http_fixture_send (&fixture, request);
      g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 1);
      if (i > 0)
        stream = wk_http_response_steal_stream (response);
      if (i > 1)
        g_assert_true (g_input_stream_close (stream, NULL, NULL));
      g_clear_object (&stream);
      g_clear_pointer (&response, wk_http_response_unref);
      g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
    }
}

static void
test_stream_says_that_it_was_cut (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (&fixture, request);
  stream = wk_http_response_steal_stream (response);
  body = result_read_all (stream, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
}

static gboolean
answer_and_stall (HttpPeer              *peer,
                  const HttpPeerRequest *request,
                  GOutputStream         *output,
                  gpointer               data)
{
  static const char half[] = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";

  g_output_stream_write_all (output, half, strlen (half), NULL, NULL, NULL);
  while (http_peer_sleep (peer, 1000))
    continue;
  return FALSE;
}

/* Nobody of ours looks at a stream once it is handed over; the socket's own time-out does. */
static void
test_stream_does_not_wait_for_ever (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;

  fixture.http = http_peer_new_client (100.0);
  fixture.peer = http_peer_new (answer_and_stall, NULL, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (&fixture, request);
  stream = wk_http_response_steal_stream (response);
  body = result_read_all (stream, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

static void
test_stream_is_not_decompressed (void)
{
  g_autoptr(GBytes) plain = g_bytes_new_static ("compressed", 10);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;
  const guchar *data;

  fixture.http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  fixture.peer = http_peer_new (http_fixture_answer_compressed, plain, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (&fixture, request);
  stream = wk_http_response_steal_stream (response);
  body = result_read_all (stream, NULL);
  data = g_bytes_get_data (body, NULL);
  g_assert_cmphex (data[0], ==, 0x1f);
  g_assert_cmphex (data[1], ==, 0x8b);
  http_fixture_assert_header (&fixture, 0, "Accept-Encoding", NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http-streams/download/holds-its-place-until-its-end", test_stream);
  g_test_add_func ("/http-streams/download/outlives-its-session", test_stream_outlives_its_session);
  g_test_add_func ("/http-streams/download/left-early", test_stream_left_early);
  g_test_add_func ("/http-streams/download/says-that-it-was-cut", test_stream_says_that_it_was_cut);
  g_test_add_func ("/http-streams/download/does-not-wait-for-ever",
                   test_stream_does_not_wait_for_ever);
  g_test_add_func ("/http-streams/download/is-not-decompressed", test_stream_is_not_decompressed);

  return g_test_run ();
}
