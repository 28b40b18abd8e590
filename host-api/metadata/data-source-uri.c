/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/data-source-private.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/http.h"
#include "base/uri.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

/*
 * Metadata below a URL. It has a session of its own: what is public knows nothing of the cloud's
 * certificates, and the cloud nothing of it.
 */

/* A place that does not answer must not hold up those behind it for long. */
#define TOTAL_SECONDS 60.0

#define WELKIN_TYPE_URI_SOURCE (welkin_uri_source_get_type ())
G_DECLARE_FINAL_TYPE (WelkinUriSource, welkin_uri_source, WELKIN, URI_SOURCE, GObject)

struct _WelkinUriSource
{
  GObject parent;

  char    *uri;         /* (owned) */
  char    *description; /* (owned) */
  gboolean requires_signed;
  WkHttp  *http;        /* (owned) */
};

static void welkin_uri_source_data_source_init (WelkinDataSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  WelkinUriSource, welkin_uri_source, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_DATA_SOURCE, welkin_uri_source_data_source_init))

typedef struct
{
  WelkinUriSource *source;  /* (owned) */
  WkHttpRequest   *request; /* (owned) */
  gboolean         is_streaming;
} Fetch;

static void
fetch_free (gpointer user_data)
{
  Fetch *self = user_data;

  wk_http_request_unref (self->request);
  g_object_unref (self->source);
  g_free (self);
}

static const char *
welkin_uri_source_get_description (WelkinDataSource *source)
{
  return WELKIN_URI_SOURCE (source)->description;
}

static gboolean
welkin_uri_source_get_requires_signed (WelkinDataSource *source)
{
  return WELKIN_URI_SOURCE (source)->requires_signed;
}

static GError *
make_error (Fetch          *self,
            WkHttpResponse *response)
{
  g_autofree char *uri = wk_uri_for_display (wk_http_request_get_uri (self->request));
  guint status = wk_http_response_get_status (response);
  g_autofree char *message = NULL;
  WelkinError code = WELKIN_ERROR_FAILED;

  if (status == 404 || status == 410)
    code = WELKIN_ERROR_NOT_FOUND;
  else if (status == 401)
    code = WELKIN_ERROR_UNAUTHORIZED;
  else if (status == 403)
    code = WELKIN_ERROR_FORBIDDEN;

  if (code == WELKIN_ERROR_NOT_FOUND)
    message = g_strdup_printf (_("%s not found"), uri);
  else
    message = g_strdup_printf (_("cannot access URL %s"), uri);
  return welkin_error_new_from_service (code, message, NULL, status, NULL);
}

static void
fetch_run (WkFlow  *flow,
           gpointer user_data)
{
  Fetch *self = user_data;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_http_send_async (self->source->http, self->request, WK_RESUME (flow)));
  response = wk_http_send_finish (self->source->http, WK_RESULT (flow), &error);
  if (response == NULL)
    WK_FAIL (flow, &error, NULL);
  if (!wk_http_response_is_success (response))
    {
      error = make_error (self, response);
      WK_FAIL (flow, &error, NULL);
    }
  if (self->is_streaming)
    wk_flow_return_pointer (flow, wk_http_response_steal_stream (response), g_object_unref);
  else
    wk_flow_return_pointer (flow, g_bytes_ref (wk_http_response_get_body (response)),
                            (GDestroyNotify) g_bytes_unref);

  WK_FLOW_END (flow);
}

static Fetch *
fetch_new (WelkinDataSource *source,
           const char       *path)
{
  Fetch *self = g_new0 (Fetch, 1);
  g_autofree char *uri = NULL;

  self->source = g_object_ref (WELKIN_URI_SOURCE (source));
  uri = wk_uri_join_path (self->source->uri, path);
  self->request = wk_http_request_new ("GET", uri);
  wk_http_request_set_refuses_pages (self->request, TRUE);
  return self;
}

