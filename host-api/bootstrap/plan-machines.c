/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Tells what bootstrap or the provisioner would make machines of, with nothing but reads: what
 * both of them look up beforehand is looked up here as well, so that the choice is theirs.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/check-constraints.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/machine-wish.h"
#include "bootstrap/welkin-machines.h"
#include "contracts/welkin-planner.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinEnvironments  *environments; /* (owned) */
  char                *name;         /* (owned) */
  WelkinMachineWish    wish;

  /* while running */
  WelkinEnviron       *environment;  /* (owned) (nullable) */
  char                *machine_id;   /* (owned) (nullable) of the first one */
  WelkinConstraints   *fallback;     /* (owned) (nullable) the environment's own, if it has any */
  WelkinMachineImages *images;       /* (owned) (nullable) */
  WelkinChecked       *checked;      /* (owned) (nullable) */
} PlanMachines;

static void
plan_machines_free (gpointer data)
{
  PlanMachines *self = data;

  g_clear_pointer (&self->checked, welkin_checked_free);
  g_clear_pointer (&self->images, welkin_machine_images_free);
  g_clear_pointer (&self->fallback, welkin_constraints_unref);
  g_free (self->machine_id);
  g_clear_object (&self->environment);
  welkin_machine_wish_clear (&self->wish);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

/* Machine 0 of an environment that is not bootstrapped yet, and a further one of one that is. */
static gboolean
look_at_info (PlanMachines *self,
              GError      **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  g_autoptr(WelkinInfo) info = welkin_info_load (surroundings, self->name, NULL);

  welkin_machine_wish_complete (&self->wish, welkin_environ_get_config (self->environment));
  self->images = welkin_machine_images_new (self->environment, NULL, surroundings);
  if (info == NULL || welkin_info_lookup (info, "machines") == NULL)
    {
      self->machine_id = g_strdup (WELKIN_BOOTSTRAP_MACHINE);
      return TRUE;
    }
  self->machine_id = welkin_machine_record_allocate_id (info);
  self->fallback = welkin_info_parse_constraints (info, error);
  return self->fallback != NULL;
}

/* (transfer full) */
static WelkinStartParams *
describe (PlanMachines *self,
          GError      **error)
{
  g_autofree char *start_id = g_uuid_string_random ();
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(WelkinStartParams) bare = NULL;
  g_autoptr(WelkinStartParams) constrained = NULL;
  g_autoptr(WelkinStartParams) placed = NULL;

  machine_config =
    welkin_machine_config_new (self->machine_id, "plan", self->wish.series,
                               g_str_equal (self->machine_id, WELKIN_BOOTSTRAP_MACHINE), error);
  if (machine_config == NULL)
    return NULL;
  bare = welkin_start_params_new (start_id, machine_config);
  constrained = welkin_start_params_with_constraints (bare, self->checked->constraints);
  placed = welkin_start_params_with_placement (constrained, self->wish.placement);
  return welkin_start_params_with_images (placed,
                                          welkin_image_lookup_peek_images (self->checked->lookup));
}

static void
begin_plan (PlanMachines       *self,
            WelkinStartParams  *params,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  welkin_planner_plan_async (WELKIN_PLANNER (self->environment), params, self->wish.n_machines,
                             cancellable, callback, user_data);
}

static void
plan_run (WkFlow  *flow,
          gpointer user_data)
{
  PlanMachines *self = user_data;
  GPtrArray *entries;
  g_autoptr(WelkinStartParams) params = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!welkin_machine_record_check_number (self->wish.n_machines, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_environments_preview_async (self->environments, self->name,
                                                     WK_RESUME (flow)));
  self->environment = welkin_environments_preview_finish (self->environments, WK_RESULT (flow),
                                                          &error);
  if (self->environment == NULL)
    WK_FAIL (flow, &error, NULL);
  if (!WELKIN_IS_PLANNER (self->environment))
    {
      error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                           _("the provider of environment \"%s\" tells no plans"), self->name);
      WK_FAIL (flow, &error, NULL);
    }
  if (!look_at_info (self, &error))
    WK_FAIL (flow, &error, NULL);

  /* The sources of metadata are in the catalog, which comes with the login. */
  WK_AWAIT (flow, welkin_environ_verify_async (self->environment, NULL, WK_RESUME (flow)));
  if (!welkin_environ_verify_finish (self->environment, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_check_constraints_async (self->images, self->wish.series,
                                                  self->wish.constraints, self->fallback,
                                                  WK_RESUME (flow)));
  self->checked = welkin_check_constraints_finish (self->images, WK_RESULT (flow), &error);
  if (self->checked == NULL)
    WK_FAIL (flow, &error, NULL);
  welkin_checked_tell_ignored (self->checked);

  params = describe (self, &error);
  if (params == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_plan (self, params, WK_RESUME (flow)));
  entries = welkin_planner_plan_finish (WELKIN_PLANNER (self->environment), WK_RESULT (flow),
                                        &error);
  if (entries == NULL)
    {
      welkin_image_lookup_explain (self->checked->lookup, error);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, entries, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_plan_machines_async:
 * @environments: where the environment is written or remembered
 * @name: which one
 * @n_machines: how many machines are wanted, at least 1
 * @series: (nullable): what they run, or %NULL for the environment's default
 * @constraints: what they must have; those of the environment are added
 * @placement: (nullable): where they are to be, as in "zone=az1"
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Decides what the first machine of an environment would be made of, or a further one when it is
 * bootstrapped, and makes nothing, neither in the cloud nor here.
 *
 * Since: 0.1
 */
void
welkin_plan_machines_async (WelkinEnvironments *environments,
                            const char         *name,
                            guint               n_machines,
                            const char         *series,
                            WelkinConstraints  *constraints,
                            const char         *placement,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  PlanMachines *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (n_machines > 0);
  g_return_if_fail (constraints != NULL);

  self = g_new0 (PlanMachines, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  welkin_machine_wish_init (&self->wish, n_machines, series, constraints, placement);
  wk_flow_start (environments, cancellable, callback, user_data, welkin_plan_machines_async,
                 plan_run, self, plan_machines_free);
}

/**
 * welkin_plan_machines_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_plan_machines_async(). The errors are those that a start would end with, and
 * %WELKIN_ERROR_NOT_SUPPORTED when the provider tells no plans.
 *
 * Returns: (transfer full) (element-type WelkinPlanEntry): what would be chosen and made, in the
 *   order of a start
 *
 * Since: 0.1
 */
GPtrArray *
welkin_plan_machines_finish (WelkinEnvironments *environments,
                             GAsyncResult       *result,
                             GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_plan_machines_async, error);
}
