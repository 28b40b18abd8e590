/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "services/os-network-service.h"
#include "values/welkin-error.h"

static void
test_machine_runs_with_floating_ip_and_two_groups (EnvironFixture *fixture,
                                                   gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_autofree char *during = NULL;
  WelkinInstance *instance;
  WelkinHardware *hardware;
  const char *ids[2] = { NULL, NULL };

  g_assert_no_error (error);
  instance = welkin_start_result_get_instance (result);
  hardware = welkin_start_result_get_hardware (result);
  g_assert_cmpint (welkin_instance_get_state (instance), ==, WELKIN_INSTANCE_RUNNING);
  g_assert_cmpstr (welkin_instance_get_status (instance), ==, "ACTIVE");
  g_assert_cmpstr (welkin_instance_get_machine_id (instance), ==, "0");
  g_assert_null (welkin_instance_get_status_message (instance));
  g_assert_nonnull (environ_fixture_find_public (instance));
  g_assert_cmpint (welkin_address_get_scope (environ_fixture_find_public (instance)), ==,
                   WELKIN_SCOPE_PUBLIC);
  g_assert_cmpint (welkin_hardware_get_mem (hardware), ==, 2048);
  g_assert_cmpstr (welkin_hardware_get_arch (hardware), ==, "amd64");
  g_assert_cmpstr (welkin_hardware_get_availability_zone (hardware), ==, "az1");
  during = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (during, !=, fixture->before);

  ids[0] = welkin_instance_get_id (instance);
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  /* A second time there is nothing to stop. */
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  /* Only the base group is left, which is for all machines. */
  environ_fixture_assert_goes (fixture);
}

/* Requests of polls, which are no part of what a start needs. */
static const char *const polls[] = { "GET /compute/v2.1/servers/*", NULL };

/* How many of the requests of a start wait for each other. */
static guint
measure_start (EnvironFixture *fixture,
               const char     *machine_id)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  guint trips;

  fake_log_clear (fake);
  result = environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
  trips = fake_log_round_trips (fake, polls);
  g_test_message ("machine %s: %u requests, %u round trips", machine_id,
                  fake_log_get_entries (fake)->len, trips);
  return trips;
}