static void
welkin_uri_source_fetch_async (WelkinDataSource    *source,
                               const char          *path,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  Fetch *self = fetch_new (source, path);

  wk_http_request_set_total (self->request, TOTAL_SECONDS);
  wk_http_request_set_max_body (self->request, WELKIN_DATA_SOURCE_MAX_BYTES);
  wk_flow_start (source, cancellable, callback, user_data, welkin_uri_source_fetch_async,
                 fetch_run, self, fetch_free);
}

static GBytes *
welkin_uri_source_fetch_finish (WelkinDataSource  *source,
                                GAsyncResult      *result,
                                GError           **error)
{
  return wk_flow_finish_pointer (result, source, welkin_uri_source_fetch_async, error);
}

/* However long it takes, as long as it goes on. */
static void
welkin_uri_source_open_async (WelkinDataSource    *source,
                              const char          *path,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  Fetch *self = fetch_new (source, path);

  self->is_streaming = TRUE;
  wk_http_request_set_streaming (self->request, TRUE);
  wk_http_request_set_deadline (self->request, 0);
  wk_flow_start (source, cancellable, callback, user_data, welkin_uri_source_open_async,
                 fetch_run, self, fetch_free);
}

static GInputStream *
welkin_uri_source_open_finish (WelkinDataSource  *source,
                               GAsyncResult      *result,
                               GError           **error)
{
  return wk_flow_finish_pointer (result, source, welkin_uri_source_open_async, error);
}

static char *
welkin_uri_source_get_uri (WelkinDataSource *source,
                           const char       *path)
{
  g_autofree char *uri = wk_uri_join_path (WELKIN_URI_SOURCE (source)->uri, path);

  return wk_uri_for_display (uri);
}

static void
welkin_uri_source_finalize (GObject *object)
{
  WelkinUriSource *self = WELKIN_URI_SOURCE (object);

  g_clear_pointer (&self->http, wk_http_unref);
  g_free (self->description);
  g_free (self->uri);

  G_OBJECT_CLASS (welkin_uri_source_parent_class)->finalize (object);
}

static void
welkin_uri_source_data_source_init (WelkinDataSourceInterface *iface)
{
  iface->get_description = welkin_uri_source_get_description;
  iface->get_requires_signed = welkin_uri_source_get_requires_signed;
  iface->get_uri = welkin_uri_source_get_uri;
  iface->fetch_async = welkin_uri_source_fetch_async;
  iface->fetch_finish = welkin_uri_source_fetch_finish;
  iface->open_async = welkin_uri_source_open_async;
  iface->open_finish = welkin_uri_source_open_finish;
}

static void
welkin_uri_source_class_init (WelkinUriSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = welkin_uri_source_finalize;
}

static void
welkin_uri_source_init (WelkinUriSource *self)
{
}

WelkinDataSource *
welkin_data_source_new_for_uri (const char            *uri,
                                const char            *description,
                                WelkinDataSourceFlags  flags,
                                WelkinSurroundings    *surroundings,
                                GError               **error)
{
  WelkinUriSource *self;
  g_autoptr(GProxyResolver) resolver = NULL;
  g_autoptr(WkClock) clock = welkin_surroundings_make_clock (surroundings);
  WkHttpOptions options = {
    .user_agent = "welkin/" PACKAGE_VERSION,
    .accept_any_certificate = (flags & WELKIN_DATA_SOURCE_ACCEPT_ANY_CERTIFICATE) != 0,
    .clock = clock,
  };

  if (!welkin_surroundings_check_proxies (surroundings, error))
    return NULL;
  resolver = welkin_surroundings_make_proxy_resolver (surroundings);
  options.proxy_resolver = resolver;

  self = g_object_new (WELKIN_TYPE_URI_SOURCE, NULL);
  self->uri = g_strdup (uri);
  self->description = g_strdup (description);
  self->requires_signed = (flags & WELKIN_DATA_SOURCE_REQUIRE_SIGNED) != 0;
  self->http = wk_http_new (&options);
  return WELKIN_DATA_SOURCE (self);
}
