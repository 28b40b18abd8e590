/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-metadata-source.h"

#include "base/uri.h"

#define MAX_BYTES ((gsize) 64 * 1024 * 1024)

struct _OsMetadataSource
{
  GObject parent;

  OsClient     *client;  /* (owned) */
  OsServiceKind service;
};

static void os_metadata_source_data_source_init (WelkinDataSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  OsMetadataSource, os_metadata_source, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_DATA_SOURCE, os_metadata_source_data_source_init))

static const char *
os_metadata_source_get_description (WelkinDataSource *source)
{
  return "keystone catalog";
}

static char *
os_metadata_source_get_uri (WelkinDataSource *source,
                            const char       *path)
{
  OsMetadataSource *self = OS_METADATA_SOURCE (source);
  g_autofree char *uri = wk_uri_join_path (os_client_get_endpoint (self->client, self->service),
                                           path);

  return wk_uri_for_display (uri);
}

static OsRequest *
make_request (OsMetadataSource *self,
              const char       *path)
{
  OsRequest *request = os_request_new (self->service, "GET", NULL);

  os_request_set_object (request, path);
  os_request_set_anonymous (request);
  os_request_set_refuses_pages (request);
  return request;
}

static void
os_metadata_source_fetch_async (WelkinDataSource    *source,
                                const char          *path,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  OsMetadataSource *self = OS_METADATA_SOURCE (source);
  g_autoptr(OsRequest) request = make_request (self, path);

  os_request_set_max_body (request, MAX_BYTES);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

static GBytes *
os_metadata_source_fetch_finish (WelkinDataSource  *source,
                                 GAsyncResult      *result,
                                 GError           **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (source, result, error);

  return response != NULL ? g_bytes_ref (wk_http_response_get_body (response)) : NULL;
}

static void
os_metadata_source_open_async (WelkinDataSource    *source,
                               const char          *path,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  OsMetadataSource *self = OS_METADATA_SOURCE (source);
  g_autoptr(OsRequest) request = make_request (self, path);

  os_request_set_streaming (request);
  os_request_set_deadline (request, 0);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

static GInputStream *
os_metadata_source_open_finish (WelkinDataSource  *source,
                                GAsyncResult      *result,
                                GError           **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (source, result, error);

  return response != NULL ? wk_http_response_steal_stream (response) : NULL;
}

static void
os_metadata_source_finalize (GObject *object)
{
  OsMetadataSource *self = OS_METADATA_SOURCE (object);

  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_metadata_source_parent_class)->finalize (object);
}

static void
os_metadata_source_data_source_init (WelkinDataSourceInterface *iface)
{
  iface->get_description = os_metadata_source_get_description;
  iface->get_uri = os_metadata_source_get_uri;
  iface->fetch_async = os_metadata_source_fetch_async;
  iface->fetch_finish = os_metadata_source_fetch_finish;
  iface->open_async = os_metadata_source_open_async;
  iface->open_finish = os_metadata_source_open_finish;
}

static void
os_metadata_source_class_init (OsMetadataSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_metadata_source_finalize;
}

static void
os_metadata_source_init (OsMetadataSource *self)
{
}

WelkinDataSource *
os_metadata_source_new (OsClient      *client,
                        OsServiceKind  service)
{
  OsMetadataSource *self = g_object_new (OS_TYPE_METADATA_SOURCE, NULL);

  self->client = g_object_ref (client);
  self->service = service;
  return WELKIN_DATA_SOURCE (self);
}
