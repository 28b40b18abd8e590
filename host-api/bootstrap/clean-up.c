/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/clean-up.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/provider-state.h"
#include "values/welkin-error.h"

struct _WelkinCleanUp
{
  GObject parent;

  WelkinEnviron  *environment; /* (owned) */
  WelkinInfo     *info;        /* (owned) */
  WelkinStorage  *storage;     /* (owned) */
  char           *start_id;    /* (owned) */
  WelkinInstance *instance;    /* (owned) (nullable) */
  gboolean        is_new;
  gboolean        keep_broken;
  WelkinClaim     claim;
};

G_DEFINE_FINAL_TYPE (WelkinCleanUp, welkin_clean_up, G_TYPE_OBJECT)

/* The outcome of a write may be unknown: whoever's start-id the state file has, won. Where there is
 * none, nobody did, and what lies there is ours to remove. */
static WelkinClaim
judge_claim (WelkinCleanUp       *self,
             WelkinProviderState *state)
{
  if (state == NULL)
    return WELKIN_CLAIM_WON;
  return g_strcmp0 (welkin_provider_state_get_start_id (state), self->start_id) == 0
           ? WELKIN_CLAIM_WON
           : WELKIN_CLAIM_LOST;
}

static void
stop_instance (WelkinCleanUp      *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  const char *ids[] = { welkin_instance_get_id (self->instance), NULL };

  welkin_environ_stop_instances_async (self->environment, ids, NULL, cancellable, callback,
                                       user_data);
}

/* Whether there is a record of the machine that did not come to be, in an info that stays. */
static gboolean
has_record (WelkinCleanUp *self)
{
  return !self->is_new && self->claim != WELKIN_CLAIM_LOST && self->claim != WELKIN_CLAIM_NONE;
}

/* So that nobody takes it for a start that was cut off, and undoes it. */
static void
note_broken (WelkinCleanUp *self)
{
  g_autoptr(WelkinMachineRecord) record =
    welkin_machine_record_load (self->info, WELKIN_BOOTSTRAP_MACHINE);

  if (record == NULL)
    return;
  if (welkin_machine_record_get (record, "instance-id") != NULL)
    welkin_machine_record_set (record, "set-up", "failed");
  else
    welkin_machine_record_set_status (record, "error",
                                      _("its bootstrap failed, and it was kept"));
  welkin_machine_record_store (record, self->info);
}

static void
clean_up_run (WkFlow  *flow,
              gpointer user_data)
{
  WelkinCleanUp *self = user_data;
  g_autoptr(WelkinProviderState) state = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->claim == WELKIN_CLAIM_BEGUN)
    {
      WK_AWAIT (flow, welkin_provider_state_load_async (self->environment, WK_RESUME (flow)));
      state = welkin_provider_state_load_finish (self->environment, WK_RESULT (flow), &error);
      if (state == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);
      self->claim = judge_claim (self, state);
    }

  if (self->claim == WELKIN_CLAIM_WON && self->keep_broken)
    {
      note_broken (self);
      WK_AWAIT (flow, welkin_info_write_async (self->info, WK_RESUME (flow)));
      if (!welkin_info_write_finish (self->info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (self->claim == WELKIN_CLAIM_WON)
    g_message (_("cleaning up after the failed bootstrap"));

  if (self->instance != NULL)
    {
      g_message (_("Stopping instance..."));
      WK_AWAIT (flow, stop_instance (self, WK_RESUME (flow)));
      if (!welkin_environ_stop_instances_finish (self->environment, WK_RESULT (flow), &error))
        {
          g_message (_("cannot stop failed bootstrap instance \"%s\": %s"),
                     welkin_instance_get_id (self->instance), error->message);
          WK_FAIL (flow, &error, NULL);
        }
    }

  if (self->claim == WELKIN_CLAIM_WON && self->is_new)
    {
      WK_AWAIT (flow, welkin_environ_destroy_async (self->environment, NULL, WK_RESUME (flow)));
      if (!welkin_environ_destroy_finish (self->environment, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  else if (self->claim == WELKIN_CLAIM_WON)
    {
      WK_AWAIT (flow, welkin_provider_state_remove_async (self->storage, WK_RESUME (flow)));
      if (!welkin_provider_state_remove_finish (self->storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  if (self->is_new && self->claim != WELKIN_CLAIM_LOST && !welkin_info_destroy (self->info, &error))
    WK_FAIL (flow, &error, NULL);
  if (has_record (self))
    {
      welkin_info_set_entry (self->info, "machines", WELKIN_BOOTSTRAP_MACHINE, NULL);
      WK_AWAIT (flow, welkin_info_write_async (self->info, WK_RESUME (flow)));
      if (!welkin_info_write_finish (self->info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
clean_up_async (gpointer            target,
                const char         *id,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  wk_flow_start (target, cancellable, callback, user_data, clean_up_async, clean_up_run,
                 g_object_ref (target), g_object_unref);
}

static gboolean
clean_up_finish (gpointer      target,
                 GAsyncResult *result,
                 GError      **error)
{
  return wk_flow_finish_boolean (result, target, clean_up_async, error);
}

WelkinCleanUp *
welkin_clean_up_new (WelkinEnviron *environment,
                     WelkinInfo    *info,
                     const char    *start_id,
                     gboolean       is_new,
                     gboolean       keep_broken)
{
  WelkinCleanUp *self = g_object_new (WELKIN_TYPE_CLEAN_UP, NULL);

  self->environment = g_object_ref (environment);
  self->info = g_object_ref (info);
  self->storage = welkin_environ_get_storage (environment);
  self->start_id = g_strdup (start_id);
  self->is_new = is_new;
  self->keep_broken = keep_broken;
  return self;
}

void
welkin_clean_up_set_claim (WelkinCleanUp *self,
                           WelkinClaim    claim)
{
  self->claim = claim;
}

void
welkin_clean_up_set_start_id (WelkinCleanUp *self,
                              const char    *start_id)
{
  g_free (self->start_id);
  self->start_id = g_strdup (start_id);
}

void
welkin_clean_up_set_instance (WelkinCleanUp  *self,
                              WelkinInstance *instance)
{
  g_set_object (&self->instance, instance);
}

void
welkin_clean_up_push (WelkinCleanUp *self,
                      WkUndo        *undo)
{
  wk_undo_push (undo, _("environment"), self, welkin_info_get_name (self->info), clean_up_async,
                clean_up_finish);
}

static void
welkin_clean_up_dispose (GObject *object)
{
  WelkinCleanUp *self = WELKIN_CLEAN_UP (object);

  g_clear_object (&self->environment);
  g_clear_object (&self->info);
  g_clear_object (&self->storage);
  g_clear_object (&self->instance);

  G_OBJECT_CLASS (welkin_clean_up_parent_class)->dispose (object);
}

static void
welkin_clean_up_finalize (GObject *object)
{
  WelkinCleanUp *self = WELKIN_CLEAN_UP (object);

  g_free (self->start_id);

  G_OBJECT_CLASS (welkin_clean_up_parent_class)->finalize (object);
}

static void
welkin_clean_up_class_init (WelkinCleanUpClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = welkin_clean_up_dispose;
  G_OBJECT_CLASS (klass)->finalize = welkin_clean_up_finalize;
}

static void
welkin_clean_up_init (WelkinCleanUp *self)
{
}
