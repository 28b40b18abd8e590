/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/list-zones.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/choose-zone.h"

static void
list_zones_run (WkFlow  *flow,
                gpointer user_data)
{
  OsCompute *compute = os_snapshot_get_compute (user_data);
  g_autoptr(GPtrArray) zones = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_compute_list_zones_async (compute, WK_RESUME (flow)));
  zones = os_compute_list_zones_finish (compute, WK_RESULT (flow), &error);
  if (zones == NULL)
    WK_FAIL (flow, &error, _("cannot list availability zones"));
  wk_flow_return_pointer (flow, os_list_available_zones (zones), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

void
os_list_zones_async (OsSnapshot         *snapshot,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_zones_async, list_zones_run,
                 g_object_ref (snapshot), g_object_unref);
}

char **
os_list_zones_finish (OsSnapshot   *snapshot,
                      GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_zones_async, error);
}
