/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "os-environ.h"

#include "contracts/welkin-examiner.h"
#include "contracts/welkin-optional.h"
#include "contracts/welkin-planner.h"
#include "operations/change-ports.h"
#include "operations/complete-start.h"
#include "operations/destroy.h"
#include "operations/examine.h"
#include "operations/fetch-instances.h"
#include "operations/hardware.h"
#include "operations/list-ports.h"
#include "operations/list-zones.h"
#include "operations/metadata-sources.h"
#include "operations/load-validator.h"
#include "operations/plan-entries.h"
#include "operations/plan.h"
#include "operations/snapshot.h"
#include "operations/start-instance.h"
#include "operations/stop-instances.h"
#include "operations/verify.h"
#include "os-config.h"
#include "os-instance.h"
#include "os-leftovers.h"
#include "os-storage.h"

/*
 * Each call goes to its operation with the snapshot of the moment; what it returns tells which
 * that was, for the configuration may have changed meanwhile.
 */
struct _OsEnviron
{
  GObject parent;

  WelkinConfig       *config;       /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  OsSnapshot         *snapshot;     /* (owned) */
};

static void os_environ_environ_init (WelkinEnvironInterface *iface);
static void os_environ_regional_init (WelkinRegionalInterface *iface);
static void os_environ_zoned_init (WelkinZonedInterface *iface);
static void os_environ_image_sources_init (WelkinImageSourcesInterface *iface);
static void os_environ_tools_sources_init (WelkinToolsSourcesInterface *iface);
static void os_environ_prechecker_init (WelkinPrecheckerInterface *iface);
static void os_environ_constrained_init (WelkinConstrainedInterface *iface);
static void os_environ_maintainer_init (WelkinMaintainerInterface *iface);
static void os_environ_examiner_init (WelkinExaminerInterface *iface);
static void os_environ_reconciler_init (WelkinReconcilerInterface *iface);
static void os_environ_planner_init (WelkinPlannerInterface *iface);

/* The contract itself comes last: of a type that it does not know, gjs 1.74 sees the methods of the
 * interface alone that was added last. */
G_DEFINE_FINAL_TYPE_WITH_CODE (
  OsEnviron, os_environ, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_REGIONAL, os_environ_regional_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_ZONED, os_environ_zoned_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_IMAGE_SOURCES, os_environ_image_sources_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_TOOLS_SOURCES, os_environ_tools_sources_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PRECHECKER, os_environ_prechecker_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_CONSTRAINED, os_environ_constrained_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_MAINTAINER, os_environ_maintainer_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_EXAMINER, os_environ_examiner_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_RECONCILER, os_environ_reconciler_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PLANNER, os_environ_planner_init)
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_ENVIRON, os_environ_environ_init))

static OsSnapshot *
get_snapshot (gpointer environ)
{
  return OS_ENVIRON (environ)->snapshot;
}

/* An operation ends with a result of its own, which becomes the value of the environ's task. */
static GTask *
forward (gpointer            environ,
         GAsyncReadyCallback callback,
         gpointer            user_data,
         gpointer            tag)
{
  GTask *task = g_task_new (environ, NULL, callback, user_data);

  g_task_set_source_tag (task, tag);
  return task;
}

static void
forwarded_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;

  g_task_return_pointer (task, g_object_ref (result), g_object_unref);
}

/* The operation's own result (transfer full), and the object that it ran on. */
static GAsyncResult *
get_forwarded (gpointer      environ,
               GAsyncResult *result,
               gpointer      tag,
               gpointer     *source)
{
  GAsyncResult *forwarded;

  g_return_val_if_fail (g_task_is_valid (result, environ), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, tag), NULL);

  forwarded = g_task_propagate_pointer (G_TASK (result), NULL);
  *source = g_task_get_source_object (G_TASK (forwarded));
  return forwarded;
}

static WelkinConfig *
os_environ_get_config (WelkinEnviron *environ)
{
  return OS_ENVIRON (environ)->config;
}

