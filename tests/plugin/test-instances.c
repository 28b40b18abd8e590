/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "contracts/welkin-optional.h"
#include "operations/ownership.h"
#include "operations/recent-servers.h"
#include "values/welkin-error.h"

static WelkinInstances *
find (EnvironFixture     *fixture,
      const char * const *ids,
      GError            **error)
{
  welkin_environ_find_instances_async (fixture->environ, ids, NULL, provider_fixture_done_cb,
                                       &fixture->provider);
  return welkin_environ_find_instances_finish (fixture->environ,
                                               provider_fixture_wait (&fixture->provider), error);
}

static char *
start (EnvironFixture *fixture,
       const char     *machine_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);

  g_assert_no_error (error);
  return g_strdup (welkin_instance_get_id (welkin_start_result_get_instance (result)));
}

/* "0 1 - 0": the machine that is found for each id. */
static char *
describe (WelkinInstances    *instances,
          const char * const *ids)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; ids[i] != NULL; i++)
    {
      WelkinInstance *instance = welkin_instances_lookup (instances, ids[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                              instance != NULL ? welkin_instance_get_machine_id (instance) : "-");
    }
  return g_string_free (text, FALSE);
}

static void
test_found_and_missing_ids (EnvironFixture *fixture,
                            gconstpointer   data)
{
  g_autofree char *id0 = start (fixture, "0");
  g_autofree char *id1 = start (fixture, "1");
  struct
  {
    const char *ids[8];
    const char *expected;
    guint       n_found;
  } cases[] = {
    { { NULL }, "", 0 },
    { { id0, NULL }, "0", 1 },
    { { id0, id0, NULL }, "0 0", 1 },
    { { id0, id1, NULL }, "0 1", 2 },
    { { id1, id0, id1, NULL }, "1 0 1", 2 },
    { { "", NULL }, "-", 0 },
    { { "", "", NULL }, "- -", 0 },
    { { id0, "", NULL }, "0 -", 1 },
    { { "", id0, id1, NULL }, "- 0 1", 2 },
    { { id0, "", id0, NULL }, "0 - 0", 1 },
    { { "00000000-0000-4000-8000-000000000000", id0, NULL }, "- 0", 1 },
    { { "../servers/detail?x=y", "a b", NULL }, "- -", 0 },
    /* so many that they are listed */
    { { id0, "a1", "a2", "a3", "a4", "a5", id1, NULL }, "0 - - - - - 1", 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinInstances) instances = find (fixture, cases[i].ids, &error);
      g_autofree char *text = NULL;

      g_assert_no_error (error);
      text = describe (instances, cases[i].ids);
      g_assert_cmpstr (text, ==, cases[i].expected);
      g_assert_cmpuint (welkin_instances_get_found (instances)->len, ==, cases[i].n_found);
    }
}

static void
test_senseless_ids_ask_nothing (EnvironFixture *fixture,
                                gconstpointer   data)
{
  const char *ids[] = { "", "a/b", NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinInstances) instances = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  instances = find (fixture, ids, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length ((char **) welkin_instances_get_missing_ids (instances)), ==, 2);
  g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, 0);
}

/* How often the fake cloud was asked for one server. */
static guint
count_looks (EnvironFixture *fixture)
{
  return fake_log_count (fixture->provider.fake, "GET", "/compute/v2.1/servers/*-*");
}

