/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-environ.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinEnviron:
 *
 * An open environment: the machines of one name on one cloud.
 *
 * An environment belongs to the main context that it was made in, and so do its
 * storage and its instances: callbacks come there, and no other thread may use
 * them.
 *
 * What a provider does not implement is %WELKIN_ERROR_NOT_SUPPORTED.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinEnviron, welkin_environ, G_TYPE_OBJECT)

static void
welkin_environ_default_init (WelkinEnvironInterface *iface)
{
}

/**
 * welkin_environ_get_name:
 * @self: an environment
 *
 * Gets the name of the environment, as its config has it.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
welkin_environ_get_name (WelkinEnviron *self)
{
  WelkinConfig *config = welkin_environ_get_config (self);

  return config != NULL ? welkin_config_get_name (config) : NULL;
}

/**
 * welkin_environ_get_config:
 * @self: an environment
 *
 * Gets the attributes of the environment.
 *
 * Returns: (transfer none): the config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_environ_get_config (WelkinEnviron *self)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);

  return WELKIN_ENVIRON_GET_IFACE (self)->get_config (self);
}

/**
 * welkin_environ_set_config:
 * @self: an environment
 * @config: new attributes
 * @error: return location for an error
 *
 * Changes the attributes of the environment.
 *
 * They are validated against those of before; %WELKIN_ERROR_INVALID_CONFIG says
 * that nothing has changed. Operations that run, and storages that were handed
 * out, keep the attributes that they began with.
 *
 * Returns: whether they were changed
 *
 * Since: 0.1
 */
gboolean
welkin_environ_set_config (WelkinEnviron *self,
                           WelkinConfig  *config,
                           GError       **error)
{
  WelkinEnvironInterface *iface;

  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (config != NULL, FALSE);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->set_config == NULL)
    {
      welkin_contract_set_refused (error, "set-config");
      return FALSE;
    }
  return iface->set_config (self, config, error);
}

/**
 * welkin_environ_get_storage:
 * @self: an environment
 *
 * Gets where the environment keeps its files.
 *
 * The storage stays what it is when the config changes later.
 *
 * Returns: (transfer full): the storage
 *
 * Since: 0.1
 */
WelkinStorage *
welkin_environ_get_storage (WelkinEnviron *self)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);

  return WELKIN_ENVIRON_GET_IFACE (self)->get_storage (self);
}

/**
 * welkin_environ_verify_async:
 * @self: an environment
 * @progress: (nullable): told how far it has come
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Logs in and looks whether all that a start needs is there.
 *
 * Nothing is made. The callback is called in the main context that @self
 * belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_verify_async (WelkinEnviron       *self,
                             WelkinProgress      *progress,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->verify_async == NULL)
    {
      welkin_contract_refuse (self, "verify", callback, user_data, welkin_environ_verify_async);
      return;
    }
  iface->verify_async (self, progress, cancellable, callback, user_data);
}

/**
 * welkin_environ_verify_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.verify_async].
 *
 * Wrong credentials are %WELKIN_ERROR_UNAUTHORIZED; what is missing is
 * %WELKIN_ERROR_NOT_FOUND or %WELKIN_ERROR_AMBIGUOUS.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
welkin_environ_verify_finish (WelkinEnviron  *self,
                              GAsyncResult   *result,
                              GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_environ_verify_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->verify_finish (self, result, error);
}

/**
 * welkin_environ_start_instance_async:
 * @self: an environment
 * @params: what to start
 * @progress: (nullable): told how far it has come
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Starts one machine and waits until it runs.
 *
 * On any failure, and when @cancellable ends the call, nothing that it made is
 * left. The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_start_instance_async (WelkinEnviron       *self,
                                     WelkinStartParams   *params,
                                     WelkinProgress      *progress,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));
  g_return_if_fail (params != NULL);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->start_instance_async == NULL)
    {
      welkin_contract_refuse (self, "start-instance", callback, user_data,
                              welkin_environ_start_instance_async);
      return;
    }
  iface->start_instance_async (self, params, progress, cancellable, callback, user_data);
}

/**
 * welkin_environ_start_instance_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.start_instance_async].
 *
 * Among the errors are %WELKIN_ERROR_NO_MATCH, %WELKIN_ERROR_QUOTA_EXCEEDED,
 * %WELKIN_ERROR_NO_ADDRESSES, %WELKIN_ERROR_NO_VALID_HOST and
 * %WELKIN_ERROR_INSTANCE_FAILED.
 *
 * Returns: (transfer full): what came of it, or %NULL on error
 *
 * Since: 0.1
 */
