/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/text.h"
#include "http-fixture.h"
#include "values/welkin-error.h"

/* Requests, answers and bodies; streams are in test-http-streams.c. */

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
#define EMPTY "HTTP/1.1 204 No Content\r\n\r\n"

static void
test_get (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autofree char *uri = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 200 OK\r\nX-Trans-Id: tx1\r\nContent-Length: 2\r\n\r\nok",
                 NULL);
  request = http_fixture_make_request (&fixture, "GET", "/v2.1/a%20b?name=%5Ex%24");
  wk_http_request_set_header (request, "X-Auth-Token", "one");
  wk_http_request_set_header (request, "X-Auth-Token", "two");
  wk_http_request_set_header (request, "X-Gone", "here");
  wk_http_request_set_header (request, "X-Gone", NULL);
  response = http_fixture_send (&fixture, request);

  g_assert_cmpuint (wk_http_response_get_status (response), ==, 200);
  g_assert_true (wk_http_response_is_success (response));
  g_assert_cmpstr (wk_http_response_get_header (response, "x-trans-id"), ==, "tx1");
  g_assert_null (wk_http_response_get_header (response, "Retry-After"));
  g_assert_cmpuint (wk_http_response_get_sends (response), ==, 1);
  g_assert_cmpuint (wk_http_get_sends (fixture.http), ==, 1);
  http_fixture_assert_body (response, "ok");

  g_assert_cmpstr (http_peer_get_request (fixture.peer, 0)->target, ==, "/v2.1/a%20b?name=%5Ex%24");
  http_fixture_assert_header (&fixture, 0, "X-Auth-Token", "two");
  http_fixture_assert_header (&fixture, 0, "X-Gone", NULL);
  http_fixture_assert_header (&fixture, 0, "User-Agent", "welkin-test/1");
  http_fixture_assert_header (&fixture, 0, "Content-Type", NULL);
  http_fixture_assert_header (&fixture, 0, "Content-Length", NULL);
  uri = http_peer_get_uri (fixture.peer, "");
  http_fixture_assert_header (&fixture, 0, "Host", uri + strlen ("http://"));
}

static void
test_any_2xx_is_success (void)
{
  static const char *const lines[] = {
    "200 OK\r\nContent-Length: 0",
    "201 Created\r\nContent-Length: 0",
    "202 Accepted\r\nContent-Length: 0",
    "204 No Content",
    "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0",
    "299 Odd\r\nContent-Length: 0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *answer = g_strdup_printf ("HTTP/1.1 %s\r\n\r\n", lines[i]);
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;

      http_fixture_begin (&fixture, answer, NULL);
      request = http_fixture_make_request (&fixture, "DELETE", "/s1");
      response = http_fixture_send (&fixture, request);
      g_assert_true (wk_http_response_is_success (response));
      http_fixture_assert_body (response, "");
    }
}

static const struct
{
  const char *type;
  const char *body;
  gboolean    is_page;
} pages[] = {
  { "text/html; charset=utf-8", "<html>", TRUE },
  { "Text/HTML", "<html>", TRUE },
  { "application/xhtml+xml", "<html>", TRUE },
  { "application/json", "{}", FALSE },
  { "text/plain", "<html>", FALSE },
  /* As swift and nova answer when they have nothing to say. */
  { "text/html; charset=utf-8", "", FALSE },
};

static void
test_page_is_no_data (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *answer =
          g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %u\r\n\r\n%s",
                           pages[i].type, (guint) strlen (pages[i].body), pages[i].body);
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpRequest) any = NULL;
      g_autoptr(WkHttpResponse) response = NULL;
      g_autoptr(WkHttpResponse) accepted = NULL;

      http_fixture_begin (&fixture, answer, NULL);
      any = http_fixture_make_request (&fixture, "GET", "/file");
      accepted = http_fixture_send (&fixture, any);
      http_fixture_assert_body (accepted, pages[i].body);

      request = http_fixture_make_request (&fixture, "GET", "/servers");
      wk_http_request_set_refuses_pages (request, TRUE);
      if (pages[i].is_page)
        {
          http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                                       "/servers: the answer is a web page (");
          continue;
        }
      response = http_fixture_send (&fixture, request);
      http_fixture_assert_body (response, pages[i].body);
    }
}

