/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-volume.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/delete-patiently.h"
#include "values/welkin-error.h"

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

void
os_remove_volume_async (OsSnapshot         *snapshot,
                        const char         *id,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_volume_async,
                 remove_volume_run, g_strdup (id), g_free);
}

gboolean
os_remove_volume_finish (OsSnapshot   *snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_volume_async, error);
}
