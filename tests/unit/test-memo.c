/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/memo.h"

/* Owns the memo and loads "KEY #N", N counting its loads. Each load is open until the test ends
 * it, so that nothing depends on time. */
typedef struct
{
  WkMemo       *memo;        /* (owned) */
  GPtrArray    *loads;       /* (owned) of GTask: those that are open */
  guint         started;
  gboolean      ends_at_once;
  GCancellable *cancellable; /* (owned) */
} Fixture;

typedef struct
{
  Fixture *fixture;
  gboolean is_done;
  char    *value; /* (owned) (nullable) */
  GError  *error; /* (owned) (nullable) */
} Answer;

static void
load_async (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  Fixture *fixture = owner;
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, g_strdup_printf ("%s #%u", key, ++fixture->started), g_free);
  if (fixture->ends_at_once)
    callback (NULL, G_ASYNC_RESULT (task), user_data);
  else
    g_ptr_array_add (fixture->loads, g_steal_pointer (&task));
}

static gpointer
load_finish (gpointer      owner,
             GAsyncResult *result,
             GError      **error)
{
  Fixture *fixture = owner;

  g_assert_nonnull (fixture->memo);
  if (fixture->ends_at_once)
    return g_strdup (g_task_get_task_data (G_TASK (result)));

  return g_task_propagate_pointer (G_TASK (result), error);
}

