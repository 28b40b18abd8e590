/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/uri.h"
#include "transport/os-request.h"

struct _OsRequest
{
  grefcount      references;
  OsServiceKind  service;
  char          *method;
  gboolean       is_unversioned;
  GPtrArray     *segments;     /* (owned) of char * */
  char          *object;       /* (owned) (nullable) */
  GPtrArray     *query;        /* (owned) of char *: key, value, … */
  char          *link;         /* (owned) (nullable) */
  GPtrArray     *headers;      /* (owned) of char *: name, value, … */
  GBytes        *body;         /* (owned) (nullable) */
  OsBody        *stream;       /* (owned) (nullable) in place of body */
  const char    *content_type;
  double         deadline; /* seconds; negative: as is usual */
  const char    *microversion; /* (nullable) */
  gboolean       is_honoured;
  gboolean       is_anonymous;
  gboolean       is_repeatable;
  gboolean       is_streaming;
  gboolean       refuses_pages;
  gsize          max_body;     /* 0: the default */
  WkHttpSink     sink;         /* (nullable) */
  WkHttpReset    reset;
  gpointer       sink_data;
  guint          sends;        /* so far */
};

OsRequest *
os_request_new (OsServiceKind  service,
                const char    *method,
                ...)
{
  OsRequest *self = g_new0 (OsRequest, 1);
  const char *segment;
  va_list segments;

  g_ref_count_init (&self->references);
  self->service = service;
  self->method = g_strdup (method);
  self->segments = g_ptr_array_new_with_free_func (g_free);
  self->query = g_ptr_array_new_with_free_func (g_free);
  self->headers = g_ptr_array_new_with_free_func (g_free);
  self->deadline = -1;

  va_start (segments, method);
  while ((segment = va_arg (segments, const char *)) != NULL)
    g_ptr_array_add (self->segments, g_strdup (segment));
  va_end (segments);
  return self;
}

OsRequest *
os_request_ref (OsRequest *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
os_request_unref (OsRequest *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  g_free (self->method);
  g_ptr_array_unref (self->segments);
  g_free (self->object);
  g_ptr_array_unref (self->query);
  g_free (self->link);
  g_ptr_array_unref (self->headers);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->stream, os_body_unref);
  g_free (self);
}

OsServiceKind
os_request_get_service (OsRequest *self)
{
  return self->service;
}

void
os_request_set_unversioned (OsRequest *self)
{
  self->is_unversioned = TRUE;
}

void
os_request_set_object (OsRequest  *self,
                       const char *name)
{
  g_free (self->object);
  self->object = g_strdup (name);
}

void
os_request_add_query (OsRequest  *self,
                      const char *key,
                      const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (self->query, g_strdup (key));
  g_ptr_array_add (self->query, g_strdup (value));
}

void
os_request_set_link (OsRequest  *self,
                     const char *link)
{
  g_free (self->link);
  self->link = g_strdup (link);
}

void
os_request_set_header (OsRequest  *self,
                       const char *name,
                       const char *value)
{
  g_ptr_array_add (self->headers, g_strdup (name));
  g_ptr_array_add (self->headers, g_strdup (value));
}

void
os_request_set_json (OsRequest  *self,
                     const char *member,
                     JsonNode   *value)
{
  g_autoptr(JsonObject) object = json_object_new ();
  g_autoptr(JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autoptr(GBytes) bytes = NULL;
  char *text;

  json_object_set_member (object, member, value);
  json_node_set_object (root, object);
  text = json_to_string (root, FALSE);
  bytes = g_bytes_new_take (text, strlen (text));
  os_request_set_body (self, bytes, "application/json");
}

void
os_request_set_json_object (OsRequest  *self,
                            const char *member,
                            JsonObject *value)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, value);
  os_request_set_json (self, member, node);
}

void
os_request_set_json_texts (OsRequest  *self,
                           const char *member,
                           ...)
{
  JsonObject *object = json_object_new ();
  const char *name;
  va_list members;

  va_start (members, member);
  while ((name = va_arg (members, const char *)) != NULL)
    json_object_set_string_member (object, name, va_arg (members, const char *));
  va_end (members);
  os_request_set_json_object (self, member, object);
}

void
os_request_set_body (OsRequest  *self,
                     GBytes     *body,
                     const char *content_type)
{
  g_clear_pointer (&self->body, g_bytes_unref);
  self->body = g_bytes_ref (body);
  self->content_type = g_intern_string (content_type);
}

