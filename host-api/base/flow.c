/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"

/* How long undoing may take after a failure, unless the operation says otherwise. */
#define UNDO_SECONDS 120.0

typedef enum
{
  FLOW_RUNNING,  /* inside run() */
  FLOW_WAITING,  /* run() is left, or about to be, by WK_AWAIT */
  FLOW_RESUMED,  /* the wait is over */
  FLOW_RETURNED, /* the answer is there */
  FLOW_FAILED,   /* the error is there */
} FlowState;

struct _WkFlow
{
  /* inputs */
  GTask         *task;       /* (owned) */
  WkFlowRun      run;
  gpointer       self;       /* (owned), freed with free_self */
  GDestroyNotify free_self;  /* (nullable) */
  double         undo_seconds;

  /* while running */
  FlowState      state;
  gboolean       is_inside;  /* run() is on the stack */
  int            line;       /* where run() goes on; 0 at the start */
  GAsyncResult  *result;     /* (owned) (nullable) what the last wait came to */
  WkUndo        *undo;       /* (owned) (nullable) */

  /* results */
  gboolean       is_pointer;
  gpointer       value;      /* (owned) a pointer, freed with destroy, or a boolean */
  GDestroyNotify destroy;    /* (nullable) */
  GError        *error;      /* (owned) (nullable) why the flow fails */
};

/* The operation's struct and the flow go first, so that nothing they owned is still alive when
 * the caller's callback runs. */
static void
flow_end (WkFlow *flow)
{
  g_autoptr(GTask) task = g_steal_pointer (&flow->task);
  g_autofree WkFlow *ended = flow;

  if (ended->free_self != NULL)
    ended->free_self (ended->self);
  g_clear_object (&ended->result);
  g_clear_pointer (&ended->undo, wk_undo_unref);

  if (ended->error != NULL)
    g_task_return_error (task, ended->error);
  else if (ended->is_pointer)
    g_task_return_pointer (task, ended->value, ended->destroy);
  else
    g_task_return_boolean (task, GPOINTER_TO_INT (ended->value));
}

static void
undone_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  WkFlow *flow = user_data;

  wk_undo_run_finish (flow->undo, result, &flow->error);
  flow_end (flow);
}

static void
flow_undo (WkFlow *flow)
{
  g_debug ("%s fails behind line %d: %s", g_task_get_name (flow->task), flow->line,
           flow->error->message);

  if (flow->undo == NULL || wk_undo_is_empty (flow->undo))
    flow_end (flow);
  else
    wk_undo_run_async (flow->undo, flow->undo_seconds, undone_cb, flow);
}

/* A flow that neither waits nor has an answer would never be heard of again. */
static void
flow_fail_lost (WkFlow *flow)
{
  g_critical ("%s ended behind line %d without returning or waiting",
              g_task_get_name (flow->task), flow->line);
  flow->error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "%s ended without an answer",
                             g_task_get_name (flow->task));
  flow_undo (flow);
}

static void
flow_run (WkFlow *flow)
{
  flow->is_inside = TRUE;
  do
    {
      flow->state = FLOW_RUNNING;
      flow->run (flow, flow->self);
    }
  while (flow->state == FLOW_RESUMED);
  flow->is_inside = FALSE;

  switch (flow->state)
    {
    case FLOW_WAITING:
      break;
    case FLOW_RETURNED:
      g_debug ("%s returns", g_task_get_name (flow->task));
      flow_end (flow);
      break;
    case FLOW_FAILED:
      flow_undo (flow);
      break;
    case FLOW_RUNNING:
      flow_fail_lost (flow);
      break;
    case FLOW_RESUMED:
    default:
      g_assert_not_reached ();
    }
}

void
wk_flow_start_named (gpointer            source_object,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data,
                     gpointer            source_tag,
                     const char         *name,
                     WkFlowRun           run,
                     gpointer            self,
                     GDestroyNotify      free_self)
{
  WkFlow *flow = g_new0 (WkFlow, 1);

  flow->task = g_task_new (source_object, cancellable, callback, user_data);
  g_task_set_name (flow->task, name);
  g_task_set_source_tag (flow->task, source_tag);
  /* A success is never lost: the flow itself asks about cancellation, where it can undo. */
  g_task_set_check_cancellable (flow->task, FALSE);
  flow->run = run;
  flow->self = self;
  flow->free_self = free_self;
  flow->undo_seconds = UNDO_SECONDS;

  if (wk_flow_is_cancelled (flow, &flow->error))
    flow_end (flow);
  else
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
  g_assert (flow->state == FLOW_RUNNING);

  flow->state = FLOW_RETURNED;
  flow->is_pointer = TRUE;
  flow->value = value;
  flow->destroy = destroy;
}

void
wk_flow_return_boolean (WkFlow  *flow,
                        gboolean value)
{
  g_assert (flow->state == FLOW_RUNNING);

  flow->state = FLOW_RETURNED;
  flow->value = GINT_TO_POINTER (value);
}

void
wk_flow_fail (WkFlow     *flow,
              GError    **error,
              const char *context)
{
  g_return_if_fail (error != NULL && *error != NULL);
  g_assert (flow->state == FLOW_RUNNING);

  flow->state = FLOW_FAILED;
  flow->error = g_steal_pointer (error);
  if (context != NULL)
    g_prefix_error (&flow->error, "%s: ", context);
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
  g_assert (flow->state == FLOW_RUNNING);

  flow->state = FLOW_WAITING;
  flow->line = line;
  g_clear_object (&flow->result);
  g_debug ("%s waits at line %d", g_task_get_name (flow->task), line);
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

  g_assert (flow->state == FLOW_WAITING);

  flow->state = FLOW_RESUMED;
  flow->result = g_object_ref (result);
  /* A call that answers before it returns is taken up by flow_run(), not on top of it. */
  if (!flow->is_inside)
    flow_run (flow);
}
