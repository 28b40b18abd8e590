/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-optional.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinRegional:
 *
 * An environment whose cloud has regions.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinRegional, welkin_regional, G_TYPE_OBJECT)

static void
welkin_regional_default_init (WelkinRegionalInterface *iface)
{
}

/**
 * welkin_regional_get_region:
 * @self: an environment
 *
 * Gets the region that image metadata is looked up under.
 *
 * Returns: (transfer full) (nullable): its name; %NULL when there is none
 *
 * Since: 0.1
 */
char *
welkin_regional_get_region (WelkinRegional *self)
{
  WelkinRegionalInterface *iface;

  g_return_val_if_fail (WELKIN_IS_REGIONAL (self), NULL);

  iface = WELKIN_REGIONAL_GET_IFACE (self);
  return iface->get_region != NULL ? iface->get_region (self) : NULL;
}

/**
 * welkin_regional_get_endpoint:
 * @self: an environment
 *
 * Gets the identity URL that image metadata is looked up under.
 *
 * Returns: (transfer full) (nullable): the URL; %NULL when there is none
 *
 * Since: 0.1
 */
char *
welkin_regional_get_endpoint (WelkinRegional *self)
{
  WelkinRegionalInterface *iface;

  g_return_val_if_fail (WELKIN_IS_REGIONAL (self), NULL);

  iface = WELKIN_REGIONAL_GET_IFACE (self);
  return iface->get_endpoint != NULL ? iface->get_endpoint (self) : NULL;
}

/**
 * WelkinZoned:
 *
 * An environment whose cloud has availability zones.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinZoned, welkin_zoned, G_TYPE_OBJECT)

static void
welkin_zoned_default_init (WelkinZonedInterface *iface)
{
}

/**
 * welkin_zoned_list_zones_async:
 * @self: an environment
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists the zones in which a machine can be started now.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_zoned_list_zones_async (WelkinZoned         *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  WelkinZonedInterface *iface;

  g_return_if_fail (WELKIN_IS_ZONED (self));

  iface = WELKIN_ZONED_GET_IFACE (self);
  if (iface->list_zones_async == NULL)
    {
      welkin_contract_refuse (self, "list-zones", callback, user_data,
                              welkin_zoned_list_zones_async);
      return;
    }
  iface->list_zones_async (self, cancellable, callback, user_data);
}

/**
 * welkin_zoned_list_zones_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Zoned.list_zones_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): their names, sorted, or
 *   %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_zoned_list_zones_finish (WelkinZoned   *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  g_return_val_if_fail (WELKIN_IS_ZONED (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_zoned_list_zones_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_ZONED_GET_IFACE (self)->list_zones_finish (self, result, error);
}

/**
 * WelkinImageSources:
 *
 * An environment whose cloud keeps metadata about its images.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinImageSources, welkin_image_sources, G_TYPE_OBJECT)

static void
welkin_image_sources_default_init (WelkinImageSourcesInterface *iface)
{
}

/**
 * welkin_image_sources_get_async:
 * @self: an environment
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Finds out where the cloud itself keeps metadata about images.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_image_sources_get_async (WelkinImageSources  *self,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  WelkinImageSourcesInterface *iface;

  g_return_if_fail (WELKIN_IS_IMAGE_SOURCES (self));

  iface = WELKIN_IMAGE_SOURCES_GET_IFACE (self);
  if (iface->get_async == NULL)
    {
      welkin_contract_refuse (self, "get", callback, user_data, welkin_image_sources_get_async);
      return;
    }
  iface->get_async (self, cancellable, callback, user_data);
}

/**
 * welkin_image_sources_get_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@ImageSources.get_async].
 *
 * Returns: (transfer container) (element-type WelkinDataSource): the places, in
 *   the order to ask them, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_image_sources_get_finish (WelkinImageSources  *self,
                                 GAsyncResult        *result,
                                 GError             **error)
{
  g_return_val_if_fail (WELKIN_IS_IMAGE_SOURCES (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_image_sources_get_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_IMAGE_SOURCES_GET_IFACE (self)->get_finish (self, result, error);
}

/**
 * WelkinToolsSources:
 *
 * An environment whose cloud keeps agent binaries.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinToolsSources, welkin_tools_sources, G_TYPE_OBJECT)

static void
welkin_tools_sources_default_init (WelkinToolsSourcesInterface *iface)
{
}

/**
 * welkin_tools_sources_get_async:
 * @self: an environment
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Finds out where the cloud itself keeps agent binaries.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_tools_sources_get_async (WelkinToolsSources  *self,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  WelkinToolsSourcesInterface *iface;

  g_return_if_fail (WELKIN_IS_TOOLS_SOURCES (self));

  iface = WELKIN_TOOLS_SOURCES_GET_IFACE (self);
  if (iface->get_async == NULL)
    {
      welkin_contract_refuse (self, "get", callback, user_data, welkin_tools_sources_get_async);
      return;
    }
  iface->get_async (self, cancellable, callback, user_data);
}

/**
 * welkin_tools_sources_get_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@ToolsSources.get_async].
 *
 * Returns: (transfer container) (element-type WelkinDataSource): the places, in
 *   the order to ask them, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_tools_sources_get_finish (WelkinToolsSources  *self,
                                 GAsyncResult        *result,
                                 GError             **error)
{
  g_return_val_if_fail (WELKIN_IS_TOOLS_SOURCES (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_tools_sources_get_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_TOOLS_SOURCES_GET_IFACE (self)->get_finish (self, result, error);
}

/**
 * WelkinPrechecker:
 *
 * An environment that can tell beforehand whether a machine could be asked for.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinPrechecker, welkin_prechecker, G_TYPE_OBJECT)

static void
welkin_prechecker_default_init (WelkinPrecheckerInterface *iface)
{
}

/**
 * welkin_prechecker_precheck_async:
 * @self: an environment
 * @series: the series of the machine, as in "noble"
 * @constraints: what it must have
 * @placement: (nullable): where it is to be, as in "zone=az1"
 * @images: (nullable) (element-type WelkinImage): the images that metadata
 *   knows; %NULL when the provider is to look itself
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Asks whether such a machine could be asked for.
 *
 * Success proves nothing. The callback is called in the main context that @self
 * belongs to.
 *
 * Since: 0.1
 */