void
os_request_set_body_stream (OsRequest  *self,
                            OsBody     *body,
                            const char *content_type)
{
  g_clear_pointer (&self->stream, os_body_unref);
  self->stream = os_body_ref (body);
  self->content_type = g_intern_string (content_type);
}

void
os_request_set_repeatable (OsRequest *self)
{
  self->is_repeatable = TRUE;
}

void
os_request_set_microversion (OsRequest  *self,
                             const char *version)
{
  self->microversion = g_intern_string (version);
}

const char *
os_request_get_microversion (OsRequest *self)
{
  return self->microversion;
}

gboolean
os_request_is_honoured (OsRequest *self)
{
  return self->is_honoured;
}

void
os_request_set_honoured (OsRequest *self,
                         gboolean   is_honoured)
{
  self->is_honoured = is_honoured;
}

void
os_request_set_deadline (OsRequest *self,
                         double     seconds)
{
  self->deadline = seconds;
}

void
os_request_set_sink (OsRequest   *self,
                     WkHttpSink   sink,
                     WkHttpReset  reset,
                     gpointer     data)
{
  self->sink = sink;
  self->reset = reset;
  self->sink_data = data;
}

void
os_request_set_anonymous (OsRequest *self)
{
  self->is_anonymous = TRUE;
}

gboolean
os_request_is_anonymous (OsRequest *self)
{
  return self->is_anonymous;
}

void
os_request_set_max_body (OsRequest *self,
                         gsize      bytes)
{
  self->max_body = bytes;
}

void
os_request_set_refuses_pages (OsRequest *self)
{
  self->refuses_pages = TRUE;
}

void
os_request_set_streaming (OsRequest *self)
{
  self->is_streaming = TRUE;
}

gboolean
os_request_is_streaming (OsRequest *self)
{
  return self->is_streaming;
}

guint
os_request_get_sends (OsRequest *self)
{
  return self->sends;
}

void
os_request_add_sends (OsRequest *self,
                      guint      sends)
{
  self->sends += sends;
}

static char *
make_uri (OsRequest  *self,
          const char *endpoint)
{
  char *uri = self->is_unversioned ? os_service_strip_version (endpoint) : g_strdup (endpoint);

  for (guint i = 0; i < self->segments->len; i++)
    {
      g_autofree char *base = uri;

      uri = wk_uri_join (base, g_ptr_array_index (self->segments, i), NULL);
    }
  if (self->object != NULL)
    {
      g_autofree char *base = uri;

      uri = wk_uri_join_path (base, self->object);
    }
  for (guint i = 0; i < self->query->len; i += 2)
    {
      g_autofree char *base = uri;

      uri = wk_uri_add_query (base, g_ptr_array_index (self->query, i),
                              g_ptr_array_index (self->query, i + 1), NULL);
    }
  if (self->link != NULL)
    {
      g_autofree char *base = uri;

      uri = wk_uri_with_query_of (base, self->link);
    }
  return uri;
}

WkHttpRequest *
os_request_to_http (OsRequest  *self,
                    const char *endpoint,
                    const char *token,
                    double      timeout)
{
  g_autofree char *uri = make_uri (self, endpoint);
  g_autoptr(WkHttpRequest) request = wk_http_request_new (self->method, uri);

  wk_http_request_set_header (request, "Accept", "application/json");
  if (!self->is_anonymous)
    wk_http_request_set_header (request, "X-Auth-Token", token);
  if (self->max_body > 0)
    wk_http_request_set_max_body (request, self->max_body);
  for (guint i = 0; i < self->headers->len; i += 2)
    wk_http_request_set_header (request, g_ptr_array_index (self->headers, i),
                                g_ptr_array_index (self->headers, i + 1));
  wk_http_request_set_service (request, os_service_get_name (self->service));
  if (self->deadline >= 0)
    wk_http_request_set_deadline (request, self->deadline);
  else if (timeout > 0)
    wk_http_request_set_deadline (request, timeout);
  if (self->is_repeatable)
    wk_http_request_set_repeatable (request, TRUE);
  wk_http_request_set_streaming (request, self->is_streaming);
  wk_http_request_set_refuses_pages (request, self->refuses_pages);
  if (self->sink != NULL)
    wk_http_request_set_sink (request, self->sink, self->reset, self->sink_data);
  if (self->body != NULL)
    wk_http_request_set_body (request, self->body, self->content_type);
  if (self->stream != NULL)
    wk_http_request_set_body_source (request, (WkHttpOpenBody) os_body_open,
                                     os_body_ref (self->stream), (GDestroyNotify) os_body_unref,
                                     os_body_get_length (self->stream), self->content_type);
  return g_steal_pointer (&request);
}
