/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-write.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/metadata-sink.h"
#include "metadata/simplestreams-former.h"
#include "metadata/tools-known.h"
#include "metadata/tools-products.h"
#include "metadata/welkin-data-sources.h"

#define INDEX WELKIN_METADATA_INDEX WELKIN_METADATA_PLAIN_SUFFIX
#define INDEX2 WELKIN_METADATA_INDEX2 WELKIN_METADATA_PLAIN_SUFFIX

typedef struct
{
  /* inputs */
  GPtrArray         *items;     /* (owned) of WelkinStreamsItem */
  GPtrArray         *left_out;  /* (owned) (nullable) of binary versions */
  WelkinStorage     *storage;   /* (owned) */
  WelkinToolsStream *stream;    /* (owned) */
  gboolean           is_public;

  /* while running */
  WelkinDataSource  *source;    /* (owned) the storage */
  JsonNode          *index;     /* (owned) (nullable) of what is released */
  JsonNode          *index2;    /* (owned) (nullable) of all streams */
  JsonNode          *products;  /* (owned) (nullable) that there are of this one */
  GPtrArray         *files;     /* (owned) (nullable) of WelkinStreamsFile */
} Write;

static void
write_free (gpointer user_data)
{
  Write *self = user_data;

  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->products, json_node_unref);
  g_clear_pointer (&self->index2, json_node_unref);
  g_clear_pointer (&self->index, json_node_unref);
  g_object_unref (self->source);
  welkin_tools_stream_unref (self->stream);
  g_object_unref (self->storage);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
  g_ptr_array_unref (self->items);
  g_free (self);
}

static void
remove_left_out (Write     *self,
                 GPtrArray *known)
{
  for (guint i = 0; self->left_out != NULL && i < self->left_out->len; i++)
    {
      const WelkinStreamsItem *item =
        welkin_tools_find_binary (known, g_ptr_array_index (self->left_out, i));

      if (item != NULL)
        g_ptr_array_remove (known, (gpointer) item);
    }
}

static void
complete_items (Write      *self,
                const char *build)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      WelkinStreamsItem *item = g_ptr_array_index (self->items, i);

      if (item->build == NULL)
        item->build = g_strdup (build);
    }
}

/* What there is that has all of what there is. */
static JsonNode *
get_whole_index (Write *self)
{
  return self->index2 != NULL ? self->index2 : self->index;
}

static void
begin_fetching_products (Write              *self,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  welkin_data_source_fetch_async (self->source,
                                  welkin_streams_get_path (get_whole_index (self),
                                                           self->stream->content_id,
                                                           self->stream->products_path),
                                  cancellable, callback, user_data);
}

/* Who knows no streams reads the first index, which has what is released; others prefer the second
 * one, which has all of them, if there is more than that. */
static void
make_files (Write *self)
{
  const WelkinStreamsLayout layout = welkin_tools_make_layout (self->stream);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *build = welkin_streams_make_build (now);
  g_autoptr(JsonObject) others =
    welkin_streams_dup_others (get_whole_index (self),
                               (const char *const *) self->stream->content_ids);
  gboolean needs_index2 = self->index2 != NULL || !self->stream->is_released;

  complete_items (self, build);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_file_free);
  if (self->is_public)
    g_ptr_array_add (self->files, welkin_streams_make_mirrors (&layout, others, build));
  g_ptr_array_add (self->files, welkin_streams_make_products (&layout, self->products, self->items,
                                                              now));
  if (self->stream->is_released)
    g_ptr_array_add (self->files,
                     welkin_streams_make_index (&layout, INDEX, self->index,
                                                needs_index2 ? NULL : others, self->items, NULL,
                                                now));
  if (needs_index2)
    g_ptr_array_add (self->files, welkin_streams_make_index (&layout, INDEX2, self->index2, others,
                                                             self->items, NULL, now));
}

static void
write_run (WkFlow  *flow,
           gpointer user_data)
{
  Write *self = user_data;
  char **written;
  g_autoptr(GPtrArray) known = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_tools_known_async (self->storage, self->stream, WK_RESUME (flow)));
  known = welkin_tools_known_finish (WK_RESULT (flow), &error);
  if (known == NULL)
    WK_FAIL (flow, &error, NULL);
  remove_left_out (self, known);
  if (!welkin_tools_merge (self->items, known, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_data_source_fetch_async (self->source, INDEX2, WK_RESUME (flow)));
  self->index2 = welkin_streams_take_former (self->source, WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_data_source_fetch_async (self->source, INDEX, WK_RESUME (flow)));
  self->index = welkin_streams_take_former (self->source, WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_fetching_products (self, WK_RESUME (flow)));
  self->products = welkin_streams_take_former (self->source, WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);

  make_files (self);
  WK_AWAIT (flow, welkin_streams_save_async (self->files, NULL, self->storage, WELKIN_TOOLS_PREFIX,
                                             WK_RESUME (flow)));
  written = welkin_streams_save_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, _("Cannot write metadata of tools"));
  wk_flow_return_pointer (flow, written, (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

void
welkin_tools_write_async (GPtrArray          *items,
                          GPtrArray          *left_out,
                          WelkinStorage      *storage,
                          WelkinToolsStream  *stream,
                          gboolean            is_public,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Write *self = g_new0 (Write, 1);

  self->items = g_ptr_array_ref (items);
  if (left_out != NULL)
    self->left_out = g_ptr_array_ref (left_out);
  self->storage = g_object_ref (storage);
  self->stream = welkin_tools_stream_ref (stream);
  self->is_public = is_public;
  self->source = welkin_data_source_new_for_storage (storage, WELKIN_TOOLS_PREFIX,
                                                     "cloud storage");
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_write_async, write_run, self,
                 write_free);
}

char **
welkin_tools_write_finish (GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_write_async, error);
}
