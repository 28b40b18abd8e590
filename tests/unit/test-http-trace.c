/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "http-fixture.h"

/* What a session tells of each send. */

#define JSON_ANSWER \
  "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nX-Subject-Token: the-new-token\r\n" \
  "Content-Length: 55\r\n\r\n{\"server\":{\"id\":\"s1\",\"adminPass\":\"the-admin-password\"}}"

typedef struct
{
  GObject   *owner;   /* (owned) whom the session gives the entries to */
  GPtrArray *entries; /* (owned) of JsonNode */
  GString   *text;    /* (owned) of all of them */
} Trace;

static void
add_entry (gpointer    data,
           const char *entry)
{
  Trace *trace = g_object_get_data (data, "trace");
  JsonNode *node = json_from_string (entry, NULL);

  g_assert_nonnull (node);
  g_ptr_array_add (trace->entries, node);
  g_string_append (trace->text, entry);
}

static void
trace_begin (Trace       *trace,
             HttpFixture *fixture)
{
  g_autoptr(WkClock) clock = wk_clock_new (100);
  WkHttpOptions options = { .clock = clock, .trace = add_entry };

  trace->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (trace->owner, "trace", trace);
  trace->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);
  trace->text = g_string_new (NULL);
  options.trace_data = trace->owner;
  wk_http_unref (fixture->http);
  fixture->http = wk_http_new (&options);
}

