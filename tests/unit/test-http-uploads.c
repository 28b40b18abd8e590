/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "http-fixture.h"
#include "odd-stream.h"
#include "result.h"

/* Bodies that are read, and sent, in a thread. */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define EMPTY "HTTP/1.1 204 No Content\r\n\r\n"
/* More than the two ends of a connection keep. */
#define LONG (16 << 20)

static GInputStream *
open_text (gpointer   text,
           GError   **error)
{
  return g_memory_input_stream_new_from_data (text, (gssize) strlen (text), NULL);
}

static GInputStream *
open_nothing (gpointer   text,
              GError   **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, text);
  return NULL;
}

static void
test_upload_goes_out_again_from_its_start (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "!", EMPTY, NULL);
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  http_fixture_set_upload (request, "body");
  response = http_fixture_send (&fixture, request);
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 204);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpstr (http_peer_get_request (fixture.peer, i)->body, ==, "body");
      http_fixture_assert_header (&fixture, i, "Content-Length", "4");
      http_fixture_assert_header (&fixture, i, "Content-Type", "text/plain");
    }
}

static void
test_short_upload (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, EMPTY, NULL);
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  wk_http_request_set_body_source (request, open_text, (gpointer) "body", NULL, 5, NULL);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_INVALID_ARGUMENT,
                               "shorter than announced");
}

static void
test_upload_that_cannot_be_read (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, EMPTY, NULL);
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  wk_http_request_set_body_source (request, open_nothing, (gpointer) "gone", NULL, 5, NULL);
  g_assert_null (http_peer_send (fixture.http, request, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 0);
}

/* libsoup closes what it has read, but not the stream below. */
static GInputStream *
open_stream (gpointer   stream,
             GError   **error)
{
  GInputStream *open = g_buffered_input_stream_new (stream);

  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (open), FALSE);
  g_seekable_seek (stream, 0, G_SEEK_SET, NULL, error);
  return open;
}

static WkHttpRequest *
make_upload (HttpFixture *fixture,
             OddStream   *stream,
             goffset      length)
{
  WkHttpRequest *request = http_fixture_make_request (fixture, "PUT", "/c/o");

  wk_http_request_set_body_source (request, open_stream, g_object_ref (stream), g_object_unref,
                                   length, "application/octet-stream");
  return request;
}

static void
begin_with (HttpFixture    *fixture,
            HttpPeerAnswer  answer,
            const char     *text)
{
  fixture->http = http_peer_new_client (fixture->scale > 0 ? fixture->scale : HTTP_FIXTURE_SCALE);
  fixture->peer = http_peer_new (answer, (gpointer) text, NULL);
}

static gboolean
stall (HttpPeer              *peer,
       const HttpPeerRequest *request,
       GOutputStream         *output,
       gpointer               data)
{
  while (http_peer_sleep (peer, 1000))
    continue;
  return FALSE;
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static gboolean
count_cb (gpointer data)
{
  guint *n = data;

  (*n)++;
  return G_SOURCE_CONTINUE;
}

/* Tells how often the loop has turned until there was an answer. */
static WkHttpResponse *
send_and_count (HttpFixture   *fixture,
                WkHttpRequest *request,
                guint         *turns)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  WkHttpResponse *response;

  *turns = 0;
  wk_http_send_async (fixture->http, request, NULL, result_cb, &result);
  while (result == NULL)
    {
      g_main_context_iteration (NULL, TRUE);
      (*turns)++;
    }
  response = wk_http_send_finish (fixture->http, result, &error);
  g_assert_no_error (error);
  g_test_message ("%u turns", *turns);
  return response;
}

