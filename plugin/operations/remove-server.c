/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-server.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "operations/delete-patiently.h"
#include "operations/recent-servers.h"
#include "values/welkin-error.h"

#define GONE_SECONDS 300.0

/* Nova is busy with the server, which ends, or somebody has locked it, which does not. */
static gboolean
is_busy (GError *error)
{
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT)
      && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
    return FALSE;
  if (strstr (error->message, "locked") == NULL)
    return TRUE;
  welkin_error_set_hint (error, _("Unlock it first: openstack server unlock ID"));
  return FALSE;
}

static const OsDeleter server_deleter = {
  .delete_async = (WkUndoAsync) os_compute_delete_server_async,
  .delete_finish = (WkUndoFinish) os_compute_delete_server_finish,
  .is_busy = is_busy,
  .strategy = { .total = GONE_SECONDS, .delay = 1, .growth = 1.5, .max_delay = 5 },
};

static void
remove_server_run (WkFlow  *flow,
                   gpointer user_data)
{
  const char *id = user_data;
  OsSnapshot *snapshot = wk_flow_get_source (flow);
  OsCompute *compute = os_snapshot_get_compute (snapshot);
  OsPoller *poller = os_snapshot_get_poller (snapshot);
  g_autoptr(OsServer) server = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_delete_patiently_async (&server_deleter, compute, id,
                                             os_snapshot_get_clock (snapshot), WK_RESUME (flow)));
  if (!os_delete_patiently_finish (compute, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("cannot delete server"));

  WK_AWAIT (flow, os_poller_wait_async (poller, id, OS_POLL_UNTIL_GONE, GONE_SECONDS,
                                        WK_RESUME (flow)));
  if (!os_poller_wait_finish (poller, WK_RESULT (flow), &server, &error))
    WK_FAIL (flow, &error, _("cannot delete server"));

  /* A cloud that keeps what was deleted counts it, too, until it is told that nobody wants it
   * back. */
  if (server != NULL)
    {
      WK_AWAIT (flow, os_compute_force_delete_server_async (compute, id, WK_RESUME (flow)));
      if (!os_compute_force_delete_server_finish (compute, WK_RESULT (flow), &error))
        g_debug ("server %s stays for a while: %s", id, error->message);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_remove_server_async (gpointer            snapshot,
                        const char         *id,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  os_recent_servers_remove (id);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_server_async,
                 remove_server_run, g_strdup (id), g_free);
}

gboolean
os_remove_server_finish (gpointer      snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_server_async, error);
}
