/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/sweep-leftovers.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/provisioner-plan.h"
#include "contracts/welkin-optional.h"
#include "environments/info-edit.h"
#include "environments/info-intents.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinReconciler *environment; /* (owned) */
  WelkinInfo       *info;        /* (owned) */
  gint64            min_age;
  gboolean          is_dry;
  WelkinProgress   *progress;    /* (owned) (nullable) */

  /* while running */
  GHashTable       *dead;        /* (owned) of start-ids */
  GHashTable       *known;       /* (owned) ids of instances that are some machine's, or were */
  GHashTable       *alive;       /* (owned) start-ids of those of them that were listed */
  WkJoin           *join;        /* (owned) (nullable) */
  GPtrArray        *leftovers;   /* (owned) (nullable) */
  guint             next;        /* of them */
  guint             n_doomed;
  guint             n_done;
} Sweep;

/* One that is being removed. */
typedef struct
{
  Sweep *sweep;
  guint  index;
} RemoveCall;

/* What is known of the starts. */

static void
read_info (Sweep *self)
{
  WelkinValue *ended = welkin_info_lookup (self->info, WELKIN_KEY_ENDED_STARTS);
  WelkinValue *kept = welkin_info_lookup (self->info, WELKIN_KEY_KEPT_INSTANCES);
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (self->info);

  for (guint i = 0; ended != NULL && i < welkin_value_get_length (ended); i++)
    g_hash_table_add (self->dead, g_strdup (welkin_value_get_key (ended, i)));
  for (guint i = 0; kept != NULL && i < welkin_value_get_length (kept); i++)
    g_hash_table_add (self->known, g_strdup (welkin_value_get_key (kept, i)));
  for (guint i = 0; i < records->len; i++)
    {
      const char *id = welkin_machine_record_get (g_ptr_array_index (records, i), "instance-id");

      if (id != NULL)
        g_hash_table_add (self->known, g_strdup (id));
    }
}

static void
add_live (Sweep        *self,
          GStrvBuilder *ids,
          const char   *start_id)
{
  if (start_id != NULL && !g_hash_table_contains (self->dead, start_id))
    g_strv_builder_add (ids, start_id);
}

static char **
list_live_start_ids (Sweep *self)
{
  WelkinValue *kept = welkin_info_lookup (self->info, WELKIN_KEY_KEPT_INSTANCES);
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (self->info);
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < records->len; i++)
    add_live (self, ids, welkin_machine_record_get (g_ptr_array_index (records, i), "start-id"));
  for (guint i = 0; kept != NULL && i < welkin_value_get_length (kept); i++)
    add_live (self, ids, welkin_value_get_text (welkin_value_get_item (kept, i)));
  return g_strv_builder_end (ids);
}

static void
begin_list (Sweep              *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  g_auto(GStrv) live = list_live_start_ids (self);

  welkin_progress_set_message (self->progress, _("Looking for what was left behind"));
  welkin_reconciler_list_leftovers_async (self->environment, (const char *const *) live,
                                          cancellable, callback, user_data);
}

/* What is to become of it. */

static gboolean
is_dead (Sweep          *self,
         WelkinLeftover *leftover)
{
  const char *start_id = welkin_leftover_get_start_id (leftover);

  return start_id != NULL && g_hash_table_contains (self->dead, start_id);
}

static gboolean
is_known_server (Sweep          *self,
                 WelkinLeftover *leftover)
{
  return welkin_leftover_get_kind (leftover) == WELKIN_LEFTOVER_SERVER
         && g_hash_table_contains (self->known, welkin_leftover_get_id (leftover));
}

/* A record may know its instance and not the start that made it. */
static void
find_alive (Sweep *self)
{
  for (guint i = 0; i < self->leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (self->leftovers, i);
      const char *start_id = welkin_leftover_get_start_id (leftover);

      if (is_known_server (self, leftover) && start_id != NULL)
        g_hash_table_add (self->alive, g_strdup (start_id));
    }
}

static gboolean
is_needed (Sweep          *self,
           WelkinLeftover *leftover)
{
  const char *start_id = welkin_leftover_get_start_id (leftover);

  return is_known_server (self, leftover)
         || (start_id != NULL && g_hash_table_contains (self->alive, start_id));
}

/* Why it stays, or NULL. Whoever has a copy of the info may be starting a machine elsewhere: what
 * is young may be in use soon. */
static const char *
find_reason_to_keep (Sweep          *self,
                     WelkinLeftover *leftover)
{
  gint64 age = welkin_leftover_get_age (leftover);

  if (!welkin_leftover_is_marked (leftover))
    return _("without the mark of the environment it is never removed");
  if (is_dead (self, leftover) || self->min_age == 0)
    return NULL;
  if (age < 0)
    return _("its age is not known: --older-than 0 removes it");
  if (age < self->min_age)
    return _("it is young and may belong to a start that is under way elsewhere");
  return NULL;
}

static void
judge (Sweep *self)
{
  find_alive (self);
  for (guint i = self->leftovers->len; i > 0; i--)
    {
      WelkinLeftover *leftover = g_ptr_array_index (self->leftovers, i - 1);
      const char *reason;

      if (is_needed (self, leftover) || (self->min_age < 0 && !is_dead (self, leftover)))
        {
          g_ptr_array_remove_index (self->leftovers, i - 1);
          continue;
        }
      reason = find_reason_to_keep (self, leftover);
      if (reason == NULL)
        {
          self->n_doomed++;
          continue;
        }
      self->leftovers->pdata[i - 1] =
        welkin_leftover_with_state (leftover, WELKIN_LEFTOVER_KEPT, reason);
      welkin_leftover_unref (leftover);
    }
}

