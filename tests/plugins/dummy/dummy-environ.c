/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dummy-environ.h"

#include "dummy-cloud.h"
#include "dummy-instance.h"
#include "dummy-storage.h"

/* An environment of machines that are only remembered. */
struct _DummyEnviron
{
  GObject       parent_instance;

  WelkinConfig *config; /* (owned) */
  DummyCloud   *cloud;  /* (unowned) never freed */
};

static void dummy_environ_iface_init (WelkinEnvironInterface *iface);
static void dummy_environ_maintainer_init (WelkinMaintainerInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DummyEnviron, dummy_environ, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_MAINTAINER,
                                                      dummy_environ_maintainer_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_ENVIRON,
                                                      dummy_environ_iface_init))

WelkinEnviron *
dummy_environ_new (WelkinConfig *config)
{
  DummyEnviron *self = g_object_new (DUMMY_TYPE_ENVIRON, NULL);

  self->config = welkin_config_ref (config);
  self->cloud = dummy_cloud_get (config);
  return WELKIN_ENVIRON (self);
}

/* NULL when the operation is to fail, which it then has. */
static GTask *
begin (WelkinEnviron      *environment,
       const char         *operation,
       GCancellable       *cancellable,
       GAsyncReadyCallback callback,
       gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (environment, cancellable, callback, user_data);
  GError *error = NULL;

  if (!dummy_cloud_fails (DUMMY_ENVIRON (environment)->config, operation, &error))
    return g_steal_pointer (&task);
  g_task_return_error (task, error);
  return NULL;
}

static gboolean
finish_boolean (WelkinEnviron *environment,
                GAsyncResult  *result,
                GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static WelkinConfig *
dummy_environ_get_config (WelkinEnviron *environment)
{
  return DUMMY_ENVIRON (environment)->config;
}

static gboolean
dummy_environ_set_config (WelkinEnviron *environment,
                          WelkinConfig  *config,
                          GError       **error)
{
  DummyEnviron *self = DUMMY_ENVIRON (environment);

  welkin_config_ref (config);
  welkin_config_unref (self->config);
  self->config = config;
  return TRUE;
}

static WelkinStorage *
dummy_environ_get_storage (WelkinEnviron *environment)
{
  return dummy_storage_new (DUMMY_ENVIRON (environment)->config);
}

static void
dummy_environ_verify_async (WelkinEnviron      *environment,
                            WelkinProgress     *progress,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "verify", cancellable, callback, user_data);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

/* The smallest machine that has what is demanded. */
static WelkinHardware *
make_hardware (WelkinConstraints *constraints)
{
  const char *arch = welkin_constraints_get_text (constraints, "arch");

  return welkin_hardware_new (arch != NULL && *arch != '\0' ? arch : "amd64",
                              MAX (welkin_constraints_get_number (constraints, "mem"), 512),
                              MAX (welkin_constraints_get_number (constraints, "cores"), 1),
                              MAX (welkin_constraints_get_number (constraints, "root-disk"), 1024),
                              "dummy-zone");
}

static void
dummy_environ_start_instance_async (WelkinEnviron      *environment,
                                    WelkinStartParams  *params,
                                    WelkinProgress     *progress,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "start-instance", cancellable, callback, user_data);
  DummyEnviron *self = DUMMY_ENVIRON (environment);
  WelkinMachineConfig *machine_config = welkin_start_params_get_machine_config (params);
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autoptr(WelkinHardware) hardware = NULL;
  WelkinInstance *instance;
  GError *error = NULL;

  if (task == NULL || g_task_return_error_if_cancelled (task))
    return;
  finished = welkin_machine_config_finish (machine_config, self->config, NULL, &error);
  if (finished == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  welkin_progress_set_message (progress, "starting a machine in memory");
  hardware = make_hardware (welkin_start_params_get_constraints (params));
  instance = dummy_instance_new (++self->cloud->n_started,
                                 welkin_machine_config_get_machine_id (machine_config),
                                 welkin_start_params_get_start_id (params), hardware);
  g_ptr_array_add (self->cloud->instances, instance);
  welkin_progress_finish (progress);
  g_task_return_pointer (task, welkin_start_result_new (instance, hardware, NULL),
                         (GDestroyNotify) welkin_start_result_unref);
}

static WelkinStartResult *
dummy_environ_start_instance_finish (WelkinEnviron *environment,
                                     GAsyncResult  *result,
                                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
dummy_environ_stop_instances_async (WelkinEnviron      *environment,
                                    const char * const *ids,
                                    WelkinProgress     *progress,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "stop-instances", cancellable, callback, user_data);
  GPtrArray *instances = DUMMY_ENVIRON (environment)->cloud->instances;

  if (task == NULL)
    return;
  for (guint i = instances->len; i > 0; i--)
    {
      if (g_strv_contains (ids, welkin_instance_get_id (instances->pdata[i - 1])))
        g_ptr_array_remove_index (instances, i - 1);
    }
  g_task_return_boolean (task, TRUE);
}

static void
dummy_environ_find_instances_async (WelkinEnviron      *environment,
                                    const char * const *ids,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "find-instances", cancellable, callback, user_data);

  if (task == NULL)
    return;
  g_task_return_pointer (task,
                         welkin_instances_new (ids, DUMMY_ENVIRON (environment)->cloud->instances),
                         (GDestroyNotify) welkin_instances_unref);
}

