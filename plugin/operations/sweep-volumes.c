/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/sweep-volumes.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/remove-volumes.h"
#include "values/welkin-error.h"

/* Whatever the filter made of it, the mark is looked at again. */
static gboolean
has_to_go (OsSnapshot     *snapshot,
           const OsVolume *volume)
{
  return g_strcmp0 (os_volume_get_metadata (volume, OS_METADATA_ENVIRON_UUID),
                    os_snapshot_get_environ_uuid (snapshot)) == 0
         && !os_volume_is_deleting (volume);
}

static char **
list_doomed_ids (OsSnapshot *snapshot,
                 GPtrArray  *volumes)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < volumes->len; i++)
    {
      const OsVolume *volume = g_ptr_array_index (volumes, i);

      if (has_to_go (snapshot, volume))
        g_strv_builder_add (ids, volume->id);
    }
  return g_strv_builder_end (ids);
}

static void
sweep_run (WkFlow  *flow,
           gpointer user_data)
{
  OsSnapshot *snapshot = user_data;
  OsBlockStorage *block_storage = os_snapshot_get_block_storage (snapshot);
  const char *uuid = os_snapshot_get_environ_uuid (snapshot);
  g_auto(GStrv) ids = NULL;
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

  ids = list_doomed_ids (snapshot, volumes);
  WK_AWAIT (flow, os_remove_volumes_async (snapshot, (const char *const *) ids, WK_RESUME (flow)));
  if (!os_remove_volumes_finish (snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_sweep_volumes_async (OsSnapshot         *snapshot,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_sweep_volumes_async, sweep_run,
                 g_object_ref (snapshot), g_object_unref);
}

gboolean
os_sweep_volumes_finish (OsSnapshot   *snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_sweep_volumes_async, error);
}