static gboolean
os_environ_set_config (WelkinEnviron *environ,
                       WelkinConfig  *config,
                       GError       **error)
{
  OsEnviron *self = OS_ENVIRON (environ);
  g_autoptr(WelkinConfig) valid =
    os_config_validate (config, os_environ_get_config (environ), self->surroundings, error);
  OsSnapshot *snapshot;

  if (valid == NULL)
    return FALSE;
  snapshot = os_snapshot_new (valid, self->surroundings, self->snapshot, error);
  if (snapshot == NULL)
    return FALSE;
  g_object_unref (self->snapshot);
  self->snapshot = snapshot;
  welkin_config_unref (self->config);
  self->config = g_steal_pointer (&valid);
  return TRUE;
}

static WelkinStorage *
os_environ_get_storage (WelkinEnviron *environ)
{
  OsEnviron *self = OS_ENVIRON (environ);

  return os_storage_new (os_snapshot_get_client (self->snapshot),
                         os_snapshot_get_config (self->snapshot), self->surroundings);
}

static void
os_environ_verify_async (WelkinEnviron      *environ,
                         WelkinProgress     *progress,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  os_verify_async (get_snapshot (environ), progress, cancellable, forwarded_cb,
                   forward (environ, callback, user_data, os_environ_verify_async));
}

static gboolean
os_environ_verify_finish (WelkinEnviron *environ,
                          GAsyncResult  *result,
                          GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_verify_async, &snapshot);

  return os_verify_finish (snapshot, forwarded, error);
}

static void
os_environ_start_instance_async (WelkinEnviron      *environ,
                                 WelkinStartParams  *params,
                                 WelkinProgress     *progress,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  os_start_instance_async (get_snapshot (environ), params, progress, cancellable, forwarded_cb,
                           forward (environ, callback, user_data, os_environ_start_instance_async));
}

static WelkinStartResult *
os_environ_start_instance_finish (WelkinEnviron *environ,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_start_instance_async, &snapshot);
  g_autoptr(OsStarted) started = os_start_instance_finish (snapshot, forwarded, error);
  g_autoptr(WelkinInstance) instance = NULL;
  g_autoptr(WelkinStartResult) bare = NULL;

  if (started == NULL)
    return NULL;
  instance = os_instance_new (snapshot, started->detail, started->hardware,
                              started->floating_address);
  bare = welkin_start_result_new (instance, started->hardware, started->tools);
  return welkin_start_result_with_network_interfaces (bare, started->interfaces);
}

static void
os_environ_stop_instances_async (WelkinEnviron      *environ,
                                 const char *const  *ids,
                                 WelkinProgress     *progress,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  os_stop_instances_async (get_snapshot (environ), ids, progress, cancellable, forwarded_cb,
                           forward (environ, callback, user_data, os_environ_stop_instances_async));
}

static gboolean
os_environ_stop_instances_finish (WelkinEnviron *environ,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_stop_instances_async, &snapshot);

  return os_stop_instances_finish (snapshot, forwarded, error);
}

/* Most servers of an environment are alike: those of one flavor in one zone share a description. */
static WelkinHardware *
share_hardware (GHashTable *known,
                OsDetail   *detail,
                GPtrArray  *flavors)
{
  g_autoptr(WelkinHardware) hardware = os_describe_hardware (detail, flavors, NULL, 0);
  g_autofree char *text = welkin_hardware_to_string (hardware);
  WelkinHardware *shared = g_hash_table_lookup (known, text);

  if (shared != NULL)
    return shared;
  shared = g_steal_pointer (&hardware);
  g_hash_table_insert (known, g_steal_pointer (&text), shared);
  return shared;
}