static void
test_page_of_a_proxy_names_it (void)
{
  static const char *const answers[] = {
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", NULL,
  };
  g_autoptr(HttpPeer) peer = http_peer_new_with_answers (answers);
  g_autofree char *proxy = http_peer_get_uri (peer, "");
  g_autofree char *with_user = g_strdup_printf ("http://me:secret@%s", proxy + strlen ("http://"));
  g_autoptr(GProxyResolver) resolver = g_simple_proxy_resolver_new (with_user, NULL);
  const WkHttpOptions options = { .proxy_resolver = resolver };
  g_autoptr(WkHttp) http = wk_http_new (&options);
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", "http://nova.cloud.test/servers");
  g_autoptr(GError) error = NULL;

  wk_http_request_set_refuses_pages (request, TRUE);
  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "http://nova.cloud.test/servers"));
  g_assert_nonnull (strstr (error->message, "through proxy http://127.0.0.1:"));
  g_assert_null (strstr (error->message, "secret"));
}

static void
test_content_type_only_with_a_body (void)
{
  static const char *const methods[] = { "GET", "HEAD", "DELETE", "PUT", "POST" };
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, EMPTY, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr(WkHttpRequest) request = http_fixture_make_request (&fixture, methods[i], "/");
      g_autoptr(WkHttpResponse) response = http_fixture_send (&fixture, request);

      g_assert_true (wk_http_response_is_success (response));
      http_fixture_assert_header (&fixture, i, "Content-Type", NULL);
      http_fixture_assert_header (&fixture, i, "Content-Length", i >= 3 ? "0" : NULL);
    }
}

static void
test_body (void)
{
  g_autoptr(GBytes) body = g_bytes_new_static ("{\"a\":1}", 7);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, EMPTY, NULL);
  request = http_fixture_make_request (&fixture, "POST", "/servers");
  wk_http_request_set_body (request, body, "application/json");
  response = http_fixture_send (&fixture, request);

  g_assert_cmpstr (http_peer_get_request (fixture.peer, 0)->body, ==, "{\"a\":1}");
  http_fixture_assert_header (&fixture, 0, "Content-Type", "application/json");
  http_fixture_assert_header (&fixture, 0, "Content-Length", "7");
}

static void
test_error_status_is_a_response (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", NULL);
  response = http_fixture_get (&fixture, "/");
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 404);
  g_assert_false (wk_http_response_is_success (response));
  http_fixture_assert_body (response, "gone");
}

static void
test_unauthorized_is_a_response (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture,
                 "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
                 "Content-Length: 0\r\n\r\n",
                 NULL);
  response = http_fixture_get (&fixture, "/");
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 401);
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);
}

static void
test_mangled_length_reads_to_the_end (void)
{
  g_autofree char *data = g_strnfill (102400, 'x');
  g_autofree char *answer = g_strconcat ("!HTTP/1.1 200 OK\r\nCteonnt-Length: 102400\r\n"
                                         "Connection: close\r\n\r\n",
                                         data, NULL);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, answer, NULL);
  response = http_fixture_get (&fixture, "/c/o");
  http_fixture_assert_body (response, data);
}

static void
test_http_1_0 (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(WkHttpResponse) second = NULL;

  http_fixture_begin (&fixture, "!HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold", NULL);
  response = http_fixture_get (&fixture, "/");
  second = http_fixture_get (&fixture, "/");
  http_fixture_assert_body (response, "old");
  http_fixture_assert_body (second, "old");
}

static void
test_chunks (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (
      &fixture,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n",
      NULL);
  response = http_fixture_get (&fixture, "/");
  http_fixture_assert_body (response, "abcde");
}

static void
test_connections_are_kept (void)
{
  g_auto(HttpFixture) fixture = { 0 };

  http_fixture_begin (&fixture, OK, NULL);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr(WkHttpRequest) request =
          http_fixture_make_request (&fixture, i % 2 == 0 ? "POST" : "GET", "/");
      g_autoptr(WkHttpResponse) response = http_fixture_send (&fixture, request);

      http_fixture_assert_body (response, "ok");
    }
  g_assert_cmpuint (http_peer_get_n_connections (fixture.peer), ==, 1);
}

static void
test_not_sendable (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", "ftp://h/p");
  g_autoptr(WkHttpRequest) nonsense = wk_http_request_new ("GET", "h:p");
  g_autoptr(WkHttpRequest) broken = NULL;

  http_fixture_begin (&fixture, OK, NULL);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_INVALID_ARGUMENT,
                  "not a URL that begins with http:// or https://");
  http_fixture_assert_refused (&fixture, nonsense, WELKIN_ERROR_INVALID_ARGUMENT, "not a URL");
  broken = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_header (broken, "X-Auth-Token", "secret\r\nX-Evil: 1");
  http_fixture_assert_refused (&fixture, broken, WELKIN_ERROR_INVALID_ARGUMENT, "X-Auth-Token");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 0);
}