/* Each piece of 8 KiB costs none of the time of whoever else is on the loop. */
static void
test_few_turns_of_the_loop (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(GBytes) expected = odd_stream_make_bytes (0, LONG);
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  const HttpPeerRequest *sent;
  guint turns;

  http_fixture_begin (&fixture, OK, NULL);
  request = make_upload (&fixture, stream, LONG);
  response = send_and_count (&fixture, request, &turns);
  http_fixture_assert_body (response, "ok");
  g_assert_cmpuint (turns, <, LONG / 8192 / 8);

  sent = http_peer_get_request (fixture.peer, 0);
  g_assert_cmpuint (sent->body_length, ==, LONG);
  g_assert_cmpint (memcmp (sent->body, g_bytes_get_data (expected, NULL), LONG), ==, 0);
}

static void
test_peer_that_stops_reading (void)
{
  g_auto(HttpFixture) fixture = { .scale = 200.0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(WkHttpRequest) request = NULL;
  gint64 start = g_get_monotonic_time ();

  begin_with (&fixture, stall, NULL);
  http_peer_set_max_read (fixture.peer, 100000);
  request = make_upload (&fixture, stream, LONG);
  wk_http_request_set_deadline (request, 0.0);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_TIMED_OUT,
                               "nothing has come for 60 seconds");
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (odd_stream_get_position (stream), <, LONG);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
}

static gboolean
answer_slowly (HttpPeer              *peer,
               const HttpPeerRequest *request,
               GOutputStream         *output,
               gpointer               data)
{
  g_auto(GStrv) pieces = g_strsplit (data, "|", -1);

  for (guint i = 0; pieces[i] != NULL; i++)
    if (!http_peer_sleep (peer, ODD_STREAM_STALL_MS)
        || !http_fixture_answer (peer, request, output, pieces[i]))
      return FALSE;
  return TRUE;
}

/* Longer than may pass without anything, but never without anything for so long. */
static void
test_slow_but_steady (void)
{
  g_auto(HttpFixture) fixture = { .scale = 75.0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  guint turns;

  begin_with (&fixture, answer_slowly,
              "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ns|l|o|w");
  odd_stream_set_flaw (stream, ODD_STREAM_STALLS, LONG / 8);
  request = make_upload (&fixture, stream, LONG);
  wk_http_request_set_deadline (request, 0.0);
  response = send_and_count (&fixture, request, &turns);
  http_fixture_assert_body (response, "slow");
  g_assert_cmpuint (turns, <, 100);
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 1);
}

/* Nobody reads it, and nobody gives anything to send. */
static void
test_cancelled (gconstpointer data)
{
  gboolean is_source = GPOINTER_TO_INT (data);
  g_auto(HttpFixture) fixture = { .scale = 1.0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  guint ticks = 0;
  guint ticker = g_timeout_add (10, count_cb, &ticks);

  begin_with (&fixture, stall, NULL);
  if (is_source)
    odd_stream_set_flaw (stream, ODD_STREAM_STALLS, 8192);
  else
    http_peer_set_max_read (fixture.peer, 100000);
  request = make_upload (&fixture, stream, LONG);
  g_timeout_add (100, cancel_cb, cancellable);
  g_assert_null (http_peer_send (fixture.http, request, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
  g_assert_cmpint (odd_stream_get_position (stream), <, LONG);
  g_assert_cmpuint (ticks, >=, is_source ? 5 : 2);
  g_source_remove (ticker);
}

/* The server has heard enough, and hears the rest for politeness alone. */
static void
test_answer_before_the_end (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 413 Too Large\r\nConnection: close\r\n"
                                "Content-Length: 4\r\n\r\nmuch", NULL);
  http_peer_set_max_read (fixture.peer, 100000);
  request = make_upload (&fixture, stream, LONG);
  response = http_fixture_send (&fixture, request);
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 413);
  http_fixture_assert_body (response, "much");
}

/* libsoup hears of no answer while it sends: with the connection it is lost. */
static void
test_connection_that_ends_too_early (void)
{
  g_auto(HttpFixture) fixture = { .scale = 100.0 };
  g_autoptr(OddStream) stream = odd_stream_new (LONG);
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, "!HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", NULL);
  http_peer_set_max_read (fixture.peer, 100000);
  request = make_upload (&fixture, stream, LONG);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_UNAVAILABLE, "PUT http");
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, WK_HTTP_MAX_SENDS);
}

