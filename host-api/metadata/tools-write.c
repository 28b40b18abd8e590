/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-write.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/metadata-sink.h"
#include "metadata/simplestreams-search.h"
#include "metadata/tools-products.h"
#include "metadata/welkin-data-sources.h"
#include "values/welkin-error.h"

typedef struct
{
  GPtrArray        *items;   /* (owned) of WelkinStreamsItem */
  WelkinStorage    *storage; /* (owned) */
  gboolean          is_public;

  /* while running */
  GPtrArray        *sources; /* (owned) the storage itself */
  WelkinToolsFilter filter;  /* everything */
  GPtrArray        *files;   /* (owned) of WelkinStreamsFile */
} Write;

static void
write_free (gpointer user_data)
{
  Write *self = user_data;

  g_clear_pointer (&self->files, g_ptr_array_unref);
  welkin_tools_filter_clear (&self->filter);
  g_ptr_array_unref (self->sources);
  g_object_unref (self->storage);
  g_ptr_array_unref (self->items);
  g_free (self);
}

static gboolean
merge_existing (Write              *self,
                WelkinStreamsFound *found,
                GError            **error)
{
  const WelkinStreamsFailure *failure;

  if (found->records != NULL)
    return welkin_tools_merge (self->items, found->records, error);
  failure = g_ptr_array_index (found->failures, 0);
  if (g_error_matches (failure->error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      || g_error_matches (failure->error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH))
    return TRUE;
  g_propagate_prefixed_error (error, g_error_copy (failure->error), "%s: ",
                              _("Cannot read the metadata that there are"));
  return FALSE;
}

static void
make_files (Write *self)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *build = welkin_streams_make_build (now);

  for (guint i = 0; i < self->items->len; i++)
    {
      WelkinStreamsItem *item = g_ptr_array_index (self->items, i);

      if (item->build == NULL)
        item->build = g_strdup (build);
    }
  self->files = welkin_streams_make_files (&welkin_tools_layout, self->items, NULL, now);
  if (self->is_public)
    g_ptr_array_insert (self->files, 0,
                        welkin_streams_make_mirrors (&welkin_tools_layout, build));
}

static void
begin_reading (Write              *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query = welkin_tools_filter_query (&self->filter, NULL);

  /* What is about to be written is not signed, and is not what a mirror has. */
  g_clear_pointer (&query->key_path, g_free);
  query->follows_mirrors = FALSE;
  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

static void
write_run (WkFlow  *flow,
           gpointer user_data)
{
  Write *self = user_data;
  char **written;
  g_autoptr(WelkinStreamsFound) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_reading (self, WK_RESUME (flow)));
  found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (found == NULL || !merge_existing (self, found, &error))
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
                          WelkinStorage      *storage,
                          gboolean            is_public,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Write *self = g_new0 (Write, 1);

  self->items = g_ptr_array_ref (items);
  self->is_public = is_public;
  self->storage = g_object_ref (storage);
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->sources,
                   welkin_data_source_new_for_storage (storage, WELKIN_TOOLS_PREFIX,
                                                       "cloud storage"));
  welkin_tools_filter_init (&self->filter, NULL, NULL, NULL, FALSE, NULL);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_write_async, write_run, self,
                 write_free);
}

char **
welkin_tools_write_finish (GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_write_async, error);
}