static GPtrArray *
make_instances (OsSnapshot *snapshot,
                OsFetched  *fetched)
{
  GPtrArray *instances = g_ptr_array_new_full (fetched->details->len, g_object_unref);
  g_autoptr(GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                       (GDestroyNotify) welkin_hardware_unref);

  for (guint i = 0; i < fetched->details->len; i++)
    {
      OsDetail *detail = g_ptr_array_index (fetched->details, i);

      g_ptr_array_add (instances,
                       os_instance_new (snapshot, detail,
                                        share_hardware (known, detail, fetched->flavors), NULL));
    }
  return instances;
}

/* What was asked for has to be known again when the answer comes. */
static void
os_environ_find_instances_async (WelkinEnviron      *environ,
                                 const char *const  *ids,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  GTask *task = forward (environ, callback, user_data, os_environ_find_instances_async);

  g_task_set_task_data (task, g_strdupv ((char **) ids), (GDestroyNotify) g_strfreev);
  os_find_instances_async (get_snapshot (environ), ids, cancellable, forwarded_cb, task);
}

static WelkinInstances *
os_environ_find_instances_finish (WelkinEnviron *environ,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_find_instances_async, &snapshot);
  g_autoptr(OsFetched) fetched = os_find_instances_finish (snapshot, forwarded, error);
  g_autoptr(GPtrArray) instances = NULL;

  if (fetched == NULL)
    return NULL;
  instances = make_instances (snapshot, fetched);
  return welkin_instances_new (g_task_get_task_data (G_TASK (result)), instances);
}

static void
os_environ_list_instances_async (WelkinEnviron      *environ,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  os_list_instances_async (get_snapshot (environ), cancellable, forwarded_cb,
                           forward (environ, callback, user_data, os_environ_list_instances_async));
}

static GPtrArray *
os_environ_list_instances_finish (WelkinEnviron *environ,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_list_instances_async, &snapshot);
  g_autoptr(OsFetched) fetched = os_list_instances_finish (snapshot, forwarded, error);

  return fetched != NULL ? make_instances (snapshot, fetched) : NULL;
}

static void
os_environ_destroy_async (WelkinEnviron      *environ,
                          WelkinProgress     *progress,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  g_autoptr(WelkinStorage) storage = os_environ_get_storage (environ);

  os_destroy_async (get_snapshot (environ), storage, progress, cancellable, forwarded_cb,
                    forward (environ, callback, user_data, os_environ_destroy_async));
}

static gboolean
os_environ_destroy_finish (WelkinEnviron *environ,
                           GAsyncResult  *result,
                           GError       **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_destroy_async, &snapshot);

  return os_destroy_finish (snapshot, forwarded, error);
}

static void
os_environ_open_ports_async (WelkinEnviron      *environ,
                             GPtrArray          *ranges,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  os_change_ports_async (get_snapshot (environ), NULL, OS_PORTS_OPEN, ranges, environ, cancellable,
                         callback, user_data);
}

static gboolean
os_environ_open_ports_finish (WelkinEnviron *environ,
                              GAsyncResult  *result,
                              GError       **error)
{
  return os_change_ports_finish (environ, result, error);
}

static void
os_environ_close_ports_async (WelkinEnviron      *environ,
                              GPtrArray          *ranges,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  os_change_ports_async (get_snapshot (environ), NULL, OS_PORTS_CLOSE, ranges, environ, cancellable,
                         callback, user_data);
}

static gboolean
os_environ_close_ports_finish (WelkinEnviron *environ,
                               GAsyncResult  *result,
                               GError       **error)
{
  return os_change_ports_finish (environ, result, error);
}

static void
os_environ_list_ports_async (WelkinEnviron      *environ,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  os_list_ports_async (get_snapshot (environ), NULL, environ, cancellable, callback, user_data);
}

static GPtrArray *
os_environ_list_ports_finish (WelkinEnviron *environ,
                              GAsyncResult  *result,
                              GError       **error)
{
  return os_list_ports_finish (environ, result, error);
}

static char *
os_environ_get_region (WelkinRegional *environ)
{
  return g_strdup (os_client_get_region (os_snapshot_get_client (get_snapshot (environ))));
}

