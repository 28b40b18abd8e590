/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/gate.h"

#define MANY 10000

typedef struct
{
  WkGate       *gate;        /* (owned) */
  GCancellable *cancellable; /* (owned) */
  GArray       *entered;     /* (owned) of guint: who got in, in order */
  guint         refused;
  gboolean      leaves_at_once;
} Fixture;

typedef struct
{
  Fixture *fixture;
  guint    number;
} Entrant;

static void
set_up (Fixture      *fixture,
        gconstpointer width)
{
  fixture->gate = wk_gate_new (GPOINTER_TO_UINT (width));
  fixture->cancellable = g_cancellable_new ();
  fixture->entered = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
tear_down (Fixture      *fixture,
           gconstpointer width)
{
  g_assert_cmpuint (wk_gate_get_waiting (fixture->gate), ==, 0);
  while (wk_gate_get_in_use (fixture->gate) > 0)
    wk_gate_leave (fixture->gate, WK_GATE_NEUTRAL);
  wk_gate_unref (fixture->gate);
  g_assert_cmpuint (G_OBJECT (fixture->cancellable)->ref_count, ==, 1);
  g_object_unref (fixture->cancellable);
  g_array_unref (fixture->entered);
}

static void
entered_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autofree Entrant *entrant = user_data;
  Fixture *fixture = entrant->fixture;
  g_autoptr(GError) error = NULL;

  if (!wk_gate_enter_finish (fixture->gate, result, &error))
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      fixture->refused++;
      return;
    }

  g_array_append_val (fixture->entered, entrant->number);
  if (fixture->leaves_at_once)
    wk_gate_leave (fixture->gate, WK_GATE_SUCCESS);
}

static void
enter (Fixture      *fixture,
       guint         number,
       GCancellable *cancellable)
{
  Entrant *entrant = g_new0 (Entrant, 1);

  entrant->fixture = fixture;
  entrant->number = number;
  wk_gate_enter_async (fixture->gate, cancellable, entered_cb, entrant);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static void
leave (Fixture      *fixture,
       WkGateOutcome outcome)
{
  wk_gate_leave (fixture->gate, outcome);
  settle ();
}

static void
assert_entered (Fixture *fixture,
                guint    count)
{
  g_assert_cmpuint (fixture->entered->len, ==, count);
}

static void
test_gate_lets_in_as_many_as_it_is_wide (Fixture      *fixture,
                                         gconstpointer width)
{
  for (guint i = 0; i < 5; i++)
    enter (fixture, i, NULL);
  g_assert_cmpuint (wk_gate_get_waiting (fixture->gate), ==, 3);
  settle ();
  assert_entered (fixture, 2);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 2);

  for (guint i = 3; i <= 5; i++)
    {
      leave (fixture, WK_GATE_NEUTRAL);
      assert_entered (fixture, i);
      g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 2);
    }
  g_assert_cmpuint (wk_gate_get_waiting (fixture->gate), ==, 0);
}

static void
test_gate_is_first_come_first_served (Fixture      *fixture,
                                      gconstpointer width)
{
  for (guint i = 0; i < 10; i++)
    enter (fixture, i, i % 2 == 0 ? fixture->cancellable : NULL);
  settle ();

  /* Who comes when a place is just free stands behind those who wait. */
  wk_gate_leave (fixture->gate, WK_GATE_NEUTRAL);
  enter (fixture, 10, NULL);
  settle ();
  while (wk_gate_get_in_use (fixture->gate) > 0)
    leave (fixture, WK_GATE_NEUTRAL);

  assert_entered (fixture, 11);
  for (guint i = 0; i < 11; i++)
    g_assert_cmpuint (g_array_index (fixture->entered, guint, i), ==, i);
}

