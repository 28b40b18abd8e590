/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-object-store-private.h"

G_DEFINE_FINAL_TYPE (OsObjectStore, os_object_store, G_TYPE_OBJECT)

void
os_object_store_head_account_async (OsObjectStore       *self,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "HEAD", NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

WkHttpResponse *
os_object_store_head_account_finish (OsObjectStore  *self,
                                     GAsyncResult   *result,
                                     GError        **error)
{
  return os_client_send_finish (self, result, error);
}

void
os_object_store_set_account_key_async (OsObjectStore       *self,
                                       const char          *key,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "POST", NULL);

  os_request_set_header (request, OS_ACCOUNT_KEY_HEADER, key);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_set_account_key_finish (OsObjectStore  *self,
                                        GAsyncResult   *result,
                                        GError        **error)
{
  return os_client_done_finish (self, result, error);
}

void
os_object_store_create_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "PUT", container, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_create_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         gboolean       *is_new,
                                         GError        **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self, result, error);

  if (response == NULL)
    return FALSE;
  *is_new = wk_http_response_get_status (response) == 201;
  return TRUE;
}

void
os_object_store_update_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        const char * const  *headers,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "POST", container, NULL);

  for (guint i = 0; headers[i] != NULL; i += 2)
    os_request_set_header (request, headers[i], headers[i + 1]);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_update_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         GError        **error)
{
  return os_client_done_finish (self, result, error);
}

void
os_object_store_head_container_async (OsObjectStore       *self,
                                      const char          *container,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "HEAD", container, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

WkHttpResponse *
os_object_store_head_container_finish (OsObjectStore  *self,
                                       GAsyncResult   *result,
                                       GError        **error)
{
  return os_client_send_finish (self, result, error);
}

void
os_object_store_delete_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "DELETE", container,
                                                 NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_delete_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         GError        **error)
{
  return os_client_delete_finish (self, result, error);
}

OsObjectStore *
os_object_store_new (OsClient *client)
{
  OsObjectStore *self = g_object_new (OS_TYPE_OBJECT_STORE, NULL);

  self->client = g_object_ref (client);
  self->info = os_object_store_new_info_memo (self);
  return self;
}

static void
os_object_store_dispose (GObject *object)
{
  OsObjectStore *self = OS_OBJECT_STORE (object);

  if (self->info != NULL)
    wk_memo_close (self->info);
  g_clear_pointer (&self->info, wk_memo_unref);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_object_store_parent_class)->dispose (object);
}

static void
os_object_store_class_init (OsObjectStoreClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_object_store_dispose;
}

static void
os_object_store_init (OsObjectStore *self)
{
}
