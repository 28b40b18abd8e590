/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-instance.h"

#include <glib/gi18n-lib.h>

#include "contracts/welkin-contract-private.h"
#include "values/welkin-error.h"

/**
 * WelkinInstanceState:
 * @WELKIN_INSTANCE_UNKNOWN: the cloud says something that this version does not
 *   know
 * @WELKIN_INSTANCE_PENDING: it is being made
 * @WELKIN_INSTANCE_RUNNING: it runs
 * @WELKIN_INSTANCE_REBOOTING: it starts again
 * @WELKIN_INSTANCE_STOPPING: it is being stopped
 * @WELKIN_INSTANCE_STOPPED: it exists and does not run
 * @WELKIN_INSTANCE_TERMINATED: it is gone, or about to be
 * @WELKIN_INSTANCE_FAILED: it is broken
 *
 * What a machine does.
 *
 * Since: 0.1
 */

/**
 * WelkinInstance:
 *
 * A machine as the cloud knows it.
 *
 * What it tells is as of its last refresh. It belongs to the main context of
 * its environment.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinInstance, welkin_instance, G_TYPE_OBJECT)

static void
welkin_instance_default_init (WelkinInstanceInterface *iface)
{
}

/**
 * welkin_instance_get_id:
 * @self: an instance
 *
 * Gets what the cloud calls the machine.
 *
 * Returns: (transfer none): its id
 *
 * Since: 0.1
 */
const char *
welkin_instance_get_id (WelkinInstance *self)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  return WELKIN_INSTANCE_GET_IFACE (self)->get_id (self);
}

/**
 * welkin_instance_get_state:
 * @self: an instance
 *
 * Gets what the machine does.
 *
 * Returns: its state
 *
 * Since: 0.1
 */
WelkinInstanceState
welkin_instance_get_state (WelkinInstance *self)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), WELKIN_INSTANCE_UNKNOWN);

  return WELKIN_INSTANCE_GET_IFACE (self)->get_state (self);
}

/**
 * welkin_instance_get_status:
 * @self: an instance
 *
 * Gets the cloud's own word for what the machine does.
 *
 * Returns: (transfer none): as in "ACTIVE"
 *
 * Since: 0.1
 */
const char *
welkin_instance_get_status (WelkinInstance *self)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  return WELKIN_INSTANCE_GET_IFACE (self)->get_status (self);
}

/**
 * welkin_instance_get_status_message:
 * @self: an instance
 *
 * Gets why the machine is broken.
 *
 * Returns: (transfer none) (nullable): what the cloud says; %NULL when it is
 *   not broken
 *
 * Since: 0.1
 */
const char *
welkin_instance_get_status_message (WelkinInstance *self)
{
  WelkinInstanceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  return iface->get_status_message != NULL ? iface->get_status_message (self) : NULL;
}

/**
 * welkin_instance_get_machine_id:
 * @self: an instance
 *
 * Gets which machine of the environment this was started for.
 *
 * Returns: (transfer none) (nullable): the id of the machine; %NULL when it is
 *   not known
 *
 * Since: 0.1
 */
const char *
welkin_instance_get_machine_id (WelkinInstance *self)
{
  WelkinInstanceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  return iface->get_machine_id != NULL ? iface->get_machine_id (self) : NULL;
}

/**
 * welkin_instance_get_start_id:
 * @self: an instance
 *
 * Gets the id of the start that made the instance, as it was in its
 * [struct@StartParams]: a host that was cut off finds the machine again by it.
 *
 * Returns: (transfer none) (nullable): a UUID, or %NULL when it is not known
 *
 * Since: 0.1
 */
const char *
welkin_instance_get_start_id (WelkinInstance *self)
{
  WelkinInstanceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  return iface->get_start_id != NULL ? iface->get_start_id (self) : NULL;
}

/**
 * welkin_instance_get_addresses:
 * @self: an instance
 *
 * Gets the addresses of the machine.
 *
 * Returns: (transfer none) (element-type WelkinAddress): the addresses, of
 *   which there may be none
 *
 * Since: 0.1
 */