WelkinStartResult *
welkin_environ_start_instance_finish (WelkinEnviron  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_environ_start_instance_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->start_instance_finish (self, result, error);
}

/**
 * welkin_environ_stop_instances_async:
 * @self: an environment
 * @ids: (array zero-terminated=1): ids of instances
 * @progress: (nullable): told how far it has come
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Stops machines and removes what belongs to them.
 *
 * Ids that are not there are no error. All are tried before the first failure
 * is returned. The callback is called in the main context that @self belongs
 * to.
 *
 * Since: 0.1
 */
void
welkin_environ_stop_instances_async (WelkinEnviron       *self,
                                     const char * const  *ids,
                                     WelkinProgress      *progress,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));
  g_return_if_fail (ids != NULL);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->stop_instances_async == NULL)
    {
      welkin_contract_refuse (self, "stop-instances", callback, user_data,
                              welkin_environ_stop_instances_async);
      return;
    }
  iface->stop_instances_async (self, ids, progress, cancellable, callback, user_data);
}

/**
 * welkin_environ_stop_instances_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.stop_instances_async].
 *
 * Returns: whether none of them is left
 *
 * Since: 0.1
 */
gboolean
welkin_environ_stop_instances_finish (WelkinEnviron  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_environ_stop_instances_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->stop_instances_finish (self, result, error);
}

/**
 * welkin_environ_find_instances_async:
 * @self: an environment
 * @ids: (array zero-terminated=1): ids of instances
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Asks which of some instances exist.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_find_instances_async (WelkinEnviron       *self,
                                     const char * const  *ids,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));
  g_return_if_fail (ids != NULL);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->find_instances_async == NULL)
    {
      welkin_contract_refuse (self, "find-instances", callback, user_data,
                              welkin_environ_find_instances_async);
      return;
    }
  iface->find_instances_async (self, ids, cancellable, callback, user_data);
}

/**
 * welkin_environ_find_instances_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.find_instances_async].
 *
 * Returns: (transfer full): those that exist and the ids of those that do not,
 *   or %NULL when the question itself failed
 *
 * Since: 0.1
 */
WelkinInstances *
welkin_environ_find_instances_finish (WelkinEnviron  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_environ_find_instances_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->find_instances_finish (self, result, error);
}

/**
 * welkin_environ_list_instances_async:
 * @self: an environment
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists every instance of the environment that is not gone, whatever its state.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_list_instances_async (WelkinEnviron       *self,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->list_instances_async == NULL)
    {
      welkin_contract_refuse (self, "list-instances", callback, user_data,
                              welkin_environ_list_instances_async);
      return;
    }
  iface->list_instances_async (self, cancellable, callback, user_data);
}

/**
 * welkin_environ_list_instances_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.list_instances_async].
 *
 * Returns: (transfer container) (element-type WelkinInstance): the instances,
 *   oldest first, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_environ_list_instances_finish (WelkinEnviron  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_environ_list_instances_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->list_instances_finish (self, result, error);
}

/**
 * welkin_environ_destroy_async:
 * @self: an environment
 * @progress: (nullable): told how far it has come
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Removes all that belongs to the environment: machines first, its storage
 * last.
 *
 * It may be repeated, and succeeds when nothing is left to remove. Afterwards
 * @self remembers nothing of what is gone: what it is asked to make is made
 * anew. The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_destroy_async (WelkinEnviron       *self,
                              WelkinProgress      *progress,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->destroy_async == NULL)
    {
      welkin_contract_refuse (self, "destroy", callback, user_data, welkin_environ_destroy_async);
      return;
    }
  iface->destroy_async (self, progress, cancellable, callback, user_data);
}

/**
 * welkin_environ_destroy_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.destroy_async].
 *
 * Returns: whether nothing is left
 *
 * Since: 0.1
 */