static void
test_what_was_started_just_now_may_be_unseen (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  static const FakeRule unseen = {
    .method = "GET", .path = "/compute/v2.1/servers/*", .times = 2, .sticks = TRUE,
    .action = FAKE_FAIL, .status = 404,
    .body = "{\"itemNotFound\": {\"code\": 404, \"message\": \"Not yet.\"}}",
  };
  g_autoptr(GError) error = NULL;
  g_autofree char *seen = start (fixture, "0");
  g_autofree char *recent = start (fixture, "1");
  const char *ids[] = { recent, seen, NULL };
  g_autoptr(WelkinInstances) found = NULL;
  g_autoptr(WelkinInstances) gone = NULL;
  guint n;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &unseen);
  n = count_looks (fixture);
  found = find (fixture, ids, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (welkin_instances_get_found (found)->len, ==, 2);
  /* Three times for the one, and once for the other. */
  g_assert_cmpuint (count_looks (fixture), ==, n + 4);

  /* Whoever stops a machine does not wait for it. */
  environ_fixture_assert_stops (fixture, recent);
  n = count_looks (fixture);
  gone = find (fixture, ids, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (welkin_instances_get_found (gone)->len, ==, 1);
  g_assert_cmpuint (count_looks (fixture), ==, n + 2);
}

/* One that somebody else has removed is missing all the same, and stopping it is no error. */
static void
test_what_vanishes_at_once_is_missing_in_the_end (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *id = start (fixture, "0");
  const char *ids[] = { id, NULL };
  g_autoptr(WelkinInstances) found = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_remove (fixture->provider.fake, "server", "welkin-test-machine-0");
  found = find (fixture, ids, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (welkin_instances_get_found (found)->len, ==, 0);
  g_assert_true (environ_fixture_stop (fixture, fixture->environ, ids, &error));
  g_assert_no_error (error);
}

static void
test_servers_are_recent_for_a_minute (void)
{
  os_recent_servers_add ("a", 100.0);
  g_assert_true (os_recent_servers_has ("a", 100.0));
  g_assert_true (os_recent_servers_has ("a", 159.9));
  g_assert_false (os_recent_servers_has ("a", 160.0));
  g_assert_false (os_recent_servers_has ("b", 100.0));
  os_recent_servers_add ("b", 160.0);
  g_assert_false (os_recent_servers_has ("a", 100.0));
  os_recent_servers_remove ("b");
  g_assert_false (os_recent_servers_has ("b", 160.0));
}

static void
test_failed_question_is_no_missing_instance (EnvironFixture *fixture,
                                             gconstpointer   data)
{
  FakeRule rule = { .method = "GET", .path = "/compute/v2.1/servers/*", .times = -1,
                    .action = FAKE_FAIL, .status = 500,
                    .body = "{\"computeFault\": {\"message\": \"database is gone\"}}" };
  const char *ids[] = { "00000000-0000-4000-8000-000000000000", NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinInstances) instances = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  instances = find (fixture, ids, &error);
  g_assert_null (instances);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "database is gone"));
}

static void
test_servers_of_others_are_not_ours (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *id = start (fixture, "0");
  const char *foreign;
  const char *ids[3] = { NULL };
  g_autoptr(GPtrArray) listed = NULL;
  g_autoptr(WelkinInstances) found = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  /* The name is that of our machine 1; the mark is missing. */
  foreign = fake_cloud_add (fixture->provider.fake, "server",
                            "{'name': 'welkin-test-machine-1', 'project': 'demo'}");
  ids[0] = foreign;
  ids[1] = id;
  listed = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (listed->len, ==, 1);
  g_assert_cmpstr (welkin_instance_get_id (g_ptr_array_index (listed, 0)), ==, id);
  found = find (fixture, ids, &error);
  g_assert_no_error (error);
  g_assert_null (welkin_instances_lookup (found, foreign));
  g_assert_nonnull (welkin_instances_lookup (found, id));

  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (strstr (error->message, foreign));
  g_assert_nonnull (strstr (error->message, "does not belong to environment test"));
  g_assert_nonnull (fake_cloud_find (fixture->provider.fake, "server", "welkin-test-machine-1"));
  g_assert_null (fake_cloud_find (fixture->provider.fake, "server", "welkin-test-machine-0"));
}

