/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "os-storage-common.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

static void os_storage_swift_storage_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageSwift, os_storage_swift, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_swift_storage_init))

gboolean
os_storage_swift_check_name (const char  *name,
                             GError     **error)
{
  if (!os_storage_check_name (name, error))
    return FALSE;
  if (!g_str_has_prefix (name, OS_SEGMENTS_PREFIX))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("names that begin with \"%s\" are for parts of large files"), OS_SEGMENTS_PREFIX);
  return FALSE;
}

static void
os_storage_swift_get_async (WelkinStorage       *storage,
                            const char          *name,
                            WelkinStorageFlags   flags,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  OsStorageSwift *self = OS_STORAGE_SWIFT (storage);

  os_storage_open_async (storage, self->store, self->container, name, flags,
                         os_client_get_clock (self->client),
                         (OsOpen) os_object_store_get_object_async,
                         (OsOpenFinish) os_object_store_get_object_finish, cancellable, callback,
                         user_data);
}

/* Listing */

static void
drop_segments (GPtrArray *names)
{
  for (guint i = names->len; i > 0; i--)
    if (g_str_has_prefix (g_ptr_array_index (names, i - 1), OS_SEGMENTS_PREFIX))
      g_ptr_array_remove_index_fast (names, i - 1);
}

static void
list_run (WkFlow *flow,
          gpointer user_data)
{
  const char *prefix = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) names = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_list_objects_async (storage->store, storage->container, prefix,
                                                      WK_RESUME (flow)));
  names = os_object_store_list_objects_finish (storage->store, WK_RESULT (flow), &error);
  if (names == NULL)
    WK_FAIL (flow, &error, NULL);
  drop_segments (names);
  g_ptr_array_sort (names, os_storage_compare_names);
  g_ptr_array_add (names, NULL);
  wk_flow_return_pointer (flow, g_ptr_array_steal (names, NULL), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
os_storage_swift_list_async (WelkinStorage       *storage,
                             const char          *prefix,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_list_async, list_run,
                 g_strdup (prefix), g_free);
}

static char **
os_storage_swift_list_finish (WelkinStorage  *storage,
                              GAsyncResult   *result,
                              GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_swift_list_async, error);
}

WelkinStorage *
os_storage_swift_new (OsClient     *client,
                      WelkinConfig *config)
{
  OsStorageSwift *self = g_object_new (OS_TYPE_STORAGE_SWIFT, NULL);

  self->client = g_object_ref (client);
  self->store = os_object_store_new (client);
  self->container = g_strdup (welkin_config_get_string (config, "control-bucket"));
  self->uuid = g_strdup (welkin_config_get_uuid (config));
  self->access = os_storage_parse_access (welkin_config_get_string (config, "storage-access"));
  self->containers = os_storage_swift_new_memo (self);
  return WELKIN_STORAGE (self);
}

static void
os_storage_swift_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = os_storage_swift_get_async;
  iface->get_finish = os_storage_open_finish;
  iface->put_async = os_storage_swift_put_async;
  iface->put_finish = os_storage_swift_put_finish;
  iface->list_async = os_storage_swift_list_async;
  iface->list_finish = os_storage_swift_list_finish;
  iface->remove_async = os_storage_swift_remove_async;
  iface->remove_finish = os_storage_swift_remove_finish;
  iface->remove_all_async = os_storage_swift_remove_all_async;
  iface->remove_all_finish = os_storage_swift_remove_all_finish;
  iface->get_uri_async = os_storage_swift_get_uri_async;
  iface->get_uri_finish = os_storage_swift_get_uri_finish;
}

static void
os_storage_swift_dispose (GObject *object)
{
  OsStorageSwift *self = OS_STORAGE_SWIFT (object);

  if (self->containers != NULL)
    wk_memo_close (self->containers);
  g_clear_pointer (&self->containers, wk_memo_unref);
  g_clear_object (&self->store);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_storage_swift_parent_class)->dispose (object);
}

static void
os_storage_swift_finalize (GObject *object)
{
  OsStorageSwift *self = OS_STORAGE_SWIFT (object);

  g_free (self->container);
  g_free (self->uuid);

  G_OBJECT_CLASS (os_storage_swift_parent_class)->finalize (object);
}

static void
os_storage_swift_class_init (OsStorageSwiftClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = os_storage_swift_dispose;
  object_class->finalize = os_storage_swift_finalize;
}

static void
os_storage_swift_init (OsStorageSwift *self)
{
}
