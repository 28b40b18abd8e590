/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "result.h"
#include "transport/os-download.h"

/* Bodies that are read in two ranges, and those whose connection is cut off meanwhile. */

/* Where many answers in turn are waited for. */
#define QUICKLY .scale = 50.0

/* range: (nullable) that is asked for. The stream of what is answered. */
static GInputStream *
open_stream (HttpFixture *fixture,
             const char  *range)
{
  g_autoptr(WkHttpRequest) request = http_fixture_make_request (fixture, "GET", "/a");
  g_autoptr(WkHttpResponse) response = NULL;

  wk_http_request_set_header (request, "X-Auth-Token", "t");
  wk_http_request_set_header (request, "Range", range);
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (fixture, request);
  os_download_begin (fixture->http, request, response);
  return wk_http_response_steal_stream (response);
}

/* What comes to the end, or NULL when that fails: then it does so for good. */
static char *
read_text (HttpFixture  *fixture,
           GInputStream *stream,
           GError      **error)
{
  g_autoptr(GBytes) body = result_read_all (stream, error);

  if (body == NULL)
    {
      g_autoptr(GError) again = NULL;

      g_assert_null (result_read_all (stream, &again));
      g_assert_cmpstr (again->message, ==, (*error)->message);
      g_assert_cmpuint (http_fixture_get_in_use (fixture), ==, 0);
      return NULL;
    }
  return g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
}

/* Answers of which all but the last are cut off, and what is read then; NULL when that fails. */
static char *
read_through (HttpFixture *fixture,
              GError     **error)
{
  g_autoptr(GInputStream) stream = open_stream (fixture, NULL);

  return read_text (fixture, stream, error);
}

#define HALF_WITHOUT_ETAG "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst"
#define HALF "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\nfirst"
#define REST "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag: e\r\n" \
             "Content-Range: bytes 5-9/10\r\n\r\nother"
#define CUT_REST "!HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n" \
                 "Content-Range: bytes 5-9/10\r\n\r\n"

static void
test_stream_says_that_it_was_cut (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autofree char *url = NULL;
  g_autofree char *wanted = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, HALF_WITHOUT_ETAG, REST, NULL);
  g_assert_null (read_through (&fixture, &error));
  url = http_peer_get_uri (fixture.peer, "/a");
  wanted = g_strdup_printf ("GET %s: the answer was cut off", url);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpstr (error->message, ==, wanted);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);
}

static void
test_stream_goes_on_where_it_was_cut (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, HALF,
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
                      "Content-Range: bytes 5-9/10\r\n\r\not",
                      "HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n"
                      "Content-Range: bytes 7-9/10\r\n\r\nher", NULL);
  text = read_through (&fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "firstother");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 3);
  http_fixture_assert_header (&fixture, 0, "Range", NULL);
  http_fixture_assert_header (&fixture, 1, "Range", "bytes=5-");
  http_fixture_assert_header (&fixture, 2, "Range", "bytes=7-");
  http_fixture_assert_header (&fixture, 2, "If-Match", "\"e\"");
  http_fixture_assert_header (&fixture, 2, "X-Auth-Token", "t");
}

/* The end of a connection is not that of the body, even where the server has announced it. */
static void
test_stream_that_is_closed_too_early (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture,
                      "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n"
                      "ETag: \"e\"\r\n\r\nfirst", REST, NULL);
  text = read_through (&fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "firstother");
  http_fixture_assert_header (&fixture, 1, "If-Match", "\"e\"");
}

static void
test_stream_begins_anew_when_nothing_was_read (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
                      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnew!", NULL);
  text = read_through (&fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "new!");
  http_fixture_assert_header (&fixture, 1, "Range", NULL);
  http_fixture_assert_header (&fixture, 1, "If-Match", NULL);
}

