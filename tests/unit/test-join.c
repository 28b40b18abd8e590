/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/clock.h"
#include "base/join.h"

typedef struct
{
  GCancellable *cancellable; /* (owned) the caller's */
  WkJoin       *join;        /* (owned) */
  guint         ended;
  guint         cancelled;
  gboolean      is_done;
  gboolean      has_succeeded;
  GError       *error;       /* (owned) (nullable) */
} Fixture;

typedef struct
{
  Fixture    *fixture;
  const char *failure; /* (nullable) what the call fails with, once it has slept */
} Call;

static void
set_up (Fixture      *fixture,
        gconstpointer mode)
{
  fixture->cancellable = g_cancellable_new ();
  fixture->join = wk_join_new (GPOINTER_TO_INT (mode), fixture->cancellable);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer mode)
{
  g_clear_pointer (&fixture->join, wk_join_unref);
  g_assert_cmpuint (G_OBJECT (fixture->cancellable)->ref_count, ==, 1);
  g_object_unref (fixture->cancellable);
  g_clear_error (&fixture->error);
}

static void
slept_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autofree Call *call = user_data;
  Fixture *fixture = call->fixture;
  GError *error = NULL;

  fixture->ended++;
  if (!wk_clock_sleep_finish (NULL, result, &error))
    fixture->cancelled++;
  else if (call->failure != NULL)
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, call->failure);
  wk_join_end (fixture->join, error);
}

static void
start (Fixture    *fixture,
       double      seconds,
       const char *failure)
{
  Call *call = g_new0 (Call, 1);

  call->fixture = fixture;
  call->failure = failure;
  wk_clock_sleep_async (NULL, seconds, wk_join_begin (fixture->join), slept_cb, call);
}

static void
joined_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Fixture *fixture = user_data;

  fixture->has_succeeded = wk_join_wait_finish (fixture->join, result, &fixture->error);
  fixture->is_done = TRUE;
}

static void
wait (Fixture *fixture)
{
  wk_join_wait_async (fixture->join, joined_cb, fixture);
  g_assert_false (fixture->is_done);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_join_of_no_calls_succeeds (Fixture      *fixture,
                                gconstpointer mode)
{
  wait (fixture);
  g_assert_true (fixture->has_succeeded);
  g_assert_no_error (fixture->error);
}

static void
test_join_waits_for_all (Fixture      *fixture,
                         gconstpointer mode)
{
  for (guint i = 0; i < 20; i++)
    start (fixture, i / 1000.0, NULL);
  wait (fixture);

  g_assert_true (fixture->has_succeeded);
  g_assert_no_error (fixture->error);
  g_assert_cmpuint (fixture->ended, ==, 20);
}

static void
test_join_may_wait_when_all_have_ended (Fixture      *fixture,
                                        gconstpointer mode)
{
  start (fixture, 0.0, NULL);
  start (fixture, 0.0, "Broken");
  while (fixture->ended < 2)
    g_main_context_iteration (NULL, TRUE);
  wait (fixture);

  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
}

static void
test_join_first_error_cancels_the_others (Fixture      *fixture,
                                          gconstpointer mode)
{
  start (fixture, 3600.0, NULL);
  start (fixture, 0.01, "Broken");
  start (fixture, 3600.0, "Never said");
  wait (fixture);

  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (fixture->error->message, ==, "Broken");
  g_assert_cmpuint (fixture->ended, ==, 3);
  g_assert_cmpuint (fixture->cancelled, ==, 2);
  g_assert_false (g_cancellable_is_cancelled (fixture->cancellable));
}

static void
test_join_error_while_starting_cancels_what_follows (Fixture      *fixture,
                                                     gconstpointer mode)
{
  wk_join_begin (fixture->join);
  wk_join_end (fixture->join, g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "At once"));
  start (fixture, 3600.0, NULL);
  wait (fixture);

  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpuint (fixture->cancelled, ==, 1);
}

static void
test_join_collects_all (Fixture      *fixture,
                        gconstpointer mode)
{
  start (fixture, 0.03, NULL);
  start (fixture, 0.01, "First");
  start (fixture, 0.02, "Second");
  wait (fixture);

  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (fixture->error->message, ==, "First (2 of 3 failed)");
  g_assert_cmpuint (fixture->ended, ==, 3);
  g_assert_cmpuint (fixture->cancelled, ==, 0);
}

static void
test_join_of_one_does_not_count (Fixture      *fixture,
                                 gconstpointer mode)
{
  start (fixture, 0.0, "Only");
  wait (fixture);

  g_assert_cmpstr (fixture->error->message, ==, "Only");
}

static void
test_join_cancelled_before (Fixture      *fixture,
                            gconstpointer mode)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  wk_join_unref (fixture->join);
  fixture->join = wk_join_new (GPOINTER_TO_INT (mode), cancellable);
  start (fixture, 3600.0, NULL);
  wait (fixture);

  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->cancelled, ==, 1);
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

