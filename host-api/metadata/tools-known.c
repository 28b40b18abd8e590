/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-known.h"

#include "base/flow.h"
#include "metadata/simplestreams-former.h"
#include "metadata/tools-products.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-data-sources.h"

typedef struct
{
  GPtrArray        *sources; /* (owned) the storage itself */
  WelkinToolsFilter filter;  /* all of the stream */
} Known;

static void
known_free (gpointer user_data)
{
  Known *self = user_data;

  welkin_tools_filter_clear (&self->filter);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

static void
begin_reading (Known              *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query = welkin_tools_filter_query (&self->filter, NULL);

  /* What is there to be written over is not signed, and is not what a mirror has. */
  g_clear_pointer (&query->key_path, g_free);
  query->follows_mirrors = FALSE;
  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

static void
known_run (WkFlow  *flow,
           gpointer user_data)
{
  Known *self = user_data;
  GPtrArray *items;
  g_autoptr(WelkinStreamsFound) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_reading (self, WK_RESUME (flow)));
  found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (found == NULL)
    WK_FAIL (flow, &error, NULL);
  items = welkin_streams_take_items (found, &error);
  if (items == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, items, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
welkin_tools_known_async (WelkinStorage      *storage,
                          WelkinToolsStream  *stream,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Known *self = g_new0 (Known, 1);

  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->sources,
                   welkin_data_source_new_for_storage (storage, WELKIN_TOOLS_PREFIX,
                                                       "cloud storage"));
  welkin_tools_filter_init (&self->filter, stream->name, NULL, NULL, NULL, FALSE, NULL);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_known_async, known_run, self,
                 known_free);
}

GPtrArray *
welkin_tools_known_finish (GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_known_async, error);
}