static void
test_messages_have_no_secrets (void)
{
  g_autoptr(WkHttp) http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  g_autoptr(WkHttpRequest) request
      = wk_http_request_new ("GET", "http://user:password@127.0.0.1:1/p?temp_url_sig=abc");
  g_autoptr(GError) error = NULL;

  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "GET http://127.0.0.1:1/p: "));
  g_assert_nonnull (strstr (error->message, "Connection refused"));
  g_assert_null (strstr (error->message, "password"));
  g_assert_null (strstr (error->message, "abc"));
  g_assert_cmpuint (wk_http_get_sends (http), ==, 4);
}

static void
test_long_bodies (void)
{
  g_autofree char *data = g_strnfill (100000, 'x');
  g_autofree char *good =
      g_strconcat ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", data, NULL);
  g_autofree char *bad
      = g_strconcat ("HTTP/1.1 400 Bad\r\nContent-Length: 100000\r\n\r\n", data, NULL);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(WkHttpResponse) complaint = NULL;

  http_fixture_begin (&fixture, good, good, bad, OK, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_max_body (request, 99999);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL, "longer than 99999 bytes");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);
  wk_http_request_set_max_body (request, 100000);
  response = http_fixture_send (&fixture, request);
  g_assert_cmpuint (g_bytes_get_size (wk_http_response_get_body (response)), ==, 100000);

  /* Enough of a complaint is read, and it is no failure that there is more. */
  complaint = http_fixture_send (&fixture, request);
  g_assert_cmpuint (wk_http_response_get_status (complaint), ==, 400);
  g_assert_cmpuint (g_bytes_get_size (wk_http_response_get_body (complaint)), ==, 65536);
}

static void
test_endless_bodies (void)
{
  static const char success[] = "HTTP/1.1 200 OK\r\n\r\n";
  static const char failure[] = "HTTP/1.1 404 Gone\r\n\r\n";
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  fixture.http = http_peer_new_client (1.0);
  fixture.peer = http_peer_new (http_fixture_answer_for_ever, (gpointer) success, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_max_body (request, 50000);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL, "longer than");

  http_peer_free (fixture.peer);
  fixture.peer = http_peer_new (http_fixture_answer_for_ever, (gpointer) failure, NULL);
  response = http_fixture_get (&fixture, "/");
  g_assert_cmpuint (wk_http_response_get_status (response), ==, 404);
}

typedef struct
{
  GString *text;
  guint    pieces;
  guint    resets;
} Collector;

static gboolean
collect (gpointer    data,
         const char *bytes,
         gsize       length,
         GError    **error)
{
  Collector *collector = data;

  g_string_append_len (collector->text, bytes, length);
  collector->pieces++;
  return TRUE;
}

static void
collect_again (gpointer data)
{
  Collector *collector = data;

  g_string_truncate (collector->text, 0);
  collector->resets++;
}

static gboolean
refuse (gpointer    data,
        const char *bytes,
        gsize       length,
        GError    **error)
{
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, "no such thing");
  return FALSE;
}

static void
test_sink (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) complaint = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  Collector collector = { g_string_new (NULL), 0, 0 };

  http_fixture_begin (&fixture, "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone", OK,
                      NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_sink (request, collect, collect_again, &collector);

  complaint = http_fixture_send (&fixture, request);
  http_fixture_assert_body (complaint, "gone");
  g_assert_cmpuint (collector.pieces, ==, 0);

  response = http_fixture_send (&fixture, request);
  http_fixture_assert_body (response, "");
  g_assert_cmpstr (collector.text->str, ==, "ok");
  g_assert_cmpuint (collector.resets, ==, 0);

  wk_http_request_set_sink (request, refuse, NULL, NULL);
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL, "/: no such thing");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 3);
  g_string_free (collector.text, TRUE);
}

