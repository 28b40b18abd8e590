/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/clock.h"

struct _WkClock
{
  grefcount ref_count;
  double    scale; /* seconds of this clock in one of the wall's */
};

WkClock *
wk_clock_new (double scale)
{
  WkClock *clock;

  g_return_val_if_fail (scale > 0.0, NULL);

  clock = g_new0 (WkClock, 1);
  g_ref_count_init (&clock->ref_count);
  clock->scale = scale;
  return clock;
}

WkClock *
wk_clock_new_parsed (const char *text)
{
  double scale = text != NULL ? g_ascii_strtod (text, NULL) : 1.0;

  return wk_clock_new (scale > 0.0 ? scale : 1.0);
}

WkClock *
wk_clock_ref (WkClock *clock)
{
  g_ref_count_inc (&clock->ref_count);
  return clock;
}

void
wk_clock_unref (WkClock *clock)
{
  if (g_ref_count_dec (&clock->ref_count))
    g_free (clock);
}

static double
clock_get_scale (WkClock *clock)
{
  return clock != NULL ? clock->scale : 1.0;
}

double
wk_clock_get_seconds (WkClock *clock)
{
  return (double) g_get_monotonic_time () / G_USEC_PER_SEC * clock_get_scale (clock);
}

guint
wk_clock_get_interval (WkClock *clock,
                       double   seconds)
{
  double interval = seconds * 1000.0 / clock_get_scale (clock);
  guint whole;

  if (!(interval > 0.0)) /* nor is NaN */
    return 0;
  if (interval >= G_MAXUINT)
    return G_MAXUINT;

  /* Rounded up, so that the time is over when the timer says so. */
  whole = (guint) interval;
  return whole < interval ? whole + 1 : whole;
}

static gboolean
sleep_over_cb (gpointer user_data)
{
  GTask *task = user_data;

  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

void
wk_clock_sleep_async (WkClock            *clock,
                      double              seconds,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr(GSource) timer = NULL;
  g_autoptr(GSource) cancelled = NULL;

  g_task_set_source_tag (task, wk_clock_sleep_async);

  timer = g_timeout_source_new (wk_clock_get_interval (clock, seconds));
  if (cancellable != NULL)
    {
      /* A child that is ready wakes its parent, whose callback sees which of the two it was. */
      cancelled = g_cancellable_source_new (cancellable);
      g_source_set_dummy_callback (cancelled);
      g_source_add_child_source (timer, cancelled);
    }
  g_task_attach_source (task, timer, sleep_over_cb);
}

gboolean
wk_clock_sleep_finish (WkClock      *clock,
                       GAsyncResult *result,
                       GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_clock_sleep_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
