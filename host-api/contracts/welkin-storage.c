/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-storage.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-contract-private.h"
#include "values/welkin-error.h"

/* More than this is for streams: metadata that are published have a third of it. */
#define LOAD_LIMIT (64 * 1024 * 1024)
#define LOAD_CHUNK (64 * 1024)

/**
 * WelkinStorageFlags:
 * @WELKIN_STORAGE_NONE: in the ordinary way
 * @WELKIN_STORAGE_EXPECT_SOON: for reading: it was written a moment ago, so
 *   wait until it can be seen
 * @WELKIN_STORAGE_NO_REPLACE: for writing: a name that is taken is
 *   %WELKIN_ERROR_ALREADY_EXISTS
 *
 * How to read or write an object.
 *
 * Since: 0.1
 */

/**
 * WelkinStorage:
 *
 * Where an environment keeps its files.
 *
 * It is a flat space of names, in which "/" means nothing beyond listing by
 * prefix. A storage stays what it was when the config of its environment
 * changes later, belongs to the main context of its environment, and retries by
 * itself what a cloud shows only after a while.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinStorage, welkin_storage, G_TYPE_OBJECT)

static void
welkin_storage_default_init (WelkinStorageInterface *iface)
{
}

/**
 * welkin_storage_get_async:
 * @self: a storage
 * @name: the name of an object
 * @flags: how to do it
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Opens an object for reading.
 *
 * Where the connection is cut off while the stream is read asynchronously, it
 * goes on from there, as long as the object is still the same.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_get_async (WelkinStorage       *self,
                          const char          *name,
                          WelkinStorageFlags   flags,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (name != NULL);

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->get_async == NULL)
    {
      welkin_contract_refuse (self, "get", callback, user_data, welkin_storage_get_async);
      return;
    }
  iface->get_async (self, name, flags, cancellable, callback, user_data);
}

/**
 * welkin_storage_get_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.get_async].
 *
 * When there is no object of the name it is %WELKIN_ERROR_NOT_FOUND. A wrong
 * checksum is an error of the last read.
 *
 * Returns: (transfer full): its contents, or %NULL on error
 *
 * Since: 0.1
 */
GInputStream *
welkin_storage_get_finish (WelkinStorage  *self,
                           GAsyncResult   *result,
                           GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_storage_get_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->get_finish (self, result, error);
}

/* Reading a whole object. */
typedef struct
{
  /* inputs */
  WelkinStorage     *storage; /* (owned) */
  char              *name;
  WelkinStorageFlags flags;

  /* while running */
  GInputStream      *stream;  /* (owned) (nullable) */
  GByteArray        *contents;
  GBytes            *chunk;   /* (owned) (nullable) the last one; empty at the end */
} Load;

static void
load_free (gpointer data)
{
  Load *self = data;

  g_object_unref (self->storage);
  g_free (self->name);
  g_clear_object (&self->stream);
  g_byte_array_unref (self->contents);
  g_clear_pointer (&self->chunk, g_bytes_unref);
  g_free (self);
}

static gboolean
load_take_chunk (Load    *self,
                 GError **error)
{
  gsize size = g_bytes_get_size (self->chunk);

  if (self->contents->len + size > LOAD_LIMIT)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                   _("%s in storage is larger than %d MiB"), self->name, LOAD_LIMIT >> 20);
      return FALSE;
    }
  g_byte_array_append (self->contents, g_bytes_get_data (self->chunk, NULL), size);
  return TRUE;
}

