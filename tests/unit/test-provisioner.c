/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "home.h"
#include "result.h"

#include <welkin.h>

/* A home with one bootstrapped environment on the cloud in memory, under a name of the test's own:
 * that cloud remembers names as long as the process lives. */
typedef struct
{
  Home               *home;
  const char         *name;
  WelkinEnvironments *environments;
  WelkinEnviron      *environment;
  guint               n_left;
} Fixture;

static void
bootstrapped_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Fixture *fixture = user_data;
  g_autoptr(GError) error = NULL;

  fixture->environment = welkin_bootstrap_finish (WELKIN_ENVIRONMENTS (source), result, &error);
  g_assert_no_error (error);
}

static Fixture *
fixture_new (const char *name)
{
  Fixture *fixture = g_new0 (Fixture, 1);
  g_autofree char *directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  const char *directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_autoptr(WelkinBootstrapOptions) defaults = welkin_bootstrap_options_new ();
  g_autoptr(WelkinBootstrapOptions) options = NULL;
  g_autofree char *text = g_strdup_printf ("environments:\n  %s:\n    type: dummy\n", name);

  options = welkin_bootstrap_options_with_until (defaults, WELKIN_STAGE_ACTIVE);
  fixture->home = home_new ("WELKIN_TIME_SCALE=1000");
  fixture->name = name;
  home_write (fixture->home, ".config/welkin/environments.yaml", text);
  fixture->environments = welkin_environments_new (registry, fixture->home->surroundings);
  welkin_bootstrap_async (fixture->environments, name, options, NULL, NULL, bootstrapped_cb,
                          fixture);
  while (fixture->environment == NULL)
    g_main_context_iteration (NULL, TRUE);
  return fixture;
}

static void
fixture_free (Fixture *fixture)
{
  g_object_unref (fixture->environment);
  g_object_unref (fixture->environments);
  home_free (fixture->home);
  g_free (fixture);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

static char **
add (Fixture *fixture,
     guint    n_machines)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  char **ids;

  welkin_add_machines_async (fixture->environments, fixture->name, n_machines, NULL, NULL, NULL,
                             NULL, result_cb, &result);
  result_wait (&result);
  ids = welkin_add_machines_finish (fixture->environments, result, &error);
  g_assert_no_error (error);
  return ids;
}

static gboolean
provision (Fixture      *fixture,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  welkin_provision_async (fixture->environments, fixture->name, 2, NULL, cancellable, result_cb,
                          &result);
  return welkin_provision_finish (fixture->environments, result_wait (&result), error);
}

static void
provision_well (Fixture *fixture)
{
  g_autoptr(GError) error = NULL;

  g_assert_true (provision (fixture, NULL, &error));
  g_assert_no_error (error);
}

static gboolean
remove_machines (Fixture          *fixture,
                 const char       *ids,
                 WelkinRemoveFlags flags,
                 GError          **error)
{
  g_auto(GStrv) list = g_strsplit (ids, " ", -1);
  g_autoptr(GAsyncResult) result = NULL;

  welkin_remove_machines_async (fixture->environments, fixture->name, (const char *const *) list,
                                flags, NULL, result_cb, &result);
  return welkin_remove_machines_finish (fixture->environments, result_wait (&result), error);
}

static guint
count_instances (Fixture *fixture)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GPtrArray) instances = NULL;

  welkin_environ_list_instances_async (fixture->environment, NULL, result_cb, &result);
  result_wait (&result);
  instances = welkin_environ_list_instances_finish (fixture->environment, result, NULL);
  return instances->len;
}

/* (transfer full) (nullable) */
static char *
get_field (Fixture    *fixture,
           const char *machine_id,
           const char *field)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (fixture->home->surroundings, fixture->name, NULL);
  WelkinValue *machines = welkin_info_lookup (info, "machines");
  WelkinValue *record = welkin_value_lookup (machines, machine_id);
  WelkinValue *value = record != NULL ? welkin_value_lookup (record, field) : NULL;

  return value != NULL ? g_strdup (welkin_value_get_text (value)) : NULL;
}

static void
assert_field (Fixture    *fixture,
              const char *machine_id,
              const char *field,
              const char *wanted)
{
  g_autofree char *text = get_field (fixture, machine_id, field);

  g_assert_cmpstr (text, ==, wanted);
}

/* "" to mend it. */
static void
break_cloud (Fixture    *fixture,
             const char *operations)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (fixture->home->surroundings, fixture->name, NULL);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  config = welkin_config_with_text (welkin_info_get_config (info), "broken", operations, NULL);
  welkin_info_set_config (info, config);
  g_assert_true (welkin_info_write (info, &error));
  g_assert_no_error (error);
}

