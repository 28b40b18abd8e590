/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/data-source-private.h"

/* Metadata in a storage, below a prefix. */

#define WELKIN_TYPE_STORAGE_SOURCE (welkin_storage_source_get_type ())
G_DECLARE_FINAL_TYPE (WelkinStorageSource, welkin_storage_source, WELKIN, STORAGE_SOURCE, GObject)

struct _WelkinStorageSource
{
  GObject parent;

  WelkinStorage *storage;     /* (owned) */
  char          *prefix;      /* (owned) with a slash at the end, or "" */
  char          *description; /* (owned) */
};

static void welkin_storage_source_data_source_init (WelkinDataSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  WelkinStorageSource, welkin_storage_source, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_DATA_SOURCE, welkin_storage_source_data_source_init))

static const char *
welkin_storage_source_get_description (WelkinDataSource *source)
{
  return WELKIN_STORAGE_SOURCE (source)->description;
}

static char *
welkin_storage_source_get_uri (WelkinDataSource *source,
                               const char       *path)
{
  return g_strconcat (WELKIN_STORAGE_SOURCE (source)->prefix, path, NULL);
}

/* value: NULL when there is an error; takes both. */
static void
return_result (GTask          *task,
               gpointer        value,
               GDestroyNotify  free_value,
               GError         *error)
{
  if (value != NULL)
    g_task_return_pointer (task, value, free_value);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

static void
loaded_cb (GObject      *storage,
           GAsyncResult *result,
           gpointer      user_data)
{
  GError *error = NULL;
  GBytes *bytes = welkin_storage_load_finish (WELKIN_STORAGE (storage), result, &error);

  return_result (user_data, bytes, (GDestroyNotify) g_bytes_unref, error);
}

static void
welkin_storage_source_fetch_async (WelkinDataSource    *source,
                                   const char          *path,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  WelkinStorageSource *self = WELKIN_STORAGE_SOURCE (source);
  g_autofree char *name = g_strconcat (self->prefix, path, NULL);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, welkin_storage_source_fetch_async);
  welkin_storage_load_async (self->storage, name, WELKIN_STORAGE_NONE, cancellable, loaded_cb,
                             task);
}

static GBytes *
welkin_storage_source_fetch_finish (WelkinDataSource  *source,
                                    GAsyncResult      *result,
                                    GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_storage_source_fetch_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
opened_cb (GObject      *storage,
           GAsyncResult *result,
           gpointer      user_data)
{
  GError *error = NULL;
  GInputStream *stream = welkin_storage_get_finish (WELKIN_STORAGE (storage), result, &error);

  return_result (user_data, stream, g_object_unref, error);
}

static void
welkin_storage_source_open_async (WelkinDataSource    *source,
                                  const char          *path,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinStorageSource *self = WELKIN_STORAGE_SOURCE (source);
  g_autofree char *name = g_strconcat (self->prefix, path, NULL);
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, welkin_storage_source_open_async);
  welkin_storage_get_async (self->storage, name, WELKIN_STORAGE_NONE, cancellable, opened_cb,
                            task);
}

static GInputStream *
welkin_storage_source_open_finish (WelkinDataSource  *source,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_storage_source_open_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
welkin_storage_source_finalize (GObject *object)
{
  WelkinStorageSource *self = WELKIN_STORAGE_SOURCE (object);

  g_clear_object (&self->storage);
  g_free (self->prefix);
  g_free (self->description);

  G_OBJECT_CLASS (welkin_storage_source_parent_class)->finalize (object);
}

static void
welkin_storage_source_data_source_init (WelkinDataSourceInterface *iface)
{
  iface->get_description = welkin_storage_source_get_description;
  iface->get_uri = welkin_storage_source_get_uri;
  iface->fetch_async = welkin_storage_source_fetch_async;
  iface->fetch_finish = welkin_storage_source_fetch_finish;
  iface->open_async = welkin_storage_source_open_async;
  iface->open_finish = welkin_storage_source_open_finish;
}

static void
welkin_storage_source_class_init (WelkinStorageSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = welkin_storage_source_finalize;
}

static void
welkin_storage_source_init (WelkinStorageSource *self)
{
}

WelkinStorage *
welkin_data_source_get_storage (WelkinDataSource *self)
{
  return WELKIN_IS_STORAGE_SOURCE (self) ? WELKIN_STORAGE_SOURCE (self)->storage : NULL;
}

/**
 * welkin_data_source_new_for_storage:
 * @storage: a storage
 * @prefix: what stands before each path, as in "images/"
 * @description: what to call it in messages, as in "cloud storage"
 *
 * Makes a source of metadata of what lies in a storage.
 *
 * Returns: (transfer full): a new source
 *
 * Since: 0.1
 */
WelkinDataSource *
welkin_data_source_new_for_storage (WelkinStorage *storage,
                                    const char    *prefix,
                                    const char    *description)
{
  WelkinStorageSource *self;

  g_return_val_if_fail (WELKIN_IS_STORAGE (storage), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);
  g_return_val_if_fail (description != NULL, NULL);

  self = g_object_new (WELKIN_TYPE_STORAGE_SOURCE, NULL);
  self->storage = g_object_ref (storage);
  self->prefix = g_strdup (prefix);
  self->description = g_strdup (description);
  return WELKIN_DATA_SOURCE (self);
}
