/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/started-servers.h"

#include "base/flow.h"
#include "base/join.h"
#include "operations/ownership.h"
#include "operations/remove-whole-server.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  char       *start;    /* (owned) */
  WkJoin     *join;     /* (owned) (nullable) */
} Started;

static Started *
started_new (OsSnapshot *snapshot,
             const char *start)
{
  Started *self = g_new0 (Started, 1);

  self->snapshot = g_object_ref (snapshot);
  self->start = g_strdup (start);
  return self;
}

static void
started_free (gpointer user_data)
{
  Started *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self->start);
  g_object_unref (self->snapshot);
  g_free (self);
}

/* Looking. */

static void
drop_others (Started   *self,
             GPtrArray *servers)
{
  for (guint i = servers->len; i > 0; i--)
    {
      const OsServer *server = g_ptr_array_index (servers, i - 1);

      if (!os_snapshot_owns_server (self->snapshot, server) || os_server_is_gone (server)
          || g_strcmp0 (os_server_get_metadata (server, OS_METADATA_START), self->start) != 0)
        g_ptr_array_remove_index (servers, i - 1);
    }
}

static void
list_started_run (WkFlow  *flow,
                  gpointer user_data)
{
  Started *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_autofree char *filter =
    os_name_server_filter (os_snapshot_get_prefix (self->snapshot),
                           welkin_config_get_name (os_snapshot_get_config (self->snapshot)));
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_compute_list_servers_async (compute, filter, NULL, NULL, WK_RESUME (flow)));
  servers = os_compute_list_servers_finish (compute, WK_RESULT (flow), &error);
  if (servers == NULL)
    WK_FAIL (flow, &error, NULL);
  drop_others (self, servers);
  wk_flow_return_pointer (flow, g_steal_pointer (&servers), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_list_started_async (OsSnapshot         *snapshot,
                       const char         *start,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_started_async,
                 list_started_run, started_new (snapshot, start), started_free);
}

GPtrArray *
os_list_started_finish (OsSnapshot   *snapshot,
                        GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_started_async, error);
}

/* Removing. */

typedef struct
{
  Started               *started;
  const OsServerRemover *remover;
} RemoveCall;

static void
server_removed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  g_autofree RemoveCall *call = user_data;
  Started *self = call->started;
  GError *error = NULL;

  call->remover->remove_finish (self->snapshot, result, &error);
  wk_join_end (self->join, error);
}

static void
begin_removing (Started   *self,
                GPtrArray *servers)
{
  for (guint i = 0; i < servers->len; i++)
    {
      const OsServer *server = g_ptr_array_index (servers, i);
      RemoveCall *call = g_new0 (RemoveCall, 1);

      call->started = self;
      call->remover = os_choose_server_remover (
        self->snapshot, os_server_is_on_volume (server),
        os_server_get_metadata (server, OS_METADATA_FLOATING_IP));
      call->remover->remove_async (self->snapshot, server->id, wk_join_begin (self->join),
                                   server_removed_cb, call);
    }
}

static void
remove_started_run (WkFlow  *flow,
                    gpointer user_data)
{
  Started *self = user_data;
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_list_started_async (self->snapshot, self->start, WK_RESUME (flow)));
  servers = os_list_started_finish (self->snapshot, WK_RESULT (flow), &error);
  if (servers == NULL)
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_removing (self, servers);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_remove_started_async (gpointer            snapshot,
                         const char         *start,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_started_async,
                 remove_started_run, started_new (snapshot, start), started_free);
}

gboolean
os_remove_started_finish (gpointer      snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_started_async, error);
}
