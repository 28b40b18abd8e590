/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/undo.h"
#include "values/welkin-error.h"

typedef struct
{
  WkUndo  *undo;   /* (owned) */
  GObject *cloud;  /* (owned) with the ids that were tried and removed as its data */
  GError  *error;  /* (owned) (nullable) */
  gboolean is_clean;
  gboolean is_done;
} Fixture;

/* Each thing of the cloud can be removed by its id: "stuck…" takes an hour, "broken…"
 * fails, "gone…" has been removed by somebody else. */
static gboolean
removal_over_cb (gpointer user_data)
{
  GTask *task = user_data;
  GString *removed = g_object_get_data (g_task_get_source_object (task), "removed");
  const char *id = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;

  if (g_str_has_prefix (id, "broken"))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "%s is in use", id);
      return G_SOURCE_REMOVE;
    }

  if (g_str_has_prefix (id, "gone"))
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, "No such thing");
      return G_SOURCE_REMOVE;
    }

  g_string_append_printf (removed, "%s ", id);
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
remove_async (gpointer            target,
              const char         *id,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (target, cancellable, callback, user_data);
  guint interval = g_str_has_prefix (id, "stuck") ? 3600 * 1000 : 1;
  GString *tried = g_object_get_data (target, "tried");
  g_autoptr(GSource) timer = g_timeout_source_new (interval);
  g_autoptr(GSource) cancelled = g_cancellable_source_new (cancellable);

  g_string_append_printf (tried, "%s ", id);
  g_task_set_task_data (task, g_strdup (id), g_free);
  g_source_set_dummy_callback (cancelled);
  g_source_add_child_source (timer, cancelled);
  g_task_attach_source (task, timer, removal_over_cb);
}

static gboolean
remove_finish (gpointer      target,
               GAsyncResult *result,
               GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->undo = wk_undo_new ();
  fixture->cloud = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data_full (fixture->cloud, "tried", g_string_new (NULL), free_string);
  g_object_set_data_full (fixture->cloud, "removed", g_string_new (NULL), free_string);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  wk_undo_unref (fixture->undo);
  g_assert_cmpuint (fixture->cloud->ref_count, ==, 1);
  g_object_unref (fixture->cloud);
  g_clear_error (&fixture->error);
}

static void
push (Fixture    *fixture,
      const char *what,
      const char *id)
{
  wk_undo_push (fixture->undo, what, fixture->cloud, id, remove_async, remove_finish);
}

static void
undone_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Fixture *fixture = user_data;

  fixture->is_clean = wk_undo_run_finish (fixture->undo, result, &fixture->error);
  fixture->is_done = TRUE;
}