static void
trace_end (Trace *trace)
{
  g_object_unref (trace->owner);
  g_ptr_array_unref (trace->entries);
  g_string_free (trace->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trace, trace_end)

/* What stands at a JSONPath of an entry, as compact text; NULL for nothing. (transfer full) */
static char *
dup_value (Trace      *trace,
           guint       index,
           const char *path)
{
  g_autoptr(JsonNode) found = json_path_query (path, trace->entries->pdata[index], NULL);
  JsonArray *matches = json_node_get_array (found);

  if (json_array_get_length (matches) == 0)
    return NULL;
  return json_to_string (json_array_get_element (matches, 0), FALSE);
}

static void
assert_value (Trace      *trace,
              guint       index,
              const char *path,
              const char *expected)
{
  g_autofree char *value = dup_value (trace, index, path);

  g_test_message ("%s: %s", path, value);
  g_assert_cmpstr (value, ==, expected);
}

static WkHttpRequest *
make_post (HttpFixture *fixture,
           const char  *json)
{
  WkHttpRequest *request =
      http_fixture_make_request (fixture, "POST", "/v2.1/servers?name=a%20b&temp_url_sig=the-sig");
  g_autoptr(GBytes) body = g_bytes_new (json, strlen (json));

  wk_http_request_set_body (request, body, "application/json");
  wk_http_request_set_header (request, "X-Auth-Token", "the-old-token");
  return request;
}

static void
test_entry_has_all_that_a_viewer_needs (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  static const char *const present[] = {
    "$.startedDateTime", "$.time", "$.cache", "$.timings.send", "$.timings.wait",
    "$.timings.receive", "$.timings.connect", "$.connection", "$.request.cookies",
    "$.request.headersSize", "$.response.cookies", "$.response.headersSize",
    "$.response.redirectURL", "$.response.bodySize",
  };

  http_fixture_begin (&fixture, JSON_ANSWER, NULL);
  trace_begin (&trace, &fixture);
  request = make_post (&fixture, "{\"server\":{\"name\":\"a\",\"user_data\":\"the-user-data\"}}");
  response = http_fixture_send (&fixture, request);

  g_assert_cmpuint (trace.entries->len, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (present); i++)
    {
      g_autofree char *value = dup_value (&trace, 0, present[i]);

      g_test_message ("%s", present[i]);
      g_assert_nonnull (value);
    }
  assert_value (&trace, 0, "$.request.method", "\"POST\"");
  assert_value (&trace, 0, "$.request.httpVersion", "\"HTTP/1.1\"");
  assert_value (&trace, 0, "$.request.queryString[0]", "{\"name\":\"name\",\"value\":\"a b\"}");
  assert_value (&trace, 0, "$.request.queryString[1].value", "\"***\"");
  assert_value (&trace, 0, "$.request.postData.mimeType", "\"application/json\"");
  assert_value (&trace, 0, "$.request.postData.text",
                "\"{\\\"server\\\":{\\\"name\\\":\\\"a\\\",\\\"user_data\\\":\\\"***\\\"}}\"");
  assert_value (&trace, 0, "$.request.bodySize", "51");
  assert_value (&trace, 0, "$.response.status", "201");
  assert_value (&trace, 0, "$.response.statusText", "\"Created\"");
  assert_value (&trace, 0, "$.response.content.size", "55");
  assert_value (&trace, 0, "$.response.content.mimeType", "\"application/json\"");
  assert_value (&trace, 0, "$.response.content.text",
                "\"{\\\"server\\\":{\\\"id\\\":\\\"s1\\\",\\\"adminPass\\\":\\\"***\\\"}}\"");
  assert_value (&trace, 0, "$.serverIPAddress", "\"127.0.0.1\"");
  assert_value (&trace, 0, "$._error", NULL);
  g_assert_null (strstr (trace.text->str, "the-"));
}

static void
test_each_send_is_an_entry (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, "!", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n",
                      "HTTP/1.1 302 Found\r\nLocation: /b?token=the-token\r\n"
                      "Content-Length: 0\r\n\r\n",
                      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", NULL);
  trace_begin (&trace, &fixture);
  response = http_fixture_get (&fixture, "/a");

  g_assert_cmpuint (trace.entries->len, ==, 4);
  assert_value (&trace, 0, "$.response.status", "0");
  assert_value (&trace, 0, "$._error", "\"Connection terminated unexpectedly\"");
  assert_value (&trace, 1, "$.response.status", "503");
  assert_value (&trace, 2, "$.response.redirectURL", "\"/b?token=***\"");
  assert_value (&trace, 3, "$.response.httpVersion", "\"HTTP/1.0\"");
  g_assert_null (strstr (trace.text->str, "the-token"));
}

/* Of what is no JSON only complaints are shown, and of them none of what was asked. */
static void
test_bodies (void)
{
  static const struct
  {
    const char *status;
    const char *type;
    const char *body;
    const char *text; /* as shown; NULL: not */
  } cases[] = {
    { "200 OK", "application/octet-stream", "state of a machine", NULL },
    { "200 OK", "text/html", "<h1>page</h1>", NULL },
    { "404 No", "text/html", "<h1>page</h1>", "\"<h1>page</h1>\"" },
    { "400 Bad", "text/plain", "What is the-user-data?", "\"What is ***?\"" },
    { "400 Bad", "application/json", "{\"message\":\"What is the-user-data?\"}",
      "\"{\\\"message\\\":\\\"What is ***?\\\"}\"" },
    { "401 Who", "text/plain", "Token the-old-token is unknown", "\"Token *** is unknown\"" },
    { "401 Who", "text/html", "<b>the&#45;old&#x2D;token</b>", "\"<b>***</b>\"" },
    { "400 Bad", "application/json", "{\"message\":\"no the\\\\u002duser%2Ddata\"}",
      "\"{\\\"message\\\":\\\"no ***\\\"}\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *answer = g_strdup_printf (
          "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %u\r\n\r\n%s", cases[i].status,
          cases[i].type, (guint) strlen (cases[i].body), cases[i].body);
      g_auto(HttpFixture) fixture = { 0 };
      g_auto(Trace) trace = { NULL };
      g_autoptr(WkHttpRequest) request = NULL;
      g_autoptr(WkHttpResponse) response = NULL;

      http_fixture_begin (&fixture, answer, NULL);
      trace_begin (&trace, &fixture);
      request = make_post (&fixture, "{\"user_data\":\"the-user-data\"}");
      response = http_fixture_send (&fixture, request);
      assert_value (&trace, 0, "$.response.content.text", cases[i].text);
      assert_value (&trace, 0, "$.response.content.comment",
                    cases[i].text == NULL ? "\"not shown\"" : NULL);
    }
}

/* In any place of an answer. */
static void
test_what_is_repeated_is_hidden (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture,
                      "HTTP/1.1 400 No the-old-token\r\nLocation: /x/the-old-token\r\n"
                      "X-Echo: the%2Dold-token!\r\nX-the-old-token: 1\r\n"
                      "Content-Type: text/the-old-token\r\nContent-Length: 0\r\n\r\n", NULL);
  trace_begin (&trace, &fixture);
  request = make_post (&fixture, "{\"secret\":\"the-secret\",\"name\":\"is the-secret\"}");
  response = http_fixture_send (&fixture, request);

  assert_value (&trace, 0, "$.response.statusText", "\"No ***\"");
  assert_value (&trace, 0, "$.response.redirectURL", "\"/x/***\"");
  assert_value (&trace, 0, "$.response.headers[4].name", "\"X-***\"");
  assert_value (&trace, 0, "$.response.headers[3].value", "\"***!\"");
  assert_value (&trace, 0, "$.response.content.mimeType", "\"text/***\"");
  assert_value (&trace, 0, "$.request.postData.text",
                "\"{\\\"secret\\\":\\\"***\\\",\\\"name\\\":\\\"is ***\\\"}\"");
}

