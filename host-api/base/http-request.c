/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/http-private.h"
#include "base/redact.h"
#include "base/uri.h"

#define DEFAULT_DEADLINE 120.0
#define DEFAULT_MAX_BODY ((gsize) 8 * 1024 * 1024)

/* What cannot be sent at all is noted here and said by the send: whoever puts a request
 * together from what others gave him has one place where it can fail. */
static void
request_note_flaw (WkHttpRequest *self,
                   char          *flaw)
{
  if (self->flaw == NULL)
    self->flaw = flaw;
  else
    g_free (flaw);
}

WkHttpRequest *
wk_http_request_new (const char *method,
                     const char *uri)
{
  g_autofree char *origin = NULL;
  WkHttpRequest *self;

  g_return_val_if_fail (method != NULL, NULL);
  g_return_val_if_fail (uri != NULL, NULL);

  self = g_new0 (WkHttpRequest, 1);
  g_ref_count_init (&self->ref_count);
  self->method = g_strdup (method);
  self->uri = g_strdup (uri);
  self->headers = soup_message_headers_new (SOUP_MESSAGE_HEADERS_REQUEST);
  self->deadline = DEFAULT_DEADLINE;
  self->max_body = DEFAULT_MAX_BODY;
  self->is_repeatable = g_str_equal (method, "GET") || g_str_equal (method, "HEAD")
                        || g_str_equal (method, "PUT") || g_str_equal (method, "DELETE");

  origin = wk_uri_get_origin (uri);
  if (origin == NULL)
    request_note_flaw (self, g_strdup (_("not a URL that begins with http:// or https://")));
  return self;
}

WkHttpRequest *
wk_http_request_ref (WkHttpRequest *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

static void
request_clear_body (WkHttpRequest *self)
{
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->content_type, g_free);
  if (self->free_source != NULL)
    self->free_source (self->source);
  self->free_source = NULL;
  self->open_body = NULL;
}

void
wk_http_request_unref (WkHttpRequest *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  request_clear_body (self);
  soup_message_headers_unref (self->headers);
  g_free (self->method);
  g_free (self->uri);
  g_free (self->service);
  g_free (self->flaw);
  g_free (self);
}

const char *
wk_http_request_get_method (WkHttpRequest *self)
{
  return self->method;
}

const char *
wk_http_request_get_uri (WkHttpRequest *self)
{
  return self->uri;
}

static gboolean
has_control_character (const char *text)
{
  for (; *text != '\0'; text++)
    if (((guchar) *text < 0x20 && *text != '\t') || *text == 0x7f)
      return TRUE;
  return FALSE;
}

void
wk_http_request_set_header (WkHttpRequest *self,
                            const char    *name,
                            const char    *value)
{
  g_return_if_fail (name != NULL);

  if (value == NULL)
    soup_message_headers_remove (self->headers, name);
  else if (has_control_character (value))
    request_note_flaw (self, g_strdup_printf (_("the value for the header %s has a line break or "
                                                "another control character in it"),
                                              name));
  else
    soup_message_headers_replace (self->headers, name, value);
}

void
wk_http_request_set_body (WkHttpRequest *self,
                          GBytes        *body,
                          const char    *content_type)
{
  request_clear_body (self);
  if (body == NULL)
    return;

  self->body = g_bytes_ref (body);
  self->content_type = g_strdup (content_type);
}

void
wk_http_request_set_body_source (WkHttpRequest  *self,
                                 WkHttpOpenBody  open_body,
                                 gpointer        data,
                                 GDestroyNotify  free_data,
                                 goffset         length,
                                 const char     *content_type)
{
  g_return_if_fail (open_body != NULL);
  g_return_if_fail (length >= 0);

  request_clear_body (self);
  self->open_body = open_body;
  self->source = data;
  self->free_source = free_data;
  self->source_length = length;
  self->content_type = g_strdup (content_type);
}

void
wk_http_request_set_service (WkHttpRequest *self,
                             const char    *service)
{
  g_free (self->service);
  self->service = g_strdup (service);
}