static void
test_gate_halves_when_overloaded (Fixture      *fixture,
                                  gconstpointer width)
{
  const guint widths[] = { 4, 2, 1, 1 };

  for (guint i = 0; i < 20; i++)
    enter (fixture, i, NULL);
  settle ();
  assert_entered (fixture, 8);

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      leave (fixture, WK_GATE_OVERLOADED);
      g_assert_cmpuint (wk_gate_get_width (fixture->gate), ==, widths[i]);
    }
  assert_entered (fixture, 8);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 4);

  /* Nobody gets in until those who are in fit. */
  for (guint i = 0; i < 3; i++)
    leave (fixture, WK_GATE_NEUTRAL);
  assert_entered (fixture, 8);
  leave (fixture, WK_GATE_NEUTRAL);
  assert_entered (fixture, 9);

  while (wk_gate_get_in_use (fixture->gate) > 0)
    leave (fixture, WK_GATE_NEUTRAL);
  assert_entered (fixture, 20);
}

static void
test_gate_grows_again_up_to_its_width (Fixture      *fixture,
                                       gconstpointer width)
{
  for (guint i = 0; i < 30; i++)
    enter (fixture, i, NULL);
  settle ();
  for (guint i = 0; i < 8; i++)
    leave (fixture, WK_GATE_OVERLOADED);
  g_assert_cmpuint (wk_gate_get_width (fixture->gate), ==, 1);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 1);

  for (guint i = 2; i <= 10; i++)
    {
      leave (fixture, WK_GATE_SUCCESS);
      g_assert_cmpuint (wk_gate_get_width (fixture->gate), ==, MIN (i, 8));
      g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, MIN (i, 8));
    }
  while (wk_gate_get_in_use (fixture->gate) > 0)
    leave (fixture, WK_GATE_NEUTRAL);
}

static void
test_gate_refuses_who_is_cancelled_before (Fixture      *fixture,
                                           gconstpointer width)
{
  g_cancellable_cancel (fixture->cancellable);
  enter (fixture, 0, fixture->cancellable);
  settle ();

  g_assert_cmpuint (fixture->refused, ==, 1);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 0);
}

static void
test_gate_refuses_who_is_cancelled_in_the_queue (Fixture      *fixture,
                                                 gconstpointer width)
{
  enter (fixture, 0, NULL);
  enter (fixture, 1, fixture->cancellable);
  enter (fixture, 2, NULL);
  enter (fixture, 3, fixture->cancellable);
  settle ();

  g_cancellable_cancel (fixture->cancellable);
  settle ();
  g_assert_cmpuint (fixture->refused, ==, 2);
  g_assert_cmpuint (wk_gate_get_waiting (fixture->gate), ==, 1);

  leave (fixture, WK_GATE_NEUTRAL);
  assert_entered (fixture, 2);
  g_assert_cmpuint (g_array_index (fixture->entered, guint, 1), ==, 2);
}

static void
test_gate_passes_over_who_was_just_cancelled (Fixture      *fixture,
                                              gconstpointer width)
{
  enter (fixture, 0, NULL);
  enter (fixture, 1, fixture->cancellable);
  enter (fixture, 2, NULL);
  settle ();

  g_cancellable_cancel (fixture->cancellable);
  leave (fixture, WK_GATE_NEUTRAL);
  g_assert_cmpuint (fixture->refused, ==, 1);
  assert_entered (fixture, 2);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 1);
}

static void
test_gate_place_outlives_cancellation (Fixture      *fixture,
                                       gconstpointer width)
{
  enter (fixture, 0, fixture->cancellable);
  g_cancellable_cancel (fixture->cancellable);
  settle ();

  g_assert_cmpuint (fixture->refused, ==, 0);
  assert_entered (fixture, 1);
  g_assert_cmpuint (wk_gate_get_in_use (fixture->gate), ==, 1);
}

static void
leave_cb (GCancellable *cancellable,
          gpointer      user_data)
{
  wk_gate_leave (user_data, WK_GATE_NEUTRAL);
}

/* A call that is cancelled may leave the gate within g_cancellable_cancel(). */
static void
test_gate_may_be_left_within_cancel (Fixture      *fixture,
                                     gconstpointer width)
{
  enter (fixture, 0, NULL);
  g_signal_connect (fixture->cancellable, "cancelled", G_CALLBACK (leave_cb), fixture->gate);
  enter (fixture, 1, fixture->cancellable);
  enter (fixture, 2, NULL);
  settle ();

  g_cancellable_cancel (fixture->cancellable);
  settle ();
  g_assert_cmpuint (fixture->refused, ==, 1);
  assert_entered (fixture, 2);
}