static void
test_a_secret_that_is_cut_is_hidden (void)
{
  g_autofree char *word = g_strnfill (65536 - 8, 'x');
  g_autofree char *answer =
      g_strdup_printf ("HTTP/1.1 400 Bad\r\nContent-Type: text/plain\r\n"
                       "Content-Length: 65541\r\n\r\n%sthe-old-token", word);
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autofree char *expected = g_strdup_printf ("\"%s***\"", word);

  http_fixture_begin (&fixture, answer, NULL);
  trace_begin (&trace, &fixture);
  request = make_post (&fixture, "{}");
  response = http_fixture_send (&fixture, request);
  assert_value (&trace, 0, "$.response.content.text", expected);
  assert_value (&trace, 0, "$.response.content.comment", "\"the beginning\"");
}

static void
test_long_bodies_are_cut (void)
{
  g_autofree char *word = g_strnfill (100000, 'x');
  g_autofree char *answer =
      g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                       "Content-Length: 100027\r\n\r\n{\"a\":1,\"password\":\"%s\",\"b\":2}", word);
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  g_autoptr(WkHttpResponse) response = NULL;

  http_fixture_begin (&fixture, answer, NULL);
  trace_begin (&trace, &fixture);
  response = http_fixture_get (&fixture, "/");
  assert_value (&trace, 0, "$.response.content.size", "100027");
  assert_value (&trace, 0, "$.response.content.text", "\"{\\\"a\\\":1,\\\"password\\\":\"");
  assert_value (&trace, 0, "$.response.content.comment", "\"the beginning\"");
}

static void
test_session_keeps_its_listener (void)
{
  g_auto(HttpFixture) fixture = { 0 };
  g_auto(Trace) trace = { NULL };
  gpointer owner;

  http_fixture_begin (&fixture, "HTTP/1.1 204 No Content\r\n\r\n", NULL);
  trace_begin (&trace, &fixture);
  owner = trace.owner;
  g_object_add_weak_pointer (owner, &owner);
  g_object_unref (trace.owner);
  {
    g_autoptr(WkHttpResponse) response = http_fixture_get (&fixture, "/");

    g_assert_cmpuint (trace.entries->len, ==, 1);
  }
  g_clear_pointer (&fixture.http, wk_http_unref);
  g_assert_null (owner);
  trace.owner = g_object_new (G_TYPE_OBJECT, NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/http-trace/entry-has-all-that-a-viewer-needs",
                   test_entry_has_all_that_a_viewer_needs);
  g_test_add_func ("/http-trace/each-send-is-an-entry", test_each_send_is_an_entry);
  g_test_add_func ("/http-trace/bodies", test_bodies);
  g_test_add_func ("/http-trace/what-is-repeated-is-hidden", test_what_is_repeated_is_hidden);
  g_test_add_func ("/http-trace/a-secret-that-is-cut-is-hidden",
                   test_a_secret_that_is_cut_is_hidden);
  g_test_add_func ("/http-trace/long-bodies-are-cut", test_long_bodies_are_cut);
  g_test_add_func ("/http-trace/session-keeps-its-listener", test_session_keeps_its_listener);

  return g_test_run ();
}