/* How to find the port of a machine, and the mark that it carries. */
static char *
start_with_port (EnvironFixture *fixture,
                 const char     *machine_id,
                 char          **port_name,
                 char          **mark)
{
  const char *uuid = fixture->provider.uuid;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params (machine_id, NULL);
  const char *start_id = welkin_start_params_get_start_id (params);
  g_autofree char *first = os_mark_format_start (start_id, 1);
  g_autoptr(WelkinStartResult) result = NULL;

  *port_name = os_name_port ("welkin", uuid, machine_id, start_id);
  *mark = os_mark_format (uuid, machine_id, first);
  welkin_environ_start_instance_async (fixture->environ, params, NULL, NULL,
                                       provider_fixture_done_cb, &fixture->provider);
  result = welkin_environ_start_instance_finish (fixture->environ,
                                                 provider_fixture_wait (&fixture->provider),
                                                 &error);
  g_assert_no_error (error);
  return g_strdup (welkin_instance_get_id (welkin_start_result_get_instance (result)));
}

static void
test_machine_that_cannot_be_stopped_keeps_its_port (EnvironFixture *fixture,
                                                    gconstpointer   data)
{
  static const FakeRule rule = {
    .method = "DELETE", .path = "/compute/v2.1/servers/*", .action = FAKE_FAIL, .status = 403,
    .body = "{\"forbidden\": {\"code\": 403, \"message\": \"No.\"}}",
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *port_name = NULL;
  g_autofree char *mark = NULL;
  g_autofree char *id = start_with_port (fixture, "0", &port_name, &mark);
  const char *ids[] = { id, NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fake, &rule);
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (fake_cloud_find (fake, "port", port_name));
  g_clear_error (&error);

  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  g_assert_null (fake_cloud_find (fake, "port", port_name));
}

/* What was made for the zone that had no room serves in the next one. */
static void
test_machine_of_a_second_zone_takes_its_port_along (EnvironFixture *fixture,
                                                    gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *port_name = NULL;
  g_autofree char *mark = NULL;
  g_autofree char *id = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD,ERROR", 500, "No valid host was found.");
  fake_log_clear (fake);
  id = start_with_port (fixture, "0", &port_name, &mark);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers"), ==, 2);
  environ_fixture_assert_stops (fixture, id);
  g_assert_null (fake_cloud_find (fake, "port", port_name));
}

static void
test_all_that_cannot_be_stopped_are_named (EnvironFixture *fixture,
                                           gconstpointer   data)
{
  static const FakeRule rule = {
    .method = "DELETE", .path = "/compute/v2.1/servers/*", .times = 2, .action = FAKE_FAIL,
    .status = 403, .body = "{\"forbidden\": {\"code\": 403, \"message\": \"No.\"}}",
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *id0 = start (fixture, "0");
  g_autofree char *id1 = start (fixture, "1");
  g_autofree char *id2 = start (fixture, "2");
  const char *ids[] = { id0, id1, id0, id2, "../x", NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) left = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fake, &rule);
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (strstr (error->message, "(2 of 3 failed)\nWhat was not stopped:\n  "));
  left = environ_fixture_list (fixture, fixture->environ, NULL);
  g_assert_cmpuint (left->len, ==, 2);
  for (guint i = 0; i < left->len; i++)
    {
      const char *id = welkin_instance_get_id (g_ptr_array_index (left, i));
      g_autofree char *line = g_strdup_printf ("\n  %s: cannot delete server: ", id);

      g_assert_nonnull (strstr (error->message, line));
    }
  g_clear_error (&error);

  /* The one that is gone is no hindrance to the others, and nor is it that nothing is left. */
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (environ_fixture_stop (fixture, fixture->environ, ids, &error));
      g_assert_no_error (error);
    }
  g_assert_null (fake_cloud_find (fake, "server", "welkin-test-machine-0"));
  g_assert_null (fake_cloud_find (fake, "server", "welkin-test-machine-1"));
}

