/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-block-storage.h"

struct _OsBlockStorage
{
  GObject parent;

  OsClient *client; /* (owned) */
};

G_DEFINE_FINAL_TYPE (OsBlockStorage, os_block_storage, G_TYPE_OBJECT)

gboolean
os_block_storage_exists (OsBlockStorage *self)
{
  return os_client_get_endpoint (self->client, OS_SERVICE_BLOCK_STORAGE) != NULL;
}

/* Cinder reads the filter as Python would. */
void
os_block_storage_list_volumes_async (OsBlockStorage      *self,
                                     const char          *key,
                                     const char          *value,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_BLOCK_STORAGE, "GET", "volumes",
                                                 "detail", NULL);
  g_autofree char *filter = g_strdup_printf ("{'%s': '%s'}", key, value);

  os_request_add_query (request, "metadata", filter);
  os_client_list_async (self->client, self, request, &os_volume_table, "volumes", NULL, NULL,
                        cancellable, callback, user_data);
}

GPtrArray *
os_block_storage_list_volumes_finish (OsBlockStorage  *self,
                                      GAsyncResult    *result,
                                      GError         **error)
{
  return os_client_list_finish (self, result, error);
}

void
os_block_storage_add_metadata_async (OsBlockStorage      *self,
                                     const char          *id,
                                     GHashTable          *metadata,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_BLOCK_STORAGE, "POST", "volumes", id,
                                                 "metadata", NULL);
  JsonObject *object = json_object_new ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, metadata);
  while (g_hash_table_iter_next (&iter, &key, &value))
    json_object_set_string_member (object, key, value);
  os_request_set_json_object (request, "metadata", object);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_block_storage_add_metadata_finish (OsBlockStorage  *self,
                                      GAsyncResult    *result,
                                      GError         **error)
{
  return os_client_done_finish (self, result, error);
}

void
os_block_storage_delete_volume_async (OsBlockStorage      *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_BLOCK_STORAGE, "DELETE", "volumes", id,
                                                 NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_block_storage_delete_volume_finish (OsBlockStorage  *self,
                                       GAsyncResult    *result,
                                       GError         **error)
{
  return os_client_delete_finish (self, result, error);
}

OsBlockStorage *
os_block_storage_new (OsClient *client)
{
  OsBlockStorage *self = g_object_new (OS_TYPE_BLOCK_STORAGE, NULL);

  self->client = g_object_ref (client);
  return self;
}

static void
os_block_storage_dispose (GObject *object)
{
  OsBlockStorage *self = OS_BLOCK_STORAGE (object);

  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_block_storage_parent_class)->dispose (object);
}

static void
os_block_storage_class_init (OsBlockStorageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_block_storage_dispose;
}

static void
os_block_storage_init (OsBlockStorage *self)
{
}