static void
test_round_trips_of_a_start (EnvironFixture *fixture,
                             gconstpointer   data)
{
  /* So long that what could run side by side does: under valgrind it takes a while to begin it
   * all. */
  static const int latencies[] = { 200, 2000 };
  FakeCloud *fake = fixture->provider.fake;
  guint cold = G_MAXUINT;
  guint warm = G_MAXUINT;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (latencies) && (cold > 6 || warm > 3); i++)
    {
      fake_cloud_set (fake, "latency", latencies[i]);
      environ_fixture_reopen (fixture, NULL);
      cold = measure_start (fixture, "0");
      warm = measure_start (fixture, "1");
      g_assert_cmpuint (fake_log_count (fake, "POST", "*"), ==, 4);
      fake_cloud_set (fake, "latency", 0);
      environ_fixture_destroy (fixture, fixture->environ, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (cold, <=, 6);
  g_assert_cmpuint (warm, <=, 3);
}

/* Many at once. */

static void
test_many_starts_share_what_they_ask (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  const guint n = 100;
  FakeCloud *fake = fixture->provider.fake;
  EnvironCrowd crowd;
  guint requests;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_log_clear (fake);
  environ_crowd_start (&crowd, fixture, n);
  requests = fake_log_get_entries (fake)->len;
  g_test_message ("%u requests for %u machines", requests, n);
  g_assert_cmpuint (crowd.ids->len, ==, n);
  g_assert_cmpuint (g_hash_table_size (crowd.addresses), ==, n);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/identity/*"), ==, 1);
  g_assert_cmpuint (fake_log_count (fake, "GET", "/compute/v2.1/flavors/detail"), ==, 1);
  g_assert_cmpuint (fake_log_count (fake, "GET", "/network/v2.0/networks"), ==, 2);
  g_assert_cmpuint (requests, <=, n * 9 / 2);
  g_assert_cmpuint (fake_log_count (fake, "GET", "/network/v2.0/extensions"), ==, 1);
  environ_crowd_clear (&crowd);
}

static void
test_twenty_machines_come_and_go (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  const guint n = 20;
  g_autoptr(GError) error = NULL;
  EnvironCrowd crowd;

  environ_crowd_start (&crowd, fixture, n);
  g_assert_cmpuint (crowd.ids->len, ==, n);
  g_assert_cmpuint (g_hash_table_size (crowd.addresses), ==, n);
  g_ptr_array_add (crowd.ids, NULL);
  environ_fixture_stop (fixture, fixture->environ, (const char *const *) crowd.ids->pdata, &error);
  g_assert_no_error (error);
  environ_fixture_assert_goes (fixture);
  environ_crowd_clear (&crowd);
}

/* What goes wrong, and what is said of it. */

static void
test_fault_is_quoted (EnvironFixture *fixture,
                      gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fixture->provider.fake, NULL, NULL, 1, "BUILD,BUILD,ERROR", 500,
                            "The disk caught fire.");
  result = environ_fixture_start (fixture, fixture->environ, "7", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  g_assert_true (g_str_has_prefix (
    error->message,
    "Cannot start machine 7: cannot create server of flavor m1.small in zone az1: The disk caught "
    "fire. (server "));
  g_assert_true (welkin_error_is_zone_independent (error));
  environ_fixture_assert_clean (fixture);
}

static void
test_used_up_quota_says_so_and_leaves_nothing (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  static const char *const resources[] = { "instances", "floatingip", "port", "security_group" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (resources); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinStartResult) result = NULL;

      /* Routers have ports, and every project has its group. */
      fake_cloud_set_quota (fixture->provider.fake, "demo", resources[i], i >= 2 ? 1 : 0);
      result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
      g_assert_null (result);
      g_test_message ("%s", error->message);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
      g_assert_true (g_str_has_prefix (error->message, "Cannot start machine 0: cannot "));
      g_assert_nonnull (strstr (error->message, "uota"));
      g_assert_nonnull (strstr (error->message, "request "));
      environ_fixture_assert_clean (fixture);
      fake_cloud_set_quota (fixture->provider.fake, "demo", resources[i], -1);
    }
}

/* Its ports would be nobody's, and stay for ever. */
static void
test_cloud_that_keeps_no_marks (EnvironFixture *fixture,
                                gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  fake_cloud_set_extension (fake, "standard-attr-description", FALSE);
  fake_cloud_set_extension (fake, "standard-attr-tag", FALSE);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "standard-attr-description"));
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/*"), ==, 0);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/*"), ==, 0);
  environ_fixture_assert_clean (fixture);
}

static void
test_machine_that_runs_goes_when_its_floating_ip_fails (EnvironFixture *fixture,
                                                        gconstpointer   data)
{
  /* Time enough for the server. */
  static const FakeRule rule = {
    .method = "POST", .path = "/network/v2.0/floatingips", .times = -1, .delay_ms = 2000,
    .action = FAKE_FAIL, .status = 409,
    .body = "{\"NeutronError\": {\"type\": \"OverQuota\", \"message\": \"Quota exceeded.\"}}",
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &rule);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "DELETE", "/compute/v2.1/servers/*"),
                    ==, 1);
  environ_fixture_assert_clean (fixture);
}