static void
test_stopping_nothing_asks_nothing (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  static const char *const none[] = { NULL };
  static const char *const senseless[] = { "", "a/b", NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  g_assert_true (environ_fixture_stop (fixture, fixture->environ, none, &error));
  g_assert_no_error (error);
  g_assert_true (environ_fixture_stop (fixture, fixture->environ, senseless, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, 0);
}

/* To neutron's filter, marks in capitals are the same. */
static void
test_port_of_a_similar_mark_stays (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autofree char *port_name = NULL;
  g_autofree char *mark = NULL;
  g_autofree char *other_port_name = NULL;
  g_autofree char *other_mark = NULL;
  g_autofree char *id = start_with_port (fixture, "0", &port_name, &mark);
  g_autofree char *other = start_with_port (fixture, "1", &other_port_name, &other_mark);
  g_autofree char *capitals = g_ascii_strup (mark, -1);
  g_autofree char *update = g_strdup_printf ("{'description': '%s'}", capitals);
  const char *ids[] = { id, NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_update (fake, "port", other_port_name, update);
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  g_assert_null (fake_cloud_find (fake, "port", port_name));
  g_assert_nonnull (fake_cloud_find (fake, "port", other_port_name));
}

static void
test_every_page_is_listed_oldest_first (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) listed = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set (fixture->provider.fake, "nova-max-limit", 2);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", i);

      g_free (start (fixture, machine_id));
    }
  listed = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (listed->len, ==, 5);
  for (guint i = 0; i < listed->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (listed, i);

      g_assert_nonnull (welkin_instance_get_machine_id (instance));
      g_assert_cmpint (welkin_hardware_get_mem (welkin_instance_get_hardware (instance)), ==, 2048);
    }
}

static void
test_server_in_error_is_listed_with_its_fault (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autofree char *id = NULL;
  g_autoptr(GPtrArray) listed = NULL;
  WelkinInstance *instance;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD,ACTIVE,ERROR", 500, "It fell over.");
  fake_cloud_set (fake, "build-delay", 200);
  id = start (fixture, "0");
  do
    {
      g_clear_pointer (&listed, g_ptr_array_unref);
      listed = environ_fixture_list (fixture, fixture->environ, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (listed->len, ==, 1);
      instance = g_ptr_array_index (listed, 0);
    }
  while (welkin_instance_get_state (instance) != WELKIN_INSTANCE_FAILED);
  g_assert_cmpstr (welkin_instance_get_status (instance), ==, "ERROR");
  g_assert_cmpstr (welkin_instance_get_status_message (instance), ==, "It fell over.");
}

static gboolean
refresh (EnvironFixture *fixture,
         WelkinInstance *instance,
         GError        **error)
{
  welkin_instance_refresh_async (instance, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_instance_refresh_finish (instance, provider_fixture_wait (&fixture->provider),
                                         error);
}

static void
test_instance_follows_its_server (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  WelkinInstance *instance;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *id = NULL;
  const char *ids[2] = { NULL, NULL };

  g_assert_no_error (error);
  instance = welkin_start_result_get_instance (result);
  ids[0] = id = g_strdup (welkin_instance_get_id (instance));
  before = welkin_instance_get_dns_name (instance, &error);
  g_assert_no_error (error);

  refresh (fixture, instance, &error);
  g_assert_no_error (error);
  after = welkin_instance_get_dns_name (instance, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (after, ==, before);

  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  g_assert_false (refresh (fixture, instance, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, id));
  /* What was known stays. */
  g_assert_cmpstr (welkin_instance_get_id (instance), ==, id);
}

static void
assert_reached_by (EnvironFixture *fixture,
                   const char     *id,
                   const char     *expected)
{
  const char *ids[] = { id, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinInstances) instances = find (fixture, ids, &error);
  g_autofree char *name = NULL;

  g_assert_no_error (error);
  name = welkin_instance_get_dns_name (welkin_instances_lookup (instances, id), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, expected);
}

static void
test_address_to_reach_it_by_is_the_environments_choice (EnvironFixture *fixture,
                                                        gconstpointer   data)
{
  FakeRule connected = {
    .method = "GET", .path = "/compute/v2.1/servers/*", .times = 3, .action = FAKE_FAIL,
    .status = 200,
  };
  g_autoptr(WelkinStartResult) started = NULL;
  g_autofree char *id = NULL;
  g_autofree char *body = NULL;
  const char *uuid;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  id = g_strdup (welkin_instance_get_id (welkin_start_result_get_instance (started)));
  uuid = welkin_config_get_string (welkin_environ_get_config (fixture->environ), "uuid");
  body = g_strdup_printf ("{\"server\": {\"id\": \"%s\", \"status\": \"ACTIVE\", \"metadata\": {"
                          "\"welkin-env-uuid\": \"%s\"}, \"addresses\": {"
                          "\"inside\": [{\"version\": 4, \"addr\": \"10.3.0.4\"},"
                          " {\"version\": 6, \"addr\": \"fd00::4\"}],"
                          "\"edge\": [{\"version\": 4, \"addr\": \"10.9.0.4\"}]}}}",
                          id, uuid);
  connected.body = body;
  fake_cloud_add_rule (fixture->provider.fake, &connected);

  assert_reached_by (fixture, id, "10.3.0.4");
  environ_fixture_reopen (fixture, "prefer-ipv6", "true", NULL);
  assert_reached_by (fixture, id, "fd00::4");
  environ_fixture_reopen (fixture, "prefer-ipv6", "false", "external-network", "edge", NULL);
  assert_reached_by (fixture, id, "10.9.0.4");
}

static char *
wait_dns_name (EnvironFixture *fixture,
               WelkinInstance *instance,
               GError        **error)
{
  welkin_instance_wait_dns_name_async (instance, fixture->provider.surroundings, NULL,
                                       provider_fixture_done_cb, &fixture->provider);
  return welkin_instance_wait_dns_name_finish (instance, provider_fixture_wait (&fixture->provider),
                                               error);
}

static void
test_address_is_waited_for (EnvironFixture *fixture,
                            gconstpointer   data)
{
  static const FakeRule refused = {
    .method = "GET", .path = "/compute/v2.1/servers/*", .action = FAKE_FAIL, .status = 403,
    .body = "{\"forbidden\": {\"code\": 403, \"message\": \"No.\"}}",
  };
  FakeRule unconnected = {
    .method = "GET", .path = "/compute/v2.1/servers/*", .times = 3, .action = FAKE_FAIL,
    .status = 200,
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started = environ_fixture_assert_starts (fixture, "0", NULL);
  WelkinInstance *instance = welkin_start_result_get_instance (started);
  g_autofree char *body =
    g_strdup_printf ("{\"server\": {\"id\": \"%s\", \"addresses\": {}}}",
                     welkin_instance_get_id (instance));
  g_autofree char *name = NULL;
  guint rule;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  unconnected.body = body;
  rule = fake_cloud_add_rule (fake, &unconnected);
  g_assert_true (refresh (fixture, instance, &error));
  name = wait_dns_name (fixture, instance, &error);
  g_assert_no_error (error);
  g_assert_nonnull (name);
  g_assert_cmpuint (fake_cloud_get_rule_hits (fake, rule), ==, 3);

  /* Only that there is none yet is worth the wait. */
  fake_cloud_clear_rules (fake);
  fake_cloud_add_rule (fake, &unconnected);
  g_assert_true (refresh (fixture, instance, &error));
  fake_cloud_clear_rules (fake);
  fake_cloud_add_rule (fake, &refused);
  g_assert_null (wait_dns_name (fixture, instance, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
}

static void
test_zones_region_and_endpoint_are_told (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  WelkinZoned *zoned = WELKIN_ZONED (fixture->environ);
  WelkinRegional *regional = WELKIN_REGIONAL (fixture->environ);
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) zones = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *region = welkin_regional_get_region (regional);
  g_autofree char *endpoint = welkin_regional_get_endpoint (regional);

  welkin_zoned_list_zones_async (zoned, NULL, provider_fixture_done_cb, &fixture->provider);
  zones =
    welkin_zoned_list_zones_finish (zoned, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  joined = g_strjoinv (" ", zones);
  g_assert_cmpstr (joined, ==, "az1 az2 az3");
  g_assert_cmpstr (region, ==, "RegionOne");
  g_assert_true (g_str_has_suffix (endpoint, "/v3"));
}

static WelkinConstraintsValidator *
load_validator (EnvironFixture *fixture,
                GError        **error)
{
  WelkinConstrained *constrained = WELKIN_CONSTRAINED (fixture->environ);

  welkin_constrained_load_validator_async (constrained, "noble", NULL, NULL,
                                           provider_fixture_done_cb, &fixture->provider);
  return welkin_constrained_load_validator_finish (constrained,
                                                   provider_fixture_wait (&fixture->provider),
                                                   error);
}

/* NULL, and the names of those that are ignored, or what is wrong. */
static char *
judge (WelkinConstraintsValidator *validator,
       const char                 *text,
       char                      **ignored)
{
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new_parsed (text, NULL);
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = welkin_constraints_validator_validate (validator, constraints, &error);

  *ignored = names != NULL ? g_strjoinv (" ", names) : NULL;
  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_constraints_are_judged_beforehand (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  static const struct
  {
    const char *constraints;
    const char *ignored;
    const char *wrong;
  } cases[] = {
    { "mem=4G cores=2 arch=amd64 root-disk-source=volume", "", NULL },
    { "instance-type=m1.small", "", NULL },
    { "tags=fast cpu-power=100 spaces=dmz", "cpu-power spaces tags", NULL },
    { "instance-type=m1.small mem=4G", NULL,
      "ambiguous constraints: \"instance-type\" overlaps with \"mem\"" },
    { "instance-type=m9.moon", NULL,
      "invalid constraint value: instance-type=m9.moon\nvalid values are: " },
    { "arch=s390x", NULL, "invalid constraint value: arch=s390x\nvalid values are: amd64" },
    { "root-disk-source=tape", NULL,
      "invalid constraint value: root-disk-source=tape\nvalid values are: local, volume" },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConstraintsValidator) validator = load_validator (fixture, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *ignored = NULL;
      g_autofree char *wrong = judge (validator, cases[i].constraints, &ignored);

      g_test_message ("%s: %s", cases[i].constraints, wrong);
      g_assert_cmpstr (ignored, ==, cases[i].ignored);
      if (cases[i].wrong == NULL)
        g_assert_null (wrong);
      else
        g_assert_true (wrong != NULL && g_str_has_prefix (wrong, cases[i].wrong));
    }
}

static void
test_machines_are_checked_beforehand (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  static const struct
  {
    const char *constraints;
    const char *placement;
    const char *wrong; /* NULL: nothing */
  } cases[] = {
    { "mem=2G", NULL, NULL },
    { "mem=2G", "zone=az2", NULL },
    { "mem=2G", "zone=az9", "no availability zone \"az9\"" },
    { "mem=2G", "rack=7", "unknown placement directive \"rack=7\"" },
    { "mem=900G", NULL, "mem=921600M" },
    { "instance-type=m9.moon", NULL, "m9.moon" },
  };
  WelkinPrechecker *prechecker = WELKIN_PRECHECKER (fixture->environ);

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConstraints) constraints =
        welkin_constraints_new_parsed (cases[i].constraints, NULL);
      g_autoptr(GError) error = NULL;

      welkin_prechecker_precheck_async (prechecker, "noble", constraints, cases[i].placement, NULL,
                                        NULL, provider_fixture_done_cb, &fixture->provider);
      welkin_prechecker_precheck_finish (prechecker, provider_fixture_wait (&fixture->provider),
                                         &error);
      g_test_message ("%s: %s", cases[i].constraints, error != NULL ? error->message : "well");
      if (cases[i].wrong == NULL)
        g_assert_no_error (error);
      else
        g_assert_true (error != NULL && strstr (error->message, cases[i].wrong) != NULL);
    }
  environ_fixture_assert_clean (fixture);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "*/servers"), ==, 0);
}

static void
test_upkeep_costs_nothing (EnvironFixture *fixture,
                           gconstpointer   data)
{
  g_autofree char *id = start (fixture, "0");
  const char *ids[] = { id, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinInstances) instances = find (fixture, ids, &error);
  WelkinMaintainer *maintainer = WELKIN_MAINTAINER (fixture->environ);
  guint n_requests = 0;

  g_assert_no_error (error);
  if (fixture->provider.fake != NULL)
    n_requests = fake_log_get_entries (fixture->provider.fake)->len;
  welkin_maintainer_maintain_async (maintainer, "0", welkin_instances_lookup (instances, id), NULL,
                                    provider_fixture_done_cb, &fixture->provider);
  g_assert_true (welkin_maintainer_maintain_finish (
    maintainer, provider_fixture_wait (&fixture->provider), &error));
  g_assert_no_error (error);
  if (fixture->provider.fake != NULL)
    g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, n_requests);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/instances/find/found-and-missing", test_found_and_missing_ids);
  environ_fixture_add_test ("/defects/06/senseless-ids-ask-nothing",
                            test_senseless_ids_ask_nothing);
  environ_fixture_add_test ("/defects/05/failed-question",
                            test_failed_question_is_no_missing_instance);
  environ_fixture_add_test ("/instances/find/started-just-now",
                            test_what_was_started_just_now_may_be_unseen);
  environ_fixture_add_test ("/instances/find/vanished-at-once",
                            test_what_vanishes_at_once_is_missing_in_the_end);
  g_test_add_func ("/instances/find/for-a-minute", test_servers_are_recent_for_a_minute);
  environ_fixture_add_test ("/instances/servers-of-others", test_servers_of_others_are_not_ours);
  environ_fixture_add_test ("/instances/stop/what-runs-on-keeps-its-port",
                            test_machine_that_cannot_be_stopped_keeps_its_port);
  environ_fixture_add_test ("/instances/stop/second-zone",
                            test_machine_of_a_second_zone_takes_its_port_along);
  environ_fixture_add_test ("/defects/19/all-errors-are-told",
                            test_all_that_cannot_be_stopped_are_named);
  environ_fixture_add_test ("/instances/stop/nothing", test_stopping_nothing_asks_nothing);
  environ_fixture_add_test ("/defects/37/port-of-a-similar-mark-stays",
                            test_port_of_a_similar_mark_stays);
  environ_fixture_add_test ("/defects/09/every-page", test_every_page_is_listed_oldest_first);
  environ_fixture_add_test ("/defects/07/server-in-error",
                            test_server_in_error_is_listed_with_its_fault);
  environ_fixture_add_test ("/instances/refresh", test_instance_follows_its_server);
  environ_fixture_add_test ("/instances/reached-by",
                            test_address_to_reach_it_by_is_the_environments_choice);
  environ_fixture_add_test ("/instances/wait-for-address", test_address_is_waited_for);
  environ_fixture_add_test ("/instances/zones-and-region", test_zones_region_and_endpoint_are_told);
  environ_fixture_add_test ("/instances/constraints-are-judged",
                            test_constraints_are_judged_beforehand);
  environ_fixture_add_test ("/instances/precheck", test_machines_are_checked_beforehand);
  environ_fixture_add_test ("/instances/upkeep", test_upkeep_costs_nothing);

  return provider_fixture_run ();
}
