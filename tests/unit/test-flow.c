/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/clock.h"
#include "base/flow.h"

/* A cloud that makes things and removes them. It keeps a log; "make" stands in it when making
 * begins, "made" and "removed" when something is. */
typedef struct
{
  GObject      *source;       /* (owned) */
  GCancellable *cancellable;  /* (owned) the caller's */
  GString      *log;          /* (owned) */

  /* what happens */
  const char   *fail_at;      /* (nullable) making this fails */
  const char   *cancel_in;    /* (nullable) the caller cancels while this is made */
  const char   *cancel_after; /* (nullable) the caller cancels when this has just been made */
  const char   *keep;         /* (nullable) this cannot be removed */
  const char   *stick;        /* (nullable) removing this takes an hour */
  double        undo_seconds;

  /* results */
  gboolean      is_done;
  gboolean      has_succeeded;
  guint         freed;        /* structs of operations */
  GError       *error;        /* (owned) (nullable) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->source = g_object_new (G_TYPE_OBJECT, NULL);
  fixture->cancellable = g_cancellable_new ();
  fixture->log = g_string_new (NULL);
  fixture->undo_seconds = 30.0;
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (fixture->source->ref_count, ==, 1);
  g_object_unref (fixture->source);
  g_assert_cmpuint (G_OBJECT (fixture->cancellable)->ref_count, ==, 1);
  g_object_unref (fixture->cancellable);
  g_string_free (fixture->log, TRUE);
  g_clear_error (&fixture->error);
}

static void
log_word (Fixture    *fixture,
          const char *word,
          const char *id)
{
  g_string_append_printf (fixture->log, "%s%s %s", fixture->log->len > 0 ? ", " : "", word, id);
}

static Fixture *
get_fixture (gpointer source)
{
  return g_object_get_data (source, "fixture");
}

static void
made_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  const char *id = g_task_get_task_data (task);
  Fixture *fixture = get_fixture (g_task_get_source_object (task));
  GError *error = NULL;

  if (!wk_clock_sleep_finish (NULL, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_strcmp0 (id, fixture->fail_at) == 0)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "No room for %s", id);
      return;
    }

  log_word (fixture, "made", id);
  if (g_strcmp0 (id, fixture->cancel_after) == 0)
    g_cancellable_cancel (fixture->cancellable);
  g_task_return_boolean (task, TRUE);
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

static void
make_async (Fixture            *fixture,
            const char         *id,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  GTask *task = g_task_new (fixture->source, NULL, callback, user_data);

  log_word (fixture, "make", id);
  g_task_set_task_data (task, g_strdup (id), g_free);
  if (g_strcmp0 (id, fixture->cancel_in) == 0)
    g_idle_add (cancel_cb, fixture->cancellable);
  wk_clock_sleep_async (NULL, 0.005, cancellable, made_cb, task);
}

static gboolean
make_finish (Fixture      *fixture,
             GAsyncResult *result,
             GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
removed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  const char *id = g_task_get_task_data (task);
  Fixture *fixture = get_fixture (g_task_get_source_object (task));
  GError *error = NULL;

  if (!wk_clock_sleep_finish (NULL, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_strcmp0 (id, fixture->keep) == 0)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "%s is in use", id);
      return;
    }

  log_word (fixture, "removed", id);
  g_task_return_boolean (task, TRUE);
}

static void
remove_async (gpointer            target,
              const char         *id,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  GTask *task = g_task_new (target, NULL, callback, user_data);
  double seconds = g_strcmp0 (id, get_fixture (target)->stick) == 0 ? 3600.0 : 0.001;

  g_task_set_task_data (task, g_strdup (id), g_free);
  wk_clock_sleep_async (NULL, seconds, cancellable, removed_cb, task);
}

static gboolean
remove_finish (gpointer      target,
               GAsyncResult *result,
               GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The operation under test: makes a port and an address, shielded, and then looks at a server. */
typedef struct
{
  Fixture *fixture;
} Build;

static void
build_free (gpointer data)
{
  Build *self = data;

  self->fixture->freed++;
  g_free (self);
}

static void
push_undo (WkFlow     *flow,
           Build      *self,
           const char *what,
           const char *id)
{
  wk_undo_push (wk_flow_get_undo (flow), what, self->fixture->source, id, remove_async,
                remove_finish);
}

static void
build_run (WkFlow  *flow,
           gpointer user_data)
{
  Build *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  g_assert_true (wk_flow_get_source (flow) == self->fixture->source);
  wk_flow_set_undo_seconds (flow, self->fixture->undo_seconds);

  WK_AWAIT (flow, make_async (self->fixture, "p1", WK_RESUME_SHIELDED (flow)));
  if (!make_finish (self->fixture, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, "Cannot create a port");
  push_undo (flow, self, "port", "p1");
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, make_async (self->fixture, "a1", WK_RESUME_SHIELDED (flow)));
  if (!make_finish (self->fixture, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, "Cannot create an address");
  push_undo (flow, self, "address", "a1");
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, make_async (self->fixture, "s1", WK_RESUME (flow)));
  if (!make_finish (self->fixture, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, "Cannot create a server");

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
built_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  Fixture *fixture = user_data;

  g_assert_true (source == fixture->source);
  g_assert_cmpuint (fixture->freed, ==, 1);
  g_assert_cmpstr (g_task_get_name (G_TASK (result)), ==, "build_run");
  fixture->has_succeeded = wk_flow_finish_boolean (result, source, built_cb, &fixture->error);
  fixture->is_done = TRUE;
}

static void
run_flow (Fixture  *fixture,
          WkFlowRun run)
{
  Build *self = g_new0 (Build, 1);

  self->fixture = fixture;
  g_object_set_data (fixture->source, "fixture", fixture);
  wk_flow_start_named (fixture->source, fixture->cancellable, built_cb, fixture, built_cb,
                       "build_run", run, self, build_free);
  g_assert_false (fixture->is_done);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
build (Fixture *fixture)
{
  run_flow (fixture, build_run);
}

static void
assert_failed (Fixture    *fixture,
               int         code,
               const char *message,
               const char *log)
{
  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, code);
  g_assert_cmpstr (fixture->error->message, ==, message);
  g_assert_cmpstr (fixture->log->str, ==, log);
}

static void
assert_cancelled (Fixture    *fixture,
                  const char *log)
{
  g_assert_false (fixture->has_succeeded);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (fixture->log->str, ==, log);
}

static void
test_flow_succeeds_and_forgets_its_undo (Fixture      *fixture,
                                         gconstpointer data)
{
  build (fixture);

  g_assert_true (fixture->has_succeeded);
  g_assert_no_error (fixture->error);
  g_assert_cmpstr (fixture->log->str, ==,
                   "make p1, made p1, make a1, made a1, make s1, made s1");
}

static void
test_flow_fails_at_its_first_step (Fixture      *fixture,
                                   gconstpointer data)
{
  fixture->fail_at = "p1";
  build (fixture);

  assert_failed (fixture, G_IO_ERROR_BUSY, "Cannot create a port: No room for p1", "make p1");
}

static void
test_flow_failure_undoes_backwards (Fixture      *fixture,
                                    gconstpointer data)
{
  fixture->fail_at = "s1";
  build (fixture);

  assert_failed (fixture, G_IO_ERROR_BUSY, "Cannot create a server: No room for s1",
                 "make p1, made p1, make a1, made a1, make s1, removed a1, removed p1");
}

static void
test_flow_names_what_undo_left_behind (Fixture      *fixture,
                                       gconstpointer data)
{
  fixture->fail_at = "s1";
  fixture->keep = "a1";
  build (fixture);

  assert_failed (fixture, G_IO_ERROR_BUSY,
                 "Cannot create a server: No room for s1; left behind: address a1",
                 "make p1, made p1, make a1, made a1, make s1, removed p1");
}

static void
test_flow_undo_has_a_deadline (Fixture      *fixture,
                               gconstpointer data)
{
  fixture->fail_at = "s1";
  fixture->stick = "a1";
  fixture->undo_seconds = 0.02;
  build (fixture);

  assert_failed (fixture, G_IO_ERROR_BUSY,
                 "Cannot create a server: No room for s1; left behind: address a1, port p1",
                 "make p1, made p1, make a1, made a1, make s1");
}

static void
test_flow_cancelled_before_it_starts_does_nothing (Fixture      *fixture,
                                                   gconstpointer data)
{
  g_cancellable_cancel (fixture->cancellable);
  build (fixture);

  assert_cancelled (fixture, "");
}

static void
test_flow_cancelled_during_a_shielded_step_undoes_it (Fixture      *fixture,
                                                      gconstpointer data)
{
  fixture->cancel_in = "p1";
  build (fixture);

  assert_cancelled (fixture, "make p1, made p1, removed p1");
}

static void
test_flow_cancelled_during_a_later_shielded_step_undoes_all (Fixture      *fixture,
                                                             gconstpointer data)
{
  fixture->cancel_in = "a1";
  build (fixture);

  assert_cancelled (fixture, "make p1, made p1, make a1, made a1, removed a1, removed p1");
}

static void
test_flow_cancelled_during_a_step_stops_it (Fixture      *fixture,
                                            gconstpointer data)
{
  fixture->cancel_in = "s1";
  build (fixture);

  assert_cancelled (fixture,
                    "make p1, made p1, make a1, made a1, make s1, removed a1, removed p1");
}

static void
test_flow_cancelled_after_a_step_undoes_it (Fixture      *fixture,
                                            gconstpointer data)
{
  fixture->cancel_after = "p1";
  build (fixture);

  assert_cancelled (fixture, "make p1, made p1, removed p1");
}

static void
test_flow_cancelled_after_its_last_step_succeeds (Fixture      *fixture,
                                                  gconstpointer data)
{
  fixture->cancel_after = "s1";
  build (fixture);

  g_assert_true (fixture->has_succeeded);
  g_assert_no_error (fixture->error);
}

/* Being cancelled does not cut the undoing short. */
static void
test_flow_cancelled_with_failure_keeps_the_failure (Fixture      *fixture,
                                                    gconstpointer data)
{
  fixture->cancel_in = "a1";
  fixture->fail_at = "a1";
  build (fixture);

  assert_failed (fixture, G_IO_ERROR_BUSY, "Cannot create an address: No room for a1",
                 "make p1, made p1, make a1, removed p1");
}

static void
lost_run (WkFlow  *flow,
          gpointer user_data)
{
  Build *self = user_data;

  WK_FLOW_BEGIN (flow);

  push_undo (flow, self, "port", "p1");
  WK_AWAIT (flow, wk_clock_sleep_async (NULL, 0.0, WK_RESUME (flow)));

  WK_FLOW_END (flow);
}

static void
test_flow_without_an_answer_is_caught (Fixture      *fixture,
                                       gconstpointer data)
{
  g_test_expect_message ("welkin-base", G_LOG_LEVEL_CRITICAL,
                         "build_run ended behind line * without returning or waiting");
  run_flow (fixture, lost_run);
  g_test_assert_expected_messages ();

  assert_failed (fixture, G_IO_ERROR_FAILED, "build_run ended without an answer", "removed p1");
}

static void
answer_twice_run (WkFlow  *flow,
                  gpointer user_data)
{
  WK_FLOW_BEGIN (flow);

  wk_flow_return_boolean (flow, TRUE);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
test_flow_with_two_answers_is_caught (Fixture      *fixture,
                                      gconstpointer data)
{
  if (g_test_subprocess ())
    {
      run_flow (fixture, answer_twice_run);
      return;
    }

  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*FLOW_RUNNING*");
}

/* A call that answers before it returns, over and over: the stack must not grow. */
typedef struct
{
  gsize top;
  guint rounds;
} Spin;

static void
answer_at_once_async (GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, NULL, NULL);

  callback (NULL, G_ASYNC_RESULT (task), user_data);
}

static void
spin_run (WkFlow  *flow,
          gpointer user_data)
{
  Spin *self = user_data;
  gsize here = (gsize) &self;

  if (self->top == 0)
    self->top = here;
  g_assert_cmpuint (self->top - here, <, 4096);

  WK_FLOW_BEGIN (flow);

  while (self->rounds < 1000)
    {
      WK_AWAIT (flow, answer_at_once_async (WK_RESUME (flow)));
      self->rounds++;
    }
  wk_flow_return_pointer (flow, g_strdup_printf ("%u rounds", self->rounds), g_free);

  WK_FLOW_END (flow);
}

static void
pointer_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  char **value = user_data;
  g_autoptr(GError) error = NULL;

  g_assert_cmpstr (g_task_get_name (G_TASK (result)), ==, "spin_run");
  *value = wk_flow_finish_pointer (result, NULL, pointer_cb, &error);
  g_assert_no_error (error);
}

static void
test_flow_answers_at_once_do_not_nest (Fixture      *fixture,
                                       gconstpointer data)
{
  g_autofree char *value = NULL;

  wk_flow_start (NULL, NULL, pointer_cb, &value, pointer_cb, spin_run, g_new0 (Spin, 1), g_free);
  g_assert_null (value);
  while (value == NULL)
    g_main_context_iteration (NULL, TRUE);

  g_assert_cmpstr (value, ==, "1000 rounds");
}

static void
test_flow_frees_an_answer_that_nobody_takes (Fixture      *fixture,
                                             gconstpointer data)
{
  wk_flow_start (NULL, NULL, NULL, NULL, pointer_cb, spin_run, g_new0 (Spin, 1), g_free);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

typedef struct
{
  guint *running;
  guint  naps;
} Nap;

static void
nap_run (WkFlow  *flow,
         gpointer user_data)
{
  Nap *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  for (self->naps = 0; self->naps < 3; self->naps++)
    {
      WK_AWAIT (flow, wk_clock_sleep_async (NULL, self->naps / 1000.0, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (NULL, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
napped_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  guint *running = user_data;
  g_autoptr(GError) error = NULL;

  g_assert_true (wk_flow_finish_boolean (result, NULL, napped_cb, &error));
  g_assert_no_error (error);
  (*running)--;
}

static void
test_flow_many_run_side_by_side (Fixture      *fixture,
                                 gconstpointer data)
{
  guint running = 1000;

  for (guint i = 0; i < 1000; i++)
    wk_flow_start (NULL, NULL, napped_cb, &running, napped_cb, nap_run, g_new0 (Nap, 1), g_free);
  while (running > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_flow_stays_in_its_context (Fixture      *fixture,
                                gconstpointer data)
{
  g_autoptr(GMainContext) context = g_main_context_new ();
  guint running = 1;

  g_main_context_push_thread_default (context);
  wk_flow_start (NULL, NULL, napped_cb, &running, napped_cb, nap_run, g_new0 (Nap, 1), g_free);
  while (running > 0)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
}

static void
test_flow_tells_where_it_waits (Fixture      *fixture,
                                gconstpointer data)
{
  guint running = 1;

  g_test_expect_message ("welkin-base", G_LOG_LEVEL_DEBUG, "nap_run waits at line *");
  wk_flow_start (NULL, NULL, napped_cb, &running, napped_cb, nap_run, g_new0 (Nap, 1), g_free);
  g_test_assert_expected_messages ();
  while (running > 0)
    g_main_context_iteration (NULL, TRUE);
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

  add ("/flow/succeeds-and-forgets-its-undo", test_flow_succeeds_and_forgets_its_undo);
  add ("/flow/fails-at-its-first-step", test_flow_fails_at_its_first_step);
  add ("/flow/failure-undoes-backwards", test_flow_failure_undoes_backwards);
  add ("/flow/names-what-undo-left-behind", test_flow_names_what_undo_left_behind);
  add ("/flow/undo-has-a-deadline", test_flow_undo_has_a_deadline);
  add ("/flow/cancelled/before-it-starts-does-nothing",
       test_flow_cancelled_before_it_starts_does_nothing);
  add ("/flow/cancelled/during-a-shielded-step-undoes-it",
       test_flow_cancelled_during_a_shielded_step_undoes_it);
  add ("/flow/cancelled/during-a-later-shielded-step-undoes-all",
       test_flow_cancelled_during_a_later_shielded_step_undoes_all);
  add ("/flow/cancelled/during-a-step-stops-it", test_flow_cancelled_during_a_step_stops_it);
  add ("/flow/cancelled/after-a-step-undoes-it", test_flow_cancelled_after_a_step_undoes_it);
  add ("/flow/cancelled/after-its-last-step-succeeds",
       test_flow_cancelled_after_its_last_step_succeeds);
  add ("/flow/cancelled/with-failure-keeps-the-failure",
       test_flow_cancelled_with_failure_keeps_the_failure);
  add ("/flow/without-an-answer-is-caught", test_flow_without_an_answer_is_caught);
  add ("/flow/with-two-answers-is-caught", test_flow_with_two_answers_is_caught);
  add ("/flow/answers-at-once-do-not-nest", test_flow_answers_at_once_do_not_nest);
  add ("/flow/frees-an-answer-that-nobody-takes", test_flow_frees_an_answer_that_nobody_takes);
  add ("/flow/many-run-side-by-side", test_flow_many_run_side_by_side);
  add ("/flow/stays-in-its-context", test_flow_stays_in_its_context);
  add ("/flow/tells-where-it-waits", test_flow_tells_where_it_waits);

  return g_test_run ();
}
