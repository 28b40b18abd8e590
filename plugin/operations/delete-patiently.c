/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/delete-patiently.h"

#include "base/flow.h"

typedef struct
{
  const OsDeleter *deleter;
  gpointer         target;  /* (owned) a GObject */
  char            *id;      /* (owned) */
  WkAttempt        attempt;
  GError          *refusal; /* (owned) (nullable) what stood in the way the last time */
} Delete;

static void
delete_run (WkFlow  *flow,
            gpointer user_data)
{
  Delete *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      WK_AWAIT (flow, self->deleter->delete_async (self->target, self->id, WK_RESUME (flow)));
      if (self->deleter->delete_finish (self->target, WK_RESULT (flow), &error))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
      if (!self->deleter->is_busy (error))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
  if (error == NULL)
    error = g_steal_pointer (&self->refusal);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static void
delete_free (gpointer user_data)
{
  Delete *self = user_data;

  g_clear_error (&self->refusal);
  wk_attempt_clear (&self->attempt);
  g_free (self->id);
  g_object_unref (self->target);
  g_free (self);
}

void
os_delete_patiently_async (const OsDeleter    *deleter,
                           gpointer            target,
                           const char         *id,
                           WkClock            *clock,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Delete *self = g_new0 (Delete, 1);

  self->deleter = deleter;
  self->target = g_object_ref (target);
  self->id = g_strdup (id);
  wk_attempt_init (&self->attempt, &deleter->strategy, clock);
  wk_flow_start (target, cancellable, callback, user_data, os_delete_patiently_async, delete_run,
                 self, delete_free);
}

gboolean
os_delete_patiently_finish (gpointer      target,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_boolean (result, target, os_delete_patiently_async, error);
}