/* Another thing than before, or not the part that was asked for, is never taken for the rest. */
static void
test_stream_is_of_one_thing_alone (void)
{
  static const char *const others[] = {
    "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother",
    ("HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
     "Content-Range: bytes 50-54/55\r\n\r\nother"),
    "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nother",
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(GError) error = NULL;

      http_fixture_begin (&fixture, HALF, others[i], NULL);
      g_assert_null (read_through (&fixture, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
      g_assert_true (g_str_has_suffix (error->message, ": the answer was cut off"));
      g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 2);
    }
}

static void
test_stream_is_given_up_in_the_end (void)
{
  g_auto(HttpFixture) fixture = { QUICKLY };
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, HALF,
                      CUT_REST, NULL);
  g_assert_null (read_through (&fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 4);
}

/* Of what stalls, too, there is an end: it has waited for two minutes by then. */
static gboolean
answer_and_stall (HttpPeer              *peer,
                  const HttpPeerRequest *request,
                  GOutputStream         *output,
                  gpointer               data)
{
  g_output_stream_write_all (output, &HALF[1], strlen (&HALF[1]), NULL, NULL, NULL);
  while (http_peer_sleep (peer, 1000))
    continue;
  return FALSE;
}

static void
test_stream_that_stalls (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GError) error = NULL;

  fixture.http = http_peer_new_client (100.0);
  fixture.peer = http_peer_new (answer_and_stall, NULL, NULL);
  g_assert_null (read_through (&fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 2);
}

/* Two ranges */

#define PIECE_HEAD "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
#define PIECE PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/10\r\n\r\nfirst"

static gboolean
load_rest (GInputStream *stream,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  os_download_load_rest_async (OS_DOWNLOAD (stream), cancellable, result_cb, &result);
  return os_download_load_rest_finish (OS_DOWNLOAD (stream), result_wait (&result), error);
}

/* What the answers to a request for a piece, and to those behind it, come to. */
static void
assert_joined (HttpFixture *fixture,
               const char  *expected,
               guint        n_requests)
{
  g_autoptr(GInputStream) stream = open_stream (fixture, OS_DOWNLOAD_FIRST_RANGE);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  load_rest (stream, NULL, &error);
  g_assert_no_error (error);
  text = read_text (fixture, stream, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (http_peer_get_n_requests (fixture->peer), ==, n_requests);
  http_fixture_assert_header (fixture, 0, "Range", "bytes=0-1048575");
  http_fixture_assert_header (fixture, 0, "If-Match", NULL);
}

/* They come to nothing that can be read, but all of it may still be asked for. */
static void
assert_refused (HttpFixture *fixture,
                guint        n_requests)
{
  g_autoptr(GInputStream) stream = open_stream (fixture, OS_DOWNLOAD_FIRST_RANGE);
  g_autofree char *url = http_peer_get_uri (fixture->peer, "/a");
  g_autofree char *wanted
      = g_strdup_printf ("GET %s: the answer is only a part of what was asked for", url);
  g_autoptr(GError) error = NULL;
  gboolean is_whole = FALSE;

  g_assert_false (load_rest (stream, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpstr (error->message, ==, wanted);
  g_assert_true (os_download_tries_whole (&is_whole, &error));
  g_assert_true (is_whole);
  g_assert_no_error (error);
  g_assert_cmpuint (http_peer_get_n_requests (fixture->peer), ==, n_requests);
  g_clear_object (&stream);
  g_assert_cmpuint (http_fixture_get_in_use (fixture), ==, 0);
}

/* It may also be less than was asked for. */
static void
test_stream_comes_in_two_ranges (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, PIECE, REST, NULL);
  assert_joined (&fixture, "firstother", 2);
  http_fixture_assert_header (&fixture, 1, "Range", "bytes=5-");
  http_fixture_assert_header (&fixture, 1, "If-Match", "\"e\"");
  http_fixture_assert_header (&fixture, 1, "X-Auth-Token", "t");
}

static void
test_stream_that_the_first_piece_is_all_of (void)
{
  static const char *const pieces[] = {
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/5\r\n\r\nfirst",
    PIECE_HEAD "Content-Range: bytes 0-4/5\r\n\r\nfirst",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };

      http_fixture_begin (&fixture, pieces[i], NULL);
      assert_joined (&fixture, "first", 1);
    }
}

static void
test_server_without_ranges_sends_all_at_once (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst", NULL);
  assert_joined (&fixture, "first", 1);
}

static void
test_piece_that_cannot_be_gone_on_with (void)
{
  static const char *const pieces[] = {
    PIECE_HEAD "Content-Range: bytes 0-4/10\r\n\r\nfirst",
    PIECE_HEAD "ETag: W/\"e\"\r\nContent-Range: bytes 0-4/10\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/*\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-/10\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/4\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0--4/10\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/99999999999999999999\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 5-9/10\r\n\r\nother",
    PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-1048576/3000000\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Range: words 0-4/10\r\n\r\nfirst",
    PIECE_HEAD "ETag: e\r\nContent-Type: multipart/byteranges; boundary=x\r\n\r\n--x--",
    "HTTP/1.1 204 No Content\r\nETag: e\r\n\r\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };

      http_fixture_begin (&fixture, pieces[i], REST, NULL);
      assert_refused (&fixture, 1);
    }
}

/* Something else is there now, or the server does not do ranges after all. */
static void
test_rest_that_is_not_of_the_piece (void)
{
  static const char *const rests[] = {
    "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\nfirstother",
    "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n",
    PIECE_HEAD "Content-Range: bytes 4-8/10\r\n\r\nother",
    PIECE_HEAD "Content-Range: bytes 50-54/55\r\n\r\nother",
    PIECE_HEAD "\r\nother",
  };

  for (guint i = 0; i < G_N_ELEMENTS (rests); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };

      http_fixture_begin (&fixture, PIECE, rests[i], NULL);
      assert_refused (&fixture, 2);
    }
}

#define FAULT "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
#define BUSY "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"

/* As any request, and not fewer times because of the piece. */
static void
test_rest_is_asked_for_again (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(HttpFixture) busy = { QUICKLY };
  g_auto(HttpFixture) failing = { 0 };

  http_fixture_begin (&fixture, PIECE, FAULT, REST, NULL);
  assert_joined (&fixture, "firstother", 3);
  http_fixture_assert_header (&fixture, 2, "Range", "bytes=5-");
  http_fixture_assert_header (&fixture, 2, "If-Match", "\"e\"");

  http_fixture_begin (&busy, BUSY, BUSY, BUSY, PIECE, BUSY, BUSY, BUSY, REST, NULL);
  assert_joined (&busy, "firstother", 8);

  http_fixture_begin (&failing, PIECE, FAULT, NULL);
  assert_refused (&failing, 3);
}

/* All that is left of it comes then, and there is no second range. */
static void
test_piece_that_is_cut_is_read_on (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, "!" PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/10\r\n\r\nfir",
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n"
                      "Content-Range: bytes 3-9/10\r\n\r\nsto",
                      "HTTP/1.1 206 Partial Content\r\nContent-Length: 4\r\n"
                      "Content-Range: bytes 6-9/10\r\n\r\nther", NULL);
  assert_joined (&fixture, "firstother", 3);
  http_fixture_assert_header (&fixture, 1, "Range", "bytes=3-");
  http_fixture_assert_header (&fixture, 2, "Range", "bytes=6-");
  http_fixture_assert_header (&fixture, 2, "If-Match", "\"e\"");
}

