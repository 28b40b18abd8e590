/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/attempt.h"

/* All tests run on a clock whose seconds take 10 ms. */
#define SCALE 100.0

typedef struct
{
  WkClock  *clock; /* (owned) */
  WkAttempt attempt;
  gboolean  is_done;
  gboolean  goes_on;
  GError   *error; /* (owned) (nullable) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->clock = wk_clock_new (SCALE);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  wk_attempt_clear (&fixture->attempt);
  wk_attempt_clear (&fixture->attempt);
  wk_clock_unref (fixture->clock);
  g_clear_error (&fixture->error);
}

static void
next_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Fixture *fixture = user_data;

  fixture->goes_on = wk_attempt_next_finish (&fixture->attempt, result, &fixture->error);
  fixture->is_done = TRUE;
}

static gboolean
next (Fixture      *fixture,
      GCancellable *cancellable)
{
  fixture->is_done = FALSE;
  wk_attempt_next_async (&fixture->attempt, cancellable, next_cb, fixture);
  g_assert_false (fixture->is_done);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);
  return fixture->goes_on;
}

static void
begin (Fixture          *fixture,
       WkAttemptStrategy strategy)
{
  wk_attempt_init (&fixture->attempt, &strategy, fixture->clock);
}

static double
get_elapsed (Fixture *fixture)
{
  return wk_clock_get_seconds (fixture->clock) - fixture->attempt.begin;
}

static void
test_attempt_has_one_try_at_least (Fixture      *fixture,
                                   gconstpointer data)
{
  begin (fixture, (WkAttemptStrategy) { 0 });
  g_assert_cmpuint (fixture->attempt.tries, ==, 1);
  g_assert_false (next (fixture, NULL));
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->attempt.tries, ==, 1);
}

static void
test_attempt_ends_with_its_time (Fixture      *fixture,
                                 gconstpointer data)
{
  guint tries = 1;

  begin (fixture, (WkAttemptStrategy) { .total = 55.0, .delay = 10.0 });
  while (next (fixture, NULL))
    {
      tries++;
      g_assert_cmpfloat (get_elapsed (fixture), >=, (tries - 1) * 10.0);
    }
  g_assert_no_error (fixture->error);
  /* A slow machine has fewer tries, none has more. */
  g_assert_cmpuint (tries, >=, 2);
  g_assert_cmpuint (tries, <=, 6);
  g_assert_cmpuint (fixture->attempt.tries, ==, tries);
}

static void
test_attempt_does_not_wait_past_its_end (Fixture      *fixture,
                                         gconstpointer data)
{
  begin (fixture, (WkAttemptStrategy) { .total = 3600.0, .delay = 7200.0 });
  g_assert_false (next (fixture, NULL));
  g_assert_cmpfloat (get_elapsed (fixture), <, 3600.0);
}

static void
test_attempt_deducts_the_time_of_a_try (Fixture      *fixture,
                                        gconstpointer data)
{
  double before;

  begin (fixture, (WkAttemptStrategy) { .total = 3600000.0, .delay = 600000.0 });
  /* A try that took longer than the delay is followed by the next at once. */
  fixture->attempt.last -= 600001.0;
  before = wk_clock_get_seconds (fixture->clock);
  g_assert_true (next (fixture, NULL));
  g_assert_cmpfloat (wk_clock_get_seconds (fixture->clock) - before, <, 300000.0);

  fixture->attempt.last -= 599990.0;
  before = wk_clock_get_seconds (fixture->clock);
  g_assert_true (next (fixture, NULL));
  g_assert_cmpfloat (wk_clock_get_seconds (fixture->clock) - before, <, 300000.0);
}

static void
test_attempt_min_tries_override_the_time (Fixture      *fixture,
                                          gconstpointer data)
{
  begin (fixture, (WkAttemptStrategy) { .total = 0.0, .delay = 1.0, .min_tries = 3 });
  g_assert_true (next (fixture, NULL));
  g_assert_true (next (fixture, NULL));
  g_assert_false (next (fixture, NULL));
  g_assert_cmpuint (fixture->attempt.tries, ==, 3);
}

static void
test_attempt_delay_grows_up_to_its_limit (Fixture      *fixture,
                                          gconstpointer data)
{
  const WkAttemptStrategy strategy = {
    .total = 300.0, .delay = 1.0, .growth = 5.0 / 3.0, .max_delay = 5.0,
  };
  const double delays[] = { 1.0, 1.667, 2.778, 4.630, 5.0, 5.0 };

  begin (fixture, strategy);
  fixture->attempt.strategy.min_tries = G_MAXUINT;
  for (guint i = 0; i < G_N_ELEMENTS (delays); i++)
    {
      double last = fixture->attempt.last;

      g_assert_cmpfloat_with_epsilon (fixture->attempt.delay, delays[i], 0.001);
      g_assert_true (next (fixture, NULL));
      g_assert_cmpfloat (fixture->attempt.last - last, >=, delays[i] - 0.001);
    }
}

static void
test_attempt_cancelled_before (Fixture      *fixture,
                               gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  begin (fixture, wk_attempt_long);
  g_cancellable_cancel (cancellable);
  g_assert_false (next (fixture, cancellable));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_attempt_cancelled_when_time_is_over (Fixture      *fixture,
                                          gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  begin (fixture, (WkAttemptStrategy) { 0 });
  g_cancellable_cancel (cancellable);
  g_assert_false (next (fixture, cancellable));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

static void
test_attempt_cancelled_during (Fixture      *fixture,
                               gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  begin (fixture, (WkAttemptStrategy) { .total = 1e9, .delay = 1e8 });
  g_timeout_add (5, cancel_cb, cancellable);
  g_assert_false (next (fixture, cancellable));
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->attempt.tries, ==, 1);
}

static void
add (const char *path,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/attempt/has-one-try-at-least", test_attempt_has_one_try_at_least);
  add ("/attempt/ends-with-its-time", test_attempt_ends_with_its_time);
  add ("/attempt/does-not-wait-past-its-end", test_attempt_does_not_wait_past_its_end);
  add ("/attempt/deducts-the-time-of-a-try", test_attempt_deducts_the_time_of_a_try);
  add ("/attempt/min-tries-override-the-time", test_attempt_min_tries_override_the_time);
  add ("/attempt/delay-grows-up-to-its-limit", test_attempt_delay_grows_up_to_its_limit);
  add ("/attempt/cancelled-before", test_attempt_cancelled_before);
  add ("/attempt/cancelled-when-time-is-over", test_attempt_cancelled_when_time_is_over);
  add ("/attempt/cancelled-during", test_attempt_cancelled_during);

  return g_test_run ();
}