GPtrArray *
welkin_instance_get_addresses (WelkinInstance *self)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  return WELKIN_INSTANCE_GET_IFACE (self)->get_addresses (self);
}

/**
 * welkin_instance_select_address:
 * @self: an instance
 *
 * Chooses the address by which to reach the machine from outside of its cloud.
 *
 * It is that of [func@Address.select_public], with IPv6 first where the
 * environment prefers it.
 *
 * Returns: (transfer none) (nullable): one of its addresses, or %NULL if none
 *   will do
 *
 * Since: 0.1
 */
WelkinAddress *
welkin_instance_select_address (WelkinInstance *self)
{
  WelkinInstanceInterface *iface;
  gboolean prefers_ipv6;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  prefers_ipv6 = iface->prefers_ipv6 != NULL && iface->prefers_ipv6 (self);
  return welkin_address_select_public_of_kind (
    iface->get_addresses (self), prefers_ipv6 ? WELKIN_ADDRESS_IPV6 : WELKIN_ADDRESS_IPV4);
}

/**
 * welkin_instance_get_hardware:
 * @self: an instance
 *
 * Gets what the machine has.
 *
 * Returns: (transfer none) (nullable): its hardware; %NULL when it is not known
 *
 * Since: 0.1
 */
WelkinHardware *
welkin_instance_get_hardware (WelkinInstance *self)
{
  WelkinInstanceInterface *iface;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  return iface->get_hardware != NULL ? iface->get_hardware (self) : NULL;
}

/**
 * welkin_instance_get_dns_name:
 * @self: an instance
 * @error: return location for an error
 *
 * Gets the name or address to reach the machine by from outside of its cloud.
 *
 * A machine that has none so far is %WELKIN_ERROR_NO_ADDRESS_YET; see
 * [method@Instance.wait_dns_name_async].
 *
 * Returns: (transfer full): a host name or an IP address, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_instance_get_dns_name (WelkinInstance *self,
                              GError        **error)
{
  WelkinAddress *address;

  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  address = welkin_instance_select_address (self);
  if (address == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET,
                   _("instance %s has no address yet"), welkin_instance_get_id (self));
      return NULL;
    }
  return g_strdup (welkin_address_get_value (address));
}

/**
 * welkin_instance_refresh_async:
 * @self: an instance
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Asks the cloud again what it knows of the machine.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_instance_refresh_async (WelkinInstance      *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  WelkinInstanceInterface *iface;

  g_return_if_fail (WELKIN_IS_INSTANCE (self));

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  if (iface->refresh_async == NULL)
    {
      welkin_contract_refuse (self, "refresh", callback, user_data, welkin_instance_refresh_async);
      return;
    }
  iface->refresh_async (self, cancellable, callback, user_data);
}

/**
 * welkin_instance_refresh_finish:
 * @self: an instance
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Instance.refresh_async].
 *
 * A machine that is gone is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: whether the instance now tells the news
 *
 * Since: 0.1
 */
gboolean
welkin_instance_refresh_finish (WelkinInstance  *self,
                                GAsyncResult    *result,
                                GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_instance_refresh_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_INSTANCE_GET_IFACE (self)->refresh_finish (self, result, error);
}

/**
 * welkin_instance_open_ports_async:
 * @self: an instance
 * @ranges: (element-type WelkinPortRange): the ports
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Opens ports of this machine, where firewall-mode is "instance".
 *
 * Ports that are open already are no error, nor are those of a network that
 * keeps none closed. What is open when an error is returned stays open: to call
 * again is safe.
 *
 * Errors are %WELKIN_ERROR_NOT_SUPPORTED where firewall-mode is another,
 * %WELKIN_ERROR_INVALID_ARGUMENT for ranges that no rule can say,
 * %WELKIN_ERROR_NOT_FOUND when there is nothing that could be opened, and what
 * the cloud says. The callback is called in the main context that @self belongs
 * to.
 *
 * Since: 0.1
 */
