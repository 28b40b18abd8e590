/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/resume-bootstrap.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinInfo             *info;     /* (owned) */
  WelkinBootstrapOptions *options;  /* (owned) */
  WelkinProviderState    *found;    /* (owned) (nullable) */

  /* while running */
  WelkinMachineRecord    *record;   /* (owned) (nullable) of the start that was cut off */
  WelkinInstance         *instance; /* (owned) (nullable) that it has made */
  WelkinStartParams      *params;   /* (owned) (nullable) */
} Resume;

void
welkin_resumed_free (WelkinResumed *self)
{
  g_clear_pointer (&self->record, welkin_machine_record_free);
  g_object_unref (self->instance);
  g_free (self);
}

static GError *
already_bootstrapped (WelkinProviderState *state)
{
  if (*welkin_provider_state_get_instance_ids (state) == NULL)
    return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED,
                                _("The environment is already bootstrapped, but an earlier "
                                  "bootstrap was cut short: run \"welkin destroy-environment\" "
                                  "first"));

  return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED,
                              _("The environment is already bootstrapped: \"welkin status\" shows "
                                "it, \"welkin destroy-environment\" removes it"));
}

/* While it was started, or while it was set up. */
static gboolean
was_cut_off (WelkinMachineRecord *record)
{
  return welkin_machine_record_is (record, "set-up", "begun")
         || (welkin_machine_record_is (record, "status", "provisioning")
             && welkin_machine_record_get (record, "instance-id") == NULL);
}

static WelkinMachineRecord *
load_cut_off (WelkinInfo *info)
{
  g_autoptr(GPtrArray) all = welkin_machine_record_load_all (info);
  g_autoptr(WelkinMachineRecord) record =
    welkin_machine_record_load (info, WELKIN_BOOTSTRAP_MACHINE);

  if (all->len != 1 || record == NULL || !welkin_machine_record_is (record, "life", "alive")
      || welkin_machine_record_get (record, "start-id") == NULL || !was_cut_off (record))
    return NULL;
  return g_steal_pointer (&record);
}

/* Nobody but a bootstrap of ours, which was cut off, has begun. */
static gboolean
is_ours (Resume *self)
{
  return self->record != NULL
         && welkin_machine_record_is (self->record, "start-id",
                                      welkin_provider_state_get_start_id (self->found));
}

/* Somebody may use what is there. Nobody can have put a machine to use that was being set up. */
static gboolean
is_saved (Resume *self)
{
  return self->found != NULL && *welkin_provider_state_get_instance_ids (self->found) != NULL
         && !welkin_machine_record_is (self->record, "set-up", "begun");
}

/* What runs is what would be started now. */
static gboolean
is_wanted (Resume *self)
{
  g_autofree char *constraints = welkin_constraints_to_string (self->options->constraints);
  const char *recorded = welkin_machine_record_get (self->record, "constraints");
  const char *placement = welkin_machine_record_get (self->record, "placement");

  return self->found != NULL && g_str_equal (recorded != NULL ? recorded : "", constraints)
         && g_str_equal (placement != NULL ? placement : "", self->options->placement);
}

static WelkinResumed *
make_result (Resume *self)
{
  WelkinResumed *resumed = g_new0 (WelkinResumed, 1);

  g_message (_("machine %s: taking over instance %s, whose start was cut off"),
             WELKIN_BOOTSTRAP_MACHINE, welkin_instance_get_id (self->instance));
  resumed->record = g_steal_pointer (&self->record);
  resumed->instance = g_steal_pointer (&self->instance);
  return resumed;
}

/* A server that is being built may be one that fails. */
static void
find_instance (Resume    *self,
               GPtrArray *instances)
{
  const char *start_id = welkin_machine_record_get (self->record, "start-id");

  for (guint i = 0; i < instances->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (instances, i);

      if (g_strcmp0 (welkin_instance_get_start_id (instance), start_id) == 0
          && welkin_instance_get_state (instance) == WELKIN_INSTANCE_RUNNING)
        g_set_object (&self->instance, instance);
    }
}

static void
resume_run (WkFlow  *flow,
            gpointer user_data)
{
  Resume *self = user_data;
  WelkinEnviron *environment = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->record = load_cut_off (self->info);
  if (self->found != NULL && !is_ours (self))
    {
      error = already_bootstrapped (self->found);
      WK_FAIL (flow, &error, NULL);
    }
  if (self->record == NULL)
    {
      wk_flow_return_pointer (flow, NULL, NULL);
      return;
    }

  WK_AWAIT (flow, welkin_environ_list_instances_async (environment, WK_RESUME (flow)));
  instances = welkin_environ_list_instances_finish (environment, WK_RESULT (flow), &error);
  if (instances == NULL)
    WK_FAIL (flow, &error, NULL);
  if (is_wanted (self) && instances->len == 1)
    find_instance (self, instances);

  if (self->instance != NULL && WELKIN_IS_MAINTAINER (environment))
    {
      self->params = welkin_machine_record_make_params (self->record, &error);
      if (self->params == NULL)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, welkin_maintainer_complete_async (WELKIN_MAINTAINER (environment),
                                                        self->params, self->instance,
                                                        WK_RESUME (flow)));
      welkin_maintainer_complete_finish (WELKIN_MAINTAINER (environment), WK_RESULT (flow),
                                         &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        WK_FAIL (flow, &error, NULL);
      if (error != NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
        {
          g_warning (_("machine %s is not taken over: %s"), WELKIN_BOOTSTRAP_MACHINE,
                     error->message);
          g_clear_object (&self->instance);
        }
      g_clear_error (&error);
    }
  if (self->instance != NULL)
    {
      wk_flow_return_pointer (flow, make_result (self), (GDestroyNotify) welkin_resumed_free);
      return;
    }
  if (is_saved (self))
    {
      error = already_bootstrapped (self->found);
      WK_FAIL (flow, &error, NULL);
    }

  g_message (_("removing what a bootstrap that was cut off has left"));
  WK_AWAIT (flow, welkin_environ_destroy_async (environment, NULL, WK_RESUME (flow)));
  if (!welkin_environ_destroy_finish (environment, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  /* What was asked for may be made by a cloud that is slow yet. */
  welkin_machine_record_end_start (self->record, self->info);
  wk_flow_return_pointer (flow, NULL, NULL);

  WK_FLOW_END (flow);
}

static void
resume_free (gpointer data)
{
  Resume *self = data;

  g_clear_pointer (&self->params, welkin_start_params_unref);
  g_clear_object (&self->instance);
  g_clear_pointer (&self->record, welkin_machine_record_free);
  g_clear_pointer (&self->found, welkin_provider_state_unref);
  welkin_bootstrap_options_unref (self->options);
  g_object_unref (self->info);
  g_free (self);
}

void
welkin_bootstrap_resume_async (WelkinEnviron          *environment,
                               WelkinInfo             *info,
                               WelkinBootstrapOptions *options,
                               WelkinProviderState    *found,
                               GCancellable           *cancellable,
                               GAsyncReadyCallback     callback,
                               gpointer                user_data)
{
  Resume *self = g_new0 (Resume, 1);

  self->info = g_object_ref (info);
  self->options = welkin_bootstrap_options_ref (options);
  self->found = found != NULL ? welkin_provider_state_ref (found) : NULL;
  wk_flow_start (environment, cancellable, callback, user_data, welkin_bootstrap_resume_async,
                 resume_run, self, resume_free);
}

WelkinResumed *
welkin_bootstrap_resume_finish (WelkinEnviron *environment,
                                GAsyncResult  *result,
                                GError       **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_bootstrap_resume_async, error);
}
