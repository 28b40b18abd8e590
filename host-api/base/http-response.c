/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/http-private.h"
#include "base/uri.h"

struct _WkHttpResponse
{
  grefcount           ref_count;
  const char         *method;
  GUri               *uri;    /* (owned) that it came from */
  guint               status;
  SoupMessageHeaders *headers;
  GBytes             *body;
  GInputStream       *stream; /* (nullable) until it is stolen */
  char               *proxy;  /* (nullable) of a page */
  GTlsCertificate    *certificate; /* (owned) (nullable) */
  guint               sends;
};

WkHttpResponse *
wk_http_response_new (SoupMessage *message)
{
  WkHttpResponse *self = g_new0 (WkHttpResponse, 1);

  g_ref_count_init (&self->ref_count);
  self->method = g_intern_string (soup_message_get_method (message));
  self->uri = g_uri_ref (soup_message_get_uri (message));
  self->status = soup_message_get_status (message);
  self->headers = soup_message_headers_ref (soup_message_get_response_headers (message));
  self->body = g_bytes_new (NULL, 0);
  g_set_object (&self->certificate, soup_message_get_tls_peer_certificate (message));
  self->sends = 1;
  return self;
}

WkHttpResponse *
wk_http_response_ref (WkHttpResponse *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
wk_http_response_unref (WkHttpResponse *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_uri_unref (self->uri);
  soup_message_headers_unref (self->headers);
  g_bytes_unref (self->body);
  g_clear_object (&self->stream);
  g_free (self->proxy);
  g_clear_object (&self->certificate);
  g_free (self);
}

void
wk_http_response_take_body (WkHttpResponse *self,
                            GBytes         *body)
{
  g_bytes_unref (self->body);
  self->body = body;
}

void
wk_http_response_take_stream (WkHttpResponse *self,
                              GInputStream   *stream)
{
  self->stream = stream;
}

void
wk_http_response_take_proxy (WkHttpResponse *self,
                             char           *proxy)
{
  g_free (self->proxy);
  self->proxy = proxy;
}

gboolean
wk_http_response_is_page (WkHttpResponse *self)
{
  const char *type = soup_message_headers_get_content_type (self->headers, NULL);

  return type != NULL
         && (g_ascii_strcasecmp (type, "text/html") == 0
             || g_ascii_strcasecmp (type, "application/xhtml+xml") == 0);
}

const char *
wk_http_response_get_proxy (WkHttpResponse *self)
{
  return self->proxy;
}

void
wk_http_response_prefix_error (WkHttpResponse *self,
                               GError        **error)
{
  g_autofree char *uri = g_uri_to_string (self->uri);
  g_autofree char *shown = wk_uri_for_display (uri);

  g_prefix_error (error, "%s %s: ", self->method, shown);
}

GTlsCertificate *
wk_http_response_get_certificate (WkHttpResponse *self)
{
  return self->certificate;
}

void
wk_http_response_set_sends (WkHttpResponse *self,
                            guint           sends)
{
  self->sends = sends;
}

guint
wk_http_response_get_status (WkHttpResponse *self)
{
  return self->status;
}

gboolean
wk_http_response_is_success (WkHttpResponse *self)
{
  return SOUP_STATUS_IS_SUCCESSFUL (self->status);
}

const char *
wk_http_response_get_header (WkHttpResponse *self,
                             const char     *name)
{
  const char *value = soup_message_headers_get_one (self->headers, name);

  /* It ends up in messages and in JSON; nothing that we read is ever other than ASCII. */
  return value != NULL && g_utf8_validate (value, -1, NULL) ? value : NULL;
}

goffset
wk_http_response_get_length (WkHttpResponse *self)
{
  if (soup_message_headers_get_encoding (self->headers) != SOUP_ENCODING_CONTENT_LENGTH)
    return -1;
  return soup_message_headers_get_content_length (self->headers);
}

GBytes *
wk_http_response_get_body (WkHttpResponse *self)
{
  return self->body;
}

GInputStream *
wk_http_response_steal_stream (WkHttpResponse *self)
{
  return g_steal_pointer (&self->stream);
}

guint
wk_http_response_get_sends (WkHttpResponse *self)
{
  return self->sends;
}
