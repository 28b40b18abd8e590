/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/gate.h"

struct _WkGate
{
  grefcount ref_count; /* each place and each waiter holds one, too */
  guint     max_width;
  guint     width;
  guint     in_use;
  GQueue    waiters;   /* of Waiter, the first to come at the head */
  GSource  *granter;   /* (owned) (nullable) ready when places are free for waiters */
  GSource  *sweeper;   /* (owned) (nullable) ready when a waiter was cancelled */
};

typedef struct
{
  GTask *task;          /* (owned) */
  gulong cancelled_id;  /* 0: it cannot be cancelled */
} Waiter;

static void
waiter_free (Waiter *waiter)
{
  /* Not g_cancellable_disconnect(), which waits for ever below g_cancellable_cancel(): what the
   * signal's handler touches is its own reference to the sweeper. */
  g_clear_signal_handler (&waiter->cancelled_id, g_task_get_cancellable (waiter->task));
  g_object_unref (waiter->task);
  g_free (waiter);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Waiter, waiter_free)

WkGate *
wk_gate_new (guint width)
{
  WkGate *gate;

  g_return_val_if_fail (width > 0, NULL);

  gate = g_new0 (WkGate, 1);
  g_ref_count_init (&gate->ref_count);
  gate->max_width = width;
  gate->width = width;
  g_queue_init (&gate->waiters);
  return gate;
}

WkGate *
wk_gate_ref (WkGate *gate)
{
  g_ref_count_inc (&gate->ref_count);
  return gate;
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;

  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

void
wk_gate_unref (WkGate *gate)
{
  if (!g_ref_count_dec (&gate->ref_count))
    return;

  g_assert (gate->in_use == 0 && g_queue_is_empty (&gate->waiters));
  clear_source (&gate->granter);
  clear_source (&gate->sweeper);
  g_free (gate);
}

guint
wk_gate_get_width (WkGate *gate)
{
  return gate->width;
}

guint
wk_gate_get_in_use (WkGate *gate)
{
  return gate->in_use;
}

guint
wk_gate_get_waiting (WkGate *gate)
{
  return g_queue_get_length (&gate->waiters);
}

static void
gate_grant_place (WkGate *gate,
                  GTask  *task)
{
  wk_gate_ref (gate);
  gate->in_use++;
  g_task_return_boolean (task, TRUE);
}

static gboolean
grant_cb (gpointer user_data)
{
  g_autoptr(WkGate) gate = wk_gate_ref (user_data);

  while (gate->in_use < gate->width && !g_queue_is_empty (&gate->waiters))
    {
      g_autoptr(Waiter) waiter = g_queue_pop_head (&gate->waiters);

      if (!g_task_return_error_if_cancelled (waiter->task))
        gate_grant_place (gate, waiter->task);
    }
  return G_SOURCE_CONTINUE;
}

static gboolean
sweep_cb (gpointer user_data)
{
  g_autoptr(WkGate) gate = wk_gate_ref (user_data);
  GQueue cancelled = G_QUEUE_INIT;
  GList *next;

  /* First all out of the queue: the callbacks may change it. */
  for (GList *link = gate->waiters.head; link != NULL; link = next)
    {
      Waiter *waiter = link->data;

      next = link->next;
      if (g_cancellable_is_cancelled (g_task_get_cancellable (waiter->task)))
        {
          g_queue_unlink (&gate->waiters, link);
          g_queue_push_tail_link (&cancelled, link);
        }
    }

  while (!g_queue_is_empty (&cancelled))
    {
      g_autoptr(Waiter) waiter = g_queue_pop_head (&cancelled);

      g_task_return_error_if_cancelled (waiter->task);
    }
  return G_SOURCE_CONTINUE;
}

static gboolean
queue_source_dispatch (GSource    *source,
                       GSourceFunc callback,
                       gpointer    user_data)
{
  g_source_set_ready_time (source, -1);
  return callback (user_data);
}

static GSource *
queue_source_new (WkGate     *gate,
                  GSourceFunc callback)
{
  static const GSourceFuncs funcs = { .dispatch = queue_source_dispatch };
  GSource *source = g_source_new ((GSourceFuncs *) &funcs, sizeof (GSource));

  g_source_set_callback (source, callback, gate, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

/* Two sources for the whole queue: the main loop looks at each source in each of its turns, so
 * ten thousand waiters with a source each would cost more than what they wait for. And nobody's
 * callback runs on top of somebody else who leaves or cancels. */
static void
gate_ensure_sources (WkGate *gate)
{
  if (gate->granter != NULL)
    return;

  gate->granter = queue_source_new (gate, grant_cb);
  gate->sweeper = queue_source_new (gate, sweep_cb);
}

static void
waiter_cancelled_cb (GCancellable *cancellable,
                     gpointer      sweeper)
{
  g_source_set_ready_time (sweeper, 0);
}

void
wk_gate_enter_async (WkGate             *gate,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Waiter *waiter;

  g_task_set_source_tag (task, wk_gate_enter_async);
  g_task_set_task_data (task, wk_gate_ref (gate), (GDestroyNotify) wk_gate_unref);
  /* A place that was granted is not taken back by a cancellation that comes later. */
  g_task_set_check_cancellable (task, FALSE);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (gate->in_use < gate->width && g_queue_is_empty (&gate->waiters))
    {
      gate_grant_place (gate, task);
      return;
    }

  gate_ensure_sources (gate);
  waiter = g_new0 (Waiter, 1);
  waiter->task = g_steal_pointer (&task);
  if (cancellable != NULL)
    waiter->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (waiter_cancelled_cb),
                                                  g_source_ref (gate->sweeper),
                                                  (GDestroyNotify) g_source_unref);
  g_queue_push_tail (&gate->waiters, waiter);
}

gboolean
wk_gate_enter_finish (WkGate       *gate,
                      GAsyncResult *result,
                      GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_gate_enter_async), FALSE);
  g_return_val_if_fail (g_task_get_task_data (G_TASK (result)) == gate, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
wk_gate_leave (WkGate       *gate,
               WkGateOutcome outcome)
{
  g_return_if_fail (gate->in_use > 0);

  gate->in_use--;
  if (outcome == WK_GATE_OVERLOADED)
    gate->width = MAX (gate->width / 2, 1);
  else if (outcome == WK_GATE_SUCCESS)
    gate->width = MIN (gate->width + 1, gate->max_width);

  if (!g_queue_is_empty (&gate->waiters))
    g_source_set_ready_time (gate->granter, 0);
  wk_gate_unref (gate);
}