static void
test_networks_that_will_not_do_are_named (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  struct
  {
    const char *key;
    const char *value;
    WelkinError code;
    const char *text;
  } cases[] = {
    { "network", "nosuch", WELKIN_ERROR_NOT_FOUND, "no network named \"nosuch\"; there are: " },
    { "network", "00000000-0000-4000-8000-000000000000", WELKIN_ERROR_NOT_FOUND,
      "there is no network 00000000-0000-4000-8000-000000000000" },
    { "external-network", "nosuch", WELKIN_ERROR_NOT_FOUND,
      "no external network named \"nosuch\"; there are: public" },
    { "external-network", "private", WELKIN_ERROR_NOT_FOUND,
      "no external network named \"private\"; there are: public" },
    { "availability-zones", "az9", WELKIN_ERROR_NOT_FOUND, "no availability zone \"az9\"" },
    { "flavor", "m9.huge", WELKIN_ERROR_NO_MATCH, "no flavor named \"m9.huge\"; there are: " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinStartResult) result = NULL;

      environ_fixture_reopen (fixture, cases[i].key, cases[i].value, NULL);
      result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
      g_assert_null (result);
      g_test_message ("%s", error->message);
      g_assert_error (error, WELKIN_ERROR, (int) cases[i].code);
      g_assert_true (g_str_has_prefix (error->message, "Cannot start machine 0: "));
      g_assert_nonnull (strstr (error->message, cases[i].text));
      environ_fixture_assert_clean (fixture);
    }
}

static void
test_ambiguous_network_lists_them (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fixture->provider.fake, "network", "{'name': 'second', 'project': 'demo'}");
  environ_fixture_reopen (fixture, "network", "", NULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "several networks could be used: "));
  g_assert_nonnull (strstr (error->message, "private ("));
  g_assert_nonnull (strstr (error->message, "second ("));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "\"network\""));
}

/* What is asked for otherwise. */

static void
test_machine_without_floating_ip (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = environ_fixture_start (
    fixture, fixture->environ, "0", "allocate-public-ip=false mem=3G zones=az2", &error);
  WelkinInstance *instance;
  WelkinHardware *hardware;

  g_assert_no_error (error);
  instance = welkin_start_result_get_instance (result);
  hardware = welkin_start_result_get_hardware (result);
  g_assert_cmpint (welkin_hardware_get_mem (hardware), ==, 4096);
  g_assert_cmpstr (welkin_hardware_get_availability_zone (hardware), ==, "az2");
  for (guint i = 0; i < welkin_instance_get_addresses (instance)->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (welkin_instance_get_addresses (instance), i);

      g_assert_false (g_str_has_prefix (welkin_address_get_value (address), "203.0.113."));
    }
  environ_fixture_assert_goes (fixture);
}

/* One in each network, the primary one first, with the public address on that. */
static void
assert_interfaces (FakeCloud *fake,
                   GPtrArray *interfaces)
{
  static const struct
  {
    const char *network;
    guint       n_addresses;
    gboolean    is_public;
  } expected[] = { { "private", 3, TRUE }, { "second", 1, FALSE } };

  g_assert_cmpuint (interfaces->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < interfaces->len; i++)
    {
      WelkinNetworkInterface *card = g_ptr_array_index (interfaces, i);
      GPtrArray *addresses = welkin_network_interface_get_addresses (card);
      WelkinAddress *last = g_ptr_array_index (addresses, addresses->len - 1);

      g_assert_cmpstr (welkin_network_interface_get_network_name (card), ==, expected[i].network);
      g_assert_cmpstr (welkin_network_interface_get_network_id (card), ==,
                       fake_cloud_find (fake, "network", expected[i].network));
      g_assert_cmpuint (addresses->len, ==, expected[i].n_addresses);
      g_assert_true ((welkin_address_get_scope (last) == WELKIN_SCOPE_PUBLIC)
                     == expected[i].is_public);
      g_assert_cmpuint (strlen (welkin_network_interface_get_mac_address (card)), ==, 17);
      g_assert_cmpuint (strlen (welkin_network_interface_get_id (card)), ==, 36);
    }
}