static void
test_join_cancelled_during (Fixture      *fixture,
                            gconstpointer mode)
{
  start (fixture, 3600.0, NULL);
  start (fixture, 0.0, NULL);
  start (fixture, 3600.0, NULL);
  g_timeout_add (10, cancel_cb, fixture->cancellable);
  wait (fixture);

  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->ended, ==, 3);
  g_assert_cmpuint (fixture->cancelled, ==, 2);
}

static void
test_join_success_outlives_cancellation (Fixture      *fixture,
                                         gconstpointer mode)
{
  wk_join_begin (fixture->join);
  wk_join_end (fixture->join, NULL);
  g_cancellable_cancel (fixture->cancellable);
  wait (fixture);

  g_assert_true (fixture->has_succeeded);
  g_assert_no_error (fixture->error);
}

static void
ended_at_once_cb (GCancellable *cancellable,
                  gpointer      user_data)
{
  Fixture *fixture = user_data;

  wk_join_end (fixture->join, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Stopped"));
}

/* Some calls end within g_cancellable_cancel(). */
static void
test_join_copes_with_calls_that_end_within_cancel (Fixture      *fixture,
                                                   gconstpointer mode)
{
  for (guint i = 0; i < 3; i++)
    g_signal_connect (wk_join_begin (fixture->join), "cancelled", G_CALLBACK (ended_at_once_cb),
                      fixture);
  start (fixture, 0.0, "Broken");
  wait (fixture);

  g_assert_cmpstr (fixture->error->message, ==, "Broken");
}

static void
test_join_stops_what_can_only_fail (Fixture      *fixture,
                                    gconstpointer mode)
{
  start (fixture, 1000.0, NULL);
  wk_join_begin (fixture->join);
  start (fixture, 1000.0, NULL);
  wk_join_end (fixture->join, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "Broken"));
  wk_join_cancel (fixture->join);
  wait (fixture);

  g_assert_cmpuint (fixture->cancelled, ==, 2);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (fixture->error->message, ==, "Broken (1 of 3 failed)");
}

static void
joined_and_gone_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  joined_cb (source, result, user_data);
  g_clear_pointer (&((Fixture *) user_data)->join, wk_join_unref);
}

static void
test_join_may_go_in_its_callback (Fixture      *fixture,
                                  gconstpointer mode)
{
  start (fixture, 0.0, NULL);
  start (fixture, 0.0, NULL);
  wk_join_wait_async (fixture->join, joined_and_gone_cb, fixture);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);

  g_assert_true (fixture->has_succeeded);
}

static void
test_join_tells_the_context_of_an_error (Fixture      *fixture,
                                         gconstpointer mode)
{
  wk_join_begin (fixture->join);
  wk_join_end_with_context (fixture->join, NULL, "cannot list ports");
  wk_join_begin (fixture->join);
  wk_join_end_with_context (fixture->join,
                            g_error_new_literal (G_IO_ERROR, G_IO_ERROR_BUSY, "too busy"),
                            "cannot list networks");
  wait (fixture);

  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_cmpstr (fixture->error->message, ==, "cannot list networks: too busy");
}

static void
add (const char *path,
     WkJoinMode  mode,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, GINT_TO_POINTER (mode), set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/join/of-no-calls-succeeds", WK_JOIN_CANCEL_OTHERS, test_join_of_no_calls_succeeds);
  add ("/join/of-no-calls-succeeds/collect", WK_JOIN_COLLECT, test_join_of_no_calls_succeeds);
  add ("/join/waits-for-all", WK_JOIN_CANCEL_OTHERS, test_join_waits_for_all);
  add ("/join/waits-for-all/collect", WK_JOIN_COLLECT, test_join_waits_for_all);
  add ("/join/may-wait-when-all-have-ended", WK_JOIN_CANCEL_OTHERS,
       test_join_may_wait_when_all_have_ended);
  add ("/join/first-error-cancels-the-others", WK_JOIN_CANCEL_OTHERS,
       test_join_first_error_cancels_the_others);
  add ("/join/error-while-starting-cancels-what-follows", WK_JOIN_CANCEL_OTHERS,
       test_join_error_while_starting_cancels_what_follows);
  add ("/join/collects-all", WK_JOIN_COLLECT, test_join_collects_all);
  add ("/join/stops-what-can-only-fail", WK_JOIN_COLLECT, test_join_stops_what_can_only_fail);
  add ("/join/of-one-does-not-count", WK_JOIN_COLLECT, test_join_of_one_does_not_count);
  add ("/join/cancelled-before", WK_JOIN_CANCEL_OTHERS, test_join_cancelled_before);
  add ("/join/cancelled-during", WK_JOIN_CANCEL_OTHERS, test_join_cancelled_during);
  add ("/join/success-outlives-cancellation", WK_JOIN_CANCEL_OTHERS,
       test_join_success_outlives_cancellation);
  add ("/join/copes-with-calls-that-end-within-cancel", WK_JOIN_CANCEL_OTHERS,
       test_join_copes_with_calls_that_end_within_cancel);
  add ("/join/tells-the-context-of-an-error", WK_JOIN_CANCEL_OTHERS,
       test_join_tells_the_context_of_an_error);
  add ("/join/may-go-in-its-callback", WK_JOIN_CANCEL_OTHERS, test_join_may_go_in_its_callback);

  return g_test_run ();
}
