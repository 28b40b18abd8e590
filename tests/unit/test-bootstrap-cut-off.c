/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "bootstrap-fixture.h"

/* A bootstrap that was killed, and the next one. */

static void
edit_info (Fixture    *fixture,
           const char *from,
           const char *to)
{
  g_autofree char *name =
    g_strdup_printf (".local/share/welkin/environments/%s.yaml", fixture->name);
  g_autofree char *text = fixture_read_info (fixture);
  g_autoptr(GString) edited = g_string_new (text);

  g_assert_cmpuint (g_string_replace (edited, from, to, 1), ==, 1);
  home_write (fixture->home, name, edited->str);
}

/* As if the process had been killed before it wrote down what came of the start: the record tells
 * of no instance, and with the state of that time, neither does the state. */
static void
cut_off (Fixture    *fixture,
         const char *state)
{
  edit_info (fixture, "instance-id: dummy-1", "transient: false");
  edit_info (fixture, "status: started", "status: provisioning");
  if (state != NULL)
    fixture_save (fixture, "provider-state", state);
}

static char *
make_early_state (Fixture *fixture)
{
  g_autofree char *state = fixture_load (fixture, "provider-state");
  char *start_id = strstr (state, "start-id: ");

  g_assert_nonnull (start_id);
  return g_strdup_printf ("%.*s\nstate-instances: []\n", (int) strcspn (start_id, "\n"), start_id);
}

static char *
read_instance_id (Fixture *fixture)
{
  g_autofree char *info = fixture_read_info (fixture);
  const char *id = strstr (info, "instance-id: ");

  return id != NULL ? g_strndup (id, strcspn (id, "\n")) : NULL;
}

static void
test_takes_over_what_a_killed_one_started (void)
{
  static const char *const names[] = { "cut-early", "cut-late" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(Fixture) fixture = fixture_new (names[i], "");
      g_autoptr(WelkinEnviron) first = NULL;
      g_autoptr(WelkinEnviron) second = NULL;
      g_autoptr(GError) error = NULL;
      g_autofree char *early = NULL;
      g_autofree char *id = NULL;
      g_autofree char *state = NULL;

      first = fixture_bootstrap (fixture, FALSE, &error);
      g_assert_no_error (error);
      early = make_early_state (fixture);
      cut_off (fixture, i == 0 ? early : NULL);

      second = fixture_bootstrap_again (fixture, "*taking over instance dummy-1*", &error);
      g_assert_no_error (error);
      g_assert_cmpuint (fixture_count_instances (fixture, second), ==, 1);
      id = read_instance_id (fixture);
      g_assert_cmpstr (id, ==, "instance-id: dummy-1");
      state = fixture_load (fixture, "provider-state");
      g_assert_nonnull (strstr (state, "- dummy-1"));
      g_assert_true (fixture_destroy (fixture, &error));
      fixture_assert_nothing_is_left (fixture);
    }
}

static void
test_begins_anew_where_a_killed_one_made_no_machine (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("cut-before", "");
  g_autoptr(WelkinEnviron) first = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *early = NULL;
  g_autofree char *ended = NULL;
  g_autofree char *info = NULL;
  const char *ids[] = { "dummy-1", NULL };

  first = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  early = make_early_state (fixture);
  g_clear_object (&fixture->result);
  welkin_environ_stop_instances_async (first, ids, NULL, NULL, fixture_done_cb, fixture);
  g_assert_true (welkin_environ_stop_instances_finish (first, fixture_wait (fixture), &error));
  cut_off (fixture, early);

  second = fixture_bootstrap_again (fixture, "*removing what*cut off*", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count_instances (fixture, second), ==, 1);

  /* What the cloud makes of the earlier start later on is still to be known. */
  ended = g_strndup (early + strlen ("start-id: "), 36);
  info = fixture_read_info (fixture);
  g_assert_nonnull (strstr (info, ended));
  g_assert_true (fixture_destroy (fixture, &error));
  fixture_assert_nothing_is_left (fixture);
}

/* A machine that was saved as the environment's is never removed by a bootstrap. */
static void
test_takes_over_only_what_is_wanted (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("cut-other", "");
  g_autoptr(WelkinEnviron) first = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(WelkinEnviron) third = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *early = NULL;
  g_autofree char *id = NULL;

  first = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  early = make_early_state (fixture);
  cut_off (fixture, NULL);
  edit_info (fixture, "    constraints: mem=2048M", "    constraints: mem=4096M");

  second = fixture_bootstrap_again (fixture, NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED);
  g_assert_cmpuint (fixture_count_instances (fixture, first), ==, 1);
  g_clear_error (&error);

  /* One that was never saved is, unless it is just what the second one asks for. */
  fixture_save (fixture, "provider-state", early);
  g_test_expect_message ("welkin", G_LOG_LEVEL_MESSAGE, "*removing what*cut off*");
  third = fixture_bootstrap (fixture, FALSE, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count_instances (fixture, third), ==, 1);
  id = read_instance_id (fixture);
  g_assert_cmpstr (id, ==, "instance-id: dummy-2");
}

/* The file in which it was written down lies in a home, where anybody edits it. */
static void
test_record_that_describes_no_machine_is_told_of (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("cut-and-edited", "");
  g_autoptr(WelkinEnviron) first = NULL;
  g_autoptr(WelkinEnviron) second = NULL;
  g_autoptr(GError) error = NULL;

  first = fixture_bootstrap (fixture, FALSE, &error);
  g_assert_no_error (error);
  cut_off (fixture, NULL);
  edit_info (fixture, "    nonce: ", "    former-nonce: ");

  second = fixture_bootstrap_again (fixture, NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "machine nonce"));
  g_assert_null (second);
  g_assert_cmpuint (fixture_count_instances (fixture, first), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/bootstrap-cut-off/takes-over-what-a-killed-one-started",
                   test_takes_over_what_a_killed_one_started);
  g_test_add_func ("/bootstrap-cut-off/begins-anew-where-a-killed-one-made-no-machine",
                   test_begins_anew_where_a_killed_one_made_no_machine);
  g_test_add_func ("/bootstrap-cut-off/takes-over-only-what-is-wanted",
                   test_takes_over_only_what_is_wanted);
  g_test_add_func ("/bootstrap-cut-off/tells-of-a-record-that-describes-no-machine",
                   test_record_that_describes_no_machine_is_told_of);

  return g_test_run ();
}
