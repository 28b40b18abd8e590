/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/sweep-volumes.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/remove-volume.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  WkJoin     *join;     /* (owned) (nullable) */
} Sweep;

static void
volume_removed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;

  os_remove_volume_finish (self->snapshot, result, &error);
  wk_join_end (self->join, error);
}

/* Whatever the filter made of it, the mark is looked at again. */
static gboolean
has_to_go (Sweep          *self,
           const OsVolume *volume)
{
  return g_strcmp0 (os_volume_get_metadata (volume, OS_METADATA_ENVIRON_UUID),
                    os_snapshot_get_environ_uuid (self->snapshot)) == 0
         && !os_volume_is_deleting (volume);
}

static void
begin_volumes (Sweep     *self,
               GPtrArray *volumes)
{
  for (guint i = 0; i < volumes->len; i++)
    {
      const OsVolume *volume = g_ptr_array_index (volumes, i);

      if (has_to_go (self, volume))
        os_remove_volume_async (self->snapshot, volume->id, wk_join_begin (self->join),
                                volume_removed_cb, self);
    }
}

static void
sweep_run (WkFlow  *flow,
           gpointer user_data)
{
  Sweep *self = user_data;
  OsBlockStorage *block_storage = os_snapshot_get_block_storage (self->snapshot);
  const char *uuid = os_snapshot_get_environ_uuid (self->snapshot);
  g_autoptr(GPtrArray) volumes = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_block_storage_exists (block_storage))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  WK_AWAIT (flow, os_block_storage_list_volumes_async (block_storage, OS_METADATA_ENVIRON_UUID,
                                                       uuid, WK_RESUME (flow)));
  volumes = os_block_storage_list_volumes_finish (block_storage, WK_RESULT (flow), &error);
  /* Who may not see volumes has none. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (volumes == NULL)
    WK_FAIL (flow, &error, _("cannot list volumes"));

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_volumes (self, volumes);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
sweep_free (gpointer user_data)
{
  Sweep *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_sweep_volumes_async (OsSnapshot         *snapshot,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  Sweep *self = g_new0 (Sweep, 1);

  self->snapshot = g_object_ref (snapshot);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_sweep_volumes_async, sweep_run,
                 self, sweep_free);
}

gboolean
os_sweep_volumes_finish (OsSnapshot   *snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_sweep_volumes_async, error);
}