static void
test_machine_on_two_networks (EnvironFixture *fixture,
                              gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GPtrArray) networks = g_ptr_array_new ();
  GPtrArray *addresses;
  g_autofree char *joined = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fake, "network", "{'name': 'second', 'project': 'demo'}");
  fake_cloud_add (fake, "subnet", "{'network': 'second', 'cidr': '10.77.0.0/24'}");
  g_free (fixture->before);
  fixture->before = environ_fixture_take_inventory (fixture);
  environ_fixture_reopen (fixture, "network", "private, second, private", NULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/v2.0/ports"), ==, 2);
  addresses = welkin_instance_get_addresses (welkin_start_result_get_instance (result));
  for (guint i = 0; i < addresses->len; i++)
    {
      const char *network = welkin_address_get_network (g_ptr_array_index (addresses, i));

      if (network != NULL
          && !g_ptr_array_find_with_equal_func (networks, network, g_str_equal, NULL))
        g_ptr_array_add (networks, (gpointer) network);
    }
  g_ptr_array_add (networks, NULL);
  joined = g_strjoinv (" ", (char **) networks->pdata);
  g_assert_cmpstr (joined, ==, "private second");
  assert_interfaces (fake, welkin_start_result_get_network_interfaces (result));
  environ_fixture_assert_goes (fixture);
}

static void
test_network_without_port_security_has_no_groups (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_update (fixture->provider.fake, "network", "private",
                     "{'port_security_enabled': false}");
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE, "*has no port security*");
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "*/security-groups"), ==, 0);
}

static void
test_only_networks_with_port_security_have_groups (EnvironFixture *fixture,
                                                   gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fake, "network",
                  "{'name': 'open', 'project': 'demo', 'port_security_enabled': false}");
  fake_cloud_add (fake, "subnet", "{'network': 'open', 'cidr': '10.9.0.0/24'}");
  environ_fixture_reopen (fixture, "network", "private, open", NULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/v2.0/ports"), ==, 2);
  g_assert_cmpuint (fake_log_count (fake, "POST", "*/security-groups"), ==, 2);
}

static void
test_default_group_is_used_on_request (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  const FakeLogEntry *entry;
  g_autofree char *body = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  const char *group;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  group = fake_cloud_find (fixture->provider.fake, "security_group", "default");
  environ_fixture_reopen (fixture, "use-default-secgroup", "true", "firewall-mode", "none", NULL);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  entry = fake_log_find (fixture->provider.fake, "POST", "/network/v2.0/ports");
  body = g_strndup (g_bytes_get_data (entry->body, NULL), g_bytes_get_size (entry->body));
  g_assert_nonnull (group);
  g_assert_nonnull (strstr (body, "security_groups"));
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", "*/security-groups"), ==, 1);
}

/* The base group. */

static OsSecurityGroup *
load_base_group (EnvironFixture *fixture)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  const char *query[] = { "name", "welkin-test", NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) groups = NULL;

  os_firewall_list_groups_async (OS_FIREWALL (service), query, NULL, provider_fixture_done_cb,
                                 &fixture->provider);
  groups = os_firewall_list_groups_finish (OS_FIREWALL (service),
                                           provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, 1);
  return g_ptr_array_steal_index (groups, 0);
}

