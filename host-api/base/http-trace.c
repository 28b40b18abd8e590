/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <json-glib/json-glib.h>

#include "base/http-private.h"
#include "base/redact.h"

/*
 * One send as an entry of an HTTP archive (http://www.softwareishard.com/blog/har-12-spec/),
 * without anything that is secret: not in headers, in URLs or in JSON, and not where the other side
 * repeats it. Of other bodies nothing is shown but what a service says of its failure.
 */

/* Bytes of each body that are shown. */
#define MAX_BODY 65536

struct _WkHttpRecord
{
  WkHttp        *http;      /* (owned) */
  WkHttpRequest *request;   /* (owned) */
  SoupMessage   *message;   /* (owned) */
  GDateTime     *begin;     /* (owned) */
  GByteArray    *body;      /* (owned) the beginning of the answer's */
  gsize          body_size; /* of all of it */
};

WkHttpRecord *
wk_http_record_new (WkHttp        *http,
                    WkHttpRequest *request,
                    SoupMessage   *message)
{
  WkHttpRecord *self;

  if (http->trace == NULL)
    return NULL;
  self = g_new0 (WkHttpRecord, 1);
  self->http = wk_http_ref (http);
  self->request = wk_http_request_ref (request);
  self->message = g_object_ref (message);
  self->begin = g_date_time_new_now_utc ();
  self->body = g_byte_array_new ();
  soup_message_add_flags (message, SOUP_MESSAGE_COLLECT_METRICS);
  return self;
}

void
wk_http_record_free (WkHttpRecord *self)
{
  g_byte_array_unref (self->body);
  g_date_time_unref (self->begin);
  g_object_unref (self->message);
  wk_http_request_unref (self->request);
  wk_http_unref (self->http);
  g_free (self);
}

void
wk_http_record_add_body (WkHttpRecord *self,
                         const char   *data,
                         gsize         length)
{
  gsize room = MAX_BODY - self->body->len;

  g_byte_array_append (self->body, (const guint8 *) data, MIN (length, room));
  self->body_size += length;
}

/* What comes from the other side, or goes to it, as it can be shown. (transfer full) */
static char *
dup_safe (const char *text,
          WkSecrets  *secrets,
          gboolean    is_cut)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return wk_redact_known (valid, secrets, is_cut);
}

/* {"name": …, "value": …}, which is what headers and parameters are. */
static void
add_pair (JsonBuilder *builder,
          const char  *name,
          const char  *value,
          WkSecrets   *secrets)
{
  gboolean is_secret = wk_redact_is_secret (name);
  g_autofree char *safe_name = dup_safe (name, secrets, FALSE);
  g_autofree char *safe_value = dup_safe (value, secrets, FALSE);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, safe_name);
  json_builder_set_member_name (builder, "value");
  json_builder_add_string_value (builder, is_secret ? WK_REDACTED : safe_value);
  json_builder_end_object (builder);
}

static void
add_headers (JsonBuilder        *builder,
             SoupMessageHeaders *headers,
             WkSecrets          *secrets)
{
  SoupMessageHeadersIter iter;
  const char *name;
  const char *value;

  json_builder_set_member_name (builder, "headers");
  json_builder_begin_array (builder);
  soup_message_headers_iter_init (&iter, headers);
  while (soup_message_headers_iter_next (&iter, &name, &value))
    add_pair (builder, name, value, secrets);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "cookies");
  json_builder_begin_array (builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "headersSize");
  json_builder_add_int_value (builder, -1);
}

static void
add_query (JsonBuilder *builder,
           GUri        *uri,
           WkSecrets   *secrets)
{
  const char *query = g_uri_get_query (uri);
  GUriParamsIter iter;
  char *name;
  char *value;

  json_builder_set_member_name (builder, "queryString");
  json_builder_begin_array (builder);
  g_uri_params_iter_init (&iter, query != NULL ? query : "", -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&iter, &name, &value, NULL))
    {
      add_pair (builder, name, value, secrets);
      g_free (name);
      g_free (value);
    }
  json_builder_end_array (builder);
}

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value,
            WkSecrets   *secrets)
{
  g_autofree char *safe = dup_safe (value, secrets, FALSE);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, safe);
}

