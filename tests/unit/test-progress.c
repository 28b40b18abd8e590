/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *count = user_data;

  (*count)++;
}

static gboolean
timed_out_cb (gpointer data)
{
  gboolean *is_over = data;

  *is_over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
iterate_for (guint milliseconds)
{
  gboolean is_over = FALSE;

  g_timeout_add (milliseconds, timed_out_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_nothing_is_known_at_first (void)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();

  g_assert_cmpfloat (welkin_progress_get_fraction (progress), ==, -1);
  g_assert_null (welkin_progress_get_message (progress));
  g_assert_false (welkin_progress_get_finished (progress));
}

static void
test_nobody_need_look (void)
{
  g_assert_null (welkin_progress_add_child (NULL, 1));
  welkin_progress_set_fraction (NULL, 0.5);
  welkin_progress_set_message (NULL, "working");
  welkin_progress_finish (NULL);
}

static void
test_children_count_by_weight (void)
{
  g_autoptr(WelkinProgress) root = welkin_progress_new ();
  g_autoptr(WelkinProgress) heavy = welkin_progress_add_child (root, 3);
  g_autoptr(WelkinProgress) light = welkin_progress_add_child (root, 1);

  g_assert_cmpfloat (welkin_progress_get_fraction (root), ==, -1);
  welkin_progress_set_fraction (light, 0.5);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 0.125, 1e-9);
  welkin_progress_finish (heavy);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 0.875, 1e-9);
  g_assert_false (welkin_progress_get_finished (root));
  welkin_progress_finish (light);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 1, 1e-9);
}

static void
test_parts_can_be_added_one_after_another (void)
{
  g_autoptr(WelkinProgress) root = welkin_progress_new ();
  g_autoptr(WelkinProgress) first = welkin_progress_add_child (root, 0.25);
  g_autoptr(WelkinProgress) second = NULL;

  welkin_progress_finish (first);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 0.25, 1e-9);
  second = welkin_progress_add_child (root, 0.75);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 0.25, 1e-9);
  welkin_progress_set_fraction (second, 2);
  g_assert_cmpfloat_with_epsilon (welkin_progress_get_fraction (root), 1, 1e-9);
}

static void
test_a_child_s_message_is_its_ancestors_too (void)
{
  g_autoptr(WelkinProgress) root = welkin_progress_new ();
  g_autoptr(WelkinProgress) child = welkin_progress_add_child (root, 1);
  g_autoptr(WelkinProgress) grandchild = welkin_progress_add_child (child, 1);

  welkin_progress_set_message (grandchild, "choosing an image");
  g_assert_cmpstr (welkin_progress_get_message (root), ==, "choosing an image");
  g_clear_object (&root);
  welkin_progress_set_message (grandchild, "still here");
  g_assert_cmpstr (welkin_progress_get_message (child), ==, "still here");
}

static void
test_what_comes_after_the_end_does_not_count (void)
{
  g_autoptr(WelkinProgress) root = welkin_progress_new ();
  g_autoptr(WelkinProgress) child = welkin_progress_add_child (root, 1);

  welkin_progress_finish (root);
  welkin_progress_set_message (child, "late");
  welkin_progress_set_fraction (root, 0.1);
  welkin_progress_finish (root);
  g_assert_cmpfloat (welkin_progress_get_fraction (root), ==, 1);
  g_assert_null (welkin_progress_get_message (root));
}

static void
test_notifies_at_most_five_times_a_second (void)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  gint64 start = g_get_monotonic_time ();
  guint count = 0;
  guint allowed;

  g_signal_connect (progress, "notify::fraction", G_CALLBACK (count_cb), &count);
  for (guint i = 1; i <= 50; i++)
    {
      welkin_progress_set_fraction (progress, i / 100.0);
      iterate_for (10);
    }
  allowed = 1 + (g_get_monotonic_time () - start) * 5 / G_USEC_PER_SEC;
  g_assert_cmpuint (count, >=, 2);
  g_assert_cmpuint (count, <=, allowed);
}

static void
test_the_last_state_is_always_told (void)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  guint count = 0;

  welkin_progress_set_message (progress, "first");
  g_signal_connect (progress, "notify::message", G_CALLBACK (count_cb), &count);
  welkin_progress_set_message (progress, "second");
  welkin_progress_set_message (progress, "third");
  g_assert_cmpuint (count, ==, 0);
  iterate_for (300);
  g_assert_cmpuint (count, ==, 1);
}

static void
test_the_end_is_told_at_once (void)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  guint finished = 0;
  guint fraction = 0;

  welkin_progress_set_fraction (progress, 0.1);
  g_signal_connect (progress, "notify::finished", G_CALLBACK (count_cb), &finished);
  g_signal_connect (progress, "notify::fraction", G_CALLBACK (count_cb), &fraction);
  welkin_progress_finish (progress);
  g_assert_cmpuint (finished, ==, 1);
  g_assert_cmpuint (fraction, ==, 1);
}

static void
test_nothing_new_is_not_told (void)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  guint count = 0;

  welkin_progress_set_message (progress, "same");
  welkin_progress_set_fraction (progress, 0.5);
  iterate_for (300);
  g_signal_connect (progress, "notify", G_CALLBACK (count_cb), &count);
  welkin_progress_set_message (progress, "same");
  welkin_progress_set_fraction (progress, 0.5);
  iterate_for (300);
  g_assert_cmpuint (count, ==, 0);
}

static void
line_said_cb (WelkinProgress *progress,
              const char     *line,
              gpointer        user_data)
{
  g_string_append_printf (user_data, "%s;", line);
}

static void
test_said (void)
{
  g_autoptr(WelkinProgress) root = welkin_progress_new ();
  g_autoptr(WelkinProgress) child = welkin_progress_add_child (root, 1);
  g_autoptr(GString) lines = g_string_new (NULL);

  g_signal_connect (root, "said", G_CALLBACK (line_said_cb), lines);
  for (guint i = 0; i < 3; i++)
    welkin_progress_say (child, "one");
  welkin_progress_say (root, "two");
  welkin_progress_say (NULL, "three");
  g_assert_cmpstr (lines->str, ==, "one;one;one;two;");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/progress/nothing-is-known-at-first", test_nothing_is_known_at_first);
  g_test_add_func ("/progress/nobody-need-look", test_nobody_need_look);
  g_test_add_func ("/progress/children-count-by-weight", test_children_count_by_weight);
  g_test_add_func ("/progress/parts-can-be-added-one-after-another",
                   test_parts_can_be_added_one_after_another);
  g_test_add_func ("/progress/a-child-s-message-is-its-ancestors-too",
                   test_a_child_s_message_is_its_ancestors_too);
  g_test_add_func ("/progress/what-comes-after-the-end-does-not-count",
                   test_what_comes_after_the_end_does_not_count);
  g_test_add_func ("/progress/notifies-at-most-five-times-a-second",
                   test_notifies_at_most_five_times_a_second);
  g_test_add_func ("/progress/the-last-state-is-always-told", test_the_last_state_is_always_told);
  g_test_add_func ("/progress/the-end-is-told-at-once", test_the_end_is_told_at_once);
  g_test_add_func ("/progress/nothing-new-is-not-told", test_nothing_new_is_not_told);
  g_test_add_func ("/progress/said/reaches-the-root-each-time", test_said);
  return g_test_run ();
}
