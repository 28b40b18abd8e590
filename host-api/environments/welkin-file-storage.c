/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/welkin-file-storage.h"

#include <errno.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flow.h"
#include "base/new-file.h"
#include "base/text.h"
#include "base/work.h"
#include "environments/file-tree.h"
#include "values/welkin-error.h"

/* Where files are while they are being written: on the same file system, so that they can be moved
 * to their names at once. */
#define TEMPORARY ".tmp"

#define BLOCK_SIZE (256 * 1024)
#define MAX_NAME 1024

/**
 * WelkinFileStorage:
 *
 * A directory of this machine as a storage.
 *
 * A file is there at once or not at all, however its writing ends. Names that
 * begin with ".tmp" are not to be had.
 *
 * Since: 0.1
 */
struct _WelkinFileStorage
{
  GObject parent;

  char    *root;
  gboolean is_private; /* made when need be, for its owner alone, and without URLs */
};

static void welkin_file_storage_storage_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WelkinFileStorage, welkin_file_storage, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      welkin_file_storage_storage_init))

/* Names */

static gboolean
is_good_name (const char *name)
{
  g_auto(GStrv) parts = NULL;

  if (strlen (name) > MAX_NAME || !g_utf8_validate (name, -1, NULL)
      || g_str_has_prefix (name, TEMPORARY))
    return FALSE;
  parts = g_strsplit (name, "/", -1);
  for (gsize i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return FALSE;
  return parts[0] != NULL;
}

/* The path of a file of this name. (transfer full) */
static char *
find_path (WelkinFileStorage *self,
           const char        *name,
           GError           **error)
{
  g_autofree char *quoted = NULL;

  if (is_good_name (name))
    return g_build_filename (self->root, name, NULL);
  quoted = wk_quote (name);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("%s is not a name that a file in storage can have"), quoted);
  return NULL;
}

/* Reading */

typedef struct
{
  char  *name;
  GFile *file; /* (owned) (nullable) */
} Get;

static void
get_free (Get *self)
{
  g_free (self->name);
  g_clear_object (&self->file);
  g_free (self);
}

static gboolean
find_file (Get               *self,
           WelkinFileStorage *storage,
           GError           **error)
{
  g_autofree char *path = find_path (storage, self->name, error);

  if (path != NULL)
    self->file = g_file_new_for_path (path);
  return path != NULL;
}

/* A directory is no file. */
static void
explain_missing (Get     *self,
                 GError **error)
{
  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
      && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY)
      && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY))
    return;
  g_clear_error (error);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("%s is not in storage"), self->name);
}

