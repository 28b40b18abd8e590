/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-upload.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "machine/series-private.h"
#include "metadata/tools-bundle.h"
#include "metadata/tools-products.h"
#include "metadata/tools-write.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinStorage      *storage;      /* (owned) */
  WelkinToolsStream  *stream;       /* (owned) (nullable) */
  char               *directory;    /* (owned) */
  char               *version;      /* (owned) (nullable) */
  char              **series;       /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) */
  GError             *error;        /* (owned) (nullable) what is wrong with the inputs */

  /* while running */
  WelkinToolsBundle  *bundle;       /* (owned) (nullable) */
  char               *number;       /* (owned) (nullable) of its version */
  GPtrArray          *items;        /* (owned) of WelkinStreamsItem: one for each series */
  guint               index;        /* of the one that is put */
  GInputStream       *archive;      /* (owned) (nullable) */
} Upload;

static void
upload_free (gpointer user_data)
{
  Upload *self = user_data;

  g_clear_object (&self->archive);
  g_ptr_array_unref (self->items);
  g_free (self->number);
  g_clear_pointer (&self->bundle, welkin_tools_bundle_free);
  g_clear_error (&self->error);
  welkin_surroundings_unref (self->surroundings);
  g_strfreev (self->series);
  g_free (self->version);
  g_free (self->directory);
  g_clear_pointer (&self->stream, welkin_tools_stream_unref);
  g_object_unref (self->storage);
  g_free (self);
}

static gboolean
check_series (Upload  *self,
              GError **error)
{
  for (gsize i = 0; self->series[i] != NULL; i++)
    if (!welkin_series_lookup (self->series[i], NULL, NULL, error))
      return FALSE;
  return TRUE;
}

/* own: the series that the agent was made for */
static gboolean
check_runs (Upload     *self,
            const char *series,
            const char *own,
            GError    **error)
{
  if (!self->bundle->has_libraries || !welkin_series_is_older (series, own))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("the agent was made on %s, and does not run on %s, which is older"), own, series);
  return FALSE;
}

static gboolean
add_item (Upload     *self,
          const char *series,
          const char *arch,
          GError    **error)
{
  g_autofree char *binary = g_strjoin ("-", self->number, series, arch, NULL);
  WelkinStreamsItem *item;

  item = welkin_tools_item_new (self->stream->directory, binary, self->bundle->sha256,
                                self->bundle->size, error);
  if (item == NULL)
    return FALSE;
  g_ptr_array_add (self->items, item);
  return TRUE;
}

/* The same archive under a name for each series. */
static gboolean
add_items (Upload  *self,
           GError **error)
{
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion version;

  if (!welkin_tools_binary_parse (self->bundle->binary, &version, &series, &arch, error))
    return FALSE;
  self->number = welkin_tools_version_format (&version);
  if (!add_item (self, series, arch, error))
    return FALSE;
  for (gsize i = 0; self->series[i] != NULL; i++)
    if (!g_str_equal (self->series[i], series)
        && !g_strv_contains ((const char *const *) self->series + i + 1, self->series[i])
        && (!check_runs (self, self->series[i], series, error)
            || !add_item (self, self->series[i], arch, error)))
      return FALSE;
  return TRUE;
}

static gboolean
open_archive (Upload  *self,
              GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (self->bundle->path);

  g_clear_object (&self->archive);
  self->archive = (GInputStream *) g_file_read (file, NULL, error);
  return self->archive != NULL;
}

static void
begin_putting (Upload             *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  const WelkinStreamsItem *item = g_ptr_array_index (self->items, self->index);
  g_autofree char *name = g_strconcat (WELKIN_TOOLS_PREFIX,
                                       welkin_streams_item_get (item, WELKIN_STREAMS_PATH), NULL);

  g_info ("uploading %s", name);
  welkin_storage_put_async (self->storage, name, self->archive, self->bundle->size,
                            WELKIN_STORAGE_NONE, cancellable, callback, user_data);
}

static void
upload_run (WkFlow  *flow,
            gpointer user_data)
{
  Upload *self = user_data;
  g_auto(GStrv) written = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->stream == NULL)
    WK_FAIL (flow, &self->error, NULL);
  if (!check_series (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_tools_bundle_async (self->directory, self->version, self->surroundings,
                                             WK_RESUME (flow)));
  self->bundle = welkin_tools_bundle_finish (WK_RESULT (flow), &error);
  if (self->bundle == NULL || !add_items (self, &error))
    WK_FAIL (flow, &error, NULL);

  for (; self->index < self->items->len; self->index++)
    {
      if (!open_archive (self, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, begin_putting (self, WK_RESUME (flow)));
      if (!welkin_storage_put_finish (self->storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, welkin_tools_write_async (self->items, NULL, self->storage, self->stream, FALSE,
                                            WK_RESUME (flow)));
  written = welkin_tools_write_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->number), g_free);

  WK_FLOW_END (flow);
}

void
welkin_tools_upload_async (WelkinStorage      *storage,
                           const char         *stream,
                           const char         *directory,
                           const char         *version,
                           const char *const  *series,
                           WelkinSurroundings *surroundings,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Upload *self = g_new0 (Upload, 1);

  self->storage = g_object_ref (storage);
  self->stream = welkin_tools_stream_new (stream, &self->error);
  self->directory = g_strdup (directory);
  self->version = g_strdup (version);
  self->series = g_strdupv ((char **) series);
  self->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                            : welkin_surroundings_new_for_process ();
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  wk_flow_start (storage, cancellable, callback, user_data, welkin_tools_upload_async, upload_run,
                 self, upload_free);
}

char *
welkin_tools_upload_finish (WelkinStorage *storage,
                            GAsyncResult  *result,
                            GError       **error)
{
  return wk_flow_finish_pointer (result, storage, welkin_tools_upload_async, error);
}
