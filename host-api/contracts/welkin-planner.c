/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-planner.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinPlanner:
 *
 * An environment that tells what a start of a machine would choose.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinPlanner, welkin_planner, G_TYPE_OBJECT)

static void
welkin_planner_default_init (WelkinPlannerInterface *iface)
{
}

/**
 * welkin_planner_plan_async:
 * @self: an environment
 * @params: all that a start of the first machine would be told
 * @n_machines: how many machines like it are wanted, at least 1
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Decides as a start would, and makes nothing: the cloud is logged in to and
 * asked.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_planner_plan_async (WelkinPlanner       *self,
                           WelkinStartParams   *params,
                           guint                n_machines,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  WelkinPlannerInterface *iface;

  g_return_if_fail (WELKIN_IS_PLANNER (self));
  g_return_if_fail (params != NULL && n_machines > 0);

  iface = WELKIN_PLANNER_GET_IFACE (self);
  if (iface->plan_async == NULL)
    {
      welkin_contract_refuse (self, "plan", callback, user_data, welkin_planner_plan_async);
      return;
    }
  iface->plan_async (self, params, n_machines, cancellable, callback, user_data);
}

/**
 * welkin_planner_plan_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Planner.plan_async].
 *
 * Returns: (transfer full) (element-type WelkinPlanEntry): what would be chosen
 *   and made, in the order of a start, or %NULL on error, which is the one that
 *   a start would end with
 *
 * Since: 0.1
 */
GPtrArray *
welkin_planner_plan_finish (WelkinPlanner  *self,
                            GAsyncResult   *result,
                            GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_PLANNER (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_planner_plan_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_PLANNER_GET_IFACE (self)->plan_finish (self, result, error);
}