void
welkin_instance_open_ports_async (WelkinInstance      *self,
                                  GPtrArray           *ranges,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinInstanceInterface *iface;

  g_return_if_fail (WELKIN_IS_INSTANCE (self));
  g_return_if_fail (ranges != NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  if (iface->open_ports_async == NULL)
    {
      welkin_contract_refuse (self, "open-ports", callback, user_data,
                              welkin_instance_open_ports_async);
      return;
    }
  iface->open_ports_async (self, ranges, cancellable, callback, user_data);
}

/**
 * welkin_instance_open_ports_finish:
 * @self: an instance
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Instance.open_ports_async].
 *
 * Returns: whether they are open
 *
 * Since: 0.1
 */
gboolean
welkin_instance_open_ports_finish (WelkinInstance  *self,
                                   GAsyncResult    *result,
                                   GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_instance_open_ports_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_INSTANCE_GET_IFACE (self)->open_ports_finish (self, result, error);
}

/**
 * welkin_instance_close_ports_async:
 * @self: an instance
 * @ranges: (element-type WelkinPortRange): the ports
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Closes ports of this machine, where firewall-mode is "instance".
 *
 * Ports are closed as they were opened, for the same sources; a part of a range
 * is not cut out of it. Those that are closed already are no error. To call
 * again after an error is safe.
 *
 * Errors are %WELKIN_ERROR_NOT_SUPPORTED where firewall-mode is another,
 * %WELKIN_ERROR_INVALID_ARGUMENT for ranges that no rule can say, and what the
 * cloud says. The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_instance_close_ports_async (WelkinInstance      *self,
                                   GPtrArray           *ranges,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  WelkinInstanceInterface *iface;

  g_return_if_fail (WELKIN_IS_INSTANCE (self));
  g_return_if_fail (ranges != NULL);

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  if (iface->close_ports_async == NULL)
    {
      welkin_contract_refuse (self, "close-ports", callback, user_data,
                              welkin_instance_close_ports_async);
      return;
    }
  iface->close_ports_async (self, ranges, cancellable, callback, user_data);
}

/**
 * welkin_instance_close_ports_finish:
 * @self: an instance
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Instance.close_ports_async].
 *
 * Returns: whether they are closed
 *
 * Since: 0.1
 */
gboolean
welkin_instance_close_ports_finish (WelkinInstance  *self,
                                    GAsyncResult    *result,
                                    GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_instance_close_ports_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_INSTANCE_GET_IFACE (self)->close_ports_finish (self, result, error);
}

/**
 * welkin_instance_list_ports_async:
 * @self: an instance
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists the ports that were opened for this machine, where firewall-mode is
 * "instance".
 *
 * They are sorted, and each range is there once with all its sources. Where
 * firewall-mode is "none" there are none, and where it is another still, the
 * error is %WELKIN_ERROR_NOT_SUPPORTED. The callback is called in the main
 * context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_instance_list_ports_async (WelkinInstance      *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinInstanceInterface *iface;

  g_return_if_fail (WELKIN_IS_INSTANCE (self));

  iface = WELKIN_INSTANCE_GET_IFACE (self);
  if (iface->list_ports_async == NULL)
    {
      welkin_contract_refuse (self, "list-ports", callback, user_data,
                              welkin_instance_list_ports_async);
      return;
    }
  iface->list_ports_async (self, cancellable, callback, user_data);
}

/**
 * welkin_instance_list_ports_finish:
 * @self: an instance
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Instance.list_ports_async].
 *
 * Returns: (transfer container) (element-type WelkinPortRange): the ranges,
 *   sorted, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_instance_list_ports_finish (WelkinInstance  *self,
                                   GAsyncResult    *result,
                                   GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_instance_list_ports_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_INSTANCE_GET_IFACE (self)->list_ports_finish (self, result, error);
}
