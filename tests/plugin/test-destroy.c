/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "model/os-server.h"
#include "values/welkin-error.h"

static void
start (EnvironFixture *fixture,
       WelkinEnviron  *environ,
       const char     *machine_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, environ, machine_id, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
}

static void
save_file (EnvironFixture *fixture,
           WelkinEnviron  *environ)
{
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environ);
  g_autoptr(GBytes) contents = g_bytes_new_static ("state", 5);
  g_autoptr(GError) error = NULL;

  welkin_storage_save_async (storage, "provider-state", contents, WELKIN_STORAGE_NONE, NULL,
                             provider_fixture_done_cb, &fixture->provider);
  welkin_storage_save_finish (storage, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
}

static void
test_everything_goes_and_may_go_again (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  save_file (fixture, fixture->environ);
  start (fixture, fixture->environ, "0");
  start (fixture, fixture->environ, "1");
  environ_fixture_assert_goes (fixture);
  environ_fixture_assert_goes (fixture);
}

static guint
count_lines (const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strv_length (lines);
}

/* Nothing of what it remembers may stand for something that is gone. */
static void
test_environment_can_be_used_afterwards (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  g_autoptr(GPtrArray) left = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  environ_fixture_reopen (fixture, "anti-affinity", "soft", NULL);
  save_file (fixture, fixture->environ);
  start (fixture, fixture->environ, "0");
  first = environ_fixture_take_inventory (fixture);
  environ_fixture_assert_goes (fixture);

  g_assert_cmpstr (welkin_environ_get_name (fixture->environ), ==, "test");
  g_assert_nonnull (welkin_environ_get_config (fixture->environ));
  left = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left->len, ==, 0);

  save_file (fixture, fixture->environ);
  start (fixture, fixture->environ, "0");
  second = environ_fixture_take_inventory (fixture);
  g_assert_cmpuint (count_lines (second), ==, count_lines (first));
  environ_fixture_assert_goes (fixture);
}

/* Names that are part of each other, and names that are patterns. */
static void
test_others_of_like_names_stay (EnvironFixture *fixture,
                                gconstpointer   data)
{
  /* The last one is somebody else's who likes the same name. */
  static const char *const names[] = { "a-machine-1", "a.b", "A", "a-0", "a" };
  g_autoptr(WelkinEnviron) victim = NULL;
  WelkinEnviron *others[G_N_ELEMENTS (names)];
  g_autoptr(GError) error = NULL;
  guint n = fixture->provider.fake != NULL ? G_N_ELEMENTS (names) : 1;

  environ_fixture_reopen (fixture, "name", "a", NULL);
  victim = g_object_ref (fixture->environ);
  for (guint i = 0; i < n; i++)
    {
      others[i] = environ_fixture_open (fixture, "name", names[i], NULL);
      start (fixture, others[i], "0");
    }
  start (fixture, victim, "0");
  start (fixture, victim, "1");

  environ_fixture_destroy (fixture, victim, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr(GPtrArray) left = environ_fixture_list (fixture, others[i], &error);

      g_assert_no_error (error);
      g_assert_cmpuint (left->len, ==, 1);
      environ_fixture_destroy (fixture, others[i], &error);
      g_assert_no_error (error);
      g_object_unref (others[i]);
    }
  environ_fixture_assert_clean (fixture);
}

static void
test_group_still_in_use_is_tried_again (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = "/network/v2.0/security-groups/*", .times = 4,
                    .action = FAKE_FAIL, .status = 409,
                    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupInUse\", "
                            "\"message\": \"Security Group in use.\"}}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  start (fixture, fixture->environ, "0");
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  environ_fixture_assert_goes (fixture);
}

static void
test_group_that_stays_in_use_is_reported_and_the_rest_goes (EnvironFixture *fixture,
                                                            gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = "/network/v2.0/security-groups/*", .times = -1,
                    .action = FAKE_FAIL, .status = 409,
                    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupInUse\", "
                            "\"message\": \"Security Group in use.\"}}" };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ);
  g_auto(GStrv) names = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  save_file (fixture, fixture->environ);
  start (fixture, fixture->environ, "0");
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_assert_true (g_str_has_prefix (error->message, "Cannot destroy environment test: "));
  g_assert_null (fake_cloud_find (fixture->provider.fake, "server", "welkin-test-machine-0"));
  g_clear_error (&error);

  /* The files are still there, so that it can be done again. */
  welkin_storage_list_async (storage, "", NULL, provider_fixture_done_cb, &fixture->provider);
  names = welkin_storage_list_finish (storage, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  fake_cloud_clear_rules (fixture->provider.fake);
  environ_fixture_assert_goes (fixture);
}

/* A list that shows a machine of ours which nobody can stop. */
static void
add_ghost_rule (EnvironFixture *fixture)
{
  g_autofree char *body = g_strdup_printf (
    "{\"servers\": [{\"id\": \"00000000-0000-4000-8000-000000000000\", \"status\": \"ACTIVE\", "
    "\"name\": \"welkin-test-machine-9\", \"metadata\": {\"" OS_METADATA_ENVIRON_UUID
    "\": \"%s\"}}]}", fixture->provider.uuid);
  FakeRule rule = { .method = "GET", .path = "/compute/v2.1/servers/detail", .times = -1,
                    .action = FAKE_FAIL, .status = 200, .body = body };

  fake_cloud_add_rule (fixture->provider.fake, &rule);
}