static void
test_answer_that_is_cut_off (gconstpointer answer)
{
  g_auto(HttpFixture) fixture = { .scale = 100.0 };
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, answer, NULL);
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  http_fixture_set_upload (request, "body");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                               "the answer was cut off");
}

static void
test_answer_without_end (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;

  begin_with (&fixture, http_fixture_answer_for_ever, "HTTP/1.1 200 OK\r\n\r\n");
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  http_fixture_set_upload (request, "body");
  wk_http_request_set_max_body (request, 100000);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                               "longer than 100000 bytes");
}

static void
test_complaint_without_end (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  begin_with (&fixture, http_fixture_answer_for_ever, "HTTP/1.1 400 Bad\r\n\r\n");
  request = http_fixture_make_request (&fixture, "PUT", "/c/o");
  http_fixture_set_upload (request, "body");
  wk_http_request_set_max_body (request, 10);
  response = http_fixture_send (&fixture, request);
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 400);
  g_assert_cmpuint (g_bytes_get_size (wk_http_response_get_body (response)), ==, 64 * 1024);
}

/* Uploads that are under way together. */
typedef struct
{
  guint n_left;
  guint n_good;
} Tally;

static void
uploaded_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Tally *tally = data;
  g_autoptr(WkHttpResponse) response = wk_http_send_finish (NULL, result, NULL);

  tally->n_left--;
  if (response != NULL && wk_http_response_is_success (response))
    tally->n_good++;
}

static void
start_uploads (HttpFixture *fixture,
               Tally       *tally,
               guint        n,
               gsize        length)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(OddStream) stream = odd_stream_new (length);
      g_autoptr(WkHttpRequest) request = make_upload (fixture, stream, length);

      wk_http_send_async (fixture->http, request, NULL, uploaded_cb, tally);
    }
  tally->n_left += n;
}

static void
wait_for_uploads (Tally *tally)
{
  gint64 start = g_get_monotonic_time ();
  guint ticker = g_timeout_add (100, count_cb, &(guint){ 0 });

  while (tally->n_left > 0)
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (g_get_monotonic_time () - start, <, 30 * G_USEC_PER_SEC);
    }
  g_source_remove (ticker);
}

static gboolean
answer_late (HttpPeer              *peer,
             const HttpPeerRequest *request,
             GOutputStream         *output,
             gpointer               data)
{
  return http_peer_sleep (peer, 20) && http_fixture_answer (peer, request, output, data);
}

static WkHttp *
make_narrow_client (guint width)
{
  const WkHttpOptions options = { .max_connections = width };

  return wk_http_new (&options);
}

static void
test_many_side_by_side (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  Tally tally = { 0 };

  fixture.http = make_narrow_client (4);
  fixture.peer = http_peer_new (answer_late, (gpointer) OK, NULL);
  start_uploads (&fixture, &tally, 30, 100000);
  /* The connections of these are idle then, and in the way of the others. */
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr(WkHttpResponse) response = http_fixture_get (&fixture, "/");

      http_fixture_assert_body (response, "ok");
    }
  wait_for_uploads (&tally);
  g_assert_cmpuint (tally.n_good, ==, 30);
  g_assert_cmpuint (http_peer_get_max_at_once (fixture.peer), ==, 4);
}