static void
test_sink_starts_again_after_a_cut (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  Collector collector = { g_string_new (NULL), 0, 0 };

  http_fixture_begin (&fixture, "!HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                 "!HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhalf", OK, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  wk_http_request_set_sink (request, collect, collect_again, &collector);
  response = http_fixture_send (&fixture, request);
  g_assert_cmpstr (collector.text->str, ==, "ok");
  g_assert_cmpuint (collector.resets, ==, 2);
  g_assert_cmpuint (wk_http_response_get_sends (response), ==, 3);
  g_string_free (collector.text, TRUE);
}

static void
test_compressed_body (void)
{
  g_autoptr(GBytes) plain = g_bytes_new_static ("compressed", 10);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  fixture.http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  fixture.peer = http_peer_new (http_fixture_answer_compressed, plain, NULL);
  response = http_fixture_get (&fixture, "/");
  http_fixture_assert_body (response, "compressed");
}

/* How a compressed body is spoilt on its way. */
static const struct
{
  const char *encoding;
  gboolean    says_close;
  int         length_error; /* of Content-Length; G_MAXINT: there is none */
  gsize       missing;      /* bytes at its end that do not come */
  gboolean    is_plain;     /* it is not compressed at all */
  gboolean    is_nonsense;  /* what comes is no compressed data */
} spoilt_bodies[] = {
  { "gzip", FALSE, 0, 20, FALSE },     { "gzip", TRUE, 0, 20, FALSE },
  { "gzip", FALSE, 50, 0, FALSE },     { "gzip", TRUE, 50, 0, FALSE },
  { "gzip", FALSE, -20, 0, FALSE },    { "x-gzip", TRUE, G_MAXINT, 20, FALSE, TRUE },
  { "deflate", FALSE, 0, 20, FALSE },  { "deflate", TRUE, G_MAXINT, 20, FALSE },
  { "gzip", FALSE, 0, 0, TRUE, TRUE },     { "identity", FALSE, 0, 20, TRUE },
  { "identity", TRUE, 0, 20, TRUE },   { "identity", TRUE, 20, 0, TRUE },
};

static gboolean
answer_spoilt (HttpPeer              *peer,
               const HttpPeerRequest *request,
               GOutputStream         *output,
               gpointer               data)
{
  guint i = GPOINTER_TO_UINT (data);
  gboolean is_gzip = g_str_equal (spoilt_bodies[i].encoding, "gzip");
  g_autoptr(GConverter) compressor = G_CONVERTER (g_zlib_compressor_new (
      is_gzip ? G_ZLIB_COMPRESSOR_FORMAT_GZIP : G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9));
  g_autofree char *plain = wk_random_hex (250);
  char body[4096];
  gsize length = strlen (plain);
  gsize n_read;
  g_autoptr(GString) head = g_string_new (NULL);

  if (spoilt_bodies[i].is_plain)
    memcpy (body, plain, length);
  else
    g_converter_convert (compressor, plain, strlen (plain), body, sizeof body,
                         G_CONVERTER_INPUT_AT_END, &n_read, &length, NULL);
  g_string_printf (head, "HTTP/1.1 200 OK\r\n%sContent-Encoding: %s\r\n",
                   spoilt_bodies[i].says_close ? "Connection: close\r\n" : "",
                   spoilt_bodies[i].encoding);
  if (spoilt_bodies[i].length_error != G_MAXINT)
    g_string_append_printf (head, "Content-Length: %d\r\n",
                            (int) length + spoilt_bodies[i].length_error);
  g_string_append (head, "\r\n");
  g_output_stream_write_all (output, head->str, head->len, NULL, NULL, NULL);
  g_output_stream_write_all (output, body, length - spoilt_bodies[i].missing, NULL, NULL, NULL);
  return FALSE;
}

static void
test_spoilt_bodies (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (spoilt_bodies); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;

      g_test_message ("%u", i);
      fixture.http = http_peer_new_client (100);
      fixture.peer = http_peer_new (answer_spoilt, GUINT_TO_POINTER (i), NULL);
      request = http_fixture_make_request (&fixture, "GET", "/");
      http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                                   spoilt_bodies[i].is_nonsense
                                       ? "the answer could not be decompressed: "
                                       : "the answer was cut off");
      g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 4);
    }
}

/* What is left on a connection is not the answer to the next request. */
static void
test_short_length (void)
{
  g_auto(HttpFixture) fixture = { 100 };

  http_fixture_begin (&fixture, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", NULL);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr(WkHttpResponse) response = http_fixture_get (&fixture, "/");

      http_fixture_assert_body (response, "ok");
    }
}