static gpointer
cancel_in_thread (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_gate_waiter_may_be_cancelled_by_a_thread (Fixture      *fixture,
                                               gconstpointer width)
{
  GThread *thread;

  enter (fixture, 0, NULL);
  enter (fixture, 1, fixture->cancellable);
  settle ();
  thread = g_thread_new ("cancel", cancel_in_thread, fixture->cancellable);
  while (fixture->refused == 0)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);

  g_assert_cmpuint (wk_gate_get_waiting (fixture->gate), ==, 0);
}

static void
test_gate_outlives_its_owner (Fixture      *fixture,
                              gconstpointer width)
{
  WkGate *gate = wk_gate_ref (fixture->gate);

  fixture->leaves_at_once = TRUE;
  enter (fixture, 0, NULL);
  enter (fixture, 1, NULL);
  wk_gate_unref (fixture->gate);
  settle ();
  fixture->gate = gate;

  assert_entered (fixture, 2);
}

static void
test_gate_is_cheap_for_many (Fixture      *fixture,
                             gconstpointer width)
{
  gint64 begin = g_get_monotonic_time ();

  fixture->leaves_at_once = TRUE;
  for (guint i = 0; i < MANY; i++)
    enter (fixture, i, fixture->cancellable);
  settle ();

  assert_entered (fixture, MANY);
  for (guint i = 0; i < MANY; i++)
    g_assert_cmpuint (g_array_index (fixture->entered, guint, i), ==, i);
  /* It takes some milliseconds, unless it grows with the square of their number. */
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
}

static void
test_gate_cancels_many (Fixture      *fixture,
                        gconstpointer width)
{
  g_autoptr(GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < MANY; i++)
    {
      g_ptr_array_add (cancellables, g_cancellable_new ());
      enter (fixture, i, g_ptr_array_index (cancellables, i));
    }
  settle ();
  for (guint i = 0; i < MANY; i++)
    g_cancellable_cancel (g_ptr_array_index (cancellables, i));
  settle ();

  assert_entered (fixture, GPOINTER_TO_UINT (width));
  g_assert_cmpuint (fixture->refused, ==, MANY - GPOINTER_TO_UINT (width));
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
}

static void
add (const char *path,
     guint       width,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, GUINT_TO_POINTER (width), set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/gate/lets-in-as-many-as-it-is-wide", 2, test_gate_lets_in_as_many_as_it_is_wide);
  add ("/gate/is-first-come-first-served", 3, test_gate_is_first_come_first_served);
  add ("/gate/halves-when-overloaded", 8, test_gate_halves_when_overloaded);
  add ("/gate/grows-again-up-to-its-width", 8, test_gate_grows_again_up_to_its_width);
  add ("/gate/refuses-who-is-cancelled-before", 1, test_gate_refuses_who_is_cancelled_before);
  add ("/gate/refuses-who-is-cancelled-in-the-queue", 1,
       test_gate_refuses_who_is_cancelled_in_the_queue);
  add ("/gate/passes-over-who-was-just-cancelled", 1,
       test_gate_passes_over_who_was_just_cancelled);
  add ("/gate/place-outlives-cancellation", 1, test_gate_place_outlives_cancellation);
  add ("/gate/may-be-left-within-cancel", 1, test_gate_may_be_left_within_cancel);
  add ("/gate/waiter-may-be-cancelled-by-a-thread", 1,
       test_gate_waiter_may_be_cancelled_by_a_thread);
  add ("/gate/outlives-its-owner", 1, test_gate_outlives_its_owner);
  add ("/gate/is-cheap-for-many", 32, test_gate_is_cheap_for_many);
  add ("/gate/cancels-many", 32, test_gate_cancels_many);

  return g_test_run ();
}