/* What counts is what came. */
static void
test_piece_of_another_length_than_it_says (void)
{
  g_auto(HttpFixture) shorter = { 0 };
  g_auto(HttpFixture) longer = { 0 };

  http_fixture_begin (&shorter, PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-7/10\r\n\r\nfirst",
                      REST, NULL);
  assert_joined (&shorter, "firstother", 2);
  http_fixture_assert_header (&shorter, 1, "Range", "bytes=5-");

  http_fixture_begin (&longer, PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-2/10\r\n\r\nfirst",
                      REST, NULL);
  assert_joined (&longer, "firstother", 2);
  http_fixture_assert_header (&longer, 1, "Range", "bytes=5-");
}

static void
test_piece_of_which_nothing_came (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, "!" PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/10\r\n\r\n",
                      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\nfirstother", NULL);
  assert_joined (&fixture, "firstother", 2);
  http_fixture_assert_header (&fixture, 1, "Range", NULL);
  http_fixture_assert_header (&fixture, 1, "If-Match", "\"e\"");
}

static void
test_rest_that_is_cut_is_read_on (void)
{
  g_auto(HttpFixture) fixture = { QUICKLY };

  http_fixture_begin (&fixture, PIECE,
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
                      "Content-Range: bytes 5-9/10\r\n\r\not",
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n"
                      "Content-Range: bytes 7-9/10\r\n\r\n",
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n"
                      "Content-Range: bytes 7-9/10\r\n\r\n",
                      "HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n"
                      "Content-Range: bytes 7-9/10\r\n\r\nher", NULL);
  assert_joined (&fixture, "firstother", 5);
  http_fixture_assert_header (&fixture, 4, "Range", "bytes=7-");
  http_fixture_assert_header (&fixture, 4, "If-Match", "\"e\"");
}

