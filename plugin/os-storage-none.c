/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "os-storage-none.h"
#include "values/welkin-error.h"

struct _OsStorageNone
{
  GObject parent;
};

/* Says more than the contract does of a call that nobody implements; the contract finishes it. */
static void
refuse (WelkinStorage       *storage,
        GAsyncReadyCallback  callback,
        gpointer             user_data,
        gpointer             tag)
{
  g_task_report_new_error (storage, callback, user_data, tag, WELKIN_ERROR,
                           WELKIN_ERROR_NOT_SUPPORTED,
                           _("this environment has no storage, for attribute storage is \"none\": "
                             "set it to swift, s3, local or auto"));
}

static void
os_storage_none_get_async (WelkinStorage       *storage,
                           const char          *name,
                           WelkinStorageFlags   flags,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_get_async);
}

static void
os_storage_none_put_async (WelkinStorage       *storage,
                           const char          *name,
                           GInputStream        *stream,
                           goffset              length,
                           WelkinStorageFlags   flags,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_put_async);
}

static void
os_storage_none_list_async (WelkinStorage       *storage,
                            const char          *prefix,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_list_async);
}

static void
os_storage_none_remove_async (WelkinStorage       *storage,
                              const char          *name,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_remove_async);
}

static void
os_storage_none_remove_all_async (WelkinStorage       *storage,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_remove_all_async);
}

static void
os_storage_none_get_uri_async (WelkinStorage       *storage,
                               const char          *name,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  refuse (storage, callback, user_data, welkin_storage_get_uri_async);
}

static void
os_storage_none_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = os_storage_none_get_async;
  iface->put_async = os_storage_none_put_async;
  iface->list_async = os_storage_none_list_async;
  iface->remove_async = os_storage_none_remove_async;
  iface->remove_all_async = os_storage_none_remove_all_async;
  iface->get_uri_async = os_storage_none_get_uri_async;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageNone, os_storage_none, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_none_storage_init))

WelkinStorage *
os_storage_none_new (void)
{
  return g_object_new (OS_TYPE_STORAGE_NONE, NULL);
}

static void
os_storage_none_class_init (OsStorageNoneClass *class)
{
}

static void
os_storage_none_init (OsStorageNone *self)
{
}