static void
test_base_group_is_put_right (EnvironFixture *fixture,
                              gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) again = NULL;
  g_autoptr(WelkinStartResult) narrow = NULL;
  g_autoptr(OsSecurityGroup) open = NULL;
  g_autoptr(OsSecurityGroup) narrowed = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  first = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  open = load_base_group (fixture);
  /* ssh and the API from everywhere, six inside, two egress */
  g_assert_cmpuint (open->rules->len, ==, 12);

  /* In a new process, too, nothing is changed that is right. */
  environ_fixture_reopen (fixture, NULL);
  fake_log_clear (fake);
  again = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fake, "POST", "*/security-group-rules"), ==, 0);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", "*/security-group-rules/*"), ==, 0);

  environ_fixture_reopen (fixture, "admin-sources", "192.0.2.0/24", NULL);
  narrow = environ_fixture_start (fixture, fixture->environ, "2", NULL, &error);
  g_assert_no_error (error);
  narrowed = load_base_group (fixture);
  g_assert_cmpstr (narrowed->id, ==, open->id);
  g_assert_cmpuint (narrowed->rules->len, ==, 10);
}

static void
test_two_processes_agree_on_one_base_group (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  g_autoptr(WelkinEnviron) mine = NULL;
  g_autoptr(OsSecurityGroup) group = NULL;
  g_autoptr(WelkinStartParams) params_0 = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinStartParams) params_1 = environ_fixture_make_params ("1", NULL);
  EnvironCrowd crowd;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_crowd_init (&crowd);
  fake_cloud_set (fixture->provider.fake, "latency", 20);
  mine = g_steal_pointer (&fixture->environ);
  environ_fixture_reopen (fixture, NULL);
  environ_crowd_add (&crowd, mine, params_0);
  environ_crowd_add (&crowd, fixture->environ, params_1);
  environ_crowd_wait (&crowd);
  group = load_base_group (fixture);
  g_assert_cmpuint (group->rules->len, ==, 12);
  environ_crowd_clear (&crowd);
}

static void
test_base_group_that_vanished_is_made_again (EnvironFixture *fixture,
                                             gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) second = NULL;
  g_autoptr(WelkinEnviron) other = NULL;
  const char *ids[2] = { NULL, NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  first = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  ids[0] = welkin_instance_get_id (welkin_start_result_get_instance (first));
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  other = g_steal_pointer (&fixture->environ);
  environ_fixture_reopen (fixture, NULL);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_null (fake_cloud_find (fake, "security_group", "welkin-test"));

  second = environ_fixture_start (fixture, other, "1", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (fake_cloud_find (fake, "security_group", "welkin-test"));
}

static void
test_base_group_that_vanishes_for_ever_ends_the_start (EnvironFixture *fixture,
                                                       gconstpointer   data)
{
  static const FakeRule rule = {
    .method = "POST", .path = "/network/v2.0/ports", .times = 4, .action = FAKE_FAIL,
    .status = 404,
    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupNotFound\", "
            "\"message\": \"Security group X does not exist\"}}",
  };
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fake, &rule);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/network/v2.0/ports"), ==, 2);
  environ_fixture_assert_clean (fixture);
}

/* A machine that ran before holds nothing back. */
static void
test_base_group_made_anew_goes_with_a_failed_start (EnvironFixture *fixture,
                                                    gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) second = NULL;
  const char *ids[2] = { NULL, NULL };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  first = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_no_error (error);
  ids[0] = welkin_instance_get_id (welkin_start_result_get_instance (first));
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  fake_cloud_remove (fake, "security_group", "welkin-test");

  fake_cloud_script_server (fake, NULL, NULL, -1, "BUILD,ERROR", 500, "It fell over.");
  second = environ_fixture_start (fixture, fixture->environ, "1", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  environ_fixture_assert_clean (fixture);
}

static void
start_unseen (EnvironFixture *fixture,
              int             n_unseen,
              gboolean        is_started)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  fake_log_clear (fake);
  fake_cloud_set (fake, "nova-missing-reads", n_unseen);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  fake_cloud_set (fake, "nova-missing-reads", 0);
  if (is_started)
    {
      g_assert_no_error (error);
      g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers"), ==, n_unseen + 1);
    }
  else
    {
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
    }
  environ_fixture_assert_goes (fixture);
}

/* It is another service that has made them, and nova may be told of them late. */
static void
test_what_nova_cannot_see_yet_is_tried_again (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  static const FakeRule no_ports = {
    .method = "POST", .path = "/network/v2.0/ports", .times = -1, .action = FAKE_FAIL,
    .status = 403,
    .body = "{\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", \"message\": \"no\"}}",
  };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  start_unseen (fixture, 2, TRUE);
  start_unseen (fixture, 1000, FALSE);
  /* Where nova makes the ports, it is told of the groups. */
  fake_cloud_add_rule (fixture->provider.fake, &no_ports);
  start_unseen (fixture, 2, TRUE);
  start_unseen (fixture, 1000, FALSE);
}

static WelkinStartResult *
start_hastily (EnvironFixture *fixture)
{
  g_autoptr(WelkinStartParams) patient = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinStartParams) hasty = welkin_start_params_with_waits (patient, FALSE);
  g_autoptr(GError) error = NULL;
  WelkinStartResult *result =
    environ_fixture_start_params (fixture, fixture->environ, hasty, &error);

  g_assert_no_error (error);
  return result;
}

