/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-examiner.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinExaminer:
 *
 * An environment that can be examined before anything is made.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinExaminer, welkin_examiner, G_TYPE_OBJECT)

static void
welkin_examiner_default_init (WelkinExaminerInterface *iface)
{
}

/**
 * welkin_examiner_examine_async:
 * @self: an environment
 * @constraints: what the first machine must have
 * @progress: (nullable): told what goes on
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Looks for what would stand in the way of a bootstrap.
 *
 * The cloud is logged in to and asked; nothing is changed there. What does not
 * depend on each other is looked at side by side, and each has its deadline,
 * so that it ends in a bounded time even if nobody answers.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_examiner_examine_async (WelkinExaminer      *self,
                               WelkinConstraints   *constraints,
                               WelkinProgress      *progress,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  WelkinExaminerInterface *iface;

  g_return_if_fail (WELKIN_IS_EXAMINER (self));
  g_return_if_fail (constraints != NULL);

  iface = WELKIN_EXAMINER_GET_IFACE (self);
  if (iface->examine_async == NULL)
    {
      welkin_contract_refuse (self, "examine", callback, user_data, welkin_examiner_examine_async);
      return;
    }
  iface->examine_async (self, constraints, progress, cancellable, callback, user_data);
}

/**
 * welkin_examiner_examine_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Examiner.examine_async].
 *
 * What was found to be wrong is no error here: it is a finding.
 *
 * Returns: (transfer full) (element-type WelkinFinding): the findings, in the
 *   order in which they are best read, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_examiner_examine_finish (WelkinExaminer  *self,
                                GAsyncResult    *result,
                                GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_EXAMINER (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_examiner_examine_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_EXAMINER_GET_IFACE (self)->examine_finish (self, result, error);
}
