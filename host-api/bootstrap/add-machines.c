/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Which machines an environment is to have: records are added here, and it is the provisioner that
 * makes the cloud follow.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/check-constraints.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/machine-wish.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-machines.h"
#include "contracts/welkin-optional.h"
#include "environments/info-edit.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  WelkinMachineWish   wish;

  /* while running */
  WelkinEnviron      *environment;  /* (owned) (nullable) */
  WelkinInfo         *info;         /* (owned) (nullable) */
  WelkinConstraints  *fallback;     /* (owned) (nullable) the environment's own constraints */
  WelkinMachineImages *images;      /* (owned) (nullable) */
  WelkinChecked      *checked;      /* (owned) (nullable) */
  GPtrArray          *ids;          /* (owned) (nullable) of char * */
} Add;

static void
add_free (gpointer data)
{
  Add *self = data;

  g_clear_pointer (&self->ids, g_ptr_array_unref);
  g_clear_pointer (&self->checked, welkin_checked_free);
  g_clear_pointer (&self->images, welkin_machine_images_free);
  g_clear_pointer (&self->fallback, welkin_constraints_unref);
  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  welkin_machine_wish_clear (&self->wish);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static gboolean
add_open (Add     *self,
          GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);

  if (!welkin_machine_record_check_number (self->wish.n_machines, error))
    return FALSE;
  if (welkin_constraints_demands (self->wish.constraints, "container"))
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("containers on machines are not supported: leave out the "
                             "constraint \"container\""));
      return FALSE;
    }
  if (!welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                               error))
    return FALSE;
  self->fallback = welkin_info_parse_constraints (self->info, error);
  if (self->fallback == NULL)
    return FALSE;

  welkin_machine_wish_complete (&self->wish, welkin_environ_get_config (self->environment));
  self->images = welkin_machine_images_new (self->environment, NULL, surroundings);
  return TRUE;
}

static void
begin_precheck (Add                *self,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  welkin_prechecker_precheck_async (WELKIN_PRECHECKER (self->environment), self->wish.series,
                                    self->checked->constraints, self->wish.placement,
                                    welkin_image_lookup_peek_images (self->checked->lookup),
                                    cancellable, callback, user_data);
}

static gboolean
edit_add (WelkinInfo *info,
          gpointer    user_data,
          GError    **error)
{
  Add *self = user_data;

  g_clear_pointer (&self->ids, g_ptr_array_unref);
  self->ids = welkin_machine_record_allocate_ids (info, self->wish.n_machines);
  for (guint i = 0; i < self->wish.n_machines; i++)
    {
      g_autoptr(WelkinMachineRecord) record = NULL;

      record = welkin_machine_record_new (self->ids->pdata[i], self->wish.series, NULL, NULL);
      welkin_machine_record_set_constraints (record, self->checked->constraints);
      welkin_machine_record_set (record, "placement", self->wish.placement);
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

static char **
steal_ids (Add *self)
{
  g_ptr_array_add (self->ids, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&self->ids), FALSE);
}

static void
add_run (WkFlow  *flow,
         gpointer user_data)
{
  Add *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!add_open (self, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, welkin_check_constraints_async (self->images, self->wish.series,
                                                  self->wish.constraints, self->fallback,
                                                  WK_RESUME (flow)));
  self->checked = welkin_check_constraints_finish (self->images, WK_RESULT (flow), &error);
  if (self->checked == NULL)
    WK_FAIL (flow, &error, NULL);
  welkin_checked_tell_ignored (self->checked);

  if (WELKIN_IS_PRECHECKER (self->environment))
    {
      WK_AWAIT (flow, begin_precheck (self, WK_RESUME (flow)));
      if (!welkin_prechecker_precheck_finish (WELKIN_PRECHECKER (self->environment),
                                              WK_RESULT (flow), &error))
        {
          welkin_image_lookup_explain (self->checked->lookup, error);
          WK_FAIL (flow, &error, _("Cannot start such a machine"));
        }
    }

  WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_add, self, WK_RESUME (flow)));
  if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_pointer (flow, steal_ids (self), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * welkin_add_machines_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @n_machines: how many, at most 1000
 * @series: (nullable): what they run, or %NULL for the environment's default
 * @constraints: (nullable): what they must have; the environment's own are added
 * @placement: (nullable): where they are to be, as in "zone=az1"
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Writes down that an environment is to have more machines. Nothing is started by it: that is what
 * the next [func@provision] does. The cloud is asked whether such machines can be.
 *
 * Since: 0.1
 */
void
welkin_add_machines_async (WelkinEnvironments *environments,
                           const char         *name,
                           guint               n_machines,
                           const char         *series,
                           WelkinConstraints  *constraints,
                           const char         *placement,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Add *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (n_machines > 0);

  self = g_new0 (Add, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  welkin_machine_wish_init (&self->wish, n_machines, series, constraints, placement);
  wk_flow_start (environments, cancellable, callback, user_data, welkin_add_machines_async, add_run,
                 self, add_free);
}

/**
 * welkin_add_machines_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_add_machines_async(). Errors to expect: those of the provider's look,
 * %WELKIN_ERROR_NOT_BOOTSTRAPPED, and %WELKIN_ERROR_INVALID_ARGUMENT for constraints that the cloud
 * cannot satisfy.
 *
 * Returns: (transfer full) (array zero-terminated=1): the ids of the new machines, which no machine
 *   of the environment had before
 *
 * Since: 0.1
 */
char **
welkin_add_machines_finish (WelkinEnvironments *environments,
                            GAsyncResult       *result,
                            GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_add_machines_async, error);
}