static void
run (Fixture *fixture,
     double   seconds)
{
  wk_undo_run_async (fixture->undo, seconds, undone_cb, fixture);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_removed (Fixture    *fixture,
                const char *ids)
{
  GString *removed = g_object_get_data (fixture->cloud, "removed");

  g_assert_cmpstr (removed->str, ==, ids);
}

static void
test_undo_runs_backwards (Fixture      *fixture,
                          gconstpointer data)
{
  push (fixture, "port", "p1");
  push (fixture, "server", "s1");
  push (fixture, "address", "a1");
  run (fixture, 10.0);

  g_assert_true (fixture->is_clean);
  g_assert_no_error (fixture->error);
  assert_removed (fixture, "a1 s1 p1 ");
  g_assert_true (wk_undo_is_empty (fixture->undo));
}

static void
test_undo_of_nothing_is_clean (Fixture      *fixture,
                               gconstpointer data)
{
  run (fixture, 10.0);

  g_assert_true (fixture->is_clean);
  assert_removed (fixture, "");
}

static void
test_undo_keeps_the_reason_when_clean (Fixture      *fixture,
                                       gconstpointer data)
{
  g_set_error_literal (&fixture->error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "Too late");
  push (fixture, "port", "p1");
  run (fixture, 10.0);

  g_assert_true (fixture->is_clean);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  g_assert_cmpstr (fixture->error->message, ==, "Too late");
}

static void
test_undo_goes_on_behind_a_failure (Fixture      *fixture,
                                    gconstpointer data)
{
  g_set_error_literal (&fixture->error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "Too late");
  push (fixture, "port", "p1");
  push (fixture, "server", "broken-s1");
  push (fixture, "address", "a1");
  push (fixture, "group", "broken-g1");
  run (fixture, 10.0);

  g_assert_false (fixture->is_clean);
  assert_removed (fixture, "a1 p1 ");
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  g_assert_cmpstr (fixture->error->message, ==,
                   "Too late; left behind: group broken-g1, server broken-s1");
}

static void
test_undo_of_what_is_gone_is_clean (Fixture      *fixture,
                                    gconstpointer data)
{
  push (fixture, "port", "p1");
  push (fixture, "server", "gone-s1");
  run (fixture, 10.0);

  g_assert_true (fixture->is_clean);
  assert_removed (fixture, "p1 ");
}

static void
test_undo_without_a_reason_makes_an_error (Fixture      *fixture,
                                           gconstpointer data)
{
  push (fixture, "port", "broken-p1");
  run (fixture, 10.0);

  g_assert_false (fixture->is_clean);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (fixture->error->message, ==, "Left behind: port broken-p1");
}

static void
test_undo_names_all_when_time_is_over (Fixture      *fixture,
                                       gconstpointer data)
{
  g_set_error_literal (&fixture->error, G_IO_ERROR, G_IO_ERROR_FAILED, "No luck");
  push (fixture, "port", "p1");
  push (fixture, "server", "stuck-s1");
  push (fixture, "address", "a1");
  run (fixture, 0.05);

  g_assert_false (fixture->is_clean);
  assert_removed (fixture, "a1 ");
  g_assert_cmpstr (fixture->error->message, ==,
                   "No luck; left behind: server stuck-s1, port p1");
  g_assert_true (wk_undo_is_empty (fixture->undo));
}

/* Whatever takes its time to notice that it is cancelled would hold everybody up. */
static void
test_undo_tries_nothing_more_when_time_is_over (Fixture      *fixture,
                                                gconstpointer data)
{
  GString *tried = g_object_get_data (fixture->cloud, "tried");

  push (fixture, "port", "p1");
  push (fixture, "port", "p2");
  push (fixture, "server", "stuck-s1");
  run (fixture, 0.05);

  g_assert_false (fixture->is_clean);
  g_assert_cmpstr (tried->str, ==, "stuck-s1 ");
}

static void
test_undo_forgets_the_newest_of_an_id (Fixture      *fixture,
                                       gconstpointer data)
{
  push (fixture, "port", "p1");
  push (fixture, "server", "s1");
  push (fixture, "port", "p1");
  wk_undo_forget (fixture->undo, "p1");
  wk_undo_forget (fixture->undo, "unknown");
  run (fixture, 10.0);

  assert_removed (fixture, "s1 p1 ");
}

static gboolean
push_more_cb (gpointer user_data)
{
  push (user_data, "address", "a1");
  return G_SOURCE_REMOVE;
}

static void
test_undo_takes_what_comes_while_it_runs (Fixture      *fixture,
                                          gconstpointer data)
{
  push (fixture, "port", "p1");
  g_idle_add (push_more_cb, fixture);
  run (fixture, 10.0);

  assert_removed (fixture, "p1 a1 ");
}

static void
test_undo_outlives_its_owner (Fixture      *fixture,
                              gconstpointer data)
{
  WkUndo *undo = wk_undo_new ();

  wk_undo_push (undo, "port", fixture->cloud, "p1", remove_async, remove_finish);
  wk_undo_run_async (undo, 10.0, undone_cb, fixture);
  wk_undo_unref (undo);
  while (!fixture->is_done)
    g_main_context_iteration (NULL, TRUE);

  assert_removed (fixture, "p1 ");
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

  add ("/undo/runs-backwards", test_undo_runs_backwards);
  add ("/undo/of-nothing-is-clean", test_undo_of_nothing_is_clean);
  add ("/undo/keeps-the-reason-when-clean", test_undo_keeps_the_reason_when_clean);
  add ("/undo/goes-on-behind-a-failure", test_undo_goes_on_behind_a_failure);
  add ("/undo/of-what-is-gone-is-clean", test_undo_of_what_is_gone_is_clean);
  add ("/undo/without-a-reason-makes-an-error", test_undo_without_a_reason_makes_an_error);
  add ("/undo/names-all-when-time-is-over", test_undo_names_all_when_time_is_over);
  add ("/undo/tries-nothing-more-when-time-is-over",
       test_undo_tries_nothing_more_when_time_is_over);
  add ("/undo/forgets-the-newest-of-an-id", test_undo_forgets_the_newest_of_an_id);
  add ("/undo/takes-what-comes-while-it-runs", test_undo_takes_what_comes_while_it_runs);
  add ("/undo/outlives-its-owner", test_undo_outlives_its_owner);

  return g_test_run ();
}