static void
add_int (JsonBuilder *builder,
         const char  *name,
         gint64       value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static const char *
get_version (SoupMessage *message)
{
  return soup_message_get_http_version (message) == SOUP_HTTP_1_0 ? "HTTP/1.0" : "HTTP/1.1";
}

/* The text of a body, where it can be shown; its "comment" says what is missing. */
static void
add_text (JsonBuilder *builder,
          const char  *data,
          gsize        length,
          gsize        size,
          const char  *type,
          gboolean     is_complaint,
          WkSecrets   *secrets)
{
  gboolean is_json = type != NULL && g_ascii_strncasecmp (type, "application/json", 16) == 0;
  g_autofree char *text = NULL;

  if (size == 0)
    return;
  if (is_json)
    text = wk_redact_json (data, length, secrets, NULL);
  else if (is_complaint)
    {
      g_autofree char *beginning = g_strndup (data, length);

      text = dup_safe (beginning, secrets, length < size);
    }
  if (text == NULL)
    {
      add_string (builder, "comment", "not shown", NULL);
      return;
    }
  add_string (builder, "text", text, NULL);
  if (length < size)
    add_string (builder, "comment", "the beginning", NULL);
}

static void
add_request (WkHttpRecord *self,
             JsonBuilder  *builder,
             WkSecrets    *secrets)
{
  SoupMessageHeaders *headers = soup_message_get_request_headers (self->message);
  GUri *uri = soup_message_get_uri (self->message);
  g_autofree char *text = g_uri_to_string (uri);
  GBytes *body = self->request->body;
  gint64 size = body != NULL ? (gint64) g_bytes_get_size (body) : self->request->source_length;

  json_builder_set_member_name (builder, "request");
  json_builder_begin_object (builder);
  add_string (builder, "method", self->request->method, NULL);
  add_string (builder, "url", text, secrets);
  add_string (builder, "httpVersion", "HTTP/1.1", NULL);
  add_headers (builder, headers, secrets);
  add_query (builder, uri, secrets);
  add_int (builder, "bodySize", size);
  if (size > 0)
    {
      gsize length = 0;
      const char *data = body != NULL ? g_bytes_get_data (body, &length) : NULL;

      json_builder_set_member_name (builder, "postData");
      json_builder_begin_object (builder);
      add_string (builder, "mimeType", self->request->content_type, NULL);
      json_builder_set_member_name (builder, "params");
      json_builder_begin_array (builder);
      json_builder_end_array (builder);
      add_text (builder, data, MIN (length, MAX_BODY), size, self->request->content_type, FALSE,
                secrets);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

static void
add_response (WkHttpRecord *self,
              JsonBuilder  *builder,
              WkSecrets    *secrets)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (self->message);
  const char *location = soup_message_headers_get_one (headers, "Location");
  const char *type = soup_message_headers_get_one (headers, "Content-Type");
  guint status = soup_message_get_status (self->message);

  json_builder_set_member_name (builder, "response");
  json_builder_begin_object (builder);
  add_int (builder, "status", status);
  add_string (builder, "statusText", soup_message_get_reason_phrase (self->message), secrets);
  add_string (builder, "httpVersion", get_version (self->message), NULL);
  add_headers (builder, headers, secrets);
  add_string (builder, "redirectURL", location, secrets);
  add_int (builder, "bodySize", -1);
  json_builder_set_member_name (builder, "content");
  json_builder_begin_object (builder);
  add_int (builder, "size", self->body_size);
  add_string (builder, "mimeType", type, secrets);
  add_text (builder, (const char *) self->body->data, self->body->len, self->body_size, type,
            status >= 400, secrets);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

/* Milliseconds between two moments; -1 when one of them did not come. */
static double
measure (guint64 begin,
         guint64 end)
{
  return begin != 0 && end >= begin ? (double) (end - begin) / G_TIME_SPAN_MILLISECOND : -1.0;
}

static void
add_time (JsonBuilder *builder,
          const char  *name,
          double       milliseconds)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, milliseconds);
}

/* The parts of the time and their sum; that of TLS is in the one of the connection. */
static void
add_timings (WkHttpRecord *self,
             JsonBuilder  *builder)
{
  SoupMessageMetrics *metrics = soup_message_get_metrics (self->message);
  guint64 now = g_get_monotonic_time ();
  guint64 request = soup_message_metrics_get_request_start (metrics);
  guint64 response = soup_message_metrics_get_response_start (metrics);
  double dns = measure (soup_message_metrics_get_dns_start (metrics),
                        soup_message_metrics_get_dns_end (metrics));
  double connect = measure (soup_message_metrics_get_connect_start (metrics),
                            soup_message_metrics_get_connect_end (metrics));
  double ssl = measure (soup_message_metrics_get_tls_start (metrics),
                        soup_message_metrics_get_connect_end (metrics));
  double wait = MAX (measure (request, response != 0 ? response : now), 0.0);
  double receive = MAX (measure (response, now), 0.0);

  add_time (builder, "time", MAX (dns, 0.0) + MAX (connect, 0.0) + wait + receive);
  json_builder_set_member_name (builder, "timings");
  json_builder_begin_object (builder);
  add_time (builder, "blocked", -1.0);
  add_time (builder, "dns", dns);
  add_time (builder, "connect", connect);
  add_time (builder, "ssl", ssl);
  add_time (builder, "send", 0.0);
  add_time (builder, "wait", wait);
  add_time (builder, "receive", receive);
  json_builder_end_object (builder);
}

static void
add_connection (WkHttpRecord *self,
                JsonBuilder  *builder)
{
  GSocketAddress *remote = soup_message_get_remote_address (self->message);
  guint64 id = soup_message_get_connection_id (self->message);

  if (G_IS_INET_SOCKET_ADDRESS (remote))
    {
      GInetAddress *address = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (remote));
      g_autofree char *text = g_inet_address_to_string (address);

      add_string (builder, "serverIPAddress", text, NULL);
    }
  if (id != 0)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, id);

      add_string (builder, "connection", text, NULL);
    }
}

void
wk_http_record_finish (WkHttpRecord *self,
                       const GError *error)
{
  g_autoptr(WkSecrets) secrets = wk_http_request_list_secrets (self->request);
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autofree char *begin = g_date_time_format (self->begin, "%Y-%m-%dT%H:%M:%S.");
  g_autofree char *time = g_strdup_printf (
      "%s%03dZ", begin, g_date_time_get_microsecond (self->begin) / (int) G_TIME_SPAN_MILLISECOND);
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  add_string (builder, "startedDateTime", time, NULL);
  add_timings (self, builder);
  add_request (self, builder, secrets);
  add_response (self, builder, secrets);
  json_builder_set_member_name (builder, "cache");
  json_builder_begin_object (builder);
  json_builder_end_object (builder);
  add_connection (self, builder);
  /* As browsers do. */
  if (error != NULL)
    add_string (builder, "_error", error->message, secrets);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  self->http->trace (self->http->trace_data, text);
}
