/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "result.h"
#include "transport/os-download.h"

/* Bodies whose connection is cut off while they are read. */

/* Answers of which all but the last are cut off, and what is read then; NULL when that fails. */
static char *
read_through (HttpFixture *fixture,
              GError     **error)
{
  g_autoptr(WkHttpRequest) request = http_fixture_make_request (fixture, "GET", "/a");
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) body = NULL;

  wk_http_request_set_header (request, "X-Auth-Token", "t");
  wk_http_request_set_streaming (request, TRUE);
  response = http_fixture_send (fixture, request);
  os_download_begin (fixture->http, request, response);
  stream = wk_http_response_steal_stream (response);
  body = result_read_all (stream, error);
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

#define HALF_WITHOUT_ETAG "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst"
#define HALF "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\nfirst"
#define REST "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag: e\r\n" \
             "Content-Range: bytes 5-9/10\r\n\r\nother"

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
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(GError) error = NULL;

  http_fixture_begin (&fixture, HALF,
                      "!HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n"
                      "Content-Range: bytes 5-9/10\r\n\r\n", NULL);
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

  return g_test_run ();
}
