/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "http-fixture.h"
#include "values/welkin-error.h"

void
http_fixture_begin (HttpFixture *fixture,
                    const char  *first,
                    ...)
{
  g_autoptr(GPtrArray) answers = g_ptr_array_new ();
  const char *answer;
  va_list args;

  va_start (args, first);
  for (answer = first; answer != NULL; answer = va_arg (args, const char *))
    g_ptr_array_add (answers, (gpointer) answer);
  va_end (args);
  g_ptr_array_add (answers, NULL);
  fixture->peer = http_peer_new_with_answers ((const char *const *) answers->pdata);
  fixture->http = http_peer_new_client (fixture->scale > 0 ? fixture->scale
                                                           : HTTP_FIXTURE_SCALE);
}

/* Nobody may have forgotten a place at a gate. */
void
http_fixture_end (HttpFixture *fixture)
{
  GHashTableIter iter;
  gpointer gate;

  if (fixture->http == NULL)
    return;

  g_hash_table_iter_init (&iter, fixture->http->gates);
  while (g_hash_table_iter_next (&iter, NULL, &gate))
    {
      g_assert_cmpuint (wk_gate_get_in_use (gate), ==, 0);
      g_assert_cmpuint (wk_gate_get_waiting (gate), ==, 0);
    }
  g_clear_pointer (&fixture->http, wk_http_unref);
  g_clear_pointer (&fixture->peer, http_peer_free);
}

WkHttpRequest *
http_fixture_make_request (HttpFixture *fixture,
                           const char  *method,
                           const char  *path)
{
  g_autofree char *uri = http_peer_get_uri (fixture->peer, path);

  return wk_http_request_new (method, uri);
}

static GInputStream *
open_text (gpointer   text,
           GError   **error)
{
  return g_memory_input_stream_new_from_data (text, (gssize) strlen (text), NULL);
}

void
http_fixture_set_upload (WkHttpRequest *request,
                         const char    *text)
{
  wk_http_request_set_body_source (request, open_text, (gpointer) text, NULL,
                                   (goffset) strlen (text), "text/plain");
}

/* The request must be answered. */
WkHttpResponse *
http_fixture_send (HttpFixture   *fixture,
                   WkHttpRequest *request)
{
  g_autoptr(GError) error = NULL;
  WkHttpResponse *response = http_peer_send (fixture->http, request, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (response);
  return response;
}

WkHttpResponse *
http_fixture_get (HttpFixture *fixture,
                  const char  *path)
{
  g_autoptr(WkHttpRequest) request = http_fixture_make_request (fixture, "GET", path);

  return http_fixture_send (fixture, request);
}

void
http_fixture_assert_body (WkHttpResponse *response,
                          const char     *text)
{
  gsize length;
  const char *data = g_bytes_get_data (wk_http_response_get_body (response), &length);

  g_assert_cmpmem (data, length, text, strlen (text));
}

void
http_fixture_assert_header (HttpFixture *fixture,
                            guint        index,
                            const char  *name,
                            const char  *value)
{
  g_autofree char *found
      = http_peer_request_dup_header (http_peer_get_request (fixture->peer, index), name);

  g_assert_cmpstr (found, ==, value);
}

void
http_fixture_assert_refused (HttpFixture   *fixture,
                             WkHttpRequest *request,
                             WelkinError    code,
                             const char    *message)
{
  g_autoptr(GError) error = NULL;
  WkHttpResponse *response = http_peer_send (fixture->http, request, NULL, &error);

  g_assert_null (response);
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, message));
}

guint
http_fixture_get_in_use (HttpFixture *fixture)
{
  GHashTableIter iter;
  gpointer gate;

  g_hash_table_iter_init (&iter, fixture->http->gates);
  g_assert_true (g_hash_table_iter_next (&iter, NULL, &gate));
  return wk_gate_get_in_use (gate);
}

gboolean
http_fixture_answer (HttpPeer              *peer,
                     const HttpPeerRequest *request,
                     GOutputStream         *output,
                     gpointer               data)
{
  return g_output_stream_write_all (output, data, strlen (data), NULL, NULL, NULL);
}

/* An answer that never ends: a complaint is cut, a success is refused, at once. */
gboolean
http_fixture_answer_for_ever (HttpPeer              *peer,
                              const HttpPeerRequest *request,
                              GOutputStream         *output,
                              gpointer               data)
{
  g_autofree char *piece = g_strnfill (10000, 'x');
  const char *head = data;

  if (!g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
    return FALSE;
  while (http_peer_sleep (peer, 1)
         && g_output_stream_write_all (output, piece, 10000, NULL, NULL, NULL))
    continue;
  return FALSE;
}

/* The text as gzip writes it, behind a head with its length. */
gboolean
http_fixture_answer_compressed (HttpPeer              *peer,
                                const HttpPeerRequest *request,
                                GOutputStream         *output,
                                gpointer               data)
{
  g_autoptr(GConverter) compressor
      = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9));
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr(GOutputStream) stream = g_converter_output_stream_new (memory, compressor);
  g_autoptr(GBytes) plain = data;
  g_autofree char *head = NULL;
  gsize length;

  g_bytes_ref (plain);
  g_output_stream_write_all (stream, g_bytes_get_data (plain, NULL), g_bytes_get_size (plain), NULL,
                             NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  length = g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory));
  head = g_strdup_printf (
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %lu\r\n\r\n", (gulong) length);
  return g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL)
         && g_output_stream_write_all (
                output, g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)), length,
                NULL, NULL, NULL);
}
