/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-introspector.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinIntrospector:
 *
 * A provider that, on a machine of its cloud, tells which one that is.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinIntrospector, welkin_introspector, G_TYPE_OBJECT)

static void
welkin_introspector_default_init (WelkinIntrospectorInterface *iface)
{
}

/**
 * welkin_introspector_load_own_machine_async:
 * @self: a provider
 * @surroundings: (nullable): where to ask; %NULL for those of the process
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Asks the cloud which of its machines this one is. It needs no configuration
 * and no login, and makes sense on a machine of the cloud only.
 *
 * The callback is called in the thread-default main context of the caller.
 *
 * Since: 0.1
 */
void
welkin_introspector_load_own_machine_async (WelkinIntrospector  *self,
                                            WelkinSurroundings  *surroundings,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data)
{
  WelkinIntrospectorInterface *iface;

  g_return_if_fail (WELKIN_IS_INTROSPECTOR (self));

  iface = WELKIN_INTROSPECTOR_GET_IFACE (self);
  if (iface->load_own_machine_async == NULL)
    {
      welkin_contract_refuse (self, "load_own_machine", callback, user_data,
                              welkin_introspector_load_own_machine_async);
      return;
    }
  iface->load_own_machine_async (self, surroundings, cancellable, callback, user_data);
}

/**
 * welkin_introspector_load_own_machine_finish:
 * @self: a provider
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Introspector.load_own_machine_async].
 *
 * Returns: (transfer full): the machine that this is, or %NULL on error, which
 *   names where it was asked for
 *
 * Since: 0.1
 */
WelkinOwnMachine *
welkin_introspector_load_own_machine_finish (WelkinIntrospector  *self,
                                             GAsyncResult        *result,
                                             GError             **error)
{
  g_return_val_if_fail (WELKIN_IS_INTROSPECTOR (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_introspector_load_own_machine_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_INTROSPECTOR_GET_IFACE (self)->load_own_machine_finish (self, result, error);
}