/* There is nothing that could be compressed. */
static void
test_empty_compressed_bodies (void)
{
  static const char *const answers[] = {
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
     "0\r\n\r\n"),
    "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
    "!HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n",
  };
  g_auto(HttpFixture) head = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) of_head = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpResponse) response = NULL;

      http_fixture_begin (&fixture, answers[i], NULL);
      response = http_fixture_get (&fixture, "/");
      http_fixture_assert_body (response, "");
      http_fixture_assert_header (&fixture, 0, "Accept-Encoding", "gzip");
    }

  http_fixture_begin (&head, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n"
                             "Content-Length: 100\r\n\r\n", NULL);
  request = http_fixture_make_request (&head, "HEAD", "/");
  of_head = http_fixture_send (&head, request);
  g_assert_true (wk_http_response_is_success (of_head));
}

static gboolean
answer_twice_compressed (HttpPeer              *peer,
                         const HttpPeerRequest *request,
                         GOutputStream         *output,
                         gpointer               data)
{
  /* "first, " and "second" by gzip, one behind the other, in chunks of one byte. */
  static const guchar body[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x4b, 0xcb, 0x2c, 0x2a, 0x2e,
    0xd1, 0x51, 0x00, 0x00, 0x04, 0xcf, 0xce, 0xf1, 0x07, 0x00, 0x00, 0x00,
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x2b, 0x4e, 0x4d, 0xce, 0xcf,
    0x4b, 0x01, 0x00, 0x69, 0x11, 0x1f, 0xb6, 0x06, 0x00, 0x00, 0x00,
  };
  GString *answer = g_string_new ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                                  "Transfer-Encoding: chunked\r\n\r\n");
  g_autoptr(GBytes) bytes = NULL;

  for (guint i = 0; i < sizeof body; i++)
    {
      g_string_append (answer, "1\r\n");
      g_string_append_c (answer, (char) body[i]);
      g_string_append (answer, "\r\n");
    }
  g_string_append (answer, "0\r\n\r\n");
  bytes = g_string_free_to_bytes (answer);
  return g_output_stream_write_all (output, g_bytes_get_data (bytes, NULL),
                                    g_bytes_get_size (bytes), NULL, NULL, NULL);
}

static void
test_compressed_in_two_parts (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpResponse) response = NULL;

  fixture.http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  fixture.peer = http_peer_new (answer_twice_compressed, NULL, NULL);
  response = http_fixture_get (&fixture, "/");
  http_fixture_assert_body (response, "first, second");
}

static void
test_decompression_bomb (void)
{
  gsize size = 64 * 1024 * 1024;
  g_autoptr(GBytes) plain = g_bytes_new_take (g_malloc0 (size), size);
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;

  fixture.http = http_peer_new_client (1.0);
  fixture.peer = http_peer_new (http_fixture_answer_compressed, plain, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                               "longer than 8388608 bytes");
}

static void
test_redirects (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture,
                      "HTTP/1.1 302 Found\r\nLocation: b/c?d\r\nContent-Length: 0\r\n\r\n",
                      "HTTP/1.1 308 Moved\r\nLocation: /e\r\nContent-Length: 0\r\n\r\n", OK, NULL);
  request = http_fixture_make_request (&fixture, "GET", "/v3/");
  wk_http_request_set_header (request, "X-Auth-Token", "t");
  response = http_fixture_send (&fixture, request);
  http_fixture_assert_body (response, "ok");
  g_assert_cmpstr (http_peer_get_request (fixture.peer, 1)->target, ==, "/v3/b/c?d");
  g_assert_cmpstr (http_peer_get_request (fixture.peer, 2)->target, ==, "/e");
  http_fixture_assert_header (&fixture, 2, "X-Auth-Token", "t");
}

static void
test_endless_redirects (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 301 Moved\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n",
                      NULL);
  request = http_fixture_make_request (&fixture, "GET", "/");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL, "goes on to redirect");
  g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 4);
}

static void
test_redirects_stay_within_their_origin (void)
{
  g_auto(HttpFixture) other = { 0 };
  g_autofree char *elsewhere = NULL;
  g_auto(GStrv) locations = g_new0 (char *, 4);

  http_fixture_begin (&other, OK, NULL);
  elsewhere = http_peer_get_uri (other.peer, "/x?secret");
  locations[0] = g_strdup (elsewhere);
  locations[1] = g_strdup_printf ("https%s", elsewhere + strlen ("http"));
  locations[2] = g_strdup_printf ("//%s", elsewhere + strlen ("http://"));
  for (guint i = 0; locations[i] != NULL; i++)
    {
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autofree char *answer = NULL;

      answer = g_strdup_printf ("HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n",
                                locations[i]);
      http_fixture_begin (&fixture, answer, NULL);
      request = http_fixture_make_request (&fixture, "GET", "/");
      wk_http_request_set_header (request, "X-Auth-Token", "secret");
      http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL,
                                   "/x instead (HTTP 302)");
      g_assert_cmpuint (http_peer_get_n_requests (fixture.peer), ==, 1);
    }
  g_assert_cmpuint (http_peer_get_n_connections (other.peer), ==, 0);
}