/* Removing it. */

static void
removed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autofree RemoveCall *call = user_data;
  Sweep *self = call->sweep;
  WelkinLeftover *leftover = g_ptr_array_index (self->leftovers, call->index);
  g_autoptr(GError) error = NULL;
  gboolean is_removed =
    welkin_reconciler_remove_leftover_finish (WELKIN_RECONCILER (source), result, &error);

  self->leftovers->pdata[call->index] = welkin_leftover_with_state (
    leftover, is_removed ? WELKIN_LEFTOVER_REMOVED : WELKIN_LEFTOVER_FAILED,
    is_removed ? NULL : error->message);
  welkin_leftover_unref (leftover);
  welkin_progress_set_fraction (self->progress, (double) ++self->n_done / self->n_doomed);
  wk_join_end (self->join, NULL);
}

/* All of the kind that is next. */
static void
begin_kind (Sweep *self)
{
  WelkinLeftoverKind kind =
    welkin_leftover_get_kind (g_ptr_array_index (self->leftovers, self->next));

  for (; self->next < self->leftovers->len; self->next++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (self->leftovers, self->next);
      RemoveCall *call;

      if (welkin_leftover_get_kind (leftover) != kind)
        break;
      if (welkin_leftover_get_state (leftover) != WELKIN_LEFTOVER_FOUND)
        continue;
      call = g_new0 (RemoveCall, 1);
      call->sweep = self;
      call->index = self->next;
      welkin_reconciler_remove_leftover_async (self->environment, leftover,
                                               wk_join_begin (self->join), removed_cb, call);
    }
}

/* Whether all that dead starts left is gone. */
static gboolean
is_clean (Sweep *self)
{
  for (guint i = 0; i < self->leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (self->leftovers, i);

      if (is_dead (self, leftover)
          && welkin_leftover_get_state (leftover) != WELKIN_LEFTOVER_REMOVED)
        return FALSE;
    }
  return TRUE;
}

/* Nothing is left of the dead starts, which are not looked for any more. */
static gboolean
edit_forget (WelkinInfo *info,
             gpointer    user_data,
             GError    **error)
{
  Sweep *self = user_data;
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (info);
  GHashTableIter iter;
  gpointer start_id;

  g_hash_table_iter_init (&iter, self->dead);
  while (g_hash_table_iter_next (&iter, &start_id, NULL))
    {
      welkin_info_set_entry (info, WELKIN_KEY_ENDED_STARTS, start_id, NULL);
      welkin_info_intents_forget (info, start_id);
    }
  for (guint i = 0; i < records->len; i++)
    {
      WelkinMachineRecord *record = g_ptr_array_index (records, i);
      const char *own = welkin_machine_record_get (record, "start-id");

      if (own == NULL || !g_hash_table_contains (self->dead, own))
        continue;
      welkin_machine_record_set (record, "start-id", NULL);
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

static void
sweep_run (WkFlow  *flow,
           gpointer user_data)
{
  Sweep *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_list (self, WK_RESUME (flow)));
  self->leftovers =
    welkin_reconciler_list_leftovers_finish (self->environment, WK_RESULT (flow), &error);
  if (self->leftovers == NULL)
    WK_FAIL (flow, &error, NULL);
  judge (self);

  if (self->n_doomed > 0 && !self->is_dry)
    welkin_progress_set_message (self->progress, _("Removing what was left behind"));
  while (self->next < self->leftovers->len && !self->is_dry)
    {
      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_kind (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      wk_join_wait_finish (self->join, WK_RESULT (flow), &error);
      g_clear_pointer (&self->join, wk_join_unref);
      if (error != NULL || wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
    }

  if (!self->is_dry && g_hash_table_size (self->dead) > 0 && is_clean (self))
    {
      WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_forget, self,
                                              WK_RESUME_SHIELDED (flow)));
      if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->leftovers),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
sweep_free (gpointer data)
{
  Sweep *self = data;

  g_clear_pointer (&self->leftovers, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_hash_table_unref (self->alive);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->dead);
  g_clear_object (&self->progress);
  g_object_unref (self->info);
  g_object_unref (self->environment);
  g_free (self);
}

void
welkin_sweep_leftovers_async (WelkinEnviron      *environment,
                              WelkinInfo         *info,
                              const WelkinSweep  *sweep,
                              WelkinProgress     *progress,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Sweep *self;

  if (!WELKIN_IS_RECONCILER (environment))
    {
      g_task_report_new_error (environment, callback, user_data, welkin_sweep_leftovers_async,
                               WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                               _("this provider does not tell what was left behind"));
      return;
    }
  self = g_new0 (Sweep, 1);
  self->environment = WELKIN_RECONCILER (g_object_ref (environment));
  self->info = g_object_ref (info);
  self->min_age = sweep->min_age;
  self->is_dry = sweep->is_dry;
  g_set_object (&self->progress, progress);
  self->dead = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->alive = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; sweep->dead != NULL && sweep->dead[i] != NULL; i++)
    g_hash_table_add (self->dead, g_strdup (sweep->dead[i]));
  read_info (self);
  wk_flow_start (environment, cancellable, callback, user_data, welkin_sweep_leftovers_async,
                 sweep_run, self, sweep_free);
}

GPtrArray *
welkin_sweep_leftovers_finish (WelkinEnviron *environment,
                               GAsyncResult  *result,
                               GError       **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_sweep_leftovers_async, error);
}
