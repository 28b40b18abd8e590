/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Says what every further machine of an environment must have. The cloud is asked first: what it
 * cannot satisfy would keep each of those machines from being started.
 */

#include "config.h"

#include "base/flow.h"
#include "bootstrap/check-constraints.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-machines.h"
#include "environments/info-edit.h"

typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  WelkinConstraints  *constraints;  /* (owned) */

  /* while running */
  WelkinEnviron      *environment;  /* (owned) (nullable) */
  WelkinInfo         *info;         /* (owned) (nullable) */
  WelkinMachineImages *images;      /* (owned) (nullable) */
} Set;

static void
set_free (gpointer data)
{
  Set *self = data;

  g_clear_pointer (&self->images, welkin_machine_images_free);
  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  welkin_constraints_unref (self->constraints);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static gboolean
set_open (Set     *self,
          GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);

  if (!welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                               error))
    return FALSE;
  self->images = welkin_machine_images_new (self->environment, NULL, surroundings);
  return TRUE;
}

static void
begin_check (Set                *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);

  welkin_check_constraints_async (self->images, welkin_config_get_string (config, "default-series"),
                                  self->constraints, NULL, cancellable, callback, user_data);
}

static gboolean
edit_set (WelkinInfo *info,
          gpointer    user_data,
          GError    **error)
{
  Set *self = user_data;

  welkin_info_set_constraints (info, self->constraints);
  return TRUE;
}

static void
set_run (WkFlow  *flow,
         gpointer user_data)
{
  Set *self = user_data;
  g_autoptr(WelkinChecked) checked = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!set_open (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_check (self, WK_RESUME (flow)));
  checked = welkin_check_constraints_finish (self->images, WK_RESULT (flow), &error);
  if (checked == NULL)
    WK_FAIL (flow, &error, NULL);
  welkin_checked_tell_ignored (checked);

  WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_set, self, WK_RESUME (flow)));
  if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_set_constraints_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @constraints: what every further machine must have, unless it says something else
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Replaces the constraints of an environment. Machines that there are already stay as they are. The
 * cloud is asked whether it can satisfy them; nothing is made there.
 *
 * Since: 0.1
 */
void
welkin_set_constraints_async (WelkinEnvironments *environments,
                              const char         *name,
                              WelkinConstraints  *constraints,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Set *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (constraints != NULL);

  self = g_new0 (Set, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->constraints = welkin_constraints_ref (constraints);
  wk_flow_start (environments, cancellable, callback, user_data, welkin_set_constraints_async,
                 set_run, self, set_free);
}

/**
 * welkin_set_constraints_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_set_constraints_async(). Errors to expect: %WELKIN_ERROR_NOT_BOOTSTRAPPED,
 * %WELKIN_ERROR_INVALID_ARGUMENT for constraints that the cloud cannot satisfy, and those of a
 * login.
 *
 * Returns: %TRUE when it is written down
 *
 * Since: 0.1
 */
gboolean
welkin_set_constraints_finish (WelkinEnvironments *environments,
                               GAsyncResult       *result,
                               GError            **error)
{
  return wk_flow_finish_boolean (result, environments, welkin_set_constraints_async, error);
}