static char *
os_environ_get_endpoint (WelkinRegional *environ)
{
  return g_strdup (os_client_get_auth_url (os_snapshot_get_client (get_snapshot (environ))));
}

static void
os_environ_list_zones_async (WelkinZoned        *environ,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  os_list_zones_async (get_snapshot (environ), cancellable, forwarded_cb,
                       forward (environ, callback, user_data, os_environ_list_zones_async));
}

static char **
os_environ_list_zones_finish (WelkinZoned  *environ,
                              GAsyncResult *result,
                              GError      **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_list_zones_async, &snapshot);

  return os_list_zones_finish (snapshot, forwarded, error);
}

static void
os_environ_get_image_sources_async (WelkinImageSources  *environ,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  os_list_metadata_sources_async (get_snapshot (environ), OS_SERVICE_IMAGE_METADATA, cancellable,
                                  forwarded_cb,
                                  forward (environ, callback, user_data,
                                           os_environ_get_image_sources_async));
}

static GPtrArray *
os_environ_get_image_sources_finish (WelkinImageSources  *environ,
                                     GAsyncResult        *result,
                                     GError             **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_get_image_sources_async, &snapshot);

  return os_list_metadata_sources_finish (snapshot, forwarded, error);
}

static void
os_environ_get_tools_sources_async (WelkinToolsSources  *environ,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  os_list_metadata_sources_async (get_snapshot (environ), OS_SERVICE_TOOLS_METADATA, cancellable,
                                  forwarded_cb,
                                  forward (environ, callback, user_data,
                                           os_environ_get_tools_sources_async));
}

static GPtrArray *
os_environ_get_tools_sources_finish (WelkinToolsSources  *environ,
                                     GAsyncResult        *result,
                                     GError             **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_get_tools_sources_async, &snapshot);

  return os_list_metadata_sources_finish (snapshot, forwarded, error);
}

/* What the plan of a start cannot do without, a start could not either. */
static void
os_environ_precheck_async (WelkinPrechecker   *environ,
                           const char         *series,
                           WelkinConstraints  *constraints,
                           const char         *placement,
                           GPtrArray          *images,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  static const char *const nobody[] = { NULL };
  OsPlanRequest request = {
    .constraints = constraints,
    .series = series,
    .placement = placement != NULL ? placement : "",
    .images = images,
    .distribution_group = nobody,
  };

  os_plan_async (get_snapshot (environ), &request, cancellable, forwarded_cb,
                 forward (environ, callback, user_data, os_environ_precheck_async));
}

static gboolean
os_environ_precheck_finish (WelkinPrechecker *environ,
                            GAsyncResult     *result,
                            GError          **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_precheck_async, &snapshot);
  g_autoptr(OsPlan) plan = os_plan_finish (snapshot, forwarded, error);

  return plan != NULL;
}

static void
os_environ_load_validator_async (WelkinConstrained  *environ,
                                 const char         *series,
                                 GPtrArray          *images,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  os_load_validator_async (get_snapshot (environ), series, images, cancellable, forwarded_cb,
                           forward (environ, callback, user_data, os_environ_load_validator_async));
}

static WelkinConstraintsValidator *
os_environ_load_validator_finish (WelkinConstrained *environ,
                                  GAsyncResult      *result,
                                  GError           **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_load_validator_async, &snapshot);

  return os_load_validator_finish (snapshot, forwarded, error);
}

static void
os_environ_list_leftovers_async (WelkinReconciler   *environ,
                                 const char *const  *live_start_ids,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  g_autoptr(WelkinStorage) storage = os_environ_get_storage (WELKIN_ENVIRON (environ));

  os_list_all_leftovers_async (get_snapshot (environ), storage, live_start_ids, cancellable,
                               forwarded_cb,
                               forward (environ, callback, user_data,
                                        os_environ_list_leftovers_async));
}

static GPtrArray *
os_environ_list_leftovers_finish (WelkinReconciler *environ,
                                  GAsyncResult     *result,
                                  GError          **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_list_leftovers_async, &snapshot);

  return os_list_all_leftovers_finish (snapshot, forwarded, error);
}