static void
test_only_reads_are_redirected (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_autoptr(WkHttpRequest) request = NULL;

  http_fixture_begin (&fixture, "HTTP/1.1 307 There\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
                      OK, NULL);
  request = http_fixture_make_request (&fixture, "POST", "/a");
  http_fixture_assert_refused (&fixture, request, WELKIN_ERROR_PROTOCOL, "/b instead (HTTP 307)");
}

static void
test_choices_are_a_response (void)
{
  static const char *const lines[] = { "300 Multiple Choices\r\nLocation: /v3/",
                                       "304 Not Modified\r\nLocation: /x", "302 Found" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *answer =
          g_strdup_printf ("HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", lines[i]);
      g_auto(HttpFixture) fixture = { 0 };
      g_autoptr(WkHttpResponse) response = NULL;

      http_fixture_begin (&fixture, answer, NULL);
      response = http_fixture_get (&fixture, "/");
      g_assert_cmpuint (wk_http_response_get_status (response) / 100, ==, 3);
    }
}

static void
test_ipv6_host (void)
{
  g_autoptr(WkHttp) http = http_peer_new_client (HTTP_FIXTURE_SCALE);
  g_autoptr(GError) error = NULL;
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", "http://[::1]:1/v3");

  g_assert_null (http_peer_send (http, request, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "GET http://[::1]:1/v3: "));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http/get", test_get);
  g_test_add_func ("/http/any-2xx-is-success", test_any_2xx_is_success);
  g_test_add_func ("/http/content-type-only-with-a-body", test_content_type_only_with_a_body);
  g_test_add_func ("/http/body", test_body);
  g_test_add_func ("/http/error-status-is-a-response", test_error_status_is_a_response);
  g_test_add_func ("/http/unauthorized-is-a-response", test_unauthorized_is_a_response);
  g_test_add_func ("/http/mangled-length-reads-to-the-end", test_mangled_length_reads_to_the_end);
  g_test_add_func ("/http/http-1-0", test_http_1_0);
  g_test_add_func ("/http/chunks", test_chunks);
  g_test_add_func ("/http/connections-are-kept", test_connections_are_kept);
  g_test_add_func ("/http/what-cannot-be-sent-is-said", test_not_sendable);
  g_test_add_func ("/http/messages-have-no-secrets", test_messages_have_no_secrets);
  g_test_add_func ("/http/long-bodies-are-bounded", test_long_bodies);
  g_test_add_func ("/http/endless-bodies-end", test_endless_bodies);
  g_test_add_func ("/http/sink-gets-successes-alone", test_sink);
  g_test_add_func ("/http/sink-starts-again-after-a-cut", test_sink_starts_again_after_a_cut);
  g_test_add_func ("/http/compressed-body", test_compressed_body);
  g_test_add_func ("/http/empty-compressed-bodies", test_empty_compressed_bodies);
  g_test_add_func ("/http/compressed-in-two-parts", test_compressed_in_two_parts);
  g_test_add_func ("/http/spoilt-bodies", test_spoilt_bodies);
  g_test_add_func ("/http/short-length", test_short_length);
  g_test_add_func ("/http/decompression-bomb-is-bounded", test_decompression_bomb);
  g_test_add_func ("/http/redirect/followed", test_redirects);
  g_test_add_func ("/http/redirect/endless", test_endless_redirects);
  g_test_add_func ("/http/redirect/stays-within-its-origin",
                   test_redirects_stay_within_their_origin);
  g_test_add_func ("/http/page/is-no-data", test_page_is_no_data);
  g_test_add_func ("/http/page/of-a-proxy-names-it", test_page_of_a_proxy_names_it);
  g_test_add_func ("/http/redirect/of-reads-only", test_only_reads_are_redirected);
  g_test_add_func ("/http/redirect/choices-are-a-response", test_choices_are_a_response);
  g_test_add_func ("/http/ipv6-host", test_ipv6_host);

  return g_test_run ();
}
