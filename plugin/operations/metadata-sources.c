/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/metadata-sources.h"

#include "base/flow.h"
#include "services/os-metadata-source.h"

typedef struct
{
  OsSnapshot   *snapshot; /* (owned) */
  OsServiceKind service;
} List;

static void
list_free (gpointer user_data)
{
  List *self = user_data;

  g_object_unref (self->snapshot);
  g_free (self);
}

static GPtrArray *
make_sources (List *self)
{
  OsClient *client = os_snapshot_get_client (self->snapshot);
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_object_unref);

  if (os_client_get_endpoint (client, self->service) != NULL)
    g_ptr_array_add (sources, os_metadata_source_new (client, self->service));
  return sources;
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  List *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, make_sources (self), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_list_metadata_sources_async (OsSnapshot         *snapshot,
                                OsServiceKind       service,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  List *self = g_new0 (List, 1);

  self->snapshot = g_object_ref (snapshot);
  self->service = service;
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_metadata_sources_async,
                 list_run, self, list_free);
}

GPtrArray *
os_list_metadata_sources_finish (OsSnapshot   *snapshot,
                                 GAsyncResult *result,
                                 GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_metadata_sources_async, error);
}