static void
os_environ_remove_leftover_async (WelkinReconciler   *environ,
                                  WelkinLeftover     *leftover,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  g_autoptr(WelkinStorage) storage = os_environ_get_storage (WELKIN_ENVIRON (environ));

  os_remove_any_leftover_async (get_snapshot (environ), storage, leftover, cancellable,
                                forwarded_cb,
                                forward (environ, callback, user_data,
                                         os_environ_remove_leftover_async));
}

static gboolean
os_environ_remove_leftover_finish (WelkinReconciler *environ,
                                   GAsyncResult     *result,
                                   GError          **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_remove_leftover_async, &snapshot);

  return os_remove_any_leftover_finish (snapshot, forwarded, error);
}

static void
os_environ_maintain_async (WelkinMaintainer   *environ,
                           const char         *machine_id,
                           WelkinInstance     *instance,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (environ, cancellable, callback, user_data);

  g_task_set_source_tag (task, os_environ_maintain_async);
  g_task_return_boolean (task, TRUE);
}

static gboolean
os_environ_maintain_finish (WelkinMaintainer *environ,
                            GAsyncResult     *result,
                            GError          **error)
{
  g_return_val_if_fail (g_task_is_valid (result, environ), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, os_environ_maintain_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
os_environ_complete_async (WelkinMaintainer   *environ,
                           WelkinStartParams  *params,
                           WelkinInstance     *instance,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  os_complete_start_async (get_snapshot (environ), params, welkin_instance_get_id (instance),
                           cancellable, forwarded_cb,
                           forward (environ, callback, user_data, os_environ_complete_async));
}

static gboolean
os_environ_complete_finish (WelkinMaintainer *environ,
                            GAsyncResult     *result,
                            GError          **error)
{
  gpointer snapshot;
  g_autoptr(GAsyncResult) forwarded =
    get_forwarded (environ, result, os_environ_complete_async, &snapshot);

  return os_complete_start_finish (snapshot, forwarded, error);
}

static void
os_environ_examine_async (WelkinExaminer     *environ,
                          WelkinConstraints  *constraints,
                          WelkinProgress     *progress,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  OsEnviron *self = OS_ENVIRON (environ);

  os_examine_async (self, self->config, self->surroundings, constraints, progress, cancellable,
                    callback, user_data);
}

static GPtrArray *
os_environ_examine_finish (WelkinExaminer *environ,
                           GAsyncResult   *result,
                           GError        **error)
{
  return os_examine_finish (environ, result, error);
}

static void
os_environ_set_intents (WelkinReconciler *environ,
                        WelkinIntents    *intents)
{
  os_snapshot_set_intents (get_snapshot (environ), intents);
}

static void
os_environ_plan_async (WelkinPlanner      *environ,
                       WelkinStartParams  *params,
                       guint               n_machines,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  OsEnviron *self = OS_ENVIRON (environ);

  os_list_plan_async (self, self->config, self->surroundings, params, n_machines, cancellable,
                      callback, user_data);
}

static GPtrArray *
os_environ_plan_finish (WelkinPlanner *environ,
                        GAsyncResult  *result,
                        GError       **error)
{
  return os_list_plan_finish (environ, result, error);
}

WelkinEnviron *
os_environ_new (WelkinConfig       *config,
                WelkinSurroundings *surroundings,
                GError            **error)
{
  OsSnapshot *snapshot = os_snapshot_new (config, surroundings, NULL, error);
  OsEnviron *self;

  if (snapshot == NULL)
    return NULL;
  self = g_object_new (OS_TYPE_ENVIRON, NULL);
  self->snapshot = snapshot;
  self->config = welkin_config_ref (config);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  return WELKIN_ENVIRON (self);
}

static void
os_environ_finalize (GObject *object)
{
  OsEnviron *self = OS_ENVIRON (object);

  g_clear_object (&self->snapshot);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);

  G_OBJECT_CLASS (os_environ_parent_class)->finalize (object);
}

static void
os_environ_environ_init (WelkinEnvironInterface *iface)
{
  iface->get_config = os_environ_get_config;
  iface->set_config = os_environ_set_config;
  iface->get_storage = os_environ_get_storage;
  iface->verify_async = os_environ_verify_async;
  iface->verify_finish = os_environ_verify_finish;
  iface->start_instance_async = os_environ_start_instance_async;
  iface->start_instance_finish = os_environ_start_instance_finish;
  iface->stop_instances_async = os_environ_stop_instances_async;
  iface->stop_instances_finish = os_environ_stop_instances_finish;
  iface->find_instances_async = os_environ_find_instances_async;
  iface->find_instances_finish = os_environ_find_instances_finish;
  iface->list_instances_async = os_environ_list_instances_async;
  iface->list_instances_finish = os_environ_list_instances_finish;
  iface->destroy_async = os_environ_destroy_async;
  iface->destroy_finish = os_environ_destroy_finish;
  iface->open_ports_async = os_environ_open_ports_async;
  iface->open_ports_finish = os_environ_open_ports_finish;
  iface->close_ports_async = os_environ_close_ports_async;
  iface->close_ports_finish = os_environ_close_ports_finish;
  iface->list_ports_async = os_environ_list_ports_async;
  iface->list_ports_finish = os_environ_list_ports_finish;
}

static void
os_environ_regional_init (WelkinRegionalInterface *iface)
{
  iface->get_region = os_environ_get_region;
  iface->get_endpoint = os_environ_get_endpoint;
}

static void
os_environ_zoned_init (WelkinZonedInterface *iface)
{
  iface->list_zones_async = os_environ_list_zones_async;
  iface->list_zones_finish = os_environ_list_zones_finish;
}

static void
os_environ_image_sources_init (WelkinImageSourcesInterface *iface)
{
  iface->get_async = os_environ_get_image_sources_async;
  iface->get_finish = os_environ_get_image_sources_finish;
}

static void
os_environ_tools_sources_init (WelkinToolsSourcesInterface *iface)
{
  iface->get_async = os_environ_get_tools_sources_async;
  iface->get_finish = os_environ_get_tools_sources_finish;
}

static void
os_environ_prechecker_init (WelkinPrecheckerInterface *iface)
{
  iface->precheck_async = os_environ_precheck_async;
  iface->precheck_finish = os_environ_precheck_finish;
}

static void
os_environ_constrained_init (WelkinConstrainedInterface *iface)
{
  iface->load_validator_async = os_environ_load_validator_async;
  iface->load_validator_finish = os_environ_load_validator_finish;
}

static void
os_environ_maintainer_init (WelkinMaintainerInterface *iface)
{
  iface->maintain_async = os_environ_maintain_async;
  iface->maintain_finish = os_environ_maintain_finish;
  iface->complete_async = os_environ_complete_async;
  iface->complete_finish = os_environ_complete_finish;
}

static void
os_environ_examiner_init (WelkinExaminerInterface *iface)
{
  iface->examine_async = os_environ_examine_async;
  iface->examine_finish = os_environ_examine_finish;
}

static void
os_environ_reconciler_init (WelkinReconcilerInterface *iface)
{
  iface->list_leftovers_async = os_environ_list_leftovers_async;
  iface->list_leftovers_finish = os_environ_list_leftovers_finish;
  iface->remove_leftover_async = os_environ_remove_leftover_async;
  iface->remove_leftover_finish = os_environ_remove_leftover_finish;
  iface->set_intents = os_environ_set_intents;
}

static void
os_environ_planner_init (WelkinPlannerInterface *iface)
{
  iface->plan_async = os_environ_plan_async;
  iface->plan_finish = os_environ_plan_finish;
}

static void
os_environ_class_init (OsEnvironClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = os_environ_finalize;
}

static void
os_environ_init (OsEnviron *self)
{
}
