/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/attempt.h"

const WkAttemptStrategy wk_attempt_short = { .total = 15.0, .delay = 0.2 };
const WkAttemptStrategy wk_attempt_long = { .total = 180.0, .delay = 1.0 };
const WkAttemptStrategy wk_attempt_storage = { .total = 10.0, .delay = 0.2 };

void
wk_attempt_init (WkAttempt               *attempt,
                 const WkAttemptStrategy *strategy,
                 WkClock                 *clock)
{
  attempt->strategy = *strategy;
  attempt->clock = clock != NULL ? wk_clock_ref (clock) : NULL;
  attempt->begin = wk_clock_get_seconds (clock);
  attempt->last = attempt->begin;
  attempt->delay = strategy->delay;
  attempt->tries = 1;
}

void
wk_attempt_clear (WkAttempt *attempt)
{
  g_clear_pointer (&attempt->clock, wk_clock_unref);
}

void
wk_attempt_next_async (WkAttempt          *attempt,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  double now = wk_clock_get_seconds (attempt->clock);
  double seconds = MAX (attempt->last + attempt->delay - now, 0.0);

  if (now + seconds >= attempt->begin + attempt->strategy.total &&
      attempt->tries >= attempt->strategy.min_tries)
    {
      g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

      g_task_set_source_tag (task, wk_attempt_next_async);
      g_task_return_boolean (task, FALSE);
      return;
    }

  wk_clock_sleep_async (attempt->clock, seconds, cancellable, callback, user_data);
}

gboolean
wk_attempt_next_finish (WkAttempt    *attempt,
                        GAsyncResult *result,
                        GError      **error)
{
  const WkAttemptStrategy *strategy = &attempt->strategy;

  if (g_async_result_is_tagged (result, wk_attempt_next_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  if (!wk_clock_sleep_finish (attempt->clock, result, error))
    return FALSE;

  attempt->tries++;
  attempt->last = wk_clock_get_seconds (attempt->clock);
  if (strategy->growth > 0.0)
    attempt->delay *= strategy->growth;
  if (strategy->max_delay > 0.0)
    attempt->delay = MIN (attempt->delay, strategy->max_delay);
  return TRUE;
}
