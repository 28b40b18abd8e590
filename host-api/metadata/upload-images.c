/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/data-source-private.h"
#include "metadata/metadata-names.h"
#include "metadata/metadata-sink.h"
#include "metadata/simplestreams-writer.h"
#include "metadata/welkin-image-metadata.h"
#include "values/welkin-error.h"

#define SUBDIRECTORY WELKIN_IMAGES_DIRECTORY "/" WELKIN_METADATA_DIRECTORY

typedef struct
{
  /* inputs */
  char             *directory; /* (owned) that of metadata itself */
  WelkinStorage    *storage;   /* (owned) */

  /* while running */
  GPtrArray        *names;     /* (owned) of char * */
  guint             index;     /* of the name that is read */
  WelkinDataSource *source;    /* (owned) the directory */
  GPtrArray        *files;     /* (owned) of WelkinStreamsFile */
} Upload;

static void
upload_free (gpointer user_data)
{
  Upload *self = user_data;

  g_ptr_array_unref (self->files);
  g_object_unref (self->source);
  g_ptr_array_unref (self->names);
  g_object_unref (self->storage);
  g_free (self->directory);
  g_free (self);
}

static gboolean
is_metadata (const char *name)
{
  return g_str_has_suffix (name, WELKIN_METADATA_PLAIN_SUFFIX)
         || g_str_has_suffix (name, WELKIN_METADATA_SIGNED_SUFFIX);
}

static gboolean
is_index (const char *name)
{
  return g_str_has_prefix (name, "index");
}

/* An index comes behind what it names. */
static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const char *left = *(const char *const *) a;
  const char *right = *(const char *const *) b;

  if (is_index (left) != is_index (right))
    return is_index (left) ? 1 : -1;
  return strcmp (left, right);
}

static gboolean
list_names (Upload *self,
            GError **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GDir) directory = g_dir_open (self->directory, 0, &local_error);
  const char *name;

  if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return TRUE;
  if (directory == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  while ((name = g_dir_read_name (directory)) != NULL)
    if (is_metadata (name))
      g_ptr_array_add (self->names, g_strdup (name));
  g_ptr_array_sort (self->names, compare_names);
  return TRUE;
}

static void
upload_run (WkFlow  *flow,
            gpointer user_data)
{
  Upload *self = user_data;
  GBytes *contents;
  g_auto(GStrv) written = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!list_names (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (self->index < self->names->len)
    {
      WK_AWAIT (flow, welkin_data_source_fetch_async (self->source,
                                                      g_ptr_array_index (self->names, self->index),
                                                      WK_RESUME (flow)));
      contents = welkin_data_source_fetch_finish (self->source, WK_RESULT (flow), &error);
      if (contents == NULL)
        WK_FAIL (flow, &error, NULL);
      g_ptr_array_add (self->files,
                       welkin_streams_file_new (g_ptr_array_index (self->names, self->index),
                                                contents));
      self->index++;
    }

  WK_AWAIT (flow, welkin_streams_save_async (self->files, NULL, self->storage, SUBDIRECTORY,
                                             WK_RESUME (flow)));
  written = welkin_streams_save_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_image_metadata_upload_async:
 * @directory: (type filename): what has a directory "images" of metadata
 * @storage: where to put them
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Puts image metadata into a storage, signed ones as well.
 *
 * Where there are none, nothing is done.
 *
 * Since: 0.1
 */
void
welkin_image_metadata_upload_async (const char          *directory,
                                    WelkinStorage       *storage,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  Upload *self;

  g_return_if_fail (directory != NULL);
  g_return_if_fail (WELKIN_IS_STORAGE (storage));

  self = g_new0 (Upload, 1);
  self->directory = g_build_filename (directory, SUBDIRECTORY, NULL);
  self->storage = g_object_ref (storage);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->source = welkin_data_source_new_for_directory (self->directory, self->directory,
                                                       WELKIN_DATA_SOURCE_NONE);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_file_free);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_image_metadata_upload_async,
                 upload_run, self, upload_free);
}

/**
 * welkin_image_metadata_upload_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@image_metadata_upload_async].
 *
 * Returns: whether the metadata that there were are in the storage
 *
 * Since: 0.1
 */
gboolean
welkin_image_metadata_upload_finish (GAsyncResult  *result,
                                     GError       **error)
{
  return wk_flow_finish_boolean (result, NULL, welkin_image_metadata_upload_async, error);
}
