/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>

#include "base/clock.h"
#include "result.h"

static GAsyncResult *
sleep_and_wait (WkClock      *clock,
                double        seconds,
                GCancellable *cancellable)
{
  GAsyncResult *result = NULL;

  wk_clock_sleep_async (clock, seconds, cancellable, result_cb, &result);
  return result_wait (&result);
}

static void
test_clock_null_is_the_wall (void)
{
  double before = (double) g_get_monotonic_time () / G_USEC_PER_SEC;
  double seconds = wk_clock_get_seconds (NULL);

  g_assert_cmpfloat (seconds, >=, before);
  g_assert_cmpfloat (seconds, <, before + 10.0);
  g_assert_cmpuint (wk_clock_get_interval (NULL, 1.5), ==, 1500);
}

static void
test_clock_scale_shortens_intervals (void)
{
  g_autoptr(WkClock) clock = wk_clock_new (1000.0);

  g_assert_cmpuint (wk_clock_get_interval (clock, 60.0), ==, 60);
  /* Never early: a part of a millisecond is a whole one. */
  g_assert_cmpuint (wk_clock_get_interval (clock, 0.2), ==, 1);
}

static void
test_clock_copes_with_odd_intervals (void)
{
  g_assert_cmpuint (wk_clock_get_interval (NULL, 0.0), ==, 0);
  g_assert_cmpuint (wk_clock_get_interval (NULL, -3.0), ==, 0);
  g_assert_cmpuint (wk_clock_get_interval (NULL, NAN), ==, 0);
  g_assert_cmpuint (wk_clock_get_interval (NULL, -INFINITY), ==, 0);
  g_assert_cmpuint (wk_clock_get_interval (NULL, INFINITY), ==, G_MAXUINT);
  g_assert_cmpuint (wk_clock_get_interval (NULL, 1e300), ==, G_MAXUINT);
}

static void
test_clock_sleeps_at_least_as_long (void)
{
  g_autoptr(WkClock) clock = wk_clock_new (600.0);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  double before = wk_clock_get_seconds (clock);
  gint64 wall = g_get_monotonic_time ();

  result = sleep_and_wait (clock, 30.0, NULL);
  g_assert_true (wk_clock_sleep_finish (clock, result, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (wk_clock_get_seconds (clock) - before, >=, 30.0);
  g_assert_cmpint (g_get_monotonic_time () - wall, >=, 50 * 1000);
  g_assert_cmpint (g_get_monotonic_time () - wall, <, 10 * G_USEC_PER_SEC);
}

static void
test_clock_sleep_cancelled_before (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  result = sleep_and_wait (NULL, 3600.0, cancellable);
  g_assert_false (wk_clock_sleep_finish (NULL, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

static void
test_clock_sleep_cancelled_during (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_timeout_add (5, cancel_cb, cancellable);
  result = sleep_and_wait (NULL, 3600.0, cancellable);
  g_assert_false (wk_clock_sleep_finish (NULL, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_clock_sleep_leaves_the_cancellable_alone (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = sleep_and_wait (NULL, 0.0, cancellable);

  g_cancellable_cancel (cancellable);
  g_assert_true (G_IS_TASK (result));
  g_clear_object (&result);
  g_assert_cmpuint (G_OBJECT (cancellable)->ref_count, ==, 1);
}

static void
test_clock_takes_what_is_no_scale_for_one (void)
{
  static const struct
  {
    const char *text;
    guint       interval; /* of ten seconds */
  } rows[] = { { "100", 100 }, { "0.5", 20000 }, { "0", 10000 }, { "-3", 10000 }, { "", 10000 },
               { "fast", 10000 }, { "nan", 10000 }, { NULL, 10000 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr(WkClock) clock = wk_clock_new_parsed (rows[i].text);

      g_assert_cmpuint (wk_clock_get_interval (clock, 10.0), ==, rows[i].interval);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/clock/null-is-the-wall", test_clock_null_is_the_wall);
  g_test_add_func ("/clock/scale-shortens-intervals", test_clock_scale_shortens_intervals);
  g_test_add_func ("/clock/takes-what-is-no-scale-for-one",
                   test_clock_takes_what_is_no_scale_for_one);
  g_test_add_func ("/clock/copes-with-odd-intervals", test_clock_copes_with_odd_intervals);
  g_test_add_func ("/clock/sleeps-at-least-as-long", test_clock_sleeps_at_least_as_long);
  g_test_add_func ("/clock/sleep-cancelled-before", test_clock_sleep_cancelled_before);
  g_test_add_func ("/clock/sleep-cancelled-during", test_clock_sleep_cancelled_during);
  g_test_add_func ("/clock/sleep-leaves-the-cancellable-alone",
                   test_clock_sleep_leaves_the_cancellable_alone);

  return g_test_run ();
}