/* A thread that waits for a connection in libsoup cannot be cancelled: none ever has to. */
static void
test_streams_are_not_in_the_way (void)
{
  HttpPeer *peers[20];
  GInputStream *streams[G_N_ELEMENTS (peers)];
  g_auto(HttpFixture) fixture = { 0 };
  Tally tally = { 0 };

  fixture.http = make_narrow_client (1);
  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    {
      g_autofree char *uri = NULL;
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      g_autoptr(GError) error = NULL;

      peers[i] = http_peer_new (http_fixture_answer, (gpointer) OK, NULL);
      uri = http_peer_get_uri (peers[i], "/");
      request = wk_http_request_new ("GET", uri);
      wk_http_request_set_streaming (request, TRUE);
      response = http_peer_send (fixture.http, request, NULL, &error);
      g_assert_no_error (error);
      streams[i] = wk_http_response_steal_stream (response);
    }

  fixture.peer = http_peer_new (http_fixture_answer, (gpointer) OK, NULL);
  start_uploads (&fixture, &tally, 3, 1000);
  wait_for_uploads (&tally);
  g_assert_cmpuint (tally.n_good, ==, 3);
  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    {
      g_object_unref (streams[i]);
      http_peer_free (peers[i]);
    }
}

static void
test_uploads_outlive_their_session (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  Tally tally = { 0 };

  begin_with (&fixture, answer_late, OK);
  start_uploads (&fixture, &tally, 10, 1000000);
  g_clear_pointer (&fixture.http, wk_http_unref);
  wait_for_uploads (&tally);
  g_assert_cmpuint (tally.n_good, ==, 10);
  g_clear_pointer (&fixture.peer, http_peer_free);
}

static void
test_process_that_ends_meanwhile (void)
{
  HttpFixture fixture = { 0 };
  Tally tally = { 0 };

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 20 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }
  begin_with (&fixture, stall, NULL);
  http_peer_set_max_read (fixture.peer, 100000);
  start_uploads (&fixture, &tally, 3, LONG);
  while (http_peer_get_n_requests (fixture.peer) < 3)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  exit (0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http-uploads/again-from-its-start",
                   test_upload_goes_out_again_from_its_start);
  g_test_add_func ("/http-uploads/too-short", test_short_upload);
  g_test_add_func ("/http-uploads/cannot-be-read", test_upload_that_cannot_be_read);
  g_test_add_func ("/http-uploads/few-turns-of-the-loop", test_few_turns_of_the_loop);
  g_test_add_func ("/http-uploads/peer-stops-reading", test_peer_that_stops_reading);
  g_test_add_func ("/http-uploads/slow-but-steady", test_slow_but_steady);
  g_test_add_data_func ("/http-uploads/cancelled/peer-does-not-read", GINT_TO_POINTER (FALSE),
                        test_cancelled);
  g_test_add_data_func ("/http-uploads/cancelled/source-blocks", GINT_TO_POINTER (TRUE),
                        test_cancelled);
  g_test_add_func ("/http-uploads/answer/before-the-end", test_answer_before_the_end);
  g_test_add_func ("/http-uploads/connection-ends-too-early", test_connection_that_ends_too_early);
  g_test_add_data_func ("/http-uploads/answer/cut-off",
                        "!HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nhalf",
                        test_answer_that_is_cut_off);
  g_test_add_data_func ("/http-uploads/answer/cut-off-on-purpose",
                        "!HTTP/1.1 201 Created\r\nConnection: close\r\n"
                        "Content-Length: 10\r\n\r\nhalf",
                        test_answer_that_is_cut_off);
  g_test_add_func ("/http-uploads/answer/without-end", test_answer_without_end);
  g_test_add_func ("/http-uploads/answer/complaint-without-end", test_complaint_without_end);
  g_test_add_func ("/http-uploads/many-side-by-side", test_many_side_by_side);
  g_test_add_func ("/http-uploads/streams-are-not-in-the-way", test_streams_are_not_in_the_way);
  g_test_add_func ("/http-uploads/outlive-their-session", test_uploads_outlive_their_session);
  g_test_add_func ("/http-uploads/process-ends-meanwhile", test_process_that_ends_meanwhile);

  return g_test_run ();
}
