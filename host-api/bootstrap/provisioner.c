/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * One pass of the provisioner: makes the cloud follow the machine records. Whoever runs a pass has
 * the environment's lock, so a start that a record tells of and that has no instance yet is none
 * that goes on somewhere: it was cut off, and is taken over or undone here.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/provisioner-adopt.h"
#include "bootstrap/provisioner-plan.h"
#include "bootstrap/provisioner-start.h"
#include "bootstrap/sweep-leftovers.h"
#include "bootstrap/welkin-machines.h"
#include "contracts/welkin-optional.h"
#include "environments/environment-getters.h"
#include "environments/info-edit.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

#define LOCK_PAUSE_SECONDS 0.5

typedef struct
{
  /* inputs */
  WelkinEnvironments    *environments; /* (owned) */
  char                  *name;         /* (owned) */
  guint                  n_parallel;
  WelkinProgress        *progress;     /* (owned) (nullable) */

  /* while running */
  WelkinProvisionerPass  pass;
  GObject               *lock;         /* (owned) (nullable) this environment's, until the end */
  GPtrArray             *instances;    /* (owned) (nullable) all that there are */
  WelkinProvisionerPlan *plan;         /* (owned) (nullable) */
  WkJoin                *join;         /* (owned) (nullable) of the starts */
  guint                  next;         /* of plan->maintained, then of plan->pending */
  gboolean               is_ending;    /* no more starts: nothing can be written down */
} Provision;

static void
provision_free (gpointer data)
{
  Provision *self = data;

  welkin_progress_finish (self->progress);

  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->plan, welkin_provisioner_plan_free);
  g_clear_pointer (&self->instances, g_ptr_array_unref);
  g_clear_pointer (&self->pass.tools, welkin_machine_tools_free);
  g_clear_pointer (&self->pass.images, welkin_machine_images_free);
  g_clear_object (&self->pass.info);
  g_clear_object (&self->pass.environment);
  g_clear_object (&self->lock);
  wk_clock_unref (self->pass.clock);
  g_clear_object (&self->progress);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

/* Whether it is worth waiting when the lock was not to be had. */
static gboolean
provision_lock (Provision *self,
                gboolean  *is_busy,
                GError   **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  g_autoptr(GError) local_error = NULL;

  self->lock = welkin_info_lock_environment (surroundings, self->name, &local_error);
  *is_busy = g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  if (*is_busy)
    welkin_progress_set_message (self->progress, local_error->message);
  else if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return self->lock != NULL;
}

static gboolean
provision_open (Provision *self,
                GError   **error)
{
  if (!welkin_open_remembered (self->environments, self->name, &self->pass.environment,
                               &self->pass.info, error))
    return FALSE;
  self->pass.images =
    welkin_machine_images_new (self->pass.environment, NULL, self->pass.surroundings);
  self->pass.tools = welkin_machine_tools_new (self->pass.environment, self->pass.surroundings);
  return TRUE;
}

/* Makes the plan from what the file holds at this moment, and writes down what is known without
 * doing anything. */
