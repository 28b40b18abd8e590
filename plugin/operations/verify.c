/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/verify.h"

#include "base/flow.h"
#include "operations/plan.h"
#include "values/welkin-error.h"

static void
begin_plan (OsSnapshot         *snapshot,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  static const char *const nobody[] = { NULL };
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new ();
  OsPlanRequest request = {
    .constraints = constraints,
    .series = welkin_config_get_string (os_snapshot_get_config (snapshot), "default-series"),
    .placement = "",
    .distribution_group = nobody,
  };

  os_plan_async (snapshot, &request, cancellable, callback, user_data);
}

static void
verify_run (WkFlow  *flow,
            gpointer user_data)
{
  OsSnapshot *snapshot = user_data;
  g_autoptr(OsPlan) plan = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_plan (snapshot, WK_RESUME (flow)));
  plan = os_plan_finish (snapshot, WK_RESULT (flow), &error);
  /* The constraints of a machine may name what the environment does not. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH))
    g_debug ("a machine without constraints cannot be started: %s", error->message);
  else if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_verify_async (OsSnapshot         *snapshot,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_verify_async, verify_run,
                 g_object_ref (snapshot), g_object_unref);
}

gboolean
os_verify_finish (OsSnapshot   *snapshot,
                  GAsyncResult *result,
                  GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_verify_async, error);
}