static void
test_piece_that_is_always_cut (void)
{
  g_auto(HttpFixture) fixture = { QUICKLY };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, "!" PIECE_HEAD "ETag: e\r\nContent-Range: bytes 0-4/10\r\n\r\nfirs",
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 6\r\n"
                      "Content-Range: bytes 4-9/10\r\n\r\n", NULL);
  stream = open_stream (&fixture, OS_DOWNLOAD_FIRST_RANGE);
  g_assert_false (load_rest (stream, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_true (g_str_has_suffix (error->message, ": the answer was cut off"));
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 4);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
}

static void
test_reader_who_blocks_comes_over_the_boundary (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(GError) error = NULL;
  char buffer[3];
  gssize n_read;

  http_fixture_begin (&fixture, PIECE, REST, NULL);
  stream = open_stream (&fixture, OS_DOWNLOAD_FIRST_RANGE);
  load_rest (stream, NULL, &error);
  g_assert_no_error (error);
  while ((n_read = g_input_stream_read (stream, buffer, sizeof buffer, NULL, &error)) > 0)
    g_string_append_len (text, buffer, n_read);
  g_assert_no_error (error);
  g_assert_cmpstr (text->str, ==, "firstother");
  g_clear_object (&stream);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
}

static gboolean
answer_piece_alone (HttpPeer              *peer,
                    const HttpPeerRequest *request,
                    GOutputStream         *output,
                    gpointer               data)
{
  if (request->number == 1)
    return g_output_stream_write_all (output, PIECE, strlen (PIECE), NULL, NULL, NULL);
  while (http_peer_sleep (peer, 1000))
    continue;
  return FALSE;
}

