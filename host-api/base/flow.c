/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"

/* How long undoing may take after a failure, unless the operation says otherwise. */
#define UNDO_SECONDS 120.0

struct _WkFlow
{
  /* inputs */
  GTask         *task;       /* (owned) until the flow has returned */
  WkFlowRun      run;
  gpointer       self;       /* (owned), freed with free_self */
  GDestroyNotify free_self;  /* (nullable) */
  double         undo_seconds;

  /* while running */
  int            line;       /* where run() goes on; 0 at the start */
  gboolean       is_waiting; /* between WK_AWAIT and its resumption */
  GAsyncResult  *result;     /* (owned) (nullable) what the last wait came to */
  WkUndo        *undo;       /* (owned) (nullable) */
  GError        *error;      /* (owned) (nullable) why the flow fails, while it undoes */
};

static void
flow_free (WkFlow *flow)
{
  if (flow->free_self != NULL)
    flow->free_self (flow->self);
  g_clear_object (&flow->result);
  g_clear_pointer (&flow->undo, wk_undo_unref);
  g_clear_error (&flow->error);
  g_free (flow);
}

/* Takes the task out of the flow and frees the flow. The operation's struct goes first,
 * so that nothing it owned is still alive when the caller's callback runs. */
static GTask *
flow_close (WkFlow *flow)
{
  GTask *task = g_steal_pointer (&flow->task);

  g_assert (!flow->is_waiting);
  flow_free (flow);
  return task;
}

static void
flow_run (WkFlow *flow)
{
  flow->run (flow, flow->self);
}

void
wk_flow_start (gpointer            source_object,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data,
               gpointer            source_tag,
               WkFlowRun           run,
               gpointer            self,
               GDestroyNotify      free_self)
{
  WkFlow *flow = g_new0 (WkFlow, 1);

  flow->task = g_task_new (source_object, cancellable, callback, user_data);
  g_task_set_source_tag (flow->task, source_tag);
  /* A success is never lost: the flow itself asks about cancellation, where it can undo. */
  g_task_set_check_cancellable (flow->task, FALSE);
  flow->run = run;
  flow->self = self;
  flow->free_self = free_self;
  flow->undo_seconds = UNDO_SECONDS;

  flow_run (flow);
}

gpointer
wk_flow_finish_pointer (GAsyncResult *result,
                        gpointer      source_object,
                        gpointer      source_tag,
                        GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source_object), NULL);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) == source_tag, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
wk_flow_finish_boolean (GAsyncResult *result,
                        gpointer      source_object,
                        gpointer      source_tag,
                        GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source_object), FALSE);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) == source_tag, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

GCancellable *
wk_flow_get_cancellable (WkFlow *flow)
{
  return g_task_get_cancellable (flow->task);
}

gpointer
wk_flow_get_source (WkFlow *flow)
{
  return g_task_get_source_object (flow->task);
}

WkUndo *
wk_flow_get_undo (WkFlow *flow)
{
  if (flow->undo == NULL)
    flow->undo = wk_undo_new ();
  return flow->undo;
}

void
wk_flow_set_undo_seconds (WkFlow *flow,
                          double  seconds)
{
  flow->undo_seconds = seconds;
}

gboolean
wk_flow_is_cancelled (WkFlow  *flow,
                      GError **error)
{
  return g_cancellable_set_error_if_cancelled (wk_flow_get_cancellable (flow), error);
}

void
wk_flow_return_pointer (WkFlow        *flow,
                        gpointer       value,
                        GDestroyNotify destroy)
{
  g_autoptr(GTask) task = flow_close (flow);

  g_task_return_pointer (task, value, destroy);
}

void
wk_flow_return_boolean (WkFlow  *flow,
                        gboolean value)
{
  g_autoptr(GTask) task = flow_close (flow);

  g_task_return_boolean (task, value);
}

static void
flow_return_error (WkFlow *flow)
{
  GError *error = g_steal_pointer (&flow->error);
  g_autoptr(GTask) task = flow_close (flow);

  g_task_return_error (task, error);
}

static void
undone_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  WkFlow *flow = user_data;

  wk_undo_run_finish (flow->undo, result, &flow->error);
  flow_return_error (flow);
}

void
wk_flow_fail (WkFlow     *flow,
              GError    **error,
              const char *context)
{
  g_return_if_fail (error != NULL && *error != NULL);

  g_propagate_error (&flow->error, g_steal_pointer (error));
  if (context != NULL)
    g_prefix_error (&flow->error, "%s: ", context);

  if (flow->undo == NULL || wk_undo_is_empty (flow->undo))
    flow_return_error (flow);
  else
    wk_undo_run_async (flow->undo, flow->undo_seconds, undone_cb, flow);
}

int
wk_flow_get_line (WkFlow *flow)
{
  return flow->line;
}

void
wk_flow_suspend (WkFlow *flow,
                 int     line)
{
  g_assert (!flow->is_waiting);

  flow->line = line;
  flow->is_waiting = TRUE;
  g_clear_object (&flow->result);
}

GAsyncResult *
wk_flow_get_result (WkFlow *flow)
{
  return flow->result;
}

void
wk_flow_resume_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  WkFlow *flow = user_data;

  g_assert (flow->is_waiting);

  flow->is_waiting = FALSE;
  flow->result = g_object_ref (result);
  flow_run (flow);
}
