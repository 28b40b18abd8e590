/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* A request on its way: what was asked, taken apart, and how to answer. */

#include "fake-private.h"

static void
parameter_free (gpointer data)
{
  FakeParameter *parameter = data;

  g_free (parameter->name);
  g_free (parameter->value);
  g_free (parameter);
}

static char *
decode (const char *text, gssize length)
{
  g_autofree char *encoded = g_strndup (text, length < 0 ? strlen (text) : (gsize) length);
  char *decoded;

  g_strdelimit (encoded, "+", ' ');
  decoded = g_uri_unescape_string (encoded, NULL);
  if (decoded == NULL)
    return g_strdup (encoded);
  return decoded;
}

static GPtrArray *
parse_query (const char *query)
{
  GPtrArray *parameters = g_ptr_array_new_with_free_func (parameter_free);
  g_auto (GStrv) pairs = g_strsplit (query != NULL ? query : "", "&", -1);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      const char *equals = strchr (pairs[i], '=');
      FakeParameter *parameter;

      if (*pairs[i] == '\0')
        continue;
      parameter = g_new0 (FakeParameter, 1);
      parameter->name = decode (pairs[i], equals != NULL ? equals - pairs[i] : -1);
      parameter->value = decode (equals != NULL ? equals + 1 : "", -1);
      g_ptr_array_add (parameters, parameter);
    }
  return parameters;
}

FakeRequest *
fake_request_new (FakeCloud *cloud, SoupServerMessage *message, FakeLogEntry *entry)
{
  FakeRequest *request = g_new0 (FakeRequest, 1);
  SoupMessageBody *body = soup_server_message_get_request_body (message);

  request->cloud = cloud;
  request->message = g_object_ref (message);
  request->entry = fake_log_entry_ref (entry);
  request->method = entry->method;
  request->path = entry->path;
  request->body = soup_message_body_flatten (body);
  request->parameters = parse_query (entry->query);
  request->args = g_ptr_array_new_with_free_func (g_free);
  request->microversion = 1;
  return request;
}

void
fake_request_free (FakeRequest *request)
{
  if (request->timer != NULL)
    g_source_destroy (request->timer);
  g_clear_pointer (&request->timer, g_source_unref);
  g_clear_pointer (&request->json, json_node_unref);
  g_ptr_array_unref (request->args);
  g_ptr_array_unref (request->parameters);
  g_bytes_unref (request->body);
  fake_log_entry_unref (request->entry);
  g_object_unref (request->message);
  g_free (request);
}

SoupMessageHeaders *
fake_request_get_headers (FakeRequest *request)
{
  return soup_server_message_get_request_headers (request->message);
}

const char *
fake_request_get_header (FakeRequest *request, const char *name)
{
  return soup_message_headers_get_one (fake_request_get_headers (request), name);
}

const char *
fake_request_get_parameter (FakeRequest *request, const char *name)
{
  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);

      if (g_str_equal (parameter->name, name))
        return parameter->value;
    }
  return NULL;
}

gboolean
fake_request_has_body (FakeRequest *request)
{
  return g_bytes_get_size (request->body) > 0;
}

JsonNode *
fake_request_get_json (FakeRequest *request)
{
  gsize size;
  const char *text = g_bytes_get_data (request->body, &size);

  if (request->json == NULL && size > 0)
    request->json = fake_json_parse (text, (gssize) size);
  return request->json;
}

JsonObject *
fake_request_get_body_object (FakeRequest *request, const char *name)
{
  JsonNode *json = fake_request_get_json (request);

  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    return NULL;
  return fake_json_get_object (json_node_get_object (json), name);
}

static gboolean
path_matches (const char *pattern, char **segments, GPtrArray *args)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "/", -1);
  guint i;

  if (g_strv_length (parts) != g_strv_length (segments))
    return FALSE;
  for (i = 0; parts[i] != NULL; i++)
    {
      if (!g_str_equal (parts[i], "*") && !g_str_equal (parts[i], segments[i]))
        return FALSE;
      if (g_str_equal (parts[i], "*") && *segments[i] == '\0')
        return FALSE;
    }

  g_ptr_array_set_size (args, 0);
  for (i = 0; parts[i] != NULL; i++)
    {
      char *decoded;

      if (!g_str_equal (parts[i], "*"))
        continue;
      decoded = g_uri_unescape_string (segments[i], NULL);
      g_ptr_array_add (args, decoded != NULL ? decoded : g_strdup (segments[i]));
    }
  return TRUE;
}

FakeRouteResult
fake_request_route (FakeRequest *request,
                    const char *path,
                    const FakeRoute *routes,
                    guint n_routes)
{
  g_auto (GStrv) segments = g_strsplit (path, "/", -1);
  FakeRouteResult result = FAKE_ROUTE_NONE;

  for (guint i = 0; i < n_routes; i++)
    {
      if (!path_matches (routes[i].path, segments, request->args))
        continue;
      if (g_str_equal (routes[i].method, request->method))
        {
          routes[i].handle (request);
          return FAKE_ROUTE_FOUND;
        }
      result = FAKE_ROUTE_NO_METHOD;
    }
  return result;
}

void
fake_request_set_header (FakeRequest *request, const char *name, const char *value)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (request->message);

  soup_message_headers_replace (headers, name, value);
}

void
fake_request_reply_bytes (FakeRequest *request,
                          guint status,
                          const char *content_type,
                          GBytes *bytes)
{
  SoupMessageBody *body = soup_server_message_get_response_body (request->message);

  soup_server_message_set_status (request->message, status, NULL);
  soup_message_body_truncate (body);
  if (content_type != NULL)
    fake_request_set_header (request, "Content-Type", content_type);
  if (bytes != NULL && g_bytes_get_size (bytes) > 0)
    soup_message_body_append_bytes (body, bytes);
}

void
fake_request_reply (FakeRequest *request, guint status, const char *content_type, const char *body)
{
  g_autoptr (GBytes) bytes = NULL;

  if (body != NULL)
    bytes = g_bytes_new (body, strlen (body));
  fake_request_reply_bytes (request, status, content_type, bytes);
}

void
fake_request_reply_json (FakeRequest *request, guint status, char *json)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (json, strlen (json));

  fake_request_reply_bytes (request, status, "application/json", bytes);
}