void
welkin_prechecker_precheck_async (WelkinPrechecker    *self,
                                  const char          *series,
                                  WelkinConstraints   *constraints,
                                  const char          *placement,
                                  GPtrArray           *images,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinPrecheckerInterface *iface;

  g_return_if_fail (WELKIN_IS_PRECHECKER (self));
  g_return_if_fail (series != NULL);
  g_return_if_fail (constraints != NULL);

  iface = WELKIN_PRECHECKER_GET_IFACE (self);
  if (iface->precheck_async == NULL)
    {
      welkin_contract_refuse (self, "precheck", callback, user_data,
                              welkin_prechecker_precheck_async);
      return;
    }
  iface->precheck_async (self, series, constraints, placement, images, cancellable, callback,
                         user_data);
}

/**
 * welkin_prechecker_precheck_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Prechecker.precheck_async].
 *
 * The error is the one that a start would fail with.
 *
 * Returns: %TRUE when nothing speaks against it
 *
 * Since: 0.1
 */
gboolean
welkin_prechecker_precheck_finish (WelkinPrechecker  *self,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_PRECHECKER (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_prechecker_precheck_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_PRECHECKER_GET_IFACE (self)->precheck_finish (self, result, error);
}

/**
 * WelkinConstrained:
 *
 * An environment that tells beforehand what its cloud can make of constraints.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinConstrained, welkin_constrained, G_TYPE_OBJECT)

static void
welkin_constrained_default_init (WelkinConstrainedInterface *iface)
{
}

/**
 * welkin_constrained_load_validator_async:
 * @self: an environment
 * @series: (nullable): what the machines are to run; %NULL when their image is
 *   given, so that none limits their architecture
 * @images: (nullable) (element-type WelkinImage): the images that metadata name
 *   for it; %NULL makes the provider look itself
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Asks the cloud what it can make of constraints.
 *
 * To be called before constraints are written down or merged. The callback is
 * called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_constrained_load_validator_async (WelkinConstrained   *self,
                                         const char          *series,
                                         GPtrArray           *images,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data)
{
  WelkinConstrainedInterface *iface;

  g_return_if_fail (WELKIN_IS_CONSTRAINED (self));

  iface = WELKIN_CONSTRAINED_GET_IFACE (self);
  if (iface->load_validator_async == NULL)
    {
      welkin_contract_refuse (self, "load-validator", callback, user_data,
                              welkin_constrained_load_validator_async);
      return;
    }
  iface->load_validator_async (self, series, images, cancellable, callback, user_data);
}

/**
 * welkin_constrained_load_validator_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Constrained.load_validator_async].
 *
 * Returns: (transfer full): what judges constraints, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConstraintsValidator *
welkin_constrained_load_validator_finish (WelkinConstrained  *self,
                                          GAsyncResult       *result,
                                          GError            **error)
{
  g_return_val_if_fail (WELKIN_IS_CONSTRAINED (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_constrained_load_validator_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_CONSTRAINED_GET_IFACE (self)->load_validator_finish (self, result, error);
}

/**
 * WelkinMaintainer:
 *
 * An environment that looks after machines that have been started.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinMaintainer, welkin_maintainer, G_TYPE_OBJECT)

static void
welkin_maintainer_default_init (WelkinMaintainerInterface *iface)
{
}

/**
 * welkin_maintainer_maintain_async:
 * @self: an environment
 * @machine_id: the machine, as in "3"
 * @instance: its instance
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Looks after a machine that has been started.
 *
 * It is cheap, and may be repeated. The callback is called in the main context
 * that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_maintainer_maintain_async (WelkinMaintainer    *self,
                                  const char          *machine_id,
                                  WelkinInstance      *instance,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinMaintainerInterface *iface;

  g_return_if_fail (WELKIN_IS_MAINTAINER (self));
  g_return_if_fail (machine_id != NULL);
  g_return_if_fail (WELKIN_IS_INSTANCE (instance));

  iface = WELKIN_MAINTAINER_GET_IFACE (self);
  if (iface->maintain_async == NULL)
    {
      welkin_contract_refuse (self, "maintain", callback, user_data,
                              welkin_maintainer_maintain_async);
      return;
    }
  iface->maintain_async (self, machine_id, instance, cancellable, callback, user_data);
}

/**
 * welkin_maintainer_maintain_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Maintainer.maintain_async].
 *
 * Returns: whether the machine is as it should be
 *
 * Since: 0.1
 */
gboolean
welkin_maintainer_maintain_finish (WelkinMaintainer  *self,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_MAINTAINER (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_maintainer_maintain_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_MAINTAINER_GET_IFACE (self)->maintain_finish (self, result, error);
}

/**
 * welkin_maintainer_complete_async:
 * @self: an environment
 * @params: what the machine was to be started with; of its machine config the
 *   machine alone counts
 * @instance: the instance that the start has made, which runs
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Completes a start that was cut off when its instance was there.
 *
 * An instance that runs may still lack what comes beside or after it, as a
 * public address. It may be repeated. What a failure leaves is removed together
 * with the instance. The callback is called in the main context that @self
 * belongs to.
 *
 * Since: 0.1
 */
void
welkin_maintainer_complete_async (WelkinMaintainer    *self,
                                  WelkinStartParams   *params,
                                  WelkinInstance      *instance,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  WelkinMaintainerInterface *iface;

  g_return_if_fail (WELKIN_IS_MAINTAINER (self));
  g_return_if_fail (params != NULL);
  g_return_if_fail (WELKIN_IS_INSTANCE (instance));

  iface = WELKIN_MAINTAINER_GET_IFACE (self);
  if (iface->complete_async == NULL)
    {
      welkin_contract_refuse (self, "complete", callback, user_data,
                              welkin_maintainer_complete_async);
      return;
    }
  iface->complete_async (self, params, instance, cancellable, callback, user_data);
}

/**
 * welkin_maintainer_complete_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Maintainer.complete_async]. Errors to expect: those
 * of starting an instance, and %WELKIN_ERROR_NOT_SUPPORTED where nothing comes
 * after an instance that runs.
 *
 * Returns: whether the machine is as its start would have made it
 *
 * Since: 0.1
 */
gboolean
welkin_maintainer_complete_finish (WelkinMaintainer  *self,
                                   GAsyncResult      *result,
                                   GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_MAINTAINER (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_maintainer_complete_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_MAINTAINER_GET_IFACE (self)->complete_finish (self, result, error);
}

/**
 * WelkinReconciler:
 *
 * An environment that can find what an interrupted operation left in the cloud.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinReconciler, welkin_reconciler, G_TYPE_OBJECT)

static void
welkin_reconciler_default_init (WelkinReconcilerInterface *iface)
{
}

/**
 * welkin_reconciler_list_leftovers_async:
 * @self: an environment
 * @live_start_ids: (array zero-terminated=1): the starts that are recorded
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Lists what carries the mark of the environment and belongs to none of its
 * starts, and what looks as if it were the environment's but has no mark.
 *
 * Whoever shares the environment may be starting a machine just now: what is
 * young and of a start that is not known to be over may be in use soon.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_reconciler_list_leftovers_async (WelkinReconciler    *self,
                                        const char * const  *live_start_ids,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  WelkinReconcilerInterface *iface;

  g_return_if_fail (WELKIN_IS_RECONCILER (self));
  g_return_if_fail (live_start_ids != NULL);

  iface = WELKIN_RECONCILER_GET_IFACE (self);
  if (iface->list_leftovers_async == NULL)
    {
      welkin_contract_refuse (self, "list-leftovers", callback, user_data,
                              welkin_reconciler_list_leftovers_async);
      return;
    }
  iface->list_leftovers_async (self, live_start_ids, cancellable, callback, user_data);
}

/**
 * welkin_reconciler_list_leftovers_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Reconciler.list_leftovers_async].
 *
 * Returns: (transfer container) (element-type WelkinLeftover): what was left
 *   behind, in the order in which it can be removed, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_reconciler_list_leftovers_finish (WelkinReconciler  *self,
                                         GAsyncResult      *result,
                                         GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_RECONCILER (self), NULL);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), NULL);

  if (g_async_result_is_tagged (result, welkin_reconciler_list_leftovers_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return WELKIN_RECONCILER_GET_IFACE (self)->list_leftovers_finish (self, result, error);
}

/**
 * welkin_reconciler_remove_leftover_async:
 * @self: an environment
 * @leftover: what [method@Reconciler.list_leftovers_async] has listed
 * @cancellable: (nullable): ends the call
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Removes what was left behind, and with a server what was made for it.
 *
 * Before, it is looked at again: what does not carry the mark of the
 * environment now, or has come into use, stays. That it is gone already is a
 * success.
 *
 * The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_reconciler_remove_leftover_async (WelkinReconciler    *self,
                                         WelkinLeftover      *leftover,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data)
{
  WelkinReconcilerInterface *iface;

  g_return_if_fail (WELKIN_IS_RECONCILER (self));
  g_return_if_fail (leftover != NULL);

  iface = WELKIN_RECONCILER_GET_IFACE (self);
  if (iface->remove_leftover_async == NULL)
    {
      welkin_contract_refuse (self, "remove-leftover", callback, user_data,
                              welkin_reconciler_remove_leftover_async);
      return;
    }
  iface->remove_leftover_async (self, leftover, cancellable, callback, user_data);
}

/**
 * welkin_reconciler_remove_leftover_finish:
 * @self: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Reconciler.remove_leftover_async]. Errors to
 * expect: %WELKIN_ERROR_FORBIDDEN for what does not carry the mark,
 * %WELKIN_ERROR_IN_USE for what is needed.
 *
 * Returns: whether it is gone
 *
 * Since: 0.1
 */
gboolean
welkin_reconciler_remove_leftover_finish (WelkinReconciler  *self,
                                          GAsyncResult      *result,
                                          GError           **error)
{
  g_return_val_if_fail (WELKIN_IS_RECONCILER (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  if (g_async_result_is_tagged (result, welkin_reconciler_remove_leftover_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return WELKIN_RECONCILER_GET_IFACE (self)->remove_leftover_finish (self, result, error);
}

/**
 * welkin_reconciler_set_intents:
 * @self: an environment
 * @intents: where to note what can carry no mark
 *
 * Gives the environment a place that outlives the process, before anything is
 * asked of it. Whoever makes nothing that cannot be marked needs none.
 *
 * Since: 0.1
 */
void
welkin_reconciler_set_intents (WelkinReconciler *self,
                               WelkinIntents    *intents)
{
  WelkinReconcilerInterface *iface;

  g_return_if_fail (WELKIN_IS_RECONCILER (self));
  g_return_if_fail (WELKIN_IS_INTENTS (intents));

  iface = WELKIN_RECONCILER_GET_IFACE (self);
  if (iface->set_intents != NULL)
    iface->set_intents (self, intents);
}
