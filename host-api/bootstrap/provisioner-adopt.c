/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/provisioner-adopt.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "environments/info-edit.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinProvisionerPass *pass;
  WelkinProvisionerPlan *plan;

  /* while running */
  WelkinMachineRecord   *record;    /* (owned) (nullable) of the machine whose turn it is */
  WelkinStartParams     *params;    /* (owned) (nullable) the same */
  guint                  next;      /* of plan->adopted */
  GPtrArray             *completed; /* (unowned char *) of those machines */
} Adopt;

static const char *
get_machine_id (Adopt *self)
{
  return self->plan->adopted->pdata[self->next];
}

static WelkinInstance *
get_instance (Adopt      *self,
              const char *machine_id)
{
  return g_hash_table_lookup (self->plan->instances, machine_id);
}

static gboolean
describe_start (Adopt   *self,
                GError **error)
{
  g_clear_pointer (&self->params, welkin_start_params_unref);
  self->params = welkin_machine_record_make_params (self->record, error);
  return self->params != NULL;
}

static void
load_record (Adopt *self)
{
  g_clear_pointer (&self->record, welkin_machine_record_free);
  self->record = welkin_machine_record_load (self->pass->info, get_machine_id (self));
}

static void
begin_completing (Adopt              *self,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  welkin_maintainer_complete_async (WELKIN_MAINTAINER (self->pass->environment), self->params,
                                    get_instance (self, get_machine_id (self)), cancellable,
                                    callback, user_data);
}

static void
start_anew (Adopt        *self,
            const GError *error)
{
  g_warning (_("machine %s is started anew: %s"), get_machine_id (self), error->message);
  welkin_provisioner_plan_start_anew (self->plan, self->record,
                                      get_instance (self, get_machine_id (self)));
}

static gboolean
edit_adopted (WelkinInfo *info,
              gpointer    user_data,
              GError    **error)
{
  Adopt *self = user_data;

  for (guint i = 0; i < self->completed->len; i++)
    {
      const char *machine_id = self->completed->pdata[i];
      WelkinInstance *instance = get_instance (self, machine_id);
      g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (info, machine_id);

      if (record == NULL)
        continue;
      g_message (_("machine %s: taking over instance %s, whose start was cut off"), machine_id,
                 welkin_instance_get_id (instance));
      welkin_machine_record_set_started (record, instance, welkin_instance_get_hardware (instance));
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

static void
adopt_run (WkFlow  *flow,
           gpointer user_data)
{
  Adopt *self = user_data;
  WelkinEnviron *environment = self->pass->environment;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  for (; self->next < self->plan->adopted->len; self->next++)
    {
      load_record (self);
      if (self->record == NULL)
        continue;
      if (WELKIN_IS_MAINTAINER (environment) && describe_start (self, &error))
        {
          WK_AWAIT (flow, begin_completing (self, WK_RESUME (flow)));
          welkin_maintainer_complete_finish (WELKIN_MAINTAINER (environment), WK_RESULT (flow),
                                             &error);
          if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
            g_clear_error (&error);
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        WK_FAIL (flow, &error, NULL);
      if (error == NULL)
        g_ptr_array_add (self->completed, (gpointer) get_machine_id (self));
      else
        start_anew (self, error);
      g_clear_error (&error);
    }

  WK_AWAIT (flow, welkin_info_edit_async (self->pass->info, edit_adopted, self,
                                          WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_edit_finish (self->pass->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
adopt_free (gpointer data)
{
  Adopt *self = data;

  g_ptr_array_unref (self->completed);
  g_clear_pointer (&self->params, welkin_start_params_unref);
  g_clear_pointer (&self->record, welkin_machine_record_free);
  g_free (self);
}

void
welkin_provisioner_adopt_async (WelkinProvisionerPass *pass,
                                WelkinProvisionerPlan *plan,
                                GCancellable          *cancellable,
                                GAsyncReadyCallback    callback,
                                gpointer               user_data)
{
  Adopt *self = g_new0 (Adopt, 1);

  self->pass = pass;
  self->plan = plan;
  self->completed = g_ptr_array_new ();
  wk_flow_start (pass->environment, cancellable, callback, user_data,
                 welkin_provisioner_adopt_async, adopt_run, self, adopt_free);
}

gboolean
welkin_provisioner_adopt_finish (WelkinProvisionerPass *pass,
                                 GAsyncResult          *result,
                                 GError               **error)
{
  return wk_flow_finish_boolean (result, pass->environment, welkin_provisioner_adopt_async, error);
}
