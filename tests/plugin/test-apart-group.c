/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "values/welkin-error.h"

#define GROUPS "/compute/v2.1/os-server-groups"
#define SERVERS "/compute/v2.1/servers"

static void
set_up (EnvironFixture *fixture,
        gconstpointer   data)
{
  environ_fixture_set_up (fixture, data);
  environ_fixture_reopen (fixture, "anti-affinity", "soft", NULL);
}

static void
start (EnvironFixture *fixture,
       const char     *machine_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);

  g_assert_no_error (error);
}

/* The group that the last server was asked for in, or NULL. */
static char *
dup_hint (EnvironFixture *fixture)
{
  const FakeLogEntry *entry = fake_log_find (fixture->provider.fake, "POST", SERVERS);
  g_autoptr(JsonNode) root = wk_json_parse (entry->body, NULL);
  JsonObject *body = json_node_get_object (root);

  if (!json_object_has_member (body, "os:scheduler_hints"))
    return NULL;
  return g_strdup (json_object_get_string_member (
    json_object_get_object_member (body, "os:scheduler_hints"), "group"));
}

static void
test_machines_are_in_one_group (EnvironFixture *fixture)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *name = g_strdup_printf ("welkin-test-%s", fixture->provider.uuid);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *during = NULL;
  const FakeLogEntry *entry;

  start (fixture, "0");
  first = dup_hint (fixture);
  start (fixture, "1");
  second = dup_hint (fixture);
  g_assert_cmpstr (first, ==, fake_cloud_find (fake, "server_group", name));
  g_assert_cmpstr (second, ==, first);
  g_assert_cmpuint (fake_log_count (fake, "GET", GROUPS), ==, 1);
  g_assert_cmpuint (fake_log_count (fake, "POST", GROUPS), ==, 1);
  entry = fake_log_find (fake, "POST", GROUPS);
  g_assert_cmpstr (fake_log_entry_get_header (entry, "OpenStack-API-Version"), ==, "compute 2.15");
  during = environ_fixture_take_inventory (fixture);
  g_assert_nonnull (strstr (during, " policy=soft-anti-affinity"));

  /* Another process finds it. */
  environ_fixture_reopen (fixture, "anti-affinity", "soft", NULL);
  start (fixture, "2");
  third = dup_hint (fixture);
  g_assert_cmpstr (third, ==, first);
  g_assert_cmpuint (fake_log_count (fake, "POST", GROUPS), ==, 1);

  environ_fixture_assert_goes (fixture);
}

static void
test_machines_are_in_no_group_unasked (EnvironFixture *fixture)
{
  g_autofree char *hint = NULL;

  environ_fixture_reopen (fixture, "anti-affinity", "none", NULL);
  start (fixture, "0");
  hint = dup_hint (fixture);
  g_assert_null (hint);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 0);
}

/* That machines are kept apart is a wish. */
static void
test_old_compute_keeps_nobody_apart (EnvironFixture *fixture)
{
  g_autofree char *hint = NULL;

  fake_cloud_set (fixture->provider.fake, "nova-max-microversion", 14);
  start (fixture, "0");
  hint = dup_hint (fixture);
  g_assert_null (hint);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 0);
}

static void
test_used_up_quota_of_groups (EnvironFixture *fixture)
{
  g_autofree char *hint = NULL;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "server_groups", 0);
  start (fixture, "0");
  hint = dup_hint (fixture);
  g_assert_null (hint);
}

static void
test_full_group_is_left_out (EnvironFixture *fixture)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "server_group_members", 1);
  start (fixture, "0");
  first = dup_hint (fixture);
  g_assert_nonnull (first);
  start (fixture, "1");
  second = dup_hint (fixture);
  g_assert_null (second);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", SERVERS), ==, 3);
}

static void
test_failed_start_leaves_no_group (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) none = NULL;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "instances", 0);
  none = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 1);
  environ_fixture_assert_clean (fixture);

  /* The next one makes it anew. */
  fake_cloud_set_quota (fixture->provider.fake, "demo", "instances", -1);
  start (fixture, "0");
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 2);
}

static void
test_lost_answer_makes_one_group (EnvironFixture *fixture)
{
  FakeRule lost = { .method = "POST", .path = GROUPS, .action = FAKE_DROP_AFTER };

  fake_cloud_add_rule (fixture->provider.fake, &lost);
  start (fixture, "0");
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 1);
  environ_fixture_assert_goes (fixture);
}

typedef void (*Test) (EnvironFixture *fixture);

static void
run_test (EnvironFixture *fixture,
          gconstpointer   data)
{
  Test test = (Test) data;

  if (!provider_fixture_needs_fake (&fixture->provider))
    test (fixture);
}

static void
add_test (const char *path,
          Test        test)
{
  g_test_add (path, EnvironFixture, test, set_up, run_test, environ_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/apart-group/one-for-all", test_machines_are_in_one_group);
  add_test ("/apart-group/unasked", test_machines_are_in_no_group_unasked);
  add_test ("/apart-group/wish/old-compute", test_old_compute_keeps_nobody_apart);
  add_test ("/apart-group/wish/quota", test_used_up_quota_of_groups);
  add_test ("/apart-group/wish/full", test_full_group_is_left_out);
  add_test ("/apart-group/failed-start", test_failed_start_leaves_no_group);
  add_test ("/apart-group/lost-answer", test_lost_answer_makes_one_group);

  return provider_fixture_run ();
}