static void
get_run (WkFlow  *flow,
         gpointer user_data)
{
  Get *self = user_data;
  g_autoptr(GError) error = NULL;
  GFileInputStream *stream;

  WK_FLOW_BEGIN (flow);

  if (!find_file (self, wk_flow_get_source (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, g_file_read_async (self->file, G_PRIORITY_DEFAULT, WK_RESUME (flow)));
  stream = g_file_read_finish (self->file, WK_RESULT (flow), &error);
  if (stream == NULL)
    {
      explain_missing (self, &error);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, stream, g_object_unref);

  WK_FLOW_END (flow);
}

static void
welkin_file_storage_get_async (WelkinStorage      *storage,
                               const char         *name,
                               WelkinStorageFlags  flags,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  Get *get = g_new0 (Get, 1);

  get->name = g_strdup (name);
  wk_flow_start (storage, cancellable, callback, user_data, welkin_file_storage_get_async, get_run,
                 get, (GDestroyNotify) get_free);
}

static GInputStream *
welkin_file_storage_get_finish (WelkinStorage *storage,
                                GAsyncResult  *result,
                                GError       **error)
{
  return wk_flow_finish_pointer (result, storage, welkin_file_storage_get_async, error);
}

/* Writing */

typedef struct
{
  /* inputs */
  char         *root;
  gboolean      is_private;
  char         *name;
  GInputStream *stream;     /* (owned) */
  goffset       length;
  gboolean      replace;

  /* while running */
  char          *path;      /* (owned) (nullable) */
  WkNewFile      file;
  GOutputStream *output;    /* (owned) (nullable) into it */
  GBytes        *block;     /* (owned) (nullable) that is being written */
  goffset        done;
} Put;

/* Whatever happened: what is not under its name by now is nothing. */
static void
put_free (Put *self)
{
  g_clear_object (&self->output);
  wk_new_file_clear (&self->file);
  g_clear_pointer (&self->block, g_bytes_unref);
  g_object_unref (self->stream);
  g_free (self->root);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

static int
get_directory_mode (Put *self)
{
  return self->is_private ? 0700 : 0755;
}

static gboolean
open_temporary (gpointer      data,
                GCancellable *cancellable,
                GError      **error)
{
  Put *self = data;
  g_autofree char *directory = g_build_filename (self->root, TEMPORARY, NULL);
  g_autofree char *name_template = g_build_filename (directory, "put-XXXXXX", NULL);

  if (g_mkdir_with_parents (directory, get_directory_mode (self)) != 0)
    return welkin_file_tree_fail (error, errno, _("Cannot make directory"), directory);
  if (wk_new_file_open (&self->file, name_template, self->is_private ? 0600 : 0644))
    return TRUE;
  return welkin_file_tree_fail (error, errno, _("Cannot write to directory"), directory);
}

/* The file is complete: it comes to be under its name, and stays when the power goes. */
static gboolean
publish (gpointer      data,
         GCancellable *cancellable,
         GError      **error)
{
  Put *self = data;
  g_autofree char *directory = g_path_get_dirname (self->path);

  if (fsync (self->file.fd) != 0)
    return welkin_file_tree_fail (error, errno, _("Cannot write"), self->path);
  if (g_mkdir_with_parents (directory, get_directory_mode (self)) != 0)
    return welkin_file_tree_fail (error, errno, _("Cannot make directory"), directory);
  if (!wk_new_file_publish (&self->file, self->path, self->replace))
    return welkin_file_tree_fail (error, errno, _("Cannot write"), self->path);
  return welkin_file_tree_sync_directory (directory, error);
}

static gboolean
take_block (Put     *self,
            GBytes  *block,
            GError **error)
{
  if (block == NULL)
    return FALSE;
  if (g_bytes_get_size (block) == 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("the data end after %" G_GOFFSET_FORMAT " of %" G_GOFFSET_FORMAT " bytes"),
                   self->done, self->length);
      return FALSE;
    }
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = g_bytes_ref (block);
  self->done += (goffset) g_bytes_get_size (block);
  return TRUE;
}

static void
put_run (WkFlow  *flow,
         gpointer user_data)
{
  Put *self = user_data;
  g_autoptr(GBytes) block = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->path = find_path (wk_flow_get_source (flow), self->name, &error);
  if (self->path == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_work_async (open_temporary, self, NULL, WK_RESUME_SHIELDED (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  self->output = g_unix_output_stream_new (self->file.fd, FALSE);
  while (self->done < self->length)
    {
      WK_AWAIT (flow, g_input_stream_read_bytes_async (self->stream,
                                                       MIN (BLOCK_SIZE, self->length - self->done),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      block = g_input_stream_read_bytes_finish (self->stream, WK_RESULT (flow), &error);
      if (!take_block (self, block, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, g_output_stream_write_all_async (self->output,
                                                       g_bytes_get_data (self->block, NULL),
                                                       g_bytes_get_size (self->block),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      if (!g_output_stream_write_all_finish (self->output, WK_RESULT (flow), NULL, &error))
        {
          g_prefix_error (&error, _("Cannot write %s: "), self->path);
          WK_FAIL (flow, &error, NULL);
        }
    }
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_work_async (publish, self, NULL, WK_RESUME_SHIELDED (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
welkin_file_storage_put_async (WelkinStorage      *storage,
                               const char         *name,
                               GInputStream       *stream,
                               goffset             length,
                               WelkinStorageFlags  flags,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  WelkinFileStorage *self = WELKIN_FILE_STORAGE (storage);
  Put *put = g_new0 (Put, 1);

  put->root = g_strdup (self->root);
  put->is_private = self->is_private;
  put->name = g_strdup (name);
  put->stream = g_object_ref (stream);
  put->length = length;
  put->replace = (flags & WELKIN_STORAGE_NO_REPLACE) == 0;
  put->file = (WkNewFile) WK_NEW_FILE_INIT;
  wk_flow_start (self, cancellable, callback, user_data, welkin_file_storage_put_async, put_run,
                 put, (GDestroyNotify) put_free);
}

static gboolean
welkin_file_storage_put_finish (WelkinStorage *storage,
                                GAsyncResult  *result,
                                GError       **error)
{
  return wk_flow_finish_boolean (result, storage, welkin_file_storage_put_async, error);
}

/* Listing */

typedef struct
{
  char      *root;
  char      *prefix;
  GPtrArray *names; /* (owned) (nullable) */
} List;

static void
list_free (List *self)
{
  g_free (self->root);
  g_free (self->prefix);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
list_tree (gpointer      data,
           GCancellable *cancellable,
           GError      **error)
{
  List *self = data;

  self->names = welkin_file_tree_list (self->root, self->prefix, TEMPORARY, error);
  if (self->names == NULL)
    return FALSE;
  g_ptr_array_sort (self->names, compare_names);
  g_ptr_array_add (self->names, NULL);
  return TRUE;
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  List *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_work_async (list_tree, self, NULL, WK_RESUME_SHIELDED (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_ptr_array_steal (self->names, NULL),
                          (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
welkin_file_storage_list_async (WelkinStorage      *storage,
                                const char         *prefix,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  List *list = g_new0 (List, 1);

  list->root = g_strdup (WELKIN_FILE_STORAGE (storage)->root);
  list->prefix = g_strdup (prefix);
  wk_flow_start (storage, cancellable, callback, user_data, welkin_file_storage_list_async,
                 list_run, list, (GDestroyNotify) list_free);
}

static char **
welkin_file_storage_list_finish (WelkinStorage *storage,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return wk_flow_finish_pointer (result, storage, welkin_file_storage_list_async, error);
}

/* Removing */

typedef struct
{
  char *root;
  char *name;
  char *path; /* (owned) (nullable) */
} Remove;

static void
remove_free (Remove *self)
{
  g_free (self->root);
  g_free (self->name);
  g_free (self->path);
  g_free (self);
}

/* The directories that held nothing else go as well. */
static gboolean
remove_file (gpointer      data,
             GCancellable *cancellable,
             GError      **error)
{
  Remove *self = data;
  g_autofree char *directory = g_path_get_dirname (self->path);

  if (g_unlink (self->path) != 0 && errno != ENOENT && errno != ENOTDIR && errno != EISDIR)
    return welkin_file_tree_fail (error, errno, _("Cannot remove"), self->path);
  while (strlen (directory) > strlen (self->root) && g_rmdir (directory) == 0)
    {
      g_autofree char *former = directory;

      directory = g_path_get_dirname (former);
    }
  return TRUE;
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->path = find_path (wk_flow_get_source (flow), self->name, &error);
  if (self->path == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_work_async (remove_file, self, NULL, WK_RESUME_SHIELDED (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
welkin_file_storage_remove_async (WelkinStorage      *storage,
                                  const char         *name,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  Remove *remove = g_new0 (Remove, 1);

  remove->root = g_strdup (WELKIN_FILE_STORAGE (storage)->root);
  remove->name = g_strdup (name);
  wk_flow_start (storage, cancellable, callback, user_data, welkin_file_storage_remove_async,
                 remove_run, remove, (GDestroyNotify) remove_free);
}

static gboolean
welkin_file_storage_remove_finish (WelkinStorage *storage,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  return wk_flow_finish_boolean (result, storage, welkin_file_storage_remove_async, error);
}

static gboolean
remove_tree (gpointer      data,
             GCancellable *cancellable,
             GError      **error)
{
  return welkin_file_tree_remove (data, error);
}

static void
remove_all_run (WkFlow  *flow,
                gpointer user_data)
{
  char *root = user_data;
  WelkinFileStorage *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!storage->is_private)
    {
      g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                   _("directory %s was there before, and may hold other things: remove it by hand"),
                   root);
      WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, wk_work_async (remove_tree, root, NULL, WK_RESUME_SHIELDED (flow)));
  if (!wk_work_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
welkin_file_storage_remove_all_async (WelkinStorage      *storage,
                                      GCancellable       *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer            user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, welkin_file_storage_remove_all_async,
                 remove_all_run, g_strdup (WELKIN_FILE_STORAGE (storage)->root), g_free);
}

static gboolean
welkin_file_storage_remove_all_finish (WelkinStorage *storage,
                                       GAsyncResult  *result,
                                       GError       **error)
{
  return wk_flow_finish_boolean (result, storage, welkin_file_storage_remove_all_async, error);
}

/* URLs */

static void
welkin_file_storage_get_uri_async (WelkinStorage      *storage,
                                   const char         *name,
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data)
{
  WelkinFileStorage *self = WELKIN_FILE_STORAGE (storage);
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *path = NULL;
  GError *error = NULL;
  char *uri;

  g_task_set_source_tag (task, welkin_file_storage_get_uri_async);
  path = find_path (self, name, &error);
  uri = path != NULL && !self->is_private ? g_filename_to_uri (path, NULL, &error) : NULL;
  if (uri != NULL)
    g_task_return_pointer (task, uri, g_free);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                             _("files on this machine have no URL for others"));
}

static char *
welkin_file_storage_get_uri_finish (WelkinStorage *storage,
                                    GAsyncResult  *result,
                                    GDateTime    **expires,
                                    GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, storage), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Making one */

static WelkinStorage *
file_storage_new (const char *path,
                  gboolean    is_private)
{
  WelkinFileStorage *self = g_object_new (WELKIN_TYPE_FILE_STORAGE, NULL);

  self->root = g_canonicalize_filename (path, NULL);
  self->is_private = is_private;
  return WELKIN_STORAGE (self);
}

/**
 * welkin_file_storage_new:
 * @path: (type filename): a directory
 * @error: return location for an error
 *
 * Makes a storage of a directory that is there.
 *
 * Its files are for everybody who may read the directory, and have "file:"
 * URIs. It is %WELKIN_ERROR_NOT_FOUND when there is no such directory.
 *
 * Returns: (transfer full): the storage, or %NULL on error
 *
 * Since: 0.1
 */
WelkinStorage *
welkin_file_storage_new (const char *path,
                         GError    **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("\"%s\" is not a directory"),
                   path);
      return NULL;
    }
  return file_storage_new (path, FALSE);
}

/**
 * welkin_file_storage_new_private:
 * @path: (type filename): where the directory is, or will be
 *
 * Makes a storage of a directory of its own.
 *
 * The directory is made when a file is put, and what is in it is for its owner
 * alone; there are no URIs for others.
 *
 * Returns: (transfer full): the storage
 *
 * Since: 0.1
 */
WelkinStorage *
welkin_file_storage_new_private (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  return file_storage_new (path, TRUE);
}

static void
welkin_file_storage_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = welkin_file_storage_get_async;
  iface->get_finish = welkin_file_storage_get_finish;
  iface->put_async = welkin_file_storage_put_async;
  iface->put_finish = welkin_file_storage_put_finish;
  iface->list_async = welkin_file_storage_list_async;
  iface->list_finish = welkin_file_storage_list_finish;
  iface->remove_async = welkin_file_storage_remove_async;
  iface->remove_finish = welkin_file_storage_remove_finish;
  iface->remove_all_async = welkin_file_storage_remove_all_async;
  iface->remove_all_finish = welkin_file_storage_remove_all_finish;
  iface->get_uri_async = welkin_file_storage_get_uri_async;
  iface->get_uri_finish = welkin_file_storage_get_uri_finish;
}

static void
welkin_file_storage_finalize (GObject *object)
{
  WelkinFileStorage *self = WELKIN_FILE_STORAGE (object);

  g_free (self->root);

  G_OBJECT_CLASS (welkin_file_storage_parent_class)->finalize (object);
}

static void
welkin_file_storage_class_init (WelkinFileStorageClass *class)
{
  G_OBJECT_CLASS (class)->finalize = welkin_file_storage_finalize;
}

static void
welkin_file_storage_init (WelkinFileStorage *self)
{
}