static void
load_run (WkFlow  *flow,
          gpointer user_data)
{
  Load *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_storage_get_async (self->storage, self->name, self->flags,
                                            WK_RESUME (flow)));
  self->stream = welkin_storage_get_finish (self->storage, WK_RESULT (flow), &error);
  if (self->stream == NULL)
    WK_FAIL (flow, &error, NULL);

  do
    {
      g_clear_pointer (&self->chunk, g_bytes_unref);
      WK_AWAIT (flow, g_input_stream_read_bytes_async (self->stream, LOAD_CHUNK, G_PRIORITY_DEFAULT,
                                                       WK_RESUME (flow)));
      self->chunk = g_input_stream_read_bytes_finish (self->stream, WK_RESULT (flow), &error);
      if (self->chunk == NULL || !load_take_chunk (self, &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (g_bytes_get_size (self->chunk) > 0);

  wk_flow_return_pointer (flow, g_byte_array_free_to_bytes (g_byte_array_ref (self->contents)),
                          (GDestroyNotify) g_bytes_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_storage_load_async:
 * @self: a storage
 * @name: the name of an object
 * @flags: how to do it
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Reads a whole object of at most 64 MiB.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_load_async (WelkinStorage      *self,
                           const char         *name,
                           WelkinStorageFlags  flags,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Load *load;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (name != NULL);

  load = g_new0 (Load, 1);
  load->storage = g_object_ref (self);
  load->name = g_strdup (name);
  load->flags = flags;
  load->contents = g_byte_array_new ();
  wk_flow_start (self, cancellable, callback, user_data, welkin_storage_load_async, load_run, load,
                 load_free);
}

/**
 * welkin_storage_load_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.load_async].
 *
 * The errors are those of [method@Storage.get_finish] and of reading.
 *
 * Returns: (transfer full): the contents, or %NULL on error
 *
 * Since: 0.1
 */
GBytes *
welkin_storage_load_finish (WelkinStorage *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), NULL);

  return wk_flow_finish_pointer (result, self, welkin_storage_load_async, error);
}

/**
 * welkin_storage_put_async:
 * @self: a storage
 * @name: the name of an object
 * @stream: where its contents come from
 * @length: how many bytes there are
 * @flags: how to do it
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Writes an object from a stream.
 *
 * Exactly @length bytes are read, by a thread where @stream is a #GSeekable that
 * can seek: use it for nothing else until this is done. One that cannot is
 * copied first, by 256 MiB at a time, in memory or into a temporary file. The
 * callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_put_async (WelkinStorage       *self,
                          const char          *name,
                          GInputStream        *stream,
                          goffset              length,
                          WelkinStorageFlags   flags,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (name != NULL);
  g_return_if_fail (G_IS_INPUT_STREAM (stream));
  g_return_if_fail (length >= 0);

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->put_async == NULL)
    {
      welkin_contract_refuse (self, "put", callback, user_data, welkin_storage_put_async);
      return;
    }
  iface->put_async (self, name, stream, length, flags, cancellable, callback, user_data);
}

/**
 * welkin_storage_put_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.put_async].
 *
 * A stream that ends early is an error, and nothing is then under the name but
 * what was before.
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
welkin_storage_put_finish (WelkinStorage  *self,
                           GAsyncResult   *result,
                           GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_storage_put_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->put_finish (self, result, error);
}

/**
 * welkin_storage_save_async:
 * @self: a storage
 * @name: the name of an object
 * @contents: what to write
 * @flags: how to do it
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Writes a whole object.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_save_async (WelkinStorage      *self,
                           const char         *name,
                           GBytes             *contents,
                           WelkinStorageFlags  flags,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_autoptr(GInputStream) stream = NULL;

  g_return_if_fail (contents != NULL);

  stream = g_memory_input_stream_new_from_bytes (contents);
  welkin_storage_put_async (self, name, stream, g_bytes_get_size (contents), flags, cancellable,
                            callback, user_data);
}

/**
 * welkin_storage_save_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.save_async].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
welkin_storage_save_finish (WelkinStorage *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return welkin_storage_put_finish (self, result, error);
}

/**
 * welkin_storage_list_async:
 * @self: a storage
 * @prefix: what the names begin with; "" for all
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists the names of objects.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_list_async (WelkinStorage       *self,
                           const char          *prefix,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (prefix != NULL);

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->list_async == NULL)
    {
      welkin_contract_refuse (self, "list", callback, user_data, welkin_storage_list_async);
      return;
    }
  iface->list_async (self, prefix, cancellable, callback, user_data);
}

/**
 * welkin_storage_list_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.list_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names, sorted, or
 *   %NULL on error; when nothing is there at all there are none
 *
 * Since: 0.1
 */
char **
welkin_storage_list_finish (WelkinStorage  *self,
                            GAsyncResult   *result,
                            GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_storage_list_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->list_finish (self, result, error);
}

/**
 * welkin_storage_remove_async:
 * @self: a storage
 * @name: the name of an object
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Removes an object.
 *
 * One that is not there is no error. The callback is called in the main context
 * that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_remove_async (WelkinStorage       *self,
                             const char          *name,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (name != NULL);

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->remove_async == NULL)
    {
      welkin_contract_refuse (self, "remove", callback, user_data, welkin_storage_remove_async);
      return;
    }
  iface->remove_async (self, name, cancellable, callback, user_data);
}

/**
 * welkin_storage_remove_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.remove_async].
 *
 * Returns: whether it is gone
 *
 * Since: 0.1
 */
gboolean
welkin_storage_remove_finish (WelkinStorage  *self,
                              GAsyncResult   *result,
                              GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_storage_remove_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->remove_finish (self, result, error);
}

/**
 * welkin_storage_remove_all_async:
 * @self: a storage
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Removes everything that the environment stored, and the place itself.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_remove_all_async (WelkinStorage       *self,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->remove_all_async == NULL)
    {
      welkin_contract_refuse (self, "remove-all", callback, user_data,
                              welkin_storage_remove_all_async);
      return;
    }
  iface->remove_all_async (self, cancellable, callback, user_data);
}

/**
 * welkin_storage_remove_all_finish:
 * @self: a storage
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.remove_all_async].
 *
 * Returns: whether it is gone
 *
 * Since: 0.1
 */
gboolean
welkin_storage_remove_all_finish (WelkinStorage  *self,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_storage_remove_all_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->remove_all_finish (self, result, error);
}

/**
 * welkin_storage_get_uri_async:
 * @self: a storage
 * @name: the name of an object
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Makes a URI by which a machine without credentials can read an object.
 *
 * The object need not exist yet. The URI is a secret. The callback is called in
 * the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_storage_get_uri_async (WelkinStorage       *self,
                              const char          *name,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  WelkinStorageInterface *iface;

  g_return_if_fail (WELKIN_IS_STORAGE (self));
  g_return_if_fail (name != NULL);

  iface = WELKIN_STORAGE_GET_IFACE (self);
  if (iface->get_uri_async == NULL)
    {
      welkin_contract_refuse (self, "get-uri", callback, user_data, welkin_storage_get_uri_async);
      return;
    }
  iface->get_uri_async (self, name, cancellable, callback, user_data);
}

/**
 * welkin_storage_get_uri_finish:
 * @self: a storage
 * @result: what the callback got
 * @expires: (out) (optional) (nullable) (transfer full): until when it works;
 *   %NULL when it does not expire
 * @error: return location for an error
 *
 * Gets what came of [method@Storage.get_uri_async].
 *
 * Returns: (transfer full): the URI, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_storage_get_uri_finish (WelkinStorage  *self,
                               GAsyncResult   *result,
                               GDateTime     **expires,
                               GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_STORAGE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (expires != NULL)
    *expires = NULL;
  if (g_async_result_is_tagged (result, welkin_storage_get_uri_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_STORAGE_GET_IFACE (self)->get_uri_finish (self, result, expires, error);
}
