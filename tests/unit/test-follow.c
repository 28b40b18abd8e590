/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/follow.h"

typedef struct
{
  GCancellable *leader;    /* (owned) */
  GCancellable *follower;  /* (owned) */
  GSource      *following; /* (owned) (nullable) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->leader = g_cancellable_new ();
  fixture->follower = g_cancellable_new ();
}

/* Nothing holds on to either of them. */
static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  wk_unfollow (&fixture->following);
  g_assert_null (fixture->following);
  g_assert_cmpuint (G_OBJECT (fixture->leader)->ref_count, ==, 1);
  g_object_unref (fixture->leader);
  g_assert_cmpuint (G_OBJECT (fixture->follower)->ref_count, ==, 1);
  g_object_unref (fixture->follower);
}

static void
run_loop (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_loop (Fixture      *fixture,
           gconstpointer data)
{
  fixture->following = wk_follow (fixture->follower, fixture->leader);
  run_loop ();
  g_assert_false (g_cancellable_is_cancelled (fixture->follower));

  g_cancellable_cancel (fixture->leader);
  g_assert_false (g_cancellable_is_cancelled (fixture->follower));
  run_loop ();
  g_assert_true (g_cancellable_is_cancelled (fixture->follower));
}

static void
test_end (Fixture      *fixture,
          gconstpointer data)
{
  fixture->following = wk_follow (fixture->follower, fixture->leader);
  g_cancellable_cancel (fixture->leader);
  wk_unfollow (&fixture->following);
  run_loop ();
  g_assert_false (g_cancellable_is_cancelled (fixture->follower));
}

/* As an operation does that is freed by what it waited for. */
static void
end_cb (GCancellable *follower,
        gpointer      user_data)
{
  Fixture *fixture = user_data;

  wk_unfollow (&fixture->following);
}

static void
test_end_within (Fixture      *fixture,
                 gconstpointer data)
{
  g_signal_connect (fixture->follower, "cancelled", G_CALLBACK (end_cb), fixture);
  fixture->following = wk_follow (fixture->follower, fixture->leader);
  g_cancellable_cancel (fixture->leader);
  run_loop ();
  g_assert_null (fixture->following);
}

static void
test_cancelled_already (Fixture      *fixture,
                        gconstpointer data)
{
  g_cancellable_cancel (fixture->leader);
  fixture->following = wk_follow (fixture->follower, fixture->leader);
  g_assert_null (fixture->following);
  g_assert_true (g_cancellable_is_cancelled (fixture->follower));
}

static void
test_no_leader (Fixture      *fixture,
                gconstpointer data)
{
  fixture->following = wk_follow (fixture->follower, NULL);
  g_assert_null (fixture->following);
  g_assert_false (g_cancellable_is_cancelled (fixture->follower));
}

#define add(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/follow/is-cancelled-from-the-main-loop", test_loop);
  add ("/follow/is-not-cancelled-after-the-end", test_end);
  add ("/follow/can-end-while-it-is-cancelled", test_end_within);
  add ("/follow/is-cancelled-at-once-behind-the-leader", test_cancelled_already);
  add ("/follow/needs-no-leader", test_no_leader);
  return g_test_run ();
}