static void
test_reader_gives_up_between_the_ranges (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_whole = FALSE;

  fixture.http = http_peer_new_client (1.0);
  fixture.peer = http_peer_new (answer_piece_alone, NULL, NULL);
  stream = open_stream (&fixture, OS_DOWNLOAD_FIRST_RANGE);
  os_download_load_rest_async (OS_DOWNLOAD (stream), cancellable, result_cb, &result);
  while (http_peer_get_n_requests (fixture.peer) < 2)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (result);
  g_cancellable_cancel (cancellable);
  g_assert_false (os_download_load_rest_finish (OS_DOWNLOAD (stream), result_wait (&result),
                                                &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (os_download_tries_whole (&is_whole, &error));
  g_assert_false (g_input_stream_has_pending (stream));
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
}

static void
test_stream_that_nobody_reads (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, PIECE, REST, NULL);
  stream = open_stream (&fixture, OS_DOWNLOAD_FIRST_RANGE);
  load_rest (stream, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 1);
  g_clear_object (&stream);
  g_assert_cmpuint (http_fixture_get_in_use (&fixture), ==, 0);
}

/* Much more than sockets hold. */
#define MANY_BLOCKS 8192
#define BLOCK_SIZE 32768

/* data: the number of blocks that went out (gint) */
static gboolean
answer_large (HttpPeer              *peer,
              const HttpPeerRequest *request,
              GOutputStream         *output,
              gpointer               data)
{
  static const char piece[] = PIECE_HEAD "ETag: e\r\n"
                              "Content-Range: bytes 0-4/268435461\r\n\r\nfirst";
  static const char rest[] = "HTTP/1.1 206 Partial Content\r\nContent-Length: 268435456\r\n"
                             "Content-Range: bytes 5-268435460/268435461\r\n\r\n";
  const char *head = request->number == 1 ? piece : rest;
  g_autofree char *block = g_malloc0 (BLOCK_SIZE);
  gint *n_blocks = data;

  if (!g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
    return FALSE;
  if (request->number == 1)
    return TRUE;
  while (g_atomic_int_get (n_blocks) < MANY_BLOCKS)
    {
      if (!g_output_stream_write_all (output, block, BLOCK_SIZE, NULL, NULL, NULL))
        return FALSE;
      g_atomic_int_inc (n_blocks);
    }
  return TRUE;
}

static gboolean
over_cb (gpointer user_data)
{
  gboolean *is_over = user_data;

  *is_over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_rest_waits_for_its_reader (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_over = FALSE;
  gint n_blocks = 0;

  fixture.http = http_peer_new_client (1.0);
  fixture.peer = http_peer_new (answer_large, &n_blocks, NULL);
  stream = open_stream (&fixture, OS_DOWNLOAD_FIRST_RANGE);
  load_rest (stream, NULL, &error);
  g_assert_no_error (error);
  g_timeout_add (200, over_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_atomic_int_get (&n_blocks), <, MANY_BLOCKS / 4);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/download/goes-on-where-it-was-cut", test_stream_goes_on_where_it_was_cut);
  g_test_add_func ("/download/closed-too-early", test_stream_that_is_closed_too_early);
  g_test_add_func ("/download/begins-anew-when-nothing-was-read",
                   test_stream_begins_anew_when_nothing_was_read);
  g_test_add_func ("/download/is-of-one-thing-alone", test_stream_is_of_one_thing_alone);
  g_test_add_func ("/download/is-given-up-in-the-end", test_stream_is_given_up_in_the_end);
  g_test_add_func ("/download/says-that-it-was-cut", test_stream_says_that_it_was_cut);
  g_test_add_func ("/download/stalls", test_stream_that_stalls);
  g_test_add_func ("/download/ranges/two", test_stream_comes_in_two_ranges);
  g_test_add_func ("/download/ranges/one", test_stream_that_the_first_piece_is_all_of);
  g_test_add_func ("/download/ranges/none", test_server_without_ranges_sends_all_at_once);
  g_test_add_func ("/download/ranges/odd-piece", test_piece_that_cannot_be_gone_on_with);
  g_test_add_func ("/download/ranges/odd-rest", test_rest_that_is_not_of_the_piece);
  g_test_add_func ("/download/ranges/rest-is-asked-for-again", test_rest_is_asked_for_again);
  g_test_add_func ("/download/ranges/cut-piece", test_piece_that_is_cut_is_read_on);
  g_test_add_func ("/download/ranges/another-length", test_piece_of_another_length_than_it_says);
  g_test_add_func ("/download/ranges/cut-before-a-piece", test_piece_of_which_nothing_came);
  g_test_add_func ("/download/ranges/cut-rest", test_rest_that_is_cut_is_read_on);
  g_test_add_func ("/download/ranges/always-cut-piece", test_piece_that_is_always_cut);
  g_test_add_func ("/download/ranges/blocking", test_reader_who_blocks_comes_over_the_boundary);
  g_test_add_func ("/download/ranges/cancelled-between", test_reader_gives_up_between_the_ranges);
  g_test_add_func ("/download/ranges/thrown-away", test_stream_that_nobody_reads);
  g_test_add_func ("/download/ranges/waits-for-its-reader", test_rest_waits_for_its_reader);

  return g_test_run ();
}