gboolean
welkin_environ_destroy_finish (WelkinEnviron  *self,
                               GAsyncResult   *result,
                               GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_environ_destroy_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->destroy_finish (self, result, error);
}

/**
 * welkin_environ_open_ports_async:
 * @self: an environment
 * @ranges: (element-type WelkinPortRange): the ports
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Opens ports of all machines, where firewall-mode is "global".
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
welkin_environ_open_ports_async (WelkinEnviron       *self,
                                 GPtrArray           *ranges,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));
  g_return_if_fail (ranges != NULL);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->open_ports_async == NULL)
    {
      welkin_contract_refuse (self, "open-ports", callback, user_data,
                              welkin_environ_open_ports_async);
      return;
    }
  iface->open_ports_async (self, ranges, cancellable, callback, user_data);
}

/**
 * welkin_environ_open_ports_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.open_ports_async].
 *
 * Returns: whether they are open
 *
 * Since: 0.1
 */
gboolean
welkin_environ_open_ports_finish (WelkinEnviron  *self,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_environ_open_ports_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->open_ports_finish (self, result, error);
}

/**
 * welkin_environ_close_ports_async:
 * @self: an environment
 * @ranges: (element-type WelkinPortRange): the ports
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Closes ports of all machines, where firewall-mode is "global".
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
welkin_environ_close_ports_async (WelkinEnviron       *self,
                                  GPtrArray           *ranges,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));
  g_return_if_fail (ranges != NULL);

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->close_ports_async == NULL)
    {
      welkin_contract_refuse (self, "close-ports", callback, user_data,
                              welkin_environ_close_ports_async);
      return;
    }
  iface->close_ports_async (self, ranges, cancellable, callback, user_data);
}

/**
 * welkin_environ_close_ports_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.close_ports_async].
 *
 * Returns: whether they are closed
 *
 * Since: 0.1
 */
gboolean
welkin_environ_close_ports_finish (WelkinEnviron  *self,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_environ_close_ports_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->close_ports_finish (self, result, error);
}

/**
 * welkin_environ_list_ports_async:
 * @self: an environment
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists the ports that were opened for all machines, where firewall-mode is
 * "global".
 *
 * They are sorted, and each range is there once with all its sources. Where
 * firewall-mode is "none" there are none, and where it is another still, the
 * error is %WELKIN_ERROR_NOT_SUPPORTED. The callback is called in the main
 * context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_environ_list_ports_async (WelkinEnviron       *self,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  WelkinEnvironInterface *iface;

  g_return_if_fail (WELKIN_IS_ENVIRON (self));

  iface = WELKIN_ENVIRON_GET_IFACE (self);
  if (iface->list_ports_async == NULL)
    {
      welkin_contract_refuse (self, "list-ports", callback, user_data,
                              welkin_environ_list_ports_async);
      return;
    }
  iface->list_ports_async (self, cancellable, callback, user_data);
}

/**
 * welkin_environ_list_ports_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.list_ports_async].
 *
 * Returns: (transfer container) (element-type WelkinPortRange): the ranges,
 *   sorted, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_environ_list_ports_finish (WelkinEnviron  *self,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRON (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_environ_list_ports_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_ENVIRON_GET_IFACE (self)->list_ports_finish (self, result, error);
}