void
wk_http_request_set_deadline (WkHttpRequest *self,
                              double         seconds)
{
  self->deadline = seconds;
}

void
wk_http_request_set_total (WkHttpRequest *self,
                           double         seconds)
{
  self->total = seconds;
}

void
wk_http_request_set_repeatable (WkHttpRequest *self,
                                gboolean       repeatable)
{
  self->is_repeatable = repeatable;
}

void
wk_http_request_set_refuses_pages (WkHttpRequest *self,
                                   gboolean       refuses)
{
  self->refuses_pages = refuses;
}

void
wk_http_request_set_sink (WkHttpRequest *self,
                          WkHttpSink     sink,
                          WkHttpReset    reset,
                          gpointer       data)
{
  self->sink = sink;
  self->reset = reset;
  self->sink_data = data;
}

void
wk_http_request_set_streaming (WkHttpRequest *self,
                               gboolean       streaming)
{
  self->is_streaming = streaming;
}

void
wk_http_request_set_max_body (WkHttpRequest *self,
                              gsize          bytes)
{
  self->max_body = bytes;
}

static void
copy_header (const char *name,
             const char *value,
             gpointer    headers)
{
  soup_message_headers_append (headers, name, value);
}

void
wk_http_request_copy_headers (WkHttpRequest      *self,
                              SoupMessageHeaders *headers)
{
  soup_message_headers_foreach (self->headers, copy_header, headers);
}

WkHttpRequest *
wk_http_request_new_rest (WkHttpRequest *self,
                          goffset        from,
                          const char    *etag)
{
  WkHttpRequest *rest = wk_http_request_new (self->method, self->uri);
  g_autofree char *range = g_strdup_printf ("bytes=%" G_GOFFSET_FORMAT "-", from);
  g_autofree char *quoted = NULL;

  wk_http_request_copy_headers (self, rest->headers);
  /* Swift sends it without the quotes that it has by the rules. */
  if (etag != NULL)
    quoted = *etag == '"' ? g_strdup (etag) : g_strdup_printf ("\"%s\"", etag);
  wk_http_request_set_header (rest, "If-Match", quoted);
  wk_http_request_set_header (rest, "Range", from > 0 ? range : NULL);
  wk_http_request_set_service (rest, self->service);
  rest->deadline = self->deadline;
  rest->total = self->total;
  rest->is_streaming = TRUE;
  return rest;
}

void
wk_http_request_prefix_error (WkHttpRequest *self,
                              GError       **error)
{
  g_autofree char *shown = wk_uri_for_display (self->uri);

  g_prefix_error (error, "%s %s: ", self->method, shown);
}

GError *
wk_http_request_explain_cut (WkHttpRequest *self,
                             const GError  *error)
{
  WkHttpFailure failure = WK_HTTP_FAILURE_AFTER;
  gboolean is_timeout = FALSE;
  GError *explained = wk_http_error_translate (error, TRUE, &failure, &is_timeout);

  wk_http_request_prefix_error (self, &explained);
  return explained;
}

static void
list_header_secret (const char *name,
                    const char *value,
                    gpointer    secrets)
{
  const char *last_word = strrchr (value, ' ');

  if (!wk_redact_is_secret (name))
    return;
  wk_secrets_add (secrets, value);
  if (last_word != NULL)
    wk_secrets_add (secrets, last_word + 1);
}

WkSecrets *
wk_http_request_list_secrets (WkHttpRequest *self)
{
  WkSecrets *secrets = wk_secrets_new ();

  soup_message_headers_foreach (self->headers, list_header_secret, secrets);
  if (self->body != NULL && g_strcmp0 (self->content_type, "application/json") == 0)
    {
      gsize length;
      const char *data = g_bytes_get_data (self->body, &length);

      g_free (wk_redact_json (data, length, NULL, secrets));
    }
  return secrets;
}

char *
wk_http_request_hide_secrets (WkHttpRequest *self,
                              const char    *text,
                              gboolean       is_cut)
{
  g_autoptr(WkSecrets) secrets = wk_http_request_list_secrets (self);

  return wk_secrets_hide (secrets, text, is_cut);
}