static WelkinInstances *
dummy_environ_find_instances_finish (WelkinEnviron *environment,
                                     GAsyncResult  *result,
                                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gpointer
ref_instance (gconstpointer instance,
              gpointer      user_data)
{
  return g_object_ref ((gpointer) instance);
}

static void
dummy_environ_list_instances_async (WelkinEnviron      *environment,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "list-instances", cancellable, callback, user_data);

  if (task == NULL)
    return;
  g_task_return_pointer (task,
                         g_ptr_array_copy (DUMMY_ENVIRON (environment)->cloud->instances,
                                           ref_instance, NULL),
                         (GDestroyNotify) g_ptr_array_unref);
}

static GPtrArray *
dummy_environ_list_instances_finish (WelkinEnviron *environment,
                                     GAsyncResult  *result,
                                     GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
dummy_environ_destroy_async (WelkinEnviron      *environment,
                             WelkinProgress     *progress,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = begin (environment, "destroy", cancellable, callback, user_data);
  DummyCloud *cloud = DUMMY_ENVIRON (environment)->cloud;

  if (task == NULL)
    return;
  g_ptr_array_set_size (cloud->instances, 0);
  g_hash_table_remove_all (cloud->objects);
  g_task_return_boolean (task, TRUE);
}

static void
dummy_environ_iface_init (WelkinEnvironInterface *iface)
{
  iface->get_config = dummy_environ_get_config;
  iface->set_config = dummy_environ_set_config;
  iface->get_storage = dummy_environ_get_storage;
  iface->verify_async = dummy_environ_verify_async;
  iface->verify_finish = finish_boolean;
  iface->start_instance_async = dummy_environ_start_instance_async;
  iface->start_instance_finish = dummy_environ_start_instance_finish;
  iface->stop_instances_async = dummy_environ_stop_instances_async;
  iface->stop_instances_finish = finish_boolean;
  iface->find_instances_async = dummy_environ_find_instances_async;
  iface->find_instances_finish = dummy_environ_find_instances_finish;
  iface->list_instances_async = dummy_environ_list_instances_async;
  iface->list_instances_finish = dummy_environ_list_instances_finish;
  iface->destroy_async = dummy_environ_destroy_async;
  iface->destroy_finish = finish_boolean;
}

static void
dummy_environ_maintain_async (WelkinMaintainer   *environment,
                              const char         *machine_id,
                              WelkinInstance     *instance,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task =
    begin (WELKIN_ENVIRON (environment), "maintain", cancellable, callback, user_data);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
dummy_environ_complete_async (WelkinMaintainer   *environment,
                              WelkinStartParams  *params,
                              WelkinInstance     *instance,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task =
    begin (WELKIN_ENVIRON (environment), "complete", cancellable, callback, user_data);

  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static gboolean
maintainer_finish (WelkinMaintainer *environment,
                   GAsyncResult     *result,
                   GError          **error)
{
  return finish_boolean (WELKIN_ENVIRON (environment), result, error);
}

static void
dummy_environ_maintainer_init (WelkinMaintainerInterface *iface)
{
  iface->maintain_async = dummy_environ_maintain_async;
  iface->maintain_finish = maintainer_finish;
  iface->complete_async = dummy_environ_complete_async;
  iface->complete_finish = maintainer_finish;
}

static void
dummy_environ_finalize (GObject *object)
{
  DummyEnviron *self = DUMMY_ENVIRON (object);

  welkin_config_unref (self->config);

  G_OBJECT_CLASS (dummy_environ_parent_class)->finalize (object);
}

static void
dummy_environ_class_init (DummyEnvironClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dummy_environ_finalize;
}

static void
dummy_environ_init (DummyEnviron *self)
{
}
