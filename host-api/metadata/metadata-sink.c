/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/metadata-sink.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/flow.h"
#include "base/system-error.h"
#include "metadata/simplestreams-writer.h"

/* Others are to read it: it is published. */
#define DIRECTORY_MODE 0755
#define FILE_MODE 0644

typedef struct
{
  /* inputs */
  GPtrArray     *files;     /* (owned) of WelkinStreamsFile */
  char          *directory; /* (owned) (nullable) */
  WelkinStorage *storage;   /* (owned) (nullable) */
  char          *prefix;    /* (owned) */

  /* while running */
  guint          index;     /* of the next file */
  GStrvBuilder  *written;   /* (owned) */
} Save;

static void
save_free (gpointer user_data)
{
  Save *self = user_data;

  g_clear_pointer (&self->written, g_strv_builder_unref);
  g_free (self->prefix);
  g_clear_object (&self->storage);
  g_free (self->directory);
  g_ptr_array_unref (self->files);
  g_free (self);
}

static gboolean
write_file (Save                    *self,
            const WelkinStreamsFile *file,
            GError                 **error)
{
  g_autofree char *path = g_build_filename (self->directory, self->prefix, file->path, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  gsize length;
  const char *contents = g_bytes_get_data (file->contents, &length);

  if (g_mkdir_with_parents (parent, DIRECTORY_MODE) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot make directory"), parent);
  if (!g_file_set_contents_full (path, contents, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                 FILE_MODE, error))
    return FALSE;
  g_strv_builder_add (self->written, path);
  return TRUE;
}

static gboolean
write_files (Save    *self,
             GError **error)
{
  for (guint i = 0; i < self->files->len; i++)
    if (!write_file (self, g_ptr_array_index (self->files, i), error))
      return FALSE;
  return TRUE;
}

static char *
get_name (Save *self)
{
  const WelkinStreamsFile *file = g_ptr_array_index (self->files, self->index);

  return g_strconcat (self->prefix, file->path, NULL);
}

static void
begin_saving (Save               *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  const WelkinStreamsFile *file = g_ptr_array_index (self->files, self->index);
  g_autofree char *name = get_name (self);

  welkin_storage_save_async (self->storage, name, file->contents, WELKIN_STORAGE_NONE, cancellable,
                             callback, user_data);
}

static void
save_run (WkFlow  *flow,
          gpointer user_data)
{
  Save *self = user_data;
  g_autofree char *name = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->directory != NULL && !write_files (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (self->directory == NULL && self->index < self->files->len)
    {
      WK_AWAIT (flow, begin_saving (self, WK_RESUME (flow)));
      name = get_name (self);
      if (!welkin_storage_save_finish (self->storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, name);
      g_strv_builder_add (self->written, name);
      self->index++;
    }
  wk_flow_return_pointer (flow, g_strv_builder_end (self->written), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

void
welkin_streams_save_async (GPtrArray          *files,
                           const char         *directory,
                           WelkinStorage      *storage,
                           const char         *prefix,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Save *self = g_new0 (Save, 1);

  self->files = g_ptr_array_ref (files);
  self->directory = g_strdup (directory);
  g_set_object (&self->storage, storage);
  self->prefix = g_strdup (prefix);
  self->written = g_strv_builder_new ();
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_streams_save_async, save_run, self,
                 save_free);
}

char **
welkin_streams_save_finish (GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_streams_save_async, error);
}
