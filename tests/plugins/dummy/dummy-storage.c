/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dummy-storage.h"

/* Objects in memory. */
struct _DummyStorage
{
  GObject       parent_instance;

  WelkinConfig *config; /* (owned) */
  DummyCloud   *cloud;  /* (unowned) never freed */
};

static void dummy_storage_iface_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DummyStorage, dummy_storage, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      dummy_storage_iface_init))

WelkinStorage *
dummy_storage_new (WelkinConfig *config)
{
  DummyStorage *self = g_object_new (DUMMY_TYPE_STORAGE, NULL);

  self->config = welkin_config_ref (config);
  self->cloud = dummy_cloud_get (config);
  return WELKIN_STORAGE (self);
}

static gboolean
is_missing (WelkinConfig *config)
{
  g_auto(GStrv) broken = welkin_config_get_strings (config, "broken");

  return g_strv_contains ((const char *const *) broken, "no-storage");
}

/* NULL when the operation is to fail, which it then has. */
static GTask *
begin (WelkinStorage      *storage,
       const char         *operation,
       GCancellable       *cancellable,
       GAsyncReadyCallback callback,
       gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (storage, cancellable, callback, user_data);
  WelkinConfig *config = DUMMY_STORAGE (storage)->config;
  GError *error = NULL;

  if (is_missing (config))
    error = g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED, "there is no storage");
  else if (!dummy_cloud_fails (config, operation, &error))
    return g_steal_pointer (&task);
  g_task_return_error (task, error);
  return NULL;
}

static gboolean
finish_boolean (WelkinStorage *storage,
                GAsyncResult  *result,
                GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
dummy_storage_get_async (WelkinStorage      *storage,
                         const char         *name,
                         WelkinStorageFlags  flags,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "get", cancellable, callback, user_data);
  GBytes *contents = g_hash_table_lookup (DUMMY_STORAGE (storage)->cloud->objects, name);

  if (task == NULL)
    return;
  if (contents == NULL)
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, "\"%s\" not found",
                               name);
      return;
    }
  g_task_return_pointer (task, g_memory_input_stream_new_from_bytes (contents), g_object_unref);
}

static GInputStream *
dummy_storage_get_finish (WelkinStorage *storage,
                          GAsyncResult  *result,
                          GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* What is being written. */
typedef struct
{
  char    *name;
  goffset  length;
  gboolean may_replace;
} Put;

static void
put_free (gpointer data)
{
  Put *put = data;

  g_free (put->name);
  g_free (put);
}

static void
stream_read_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  DummyStorage *self = g_task_get_source_object (task);
  Put *put = g_task_get_task_data (task);
  GError *error = NULL;
  gssize size;

  size = g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error);
  if (size < 0)
    {
      g_task_return_error (task, error);
      return;
    }
  if (size != put->length)
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                               "the stream has %" G_GSSIZE_FORMAT " bytes", size);
      return;
    }
  if (!put->may_replace && g_hash_table_contains (self->cloud->objects, put->name))
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                               "\"%s\" already exists", put->name);
      return;
    }
  g_hash_table_replace (self->cloud->objects, g_strdup (put->name),
                        g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source)));
  g_task_return_boolean (task, TRUE);
}

static void
dummy_storage_put_async (WelkinStorage      *storage,
                         const char         *name,
                         GInputStream       *stream,
                         goffset             length,
                         WelkinStorageFlags  flags,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "put", cancellable, callback, user_data);
  DummyStorage *self = DUMMY_STORAGE (storage);
  g_autoptr(GOutputStream) memory = NULL;
  Put *put;

  if (task == NULL)
    return;
  put = g_new0 (Put, 1);
  put->name = g_strdup (name);
  put->length = length;
  /* Not every cloud heeds it. */
  put->may_replace = (flags & WELKIN_STORAGE_NO_REPLACE) == 0 ||
                     dummy_cloud_fails (self->config, "no-replace", NULL);
  g_task_set_task_data (task, put, put_free);
  memory = g_memory_output_stream_new_resizable ();
  g_output_stream_splice_async (memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT, cancellable, stream_read_cb,
                                g_object_ref (task));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static void
dummy_storage_list_async (WelkinStorage      *storage,
                          const char         *prefix,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "list", cancellable, callback, user_data);
  GPtrArray *names;
  GHashTableIter iter;
  gpointer name;

  if (task == NULL)
    return;
  names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, DUMMY_STORAGE (storage)->cloud->objects);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      if (g_str_has_prefix (name, prefix))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  g_task_return_pointer (task, g_ptr_array_free (names, FALSE), (GDestroyNotify) g_strfreev);
}

static char **
dummy_storage_list_finish (WelkinStorage *storage,
                           GAsyncResult  *result,
                           GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
dummy_storage_remove_async (WelkinStorage      *storage,
                            const char         *name,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "remove", cancellable, callback, user_data);

  if (task == NULL)
    return;
  g_hash_table_remove (DUMMY_STORAGE (storage)->cloud->objects, name);
  g_task_return_boolean (task, TRUE);
}

static void
dummy_storage_remove_all_async (WelkinStorage      *storage,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "remove-all", cancellable, callback, user_data);

  if (task == NULL)
    return;
  g_hash_table_remove_all (DUMMY_STORAGE (storage)->cloud->objects);
  g_task_return_boolean (task, TRUE);
}

static void
dummy_storage_get_uri_async (WelkinStorage      *storage,
                             const char         *name,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = begin (storage, "get-uri", cancellable, callback, user_data);

  if (task == NULL)
    return;
  g_task_return_pointer (task, g_strconcat ("dummy:///", name, NULL), g_free);
}

static char *
dummy_storage_get_uri_finish (WelkinStorage *storage,
                              GAsyncResult  *result,
                              GDateTime    **expires,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
dummy_storage_iface_init (WelkinStorageInterface *iface)
{
  iface->get_async = dummy_storage_get_async;
  iface->get_finish = dummy_storage_get_finish;
  iface->put_async = dummy_storage_put_async;
  iface->put_finish = finish_boolean;
  iface->list_async = dummy_storage_list_async;
  iface->list_finish = dummy_storage_list_finish;
  iface->remove_async = dummy_storage_remove_async;
  iface->remove_finish = finish_boolean;
  iface->remove_all_async = dummy_storage_remove_all_async;
  iface->remove_all_finish = finish_boolean;
  iface->get_uri_async = dummy_storage_get_uri_async;
  iface->get_uri_finish = dummy_storage_get_uri_finish;
}

static void
dummy_storage_finalize (GObject *object)
{
  DummyStorage *self = DUMMY_STORAGE (object);

  welkin_config_unref (self->config);

  G_OBJECT_CLASS (dummy_storage_parent_class)->finalize (object);
}

static void
dummy_storage_class_init (DummyStorageClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dummy_storage_finalize;
}

static void
dummy_storage_init (DummyStorage *self)
{
}