static gpointer
copy_value (gpointer value)
{
  return g_strdup (value);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static void
set_up (Fixture      *fixture,
        gconstpointer seconds)
{
  fixture->memo = wk_memo_new (fixture, GPOINTER_TO_INT (seconds) / 1000.0, load_async,
                               load_finish, copy_value, g_free);
  fixture->loads = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture      *fixture,
           gconstpointer seconds)
{
  if (fixture->memo != NULL)
    wk_memo_close (fixture->memo);
  g_clear_pointer (&fixture->memo, wk_memo_unref);
  g_assert_cmpuint (fixture->loads->len, ==, 0);
  g_ptr_array_unref (fixture->loads);
  settle ();
  g_assert_cmpuint (G_OBJECT (fixture->cancellable)->ref_count, ==, 1);
  g_object_unref (fixture->cancellable);
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Answer *answer = user_data;

  g_assert_false (answer->is_done);
  answer->value = wk_memo_get_finish (g_task_get_task_data (G_TASK (result)), result,
                                      &answer->error);
  answer->is_done = TRUE;
}

static Answer *
ask (Fixture      *fixture,
     const char   *key,
     GCancellable *cancellable)
{
  Answer *answer = g_new0 (Answer, 1);

  answer->fixture = fixture;
  wk_memo_get_async (fixture->memo, key, cancellable, answered_cb, answer);
  g_assert_false (answer->is_done);
  settle ();
  return answer;
}

static void
answer_free (Answer *answer)
{
  g_free (answer->value);
  g_clear_error (&answer->error);
  g_free (answer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Answer, answer_free)

static void
assert_value (Answer     *answer,
              const char *value)
{
  g_assert_true (answer->is_done);
  g_assert_no_error (answer->error);
  g_assert_cmpstr (answer->value, ==, value);
}

static void
assert_cancelled (Answer *answer)
{
  g_assert_true (answer->is_done);
  g_assert_error (answer->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (answer->value);
}

/* Ends the oldest open load. */
static void
end_load (Fixture *fixture,
          gboolean succeeds)
{
  g_autoptr(GTask) task = g_ptr_array_steal_index (fixture->loads, 0);

  if (g_task_return_error_if_cancelled (task))
    succeeds = FALSE;
  else if (succeeds)
    g_task_return_pointer (task, g_strdup (g_task_get_task_data (task)), g_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "Broken");
  settle ();
}

static gboolean
first_load_is_cancelled (Fixture *fixture)
{
  return g_cancellable_is_cancelled (
    g_task_get_cancellable (g_ptr_array_index (fixture->loads, 0)));
}

static void
test_memo_loads_once (Fixture      *fixture,
                      gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = NULL;
  g_autofree char *peeked = NULL;

  g_assert_null (wk_memo_peek (fixture->memo, "a"));
  end_load (fixture, TRUE);
  assert_value (first, "a #1");

  second = ask (fixture, "a", NULL);
  assert_value (second, "a #1");
  peeked = wk_memo_peek (fixture->memo, "a");
  g_assert_cmpstr (peeked, ==, "a #1");
  g_assert_cmpuint (fixture->started, ==, 1);
}

static void
test_memo_serves_all_waiters_with_one_load (Fixture      *fixture,
                                            gconstpointer seconds)
{
  g_autoptr(GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify) answer_free);

  for (guint i = 0; i < 50; i++)
    g_ptr_array_add (answers, ask (fixture, "a", i % 2 == 0 ? fixture->cancellable : NULL));
  g_assert_cmpuint (fixture->started, ==, 1);
  end_load (fixture, TRUE);

  for (guint i = 0; i < 50; i++)
    assert_value (g_ptr_array_index (answers, i), "a #1");
}

static void
test_memo_keeps_keys_apart (Fixture      *fixture,
                            gconstpointer seconds)
{
  g_autoptr(Answer) a = ask (fixture, "a", NULL);
  g_autoptr(Answer) b = ask (fixture, "b", NULL);

  g_assert_cmpuint (fixture->started, ==, 2);
  end_load (fixture, TRUE);
  assert_value (a, "a #1");
  g_assert_false (b->is_done);
  end_load (fixture, TRUE);
  assert_value (b, "b #2");
}

static void
test_memo_does_not_keep_failures (Fixture      *fixture,
                                  gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = ask (fixture, "a", NULL);
  g_autoptr(Answer) third = NULL;

  end_load (fixture, FALSE);
  g_assert_error (first->error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_error (second->error, G_IO_ERROR, G_IO_ERROR_BUSY);

  third = ask (fixture, "a", NULL);
  end_load (fixture, TRUE);
  assert_value (third, "a #2");
}

static void
test_memo_waiter_cancelled_before (Fixture      *fixture,
                                   gconstpointer seconds)
{
  g_autoptr(Answer) answer = NULL;

  g_cancellable_cancel (fixture->cancellable);
  answer = ask (fixture, "a", fixture->cancellable);
  assert_cancelled (answer);
  g_assert_cmpuint (fixture->started, ==, 0);
}

static void
test_memo_cancelled_waiter_leaves_the_load_to_others (Fixture      *fixture,
                                                      gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", fixture->cancellable);
  g_autoptr(Answer) second = ask (fixture, "a", NULL);

  g_cancellable_cancel (fixture->cancellable);
  settle ();
  assert_cancelled (first);
  g_assert_false (second->is_done);
  g_assert_false (first_load_is_cancelled (fixture));

  end_load (fixture, TRUE);
  assert_value (second, "a #1");
}

static void
test_memo_last_waiter_cancels_the_load (Fixture      *fixture,
                                        gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", fixture->cancellable);
  g_autoptr(Answer) second = ask (fixture, "a", fixture->cancellable);
  g_autoptr(Answer) third = NULL;

  g_cancellable_cancel (fixture->cancellable);
  settle ();
  assert_cancelled (first);
  assert_cancelled (second);
  g_assert_true (first_load_is_cancelled (fixture));

  /* The next one does not join the load that is dying. */
  third = ask (fixture, "a", NULL);
  g_assert_cmpuint (fixture->started, ==, 2);
  end_load (fixture, FALSE);
  g_assert_false (third->is_done);
  end_load (fixture, TRUE);
  assert_value (third, "a #2");
}

static void
test_memo_value_expires (Fixture      *fixture,
                         gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = NULL;

  end_load (fixture, TRUE);
  g_usleep (GPOINTER_TO_INT (seconds) * 1000 + 1000);
  g_assert_null (wk_memo_peek (fixture->memo, "a"));
  second = ask (fixture, "a", NULL);
  end_load (fixture, TRUE);
  assert_value (first, "a #1");
  assert_value (second, "a #2");
}

static void
test_memo_without_life_shares_only_the_load (Fixture      *fixture,
                                             gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = ask (fixture, "a", NULL);

  end_load (fixture, TRUE);
  assert_value (first, "a #1");
  assert_value (second, "a #1");
  g_assert_null (wk_memo_peek (fixture->memo, "a"));
}

static void
test_memo_invalidate_forgets (Fixture      *fixture,
                              gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = NULL;

  end_load (fixture, TRUE);
  wk_memo_invalidate (fixture->memo, "a");
  wk_memo_invalidate (fixture->memo, "unknown");
  g_assert_null (wk_memo_peek (fixture->memo, "a"));
  second = ask (fixture, "a", NULL);
  end_load (fixture, TRUE);
  assert_value (first, "a #1");
  assert_value (second, "a #2");
}

static void
test_memo_invalidate_during_a_load_starts_another (Fixture      *fixture,
                                                   gconstpointer seconds)
{
  g_autoptr(Answer) first = ask (fixture, "a", NULL);
  g_autoptr(Answer) second = NULL;
  g_autoptr(Answer) third = NULL;

  wk_memo_invalidate (fixture->memo, "a");
  second = ask (fixture, "a", NULL);
  g_assert_cmpuint (fixture->started, ==, 2);

  end_load (fixture, TRUE);
  assert_value (first, "a #1");
  g_assert_false (second->is_done);
  g_assert_null (wk_memo_peek (fixture->memo, "a"));

  end_load (fixture, TRUE);
  assert_value (second, "a #2");
  third = ask (fixture, "a", NULL);
  assert_value (third, "a #2");
}

static void
test_memo_copes_with_loads_that_end_at_once (Fixture      *fixture,
                                             gconstpointer seconds)
{
  g_autoptr(Answer) answer = NULL;

  fixture->ends_at_once = TRUE;
  answer = ask (fixture, "a", NULL);
  assert_value (answer, "a #1");
}

static void
test_memo_close_cancels_loads_and_waiters (Fixture      *fixture,
                                           gconstpointer seconds)
{
  WkMemo *memo = wk_memo_ref (fixture->memo);
  g_autoptr(Answer) first = ask (fixture, "a", fixture->cancellable);
  g_autoptr(Answer) second = ask (fixture, "b", NULL);
  g_autoptr(Answer) third = ask (fixture, "b", NULL);

  wk_memo_close (memo);
  g_clear_pointer (&fixture->memo, wk_memo_unref);
  settle ();
  assert_cancelled (first);
  assert_cancelled (second);
  assert_cancelled (third);
  g_assert_true (first_load_is_cancelled (fixture));

  /* load_finish() would fail: the owner is as good as gone. */
  wk_memo_unref (memo);
  end_load (fixture, TRUE);
  end_load (fixture, TRUE);
}

static void
test_memo_closed_refuses (Fixture      *fixture,
                          gconstpointer seconds)
{
  g_autoptr(Answer) answer = NULL;

  wk_memo_close (fixture->memo);
  wk_memo_close (fixture->memo);
  g_assert_null (wk_memo_peek (fixture->memo, "a"));
  answer = ask (fixture, "a", NULL);
  assert_cancelled (answer);
  g_assert_cmpuint (fixture->started, ==, 0);
}

static void
invalidate_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Answer *answer = user_data;

  answered_cb (source, result, answer);
  wk_memo_invalidate (answer->fixture->memo, "a");
}

static void
test_memo_may_change_in_a_callback (Fixture      *fixture,
                                    gconstpointer seconds)
{
  Answer first = { .fixture = fixture };
  g_autoptr(Answer) second = NULL;

  wk_memo_get_async (fixture->memo, "a", NULL, invalidate_cb, &first);
  second = ask (fixture, "a", NULL);
  end_load (fixture, TRUE);

  assert_value (&first, "a #1");
  assert_value (second, "a #1");
  g_assert_null (wk_memo_peek (fixture->memo, "a"));
  g_free (first.value);
}

static void
add (const char *path,
     int         milliseconds,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, GINT_TO_POINTER (milliseconds), set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/memo/loads-once", -1, test_memo_loads_once);
  add ("/memo/serves-all-waiters-with-one-load", -1, test_memo_serves_all_waiters_with_one_load);
  add ("/memo/keeps-keys-apart", -1, test_memo_keeps_keys_apart);
  add ("/memo/does-not-keep-failures", -1, test_memo_does_not_keep_failures);
  add ("/memo/waiter-cancelled-before", -1, test_memo_waiter_cancelled_before);
  add ("/memo/cancelled-waiter-leaves-the-load-to-others", -1,
       test_memo_cancelled_waiter_leaves_the_load_to_others);
  add ("/memo/last-waiter-cancels-the-load", -1, test_memo_last_waiter_cancels_the_load);
  add ("/memo/value-expires", 20, test_memo_value_expires);
  add ("/memo/without-life-shares-only-the-load", 0, test_memo_without_life_shares_only_the_load);
  add ("/memo/invalidate-forgets", -1, test_memo_invalidate_forgets);
  add ("/memo/invalidate-during-a-load-starts-another", -1,
       test_memo_invalidate_during_a_load_starts_another);
  add ("/memo/copes-with-loads-that-end-at-once", -1,
       test_memo_copes_with_loads_that_end_at_once);
  add ("/memo/close-cancels-loads-and-waiters", -1, test_memo_close_cancels_loads_and_waiters);
  add ("/memo/closed-refuses", -1, test_memo_closed_refuses);
  add ("/memo/may-change-in-a-callback", -1, test_memo_may_change_in_a_callback);

  return g_test_run ();
}