static void
test_starts_and_stops (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("starts");
  g_auto(GStrv) ids = add (fixture, 3);
  g_auto(GStrv) more = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_cmpuint (count_instances (fixture), ==, 1);
  assert_field (fixture, "3", "status", "pending");
  provision_well (fixture);
  g_assert_cmpuint (count_instances (fixture), ==, 4);
  assert_field (fixture, "3", "status", "started");

  g_assert_true (remove_machines (fixture, "1 3", WELKIN_REMOVE_NONE, &error));
  provision_well (fixture);
  g_assert_cmpuint (count_instances (fixture), ==, 2);
  assert_field (fixture, "3", "life", NULL);
  assert_field (fixture, "2", "life", "alive");

  more = add (fixture, 1);
  g_assert_cmpstr (more[0], ==, "4");
}

static void
test_refuses_what_is_not_there (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("refuses");
  g_auto(GStrv) ids = add (fixture, 1);
  g_autoptr(GError) error = NULL;

  g_assert_false (remove_machines (fixture, "1 0", WELKIN_REMOVE_NONE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (remove_machines (fixture, "1 8", WELKIN_REMOVE_NONE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);

  /* All or none. */
  assert_field (fixture, "1", "life", "alive");
}

/* Nobody would tell them that their machines are to go. */
static void
test_waits_for_no_agent (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("agent");
  g_autoptr(WelkinInfo) info = welkin_info_load (fixture->home->surroundings, "agent", NULL);
  g_autoptr(WelkinValue) until = welkin_value_new_text ("agent", FALSE, NULL);
  g_auto(GStrv) ids = add (fixture, 2);

  welkin_info_set (info, "until", until);
  g_assert_true (welkin_info_write (info, NULL));
  provision_well (fixture);

  g_assert_true (remove_machines (fixture, "1", WELKIN_REMOVE_NONE, NULL));
  provision_well (fixture);
  assert_field (fixture, "1", "life", NULL);
  assert_field (fixture, "2", "life", "alive");
  g_assert_cmpuint (count_instances (fixture), ==, 2);
}

static void
test_tries_again_in_the_next_pass (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("again");
  g_auto(GStrv) ids = add (fixture, 2);

  break_cloud (fixture, "start-instance");
  provision_well (fixture);
  assert_field (fixture, "1", "status", "error");
  assert_field (fixture, "2", "transient", "true");

  break_cloud (fixture, "");
  provision_well (fixture);
  assert_field (fixture, "1", "status", "started");
  assert_field (fixture, "2", "transient", NULL);
  g_assert_cmpuint (count_instances (fixture), ==, 3);
}

static void
message_changed_cb (WelkinProgress *progress,
                    GParamSpec     *param,
                    GString        *messages)
{
  g_string_append_printf (messages, "%s\n", welkin_progress_get_message (progress));
}

/* Whoever waits hears what the cloud said, and so does whoever asks afterwards. */
static void
test_each_new_try_is_told (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("told");
  g_auto(GStrv) ids = add (fixture, 1);
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(GString) messages = g_string_new (NULL);
  g_autofree char *info = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  break_cloud (fixture, "start-instance");
  g_signal_connect (progress, "notify::message", G_CALLBACK (message_changed_cb), messages);
  welkin_provision_async (fixture->environments, fixture->name, 1, progress, NULL, result_cb,
                          &result);
  result_wait (&result);
  g_assert_true (welkin_provision_finish (fixture->environments, result, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (messages->str, "Machine 1: retrying: the cloud is broken"));
  info = get_field (fixture, "1", "status-info");
  g_assert_nonnull (strstr (info, "the cloud is broken"));
}

/* Upkeep is not worth a pass. */
static void
test_failed_upkeep_ends_no_pass (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("upkeep");
  g_auto(GStrv) ids = add (fixture, 1);

  break_cloud (fixture, "maintain");
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING,
                         "cannot maintain machine 0: *the cloud is broken*");
  provision_well (fixture);
  g_test_assert_expected_messages ();
  assert_field (fixture, "1", "status", "started");
}

/* What cannot be stopped keeps its record, and nothing is started before it is gone. */
static void
test_stops_before_it_starts (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("before");
  g_auto(GStrv) ids = add (fixture, 1);
  g_auto(GStrv) more = NULL;
  g_autoptr(GError) error = NULL;

  provision_well (fixture);
  more = add (fixture, 1);
  g_assert_true (remove_machines (fixture, "1", WELKIN_REMOVE_NONE, NULL));
  break_cloud (fixture, "stop-instances");
  g_assert_false (provision (fixture, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  assert_field (fixture, "1", "life", "dead");
  assert_field (fixture, "2", "status", "pending");
  g_assert_cmpuint (count_instances (fixture), ==, 2);
}

/* As it is when the process ends between the start and the writing down of the id. */
static void
cut_off (Fixture *fixture)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (fixture->home->surroundings, fixture->name, NULL);
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(WelkinConfig) record = NULL;
  g_autoptr(WelkinConfig) forgotten = NULL;
  g_autoptr(WelkinConfig) provisioning = NULL;

  record = welkin_config_new_from_value (
    welkin_value_lookup (welkin_info_lookup (info, "machines"), "1"));
  forgotten = welkin_config_without (record, "instance-id");
  provisioning = welkin_config_with_text (forgotten, "status", "provisioning", NULL);
  map = welkin_config_to_value (provisioning);
  welkin_info_set_entry (info, "machines", "1", map);
  g_assert_true (welkin_info_write (info, NULL));
}

static void
test_takes_over_a_start_that_was_cut_off (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("cut-off");
  g_auto(GStrv) ids = add (fixture, 1);
  g_autofree char *instance = NULL;
  g_autofree char *start_id = NULL;

  provision_well (fixture);
  instance = get_field (fixture, "1", "instance-id");
  start_id = get_field (fixture, "1", "start-id");
  cut_off (fixture);

  g_test_expect_message ("welkin", G_LOG_LEVEL_MESSAGE, "*taking over instance*");
  provision_well (fixture);
  g_test_assert_expected_messages ();
  assert_field (fixture, "1", "instance-id", instance);
  assert_field (fixture, "1", "start-id", start_id);
  assert_field (fixture, "1", "status", "started");
  g_assert_cmpuint (count_instances (fixture), ==, 2);
}

static void
test_starts_anew_what_cannot_be_completed (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("incomplete");
  g_auto(GStrv) ids = add (fixture, 1);
  g_autofree char *former = NULL;
  g_autofree char *instance = NULL;

  provision_well (fixture);
  former = get_field (fixture, "1", "instance-id");
  cut_off (fixture);
  break_cloud (fixture, "complete");

  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING,
                         "machine 1 is started anew: *the cloud is broken*");
  provision_well (fixture);
  g_test_assert_expected_messages ();
  instance = get_field (fixture, "1", "instance-id");
  g_assert_nonnull (instance);
  g_assert_cmpstr (instance, !=, former);
  assert_field (fixture, "1", "status", "started");
  g_assert_cmpuint (count_instances (fixture), ==, 2);
}

static void
provisioned_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Fixture *fixture = user_data;
  g_autoptr(GError) error = NULL;

  g_assert_true (welkin_provision_finish (WELKIN_ENVIRONMENTS (source), result, &error));
  g_assert_no_error (error);
  fixture->n_left--;
}

static void
test_three_at_once_take_turns (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("turns");
  g_auto(GStrv) ids = add (fixture, 5);

  fixture->n_left = 3;
  for (int i = 0; i < 3; i++)
    welkin_provision_async (fixture->environments, fixture->name, 4, NULL, NULL, provisioned_cb,
                            fixture);
  while (fixture->n_left > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (count_instances (fixture), ==, 6);
}

static void
test_cancelled_waits_end (void)
{
  g_autoptr(Fixture) fixture = fixture_new ("waits");
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GObject) lock = welkin_info_lock_environment (fixture->home->surroundings, "waits",
                                                          NULL);
  g_auto(GStrv) ids = add (fixture, 1);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_nonnull (lock);
  welkin_provision_async (fixture->environments, fixture->name, 1, NULL, cancellable, result_cb,
                          &result);
  g_assert_null (result);
  g_cancellable_cancel (cancellable);
  result_wait (&result);
  g_assert_false (welkin_provision_finish (fixture->environments, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_field (fixture, "1", "status", "pending");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/provisioner/starts-and-stops", test_starts_and_stops);
  g_test_add_func ("/provisioner/refuses-what-is-not-there", test_refuses_what_is_not_there);
  g_test_add_func ("/provisioner/waits-for-no-agent", test_waits_for_no_agent);
  g_test_add_func ("/provisioner/tries-again-in-the-next-pass", test_tries_again_in_the_next_pass);
  g_test_add_func ("/provisioner/tells-of-each-new-try", test_each_new_try_is_told);
  g_test_add_func ("/provisioner/goes-on-without-upkeep", test_failed_upkeep_ends_no_pass);
  g_test_add_func ("/provisioner/stops-before-it-starts", test_stops_before_it_starts);
  g_test_add_func ("/provisioner/takes-over-a-start-that-was-cut-off",
                   test_takes_over_a_start_that_was_cut_off);
  g_test_add_func ("/provisioner/starts-anew-what-cannot-be-completed",
                   test_starts_anew_what_cannot_be_completed);
  g_test_add_func ("/provisioner/three-at-once-take-turns", test_three_at_once_take_turns);
  g_test_add_func ("/provisioner/cancelled-waits-end", test_cancelled_waits_end);

  return g_test_run ();
}
