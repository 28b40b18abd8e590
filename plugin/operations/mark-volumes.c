/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/mark-volumes.h"

#include "base/flow.h"
#include "base/join.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  char      **ids;      /* (owned) */
  GHashTable *marks;    /* (owned) */
  WkJoin     *join;     /* (owned) (nullable) */
} MarkVolumes;

static void
marked_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  MarkVolumes *self = user_data;
  GError *error = NULL;

  os_block_storage_add_metadata_finish (OS_BLOCK_STORAGE (source), result, &error);
  wk_join_end (self->join, error);
}

static void
begin_marking (MarkVolumes *self)
{
  for (gsize i = 0; self->ids[i] != NULL; i++)
    os_block_storage_add_metadata_async (os_snapshot_get_block_storage (self->snapshot),
                                         self->ids[i], self->marks, wk_join_begin (self->join),
                                         marked_cb, self);
}

static void
mark_volumes_run (WkFlow  *flow,
                  gpointer user_data)
{
  MarkVolumes *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_marking (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    g_info ("a volume carries no mark: %s", error->message);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
mark_volumes_free (gpointer user_data)
{
  MarkVolumes *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_hash_table_unref (self->marks);
  g_strfreev (self->ids);
  g_object_unref (self->snapshot);
  g_free (self);
}

static GHashTable *
dup_marks (const OsServer *server)
{
  static const char *const keys[] = {
    OS_METADATA_ENVIRON_UUID, OS_METADATA_ENVIRON_NAME, OS_METADATA_MACHINE_ID, OS_METADATA_START,
  };
  GHashTable *marks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = os_server_get_metadata (server, keys[i]);

      if (value != NULL)
        g_hash_table_insert (marks, (gpointer) keys[i], g_strdup (value));
    }
  return marks;
}

void
os_mark_volumes_async (OsSnapshot         *snapshot,
                       const OsServer     *server,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  MarkVolumes *self = g_new0 (MarkVolumes, 1);

  self->snapshot = g_object_ref (snapshot);
  self->ids = os_server_list_doomed_volumes (server);
  self->marks = dup_marks (server);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_mark_volumes_async,
                 mark_volumes_run, self, mark_volumes_free);
}

void
os_mark_volumes_finish (OsSnapshot   *snapshot,
                        GAsyncResult *result)
{
  wk_flow_finish_boolean (result, snapshot, os_mark_volumes_async, NULL);
}