static gboolean
edit_begin (WelkinInfo *info,
            gpointer    user_data,
            GError    **error)
{
  Provision *self = user_data;
  WelkinConfig *config = welkin_environ_get_config (self->pass.environment);
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (info);

  g_clear_pointer (&self->plan, welkin_provisioner_plan_free);
  self->plan = welkin_provisioner_plan_new (
    records, self->instances, welkin_info_lookup (info, WELKIN_KEY_KEPT_INSTANCES),
    welkin_environment_get_harvest_mode (config));
  for (guint i = 0; i < records->len; i++)
    {
      WelkinMachineRecord *record = g_ptr_array_index (records, i);
      const char *machine_id = welkin_machine_record_get_machine_id (record);

      if (!g_ptr_array_find_with_equal_func (self->plan->dead, machine_id, g_str_equal, NULL))
        continue;
      welkin_machine_record_set (record, "life", "dead");
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

/* What a person may want to do something about. */
static void
tell_of_plan (Provision *self)
{
  for (guint i = 0; i < self->plan->unknown->len; i++)
    g_message (_("instance %s belongs to no machine: it is left alone"),
               (const char *) self->plan->unknown->pdata[i]);
  for (guint i = 0; i < self->plan->missing->len; i++)
    g_message (_("machine %s: its instance is gone"),
               (const char *) self->plan->missing->pdata[i]);
}

static void
begin_stopping (Provision          *self,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  g_autoptr(WelkinProgress) part = welkin_progress_add_child (self->progress, 1);

  welkin_progress_set_message (self->progress, _("Stopping machines"));
  g_ptr_array_add (self->plan->stopping, NULL);
  welkin_environ_stop_instances_async (self->pass.environment,
                                       (const char *const *) self->plan->stopping->pdata, part,
                                       cancellable, callback, user_data);
}

/* An instance that outlives its machine is remembered: it is neither unknown nor a leftover. */
static void
keep_instance (Provision           *self,
               WelkinInfo          *info,
               WelkinMachineRecord *record,
               WelkinInstance      *instance)
{
  const char *start_id = welkin_machine_record_get (record, "start-id");
  g_autoptr(WelkinValue) value = NULL;

  value = welkin_value_new_text (start_id != NULL ? start_id : "", TRUE, NULL);
  welkin_info_set_entry (info, WELKIN_KEY_KEPT_INSTANCES, welkin_instance_get_id (instance), value);
}

static gboolean
is_stopped (Provision      *self,
            WelkinInstance *instance)
{
  for (guint i = 0; i < self->plan->stopping->len; i++)
    if (g_strcmp0 (self->plan->stopping->pdata[i], welkin_instance_get_id (instance)) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
edit_forget (WelkinInfo *info,
             gpointer    user_data,
             GError    **error)
{
  Provision *self = user_data;

  for (guint i = 0; i < self->plan->dead->len; i++)
    {
      const char *machine_id = self->plan->dead->pdata[i];
      WelkinInstance *instance = g_hash_table_lookup (self->plan->instances, machine_id);
      g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (info, machine_id);

      if (record != NULL && instance != NULL && !is_stopped (self, instance))
        keep_instance (self, info, record, instance);
      else if (record != NULL && instance == NULL)
        welkin_machine_record_end_start (record, info);
      welkin_info_set_entry (info, "machines", machine_id, NULL);
    }
  return TRUE;
}

/* What starts that were cut off, or could not be undone, have left. */
static gboolean
wants_sweep (Provision *self)
{
  WelkinValue *ended = welkin_info_lookup (self->pass.info, WELKIN_KEY_ENDED_STARTS);

  return (self->plan->interrupted->len > 0
          || (ended != NULL && welkin_value_get_length (ended) > 0))
         && WELKIN_IS_RECONCILER (self->pass.environment);
}

static void
begin_sweep (Provision          *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  WelkinSweep sweep = { .min_age = -1 };

  g_ptr_array_add (self->plan->interrupted, NULL);
  sweep.dead = (const char *const *) self->plan->interrupted->pdata;
  welkin_progress_set_message (self->progress, _("Removing what a start that was cut off left"));
  welkin_sweep_leftovers_async (self->pass.environment, self->pass.info, &sweep, NULL, cancellable,
                                callback, user_data);
}

/* It is tried again in the next pass, and keeps no machine from being started. */
static void
tell_of_leftovers (GPtrArray *leftovers)
{
  for (guint i = 0; i < leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (leftovers, i);

      if (welkin_leftover_get_state (leftover) == WELKIN_LEFTOVER_FAILED)
        g_warning (_("cannot remove what a start that was cut off left: %s: %s"),
                   welkin_leftover_get_id (leftover), welkin_leftover_get_note (leftover));
    }
}

static const char *
get_maintained (Provision *self)
{
  return self->plan->maintained->pdata[self->next];
}

static void
begin_maintaining (Provision          *self,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  const char *machine_id = get_maintained (self);

  welkin_maintainer_maintain_async (WELKIN_MAINTAINER (self->pass.environment), machine_id,
                                    g_hash_table_lookup (self->plan->instances, machine_id),
                                    cancellable, callback, user_data);
}

static void start_next (Provision *self);

static void
machine_started_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  Provision *self = user_data;
  GError *error = NULL;

  if (!welkin_provisioner_start_finish (&self->pass, result, &error))
    self->is_ending = TRUE;
  start_next (self);
  wk_join_end (self->join, error);
}

static void
start_next (Provision *self)
{
  g_autoptr(WelkinProgress) part = NULL;
  g_autofree char *message = NULL;
  const char *machine_id;

  if (self->is_ending || self->next >= self->plan->pending->len)
    return;

  machine_id = self->plan->pending->pdata[self->next++];
  message = g_strdup_printf (_("Starting machine %s"), machine_id);
  welkin_progress_set_message (self->progress, message);
  part = welkin_progress_add_child (self->progress, 8);
  welkin_provisioner_start_async (&self->pass, machine_id, part, wk_join_begin (self->join),
                                  machine_started_cb, self);
}

static void
begin_starts (Provision    *self,
              GCancellable *cancellable)
{
  self->join = wk_join_new (WK_JOIN_COLLECT, cancellable);
  self->next = 0;
  for (guint i = 0; i < self->n_parallel; i++)
    start_next (self);
}

static void
provision_run (WkFlow  *flow,
               gpointer user_data)
{
  Provision *self = user_data;
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_busy = FALSE;

  WK_FLOW_BEGIN (flow);

  while (!provision_lock (self, &is_busy, &error))
    {
      if (!is_busy)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_clock_sleep_async (self->pass.clock, LOCK_PAUSE_SECONDS,
                                            WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (self->pass.clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (!provision_open (self, &error))
    WK_FAIL (flow, &error, NULL);

  welkin_progress_set_message (self->progress, _("Looking at the machines"));
  WK_AWAIT (flow, welkin_environ_list_instances_async (self->pass.environment, WK_RESUME (flow)));
  self->instances = welkin_environ_list_instances_finish (self->pass.environment, WK_RESULT (flow),
                                                          &error);
  if (self->instances == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_info_edit_async (self->pass.info, edit_begin, self, WK_RESUME (flow)));
  if (!welkin_info_edit_finish (self->pass.info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  tell_of_plan (self);
  if (self->plan->adopted->len > 0)
    {
      WK_AWAIT (flow, welkin_provisioner_adopt_async (&self->pass, self->plan, WK_RESUME (flow)));
      if (!welkin_provisioner_adopt_finish (&self->pass, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  /* What was started without its id being written down has to be gone before its machine is started
   * again. */
  if (self->plan->stopping->len > 0)
    {
      WK_AWAIT (flow, begin_stopping (self, WK_RESUME (flow)));
      if (!welkin_environ_stop_instances_finish (self->pass.environment, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->plan->dead->len > 0)
    {
      WK_AWAIT (flow, welkin_info_edit_async (self->pass.info, edit_forget, self,
                                              WK_RESUME_SHIELDED (flow)));
      if (!welkin_info_edit_finish (self->pass.info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (wants_sweep (self))
    {
      WK_AWAIT (flow, begin_sweep (self, WK_RESUME (flow)));
      leftovers = welkin_sweep_leftovers_finish (self->pass.environment, WK_RESULT (flow), &error);
      if (leftovers == NULL)
        WK_FAIL (flow, &error, NULL);
      tell_of_leftovers (leftovers);
    }

  while (WELKIN_IS_MAINTAINER (self->pass.environment) && self->next < self->plan->maintained->len)
    {
      WK_AWAIT (flow, begin_maintaining (self, WK_RESUME (flow)));
      if (!welkin_maintainer_maintain_finish (WELKIN_MAINTAINER (self->pass.environment),
                                              WK_RESULT (flow), &error)
          && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_warning (_("cannot maintain machine %s: %s"), get_maintained (self), error->message);
      g_clear_error (&error);
      self->next++;
    }
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  begin_starts (self, wk_flow_get_cancellable (flow));
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_provision_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @n_parallel: how many machines are started at once, at least 1
 * @progress: (nullable): where to report
 * @cancellable: (nullable): ends the pass; what is being started is undone, and is started by the
 *   next one
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Makes the cloud follow what is written down of an environment's machines: takes over or undoes
 * starts that were cut off, stops the machines that are to go, and then starts those that are to
 * come. It waits while another process does the same, or bootstraps or destroys the environment, so
 * that no machine is ever started twice.
 *
 * That a machine cannot be started is written into its record and is no error of the pass, and
 * keeps none of the others from being started. What another moment may change is tried three times
 * more, and again in the next pass.
 *
 * Since: 0.1
 */
void
welkin_provision_async (WelkinEnvironments *environments,
                        const char         *name,
                        guint               n_parallel,
                        WelkinProgress     *progress,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  Provision *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (n_parallel > 0);

  self = g_new0 (Provision, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->n_parallel = n_parallel;
  g_set_object (&self->progress, progress);
  self->pass.surroundings = welkin_environments_get_surroundings (environments);
  self->pass.clock = welkin_surroundings_make_clock (self->pass.surroundings);
  wk_flow_start (environments, cancellable, callback, user_data, welkin_provision_async,
                 provision_run, self, provision_free);
}

/**
 * welkin_provision_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_provision_async(). Errors to expect: those of listing and stopping instances,
 * %WELKIN_ERROR_NOT_BOOTSTRAPPED, and what is in the way of writing things down.
 *
 * Returns: %TRUE when the pass came to its end
 *
 * Since: 0.1
 */
gboolean
welkin_provision_finish (WelkinEnvironments *environments,
                         GAsyncResult       *result,
                         GError            **error)
{
  return wk_flow_finish_boolean (result, environments, welkin_provision_async, error);
}