static void
test_machines_that_keep_appearing_keep_the_rest (EnvironFixture *fixture,
                                                 gconstpointer   data)
{
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  save_file (fixture, fixture->environ);
  start (fixture, fixture->environ, "0");
  before = environ_fixture_take_inventory (fixture);
  add_ghost_rule (fixture);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "machines keep appearing"));
  g_clear_error (&error);
  fake_cloud_clear_rules (fixture->provider.fake);

  /* Neither what running machines use nor what tells about them is gone. */
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);
  welkin_storage_list_async (storage, "", NULL, provider_fixture_done_cb, &fixture->provider);
  names = welkin_storage_list_finish (storage, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
}

static void
test_locked_server_is_named (EnvironFixture *fixture,
                             gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = "/compute/v2.1/servers/*", .times = -1,
                    .action = FAKE_FAIL, .status = 409,
                    .body = "{\"conflictingRequest\": {\"code\": 409, "
                            "\"message\": \"Instance 17 is locked\"}}" };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  start (fixture, fixture->environ, "0");
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "Instance 17 is locked"));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "unlock"));
  g_clear_error (&error);
  fake_cloud_clear_rules (fixture->provider.fake);
  environ_fixture_assert_goes (fixture);
}

static void
test_soft_deleted_server_is_deleted_for_good (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set (fixture->provider.fake, "nova-soft-delete", 1);
  start (fixture, fixture->environ, "0");
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "*/action"), ==, 1);
  environ_fixture_assert_clean (fixture);
}

static void
test_stopping_many_asks_for_them_together (EnvironFixture *fixture,
                                           gconstpointer   data)
{
  const guint n = 10;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) ids = NULL;
  guint requests;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", i);

      start (fixture, fixture->environ, machine_id);
    }
  instances = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < instances->len; i++)
    g_strv_builder_add (builder, welkin_instance_get_id (g_ptr_array_index (instances, i)));
  ids = g_strv_builder_end (builder);

  fake_log_clear (fixture->provider.fake);
  environ_fixture_stop (fixture, fixture->environ, (const char * const *) ids, &error);
  g_assert_no_error (error);
  requests = fake_log_get_entries (fixture->provider.fake)->len;
  g_test_message ("%u requests for %u machines", requests, n);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "GET", "/network/*"), ==, 3);
  /* server, port, floating IP, group, and a look whether it is gone */
  g_assert_cmpuint (requests, <=, n * 5 + 10);
}

/* Stops a machine, and cancels that at the request of this number. FALSE: it made less of them. */
static gboolean
cancel_stop (EnvironFixture     *fixture,
             const char * const *ids,
             guint               n)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  fake_log_clear (fake);
  welkin_environ_stop_instances_async (fixture->environ, ids, NULL, cancellable,
                                       provider_fixture_done_cb, &fixture->provider);
  while (fixture->provider.result == NULL)
    {
      g_main_context_iteration (NULL, TRUE);
      if (fake_log_get_entries (fake)->len >= n)
        g_cancellable_cancel (cancellable);
    }
  if (!welkin_environ_stop_instances_finish (fixture->environ,
                                             provider_fixture_wait (&fixture->provider), &error))
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return g_cancellable_is_cancelled (cancellable);
}

static void
test_cancelled_stop_forgets_nothing (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autofree char *stopped = NULL;
  g_autoptr(GError) error = NULL;
  gboolean was_cancelled = TRUE;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint n = 0; was_cancelled; n++)
    {
      g_autoptr(GPtrArray) instances = NULL;
      const char *ids[2] = { NULL, NULL };
      g_autofree char *left = NULL;

      start (fixture, fixture->environ, "0");
      instances = environ_fixture_list (fixture, fixture->environ, &error);
      g_assert_no_error (error);
      ids[0] = welkin_instance_get_id (g_ptr_array_index (instances, 0));
      /* The first time nothing happens, and tells what is to be left: what all machines share. */
      if (n > 0)
        was_cancelled = cancel_stop (fixture, ids, n);
      environ_fixture_stop (fixture, fixture->environ, ids, &error);
      g_assert_no_error (error);
      left = environ_fixture_take_inventory (fixture);
      if (n == 0)
        stopped = g_steal_pointer (&left);
      else
        g_assert_cmpstr (left, ==, stopped);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/defects/20/everything-goes", test_everything_goes_and_may_go_again);
  environ_fixture_add_test ("/defects/08/others-of-like-names-stay",
                            test_others_of_like_names_stay);
  environ_fixture_add_test ("/destroy/environment-can-be-used-afterwards",
                            test_environment_can_be_used_afterwards);
  environ_fixture_add_nova_test ("/destroy/environment-can-be-used-afterwards/nova-network",
                                 test_environment_can_be_used_afterwards);
  environ_fixture_add_test ("/destroy/group/tried-again", test_group_still_in_use_is_tried_again);
  environ_fixture_add_test ("/destroy/group/reported",
                            test_group_that_stays_in_use_is_reported_and_the_rest_goes);
  environ_fixture_add_test ("/destroy/machines-keep-appearing",
                            test_machines_that_keep_appearing_keep_the_rest);
  environ_fixture_add_test ("/destroy/server/locked", test_locked_server_is_named);
  environ_fixture_add_test ("/destroy/server/soft-deleted",
                            test_soft_deleted_server_is_deleted_for_good);
  environ_fixture_add_test ("/defects/19/stopped-together",
                            test_stopping_many_asks_for_them_together);
  environ_fixture_add_test ("/stop-instances/cancelled", test_cancelled_stop_forgets_nothing);

  return provider_fixture_run ();
}
