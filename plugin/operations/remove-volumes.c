/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-volumes.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/delete-patiently.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  char      **ids;      /* (owned) */
  WkJoin     *join;     /* (owned) (nullable) */
} RemoveVolumes;

/* One of them. */

/* Cinder calls it a bad request while the volume is attached, or is being deleted already. */
static gboolean
is_busy (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
}

static const OsDeleter volume_deleter = {
  .delete_async = (WkUndoAsync) os_block_storage_delete_volume_async,
  .delete_finish = (WkUndoFinish) os_block_storage_delete_volume_finish,
  .is_busy = is_busy,
  .strategy = { .total = 60, .delay = 5 },
};

static void
remove_volume_run (WkFlow  *flow,
                   gpointer user_data)
{
  const char *id = user_data;
  OsSnapshot *snapshot = wk_flow_get_source (flow);
  OsBlockStorage *block_storage = os_snapshot_get_block_storage (snapshot);
  g_autofree char *context = g_strdup_printf (_("cannot delete volume %s"), id);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_delete_patiently_async (&volume_deleter, block_storage, id,
                                             os_snapshot_get_clock (snapshot), WK_RESUME (flow)));
  if (!os_delete_patiently_finish (block_storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
volume_removed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  RemoveVolumes *self = user_data;
  GError *error = NULL;

  wk_flow_finish_boolean (result, source, remove_volume_run, &error);
  wk_join_end (self->join, error);
}

/* All. */

static void
begin_volumes (RemoveVolumes *self)
{
  for (gsize i = 0; self->ids[i] != NULL; i++)
    wk_flow_start (self->snapshot, wk_join_begin (self->join), volume_removed_cb, self,
                   remove_volume_run, remove_volume_run, g_strdup (self->ids[i]), g_free);
}

static void
remove_volumes_run (WkFlow  *flow,
                    gpointer user_data)
{
  RemoveVolumes *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_volumes (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_volumes_free (gpointer user_data)
{
  RemoveVolumes *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_strfreev (self->ids);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_remove_volumes_async (OsSnapshot         *snapshot,
                         const char *const  *ids,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  RemoveVolumes *self = g_new0 (RemoveVolumes, 1);

  self->snapshot = g_object_ref (snapshot);
  self->ids = g_strdupv ((char **) ids);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_volumes_async,
                 remove_volumes_run, self, remove_volumes_free);
}

gboolean
os_remove_volumes_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_volumes_async, error);
}