static void
test_machine_need_not_be_waited_for (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  WelkinInstance *instance;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set (fixture->provider.fake, "build-delay", 3000);
  result = start_hastily (fixture);
  instance = welkin_start_result_get_instance (result);
  g_assert_cmpint (welkin_instance_get_state (instance), ==, WELKIN_INSTANCE_PENDING);
  g_assert_nonnull (environ_fixture_find_public (instance));
  environ_fixture_assert_goes (fixture);
}

static void
test_machine_that_nova_connects_is_waited_for (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  WelkinInstance *instance;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set (fixture->provider.fake, "build-delay", 300);
  result = start_hastily (fixture);
  instance = welkin_start_result_get_instance (result);
  g_assert_cmpint (welkin_instance_get_state (instance), ==, WELKIN_INSTANCE_RUNNING);
  g_assert_nonnull (environ_fixture_find_public (instance));
  environ_fixture_assert_goes (fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/start-instance/runs-with-floating-ip-and-two-groups",
                            test_machine_runs_with_floating_ip_and_two_groups);
  environ_fixture_add_test ("/start-instance/round-trips", test_round_trips_of_a_start);
  environ_fixture_add_test ("/start-instance/many-share-what-they-ask",
                            test_many_starts_share_what_they_ask);
  environ_fixture_add_test ("/start-instance/unseen-by-nova",
                            test_what_nova_cannot_see_yet_is_tried_again);
  environ_fixture_add_test ("/start-instance/twenty-come-and-go", test_twenty_machines_come_and_go);
  environ_fixture_add_test ("/start-instance/not-waited-for", test_machine_need_not_be_waited_for);
  environ_fixture_add_nova_test ("/start-instance/not-waited-for/nova-network",
                                 test_machine_that_nova_connects_is_waited_for);
  environ_fixture_add_test ("/start-instance/failure/fault-is-quoted", test_fault_is_quoted);
  environ_fixture_add_test ("/defects/16/quota-leaves-nothing",
                            test_used_up_quota_says_so_and_leaves_nothing);
  environ_fixture_add_test ("/start-instance/failure/floating-ip-takes-the-machine-along",
                            test_machine_that_runs_goes_when_its_floating_ip_fails);
  environ_fixture_add_test ("/start-instance/failure/cloud-keeps-no-marks",
                            test_cloud_that_keeps_no_marks);
  environ_fixture_add_test ("/start-instance/failure/unknown-things-are-named",
                            test_networks_that_will_not_do_are_named);
  environ_fixture_add_test ("/start-instance/failure/ambiguous-network",
                            test_ambiguous_network_lists_them);
  environ_fixture_add_test ("/start-instance/wish/no-floating-ip",
                            test_machine_without_floating_ip);
  environ_fixture_add_test ("/start-instance/wish/two-networks", test_machine_on_two_networks);
  environ_fixture_add_test ("/start-instance/wish/no-port-security",
                            test_network_without_port_security_has_no_groups);
  environ_fixture_add_test ("/start-instance/wish/port-security-in-places",
                            test_only_networks_with_port_security_have_groups);
  environ_fixture_add_test ("/start-instance/wish/default-group",
                            test_default_group_is_used_on_request);
  environ_fixture_add_test ("/start-instance/base-group/is-put-right",
                            test_base_group_is_put_right);
  environ_fixture_add_test ("/start-instance/base-group/two-processes-agree",
                            test_two_processes_agree_on_one_base_group);
  environ_fixture_add_test ("/start-instance/base-group/vanished",
                            test_base_group_that_vanished_is_made_again);
  environ_fixture_add_test ("/start-instance/base-group/vanishes-for-ever",
                            test_base_group_that_vanishes_for_ever_ends_the_start);
  environ_fixture_add_test ("/start-instance/base-group/made-anew",
                            test_base_group_made_anew_goes_with_a_failed_start);

  return provider_fixture_run ();
}
