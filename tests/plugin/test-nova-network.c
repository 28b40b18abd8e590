/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "ports-fixture.h"

#include "services/os-addresses.h"
#include "services/os-nova-network.h"
#include "values/welkin-error.h"

/* Clouds without a network service: nova has networks, security groups and floating IPs. */

#define ADDRESSES "/compute/v2.1/os-floating-ips"
#define GROUPS    "/compute/v2.1/os-security-groups"
#define RULES     "/compute/v2.1/os-security-group-rules"
#define ACTIONS   "/compute/v2.1/servers/*/action"

/* What was sent to make a server. */
static char *
dup_server_body (EnvironFixture *fixture)
{
  const FakeLogEntry *entry =
    fake_log_find (fixture->provider.fake, "POST", "/compute/v2.1/servers");

  return g_strndup (g_bytes_get_data (entry->body, NULL), g_bytes_get_size (entry->body));
}

static char *
dup_id (WelkinStartResult *started)
{
  return g_strdup (welkin_instance_get_id (welkin_start_result_get_instance (started)));
}

/* None of it ever needs a network service, or a microversion. */
static void
assert_nova_alone (EnvironFixture *fixture)
{
  GPtrArray *entries = fake_log_get_entries (fixture->provider.fake);

  g_assert_cmpuint (environ_fixture_count_requests (fixture, NULL, "/network*"), ==, 0);
  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);

      if (g_str_has_prefix (entry->path, "/compute/v2.1/os-"))
        g_assert_null (fake_log_entry_get_header (entry, "OpenStack-API-Version"));
    }
}

/* Machines. */

/* When the server is gone, nothing tells any more whose the address was. */
static void
assert_address_went_first (EnvironFixture *fixture)
{
  const FakeLogEntry *released =
    fake_log_find (fixture->provider.fake, "DELETE", ADDRESSES "/*");
  const FakeLogEntry *deleted =
    fake_log_find (fixture->provider.fake, "DELETE", "/compute/v2.1/servers/*");

  g_assert_cmpuint (released->sequence, <, deleted->sequence);
}

static void
test_machine_starts_and_stops (EnvironFixture *fixture,
                               gconstpointer   data)
{
  g_autoptr(WelkinStartResult) started = NULL;
  g_autofree char *id = NULL;
  g_autofree char *body = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  id = dup_id (started);
  body = dup_server_body (fixture);
  g_assert_nonnull (strstr (body, "\"security_groups\":[{\"name\":\"welkin-test\"},"
                                  "{\"name\":\"welkin-test-0\"}]"));
  g_assert_nonnull (strstr (body, "\"welkin-fip\":\""));
  g_assert_nonnull (strstr (body, "\"networks\":[{\"uuid\":\""));
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 1);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ACTIONS), ==, 1);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 1);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "security_group"), ==, 3);

  environ_fixture_assert_stops (fixture, id);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 0);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "server"), ==, 0);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "security_group"), ==, 2);
  assert_address_went_first (fixture);

  environ_fixture_assert_goes (fixture);
  assert_nova_alone (fixture);
}

static void
test_machine_tells_its_interfaces (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(WelkinStartResult) started = NULL;
  GPtrArray *interfaces, *addresses;
  WelkinNetworkInterface *card;
  const char *mac;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  interfaces = welkin_start_result_get_network_interfaces (started);
  g_assert_cmpuint (interfaces->len, ==, 1);
  card = g_ptr_array_index (interfaces, 0);
  mac = welkin_network_interface_get_mac_address (card);
  g_assert_cmpuint (strlen (mac), ==, 17);
  g_assert_cmpstr (welkin_network_interface_get_id (card), ==, mac);
  g_assert_cmpstr (welkin_network_interface_get_network_name (card), ==, "private");
  g_assert_cmpstr (welkin_network_interface_get_network_id (card), ==,
                   fake_cloud_find (fake, "network", "private"));

  addresses = welkin_network_interface_get_addresses (card);
  g_assert_cmpuint (addresses->len, >=, 2);
  for (guint i = 0; i < addresses->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (addresses, i);
      gboolean is_last = i == addresses->len - 1;

      g_assert_true (g_str_has_prefix (welkin_address_get_value (address), "203.0.113.")
                     == is_last);
      if (is_last)
        g_assert_cmpint (welkin_address_get_scope (address), ==, WELKIN_SCOPE_PUBLIC);
    }
  environ_fixture_assert_goes (fixture);
}

static void
test_environment_goes_with_its_machines (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) second = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  first = environ_fixture_assert_starts (fixture, "0", NULL);
  second = environ_fixture_assert_starts (fixture, "1", NULL);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 2);
  environ_fixture_assert_goes (fixture);
}

static void
test_machine_without_floating_ip (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  g_autoptr(WelkinStartResult) started = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "use-floating-ip", "false", "network", "", NULL);
  started = environ_fixture_assert_starts (fixture, "0", NULL);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, NULL, "*os-floating-ip*"), ==, 0);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, NULL, "*networks*"), ==, 0);
  environ_fixture_assert_goes (fixture);
}

static void
test_environments_let_each_other_be (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(WelkinEnviron) other = NULL;
  g_autoptr(WelkinStartResult) ours = NULL;
  g_autoptr(WelkinStartResult) theirs = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  /* Nova takes a name of a group once in a project. */
  other = environ_fixture_open (fixture, "resource-prefix", "other", NULL);
  theirs = environ_fixture_start (fixture, other, "0", NULL, &error);
  g_assert_no_error (error);
  before = environ_fixture_take_inventory (fixture);
  ours = environ_fixture_assert_starts (fixture, "0", NULL);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);

  environ_fixture_destroy (fixture, other, &error);
  g_assert_no_error (error);
  environ_fixture_assert_clean (fixture);
}

/* Somebody else was faster, so that it was in the list, and is not there any more. */
static void
test_server_that_is_gone_is_stopped (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(WelkinStartResult) started = NULL;
  g_autofree char *id = NULL;
  g_autofree char *path = NULL;
  FakeRule gone = { .method = "GET", .skip = 1, .times = -1, .action = FAKE_FAIL, .status = 404,
                    .body = "{\"itemNotFound\": {\"message\": \"Instance not found\"}}" };
  guint number;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  id = dup_id (started);
  path = g_strconcat ("/compute/v2.1/servers/", id, NULL);
  gone.path = path;
  number = fake_cloud_add_rule (fixture->provider.fake, &gone);
  environ_fixture_assert_stops (fixture, id);
  g_assert_cmpuint (fake_cloud_get_rule_hits (fixture->provider.fake, number), >, 0);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "DELETE", path), ==, 1);
}

/* Whichever request of a stop it is that something happens to. */
static void
try_stop_everywhere (EnvironFixture *fixture,
                     FakeRule        rule)
{
  FakeCloud *fake = fixture->provider.fake;
  guint n_hits = 1;

  for (rule.skip = 0; n_hits > 0; rule.skip++)
    {
      g_autoptr(WelkinStartResult) started = environ_fixture_assert_starts (fixture, "0", NULL);
      g_autofree char *id = dup_id (started);
      const char *ids[] = { id, NULL };
      guint number = fake_cloud_add_rule (fake, &rule);

      environ_fixture_stop (fixture, fixture->environ, ids, NULL);
      n_hits = fake_cloud_get_rule_hits (fake, number);
      fake_cloud_clear_rules (fake);
      environ_fixture_assert_goes (fixture);
    }
  g_assert_cmpint (rule.skip, >, 5);
}

static void
test_stop_leaves_nothing_that_destroy_does_not_find (EnvironFixture *fixture,
                                                     gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  try_stop_everywhere (fixture, (FakeRule) { .action = FAKE_FAIL, .status = 403,
                                             .body = "{\"forbidden\":{\"message\":\"no\"}}" });
  try_stop_everywhere (fixture, (FakeRule) { .action = FAKE_DROP_AFTER });
}

/* Networks and pools. */

static void
assert_fails (EnvironFixture *fixture,
              WelkinError     code,
              const char     *message)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started =
    environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);

  g_assert_null (started);
  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_network_is_found_by_label_and_id (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  FakeRule admin_only = { .path = "*/os-networks", .times = -1, .action = FAKE_FAIL, .status = 403,
                          .body = "{\"forbidden\": {\"message\": \"not you\"}}" };
  g_autoptr(WelkinStartResult) started = NULL;
  g_autofree char *body = NULL;
  const char *id;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &admin_only);
  environ_fixture_reopen (fixture, "network", "nowhere", NULL);
  assert_fails (fixture, WELKIN_ERROR_NOT_FOUND, "no network named \"nowhere\"; there are: ");
  environ_fixture_reopen (fixture, "network", "00000000-0000-4000-8000-000000000000", NULL);
  assert_fails (fixture, WELKIN_ERROR_NOT_FOUND, "there is no network 00000000-");

  id = fake_cloud_find (fixture->provider.fake, "network", "private");
  environ_fixture_reopen (fixture, "network", id, NULL);
  started = environ_fixture_assert_starts (fixture, "0", NULL);
  body = dup_server_body (fixture);
  g_assert_nonnull (strstr (body, id));
  environ_fixture_assert_goes (fixture);

  fake_cloud_add (fixture->provider.fake, "network", "{'name': 'private', 'project': 'demo'}");
  environ_fixture_reopen (fixture, NULL);
  assert_fails (fixture, WELKIN_ERROR_AMBIGUOUS, "several networks are named \"private\": ");
}

static void
test_pool_is_chosen (EnvironFixture *fixture,
                     gconstpointer   data)
{
  FakeRule several = { .path = "*/os-floating-ip-pools", .action = FAKE_FAIL, .status = 200,
                       .body = "{\"floating_ip_pools\": [{\"name\": \"a\"}, {\"name\": \"b\"}]}" };
  FakeRule none = { .path = "*/os-floating-ip-pools", .action = FAKE_FAIL, .status = 200,
                    .body = "{\"floating_ip_pools\": []}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &several);
  assert_fails (fixture, WELKIN_ERROR_AMBIGUOUS, "several pools: a, b");
  environ_fixture_reopen (fixture, "external-network", "c", NULL);
  assert_fails (fixture, WELKIN_ERROR_NOT_FOUND, "floating IPs \"c\"; there are: public");

  /* Nova's own choice is called "nova", which this cloud has not. */
  fake_cloud_add_rule (fixture->provider.fake, &none);
  environ_fixture_reopen (fixture, NULL);
  assert_fails (fixture, WELKIN_ERROR_NOT_FOUND, "Floating IP pool not found");
  environ_fixture_assert_goes (fixture);
}

/* Floating IPs. */

static void
test_shortage_of_addresses_is_told (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "floatingip", 0);
  assert_fails (fixture, WELKIN_ERROR_QUOTA_EXCEEDED, "over quota in pool public");
  environ_fixture_assert_goes (fixture);
}

/* What is there is taken first, and stays when the machines are gone. */
static void
test_any_free_address_is_borrowed (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *body = NULL;
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) second = NULL;
  g_autoptr(WelkinStartResult) third = NULL;
  g_autofree char *id = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_add_free_ip (fixture);
  before = environ_fixture_take_inventory (fixture);
  environ_fixture_reopen (fixture, "floating-ip-reuse", "any", NULL);
  first = environ_fixture_assert_starts (fixture, "0", NULL);
  body = dup_server_body (fixture);
  g_assert_null (strstr (body, "welkin-fip"));
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 0);
  second = environ_fixture_assert_starts (fixture, "1", NULL);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 1);

  /* It can be borrowed again. */
  id = dup_id (first);
  environ_fixture_assert_stops (fixture, id);
  third = environ_fixture_assert_starts (fixture, "2", NULL);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 1);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* (transfer full) */
static GPtrArray *
list_addresses (EnvironFixture *fixture,
                OsNovaNetwork  *service)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *ips;

  os_addresses_list_async (OS_ADDRESSES (service), NULL, NULL, provider_fixture_done_cb,
                           &fixture->provider);
  ips = os_addresses_list_finish (OS_ADDRESSES (service),
                                  provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  return ips;
}

static void
give_address_to (EnvironFixture *fixture,
                 OsNovaNetwork  *service,
                 const char     *server_id,
                 const char     *address)
{
  g_autoptr(GError) error = NULL;

  os_nova_network_add_floating_ip_async (service, server_id, address, NULL,
                                         provider_fixture_done_cb, &fixture->provider);
  os_nova_network_add_floating_ip_finish (service, provider_fixture_wait (&fixture->provider),
                                          &error);
  g_assert_no_error (error);
}

/* Minutes go by from the choice of an address until there is a server to put it on. */
static void
test_address_that_is_taken_meanwhile_stays_there (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsNovaNetwork) service = NULL;
  g_autoptr(WelkinEnviron) other = NULL;
  g_autoptr(WelkinStartResult) theirs = NULL;
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autoptr(GPtrArray) before = NULL;
  g_autoptr(GPtrArray) after = NULL;
  g_autofree char *their_id = NULL;
  g_autoptr(GError) error = NULL;
  EnvironCrowd crowd;
  OsFloatingIp *ip;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  client = provider_fixture_make_client (&fixture->provider, NULL);
  service = os_nova_network_new (client);
  other = environ_fixture_open (fixture, "resource-prefix", "other", "use-floating-ip", "false",
                                NULL);
  theirs = environ_fixture_start (fixture, other, "0", NULL, &error);
  g_assert_no_error (error);
  their_id = dup_id (theirs);
  environ_fixture_add_free_ip (fixture);
  before = list_addresses (fixture, service);
  g_assert_cmpuint (before->len, ==, 1);
  ip = g_ptr_array_index (before, 0);

  environ_fixture_reopen (fixture, "floating-ip-reuse", "any", NULL);
  fake_cloud_set (fake, "build-delay", 300);
  environ_crowd_init (&crowd);
  environ_crowd_add (&crowd, fixture->environ, params);
  while (environ_fixture_count_requests (fixture, "POST", "/compute/v2.1/servers") < 2)
    g_main_context_iteration (NULL, TRUE);
  give_address_to (fixture, service, their_id, ip->address);
  environ_crowd_wait (&crowd);

  g_assert_false (g_hash_table_contains (crowd.addresses, ip->address));
  after = list_addresses (fixture, service);
  g_assert_cmpuint (after->len, ==, 2);
  ip = g_ptr_array_index (after, 0);
  g_assert_cmpstr (ip->server_id, ==, their_id);
  /* Theirs and ours: it was not as much as tried. */
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ACTIONS), ==, 2);
  environ_crowd_clear (&crowd);
}

/* Whoever asks for those with a mark is not to get those of others. */
static void
test_no_address_has_a_mark (EnvironFixture *fixture,
                            gconstpointer   data)
{
  const char *query[] = { "description", "mark", NULL };
  g_autoptr(OsClient) client = NULL;
  g_autoptr(OsNovaNetwork) service = NULL;
  g_autoptr(WelkinStartResult) started = NULL;
  g_autoptr(GPtrArray) marked = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 1);
  client = provider_fixture_make_client (&fixture->provider, NULL);
  service = os_nova_network_new (client);
  os_addresses_list_async (OS_ADDRESSES (service), query, NULL, provider_fixture_done_cb,
                           &fixture->provider);
  marked = os_addresses_list_finish (OS_ADDRESSES (service),
                                     provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (marked->len, ==, 0);
  environ_fixture_assert_goes (fixture);
}

static void
test_address_goes_before_the_server_of_a_failed_start (EnvironFixture *fixture,
                                                       gconstpointer   data)
{
  FakeRule refused = { .method = "POST", .path = ACTIONS, .action = FAKE_FAIL, .status = 403,
                       .body = "{\"forbidden\": {\"message\": \"not you\"}}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &refused);
  assert_fails (fixture, WELKIN_ERROR_FORBIDDEN, "cannot assign the floating IP");
  assert_address_went_first (fixture);
  environ_fixture_assert_clean (fixture);
}

/* A server that has just become active has no network for a moment. */
static void
test_early_address_is_assigned_later (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  FakeRule early = { .method = "POST", .path = ACTIONS, .times = 2, .action = FAKE_FAIL,
                     .status = 400, .body = "{\"badRequest\": {\"message\": "
                                            "\"No nw_info cache associated with instance\"}}" };
  g_autoptr(WelkinStartResult) started = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &early);
  started = environ_fixture_assert_starts (fixture, "0", NULL);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ACTIONS), ==, 3);
  environ_fixture_assert_goes (fixture);
}

/* Whoever asked last has the address: our server gets another one. */
static void
test_address_that_was_taken_is_replaced (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  FakeRule taken = { .method = "POST", .path = ACTIONS, .action = FAKE_FAIL, .status = 202,
                     .body = "" };
  g_autoptr(WelkinStartResult) started = NULL;
  const FakeLogEntry *noted;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &taken);
  started = environ_fixture_assert_starts (fixture, "0", NULL);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 2);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 1);
  noted = fake_log_find (fixture->provider.fake, "POST", "/compute/v2.1/servers/*/metadata");
  g_assert_nonnull (noted);
  environ_fixture_assert_goes (fixture);
}

static void
test_address_that_is_always_taken_fails (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  FakeRule taken = { .method = "POST", .path = ACTIONS, .times = -1, .action = FAKE_FAIL,
                     .status = 202, .body = "" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &taken);
  assert_fails (fixture, WELKIN_ERROR_CONFLICT, "was put on another server");
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", ADDRESSES), ==, 3);
  environ_fixture_assert_goes (fixture);
}

/* Somebody has given the address of our machine to a server of his own. */
static void
test_address_on_another_server_stays (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  FakeRule moved = { .method = "GET", .path = ADDRESSES "/*", .action = FAKE_FAIL, .status = 200,
                     .body = "{\"floating_ip\": {\"id\": 1, \"ip\": \"192.0.2.1\", "
                             "\"instance_id\": \"another\", \"pool\": \"public\"}}" };
  g_autoptr(WelkinStartResult) started = NULL;
  g_autofree char *id = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  id = dup_id (started);
  fake_cloud_add_rule (fixture->provider.fake, &moved);
  environ_fixture_assert_stops (fixture, id);
  g_assert_cmpuint (environ_fixture_count_lines (fixture, "floatingip"), ==, 1);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "DELETE", ADDRESSES "/*"), ==, 0);
}

/* Security groups. */

static void
assert_opens_and_closes (EnvironFixture *fixture,
                         GObject        *owner)
{
  ports_fixture_assert (fixture, owner, "");
  ports_fixture_assert_does (fixture, ports_fixture_open, owner,
                             "8000-8080/tcp 80/tcp 53/udp 1-65535/udp icmp");
  ports_fixture_assert (fixture, owner, "icmp 80/tcp 8000-8080/tcp 1-65535/udp 53/udp");
  ports_fixture_assert_does (fixture, ports_fixture_open, owner, "80/tcp 443/tcp@10.0.0.0/8 icmp");
  ports_fixture_assert (fixture, owner,
                        "icmp 80/tcp 443/tcp@10.0.0.0/8 8000-8080/tcp 1-65535/udp 53/udp");
  ports_fixture_assert_does (fixture, ports_fixture_close, owner,
                             "80/tcp 443/tcp@10.0.0.0/8 8000-8080/tcp 53/udp 1-65535/udp icmp");
  ports_fixture_assert (fixture, owner, "");
}

static void
test_machine_has_ports (EnvironFixture *fixture,
                        gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  assert_opens_and_closes (fixture, machine);
  ports_fixture_destroy (fixture);
  assert_nova_alone (fixture);
}

static void
test_environment_has_ports (EnvironFixture *fixture,
                            gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "firewall-mode", "global", NULL);
  machine = ports_fixture_start (fixture, "0");
  assert_opens_and_closes (fixture, G_OBJECT (fixture->environ));
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED, "global");

  /* The same by whoever has only just logged in. */
  environ_fixture_reopen (fixture, "firewall-mode", "global", NULL);
  ports_fixture_assert_does (fixture, ports_fixture_open, G_OBJECT (fixture->environ), "80/tcp");
  ports_fixture_assert (fixture, G_OBJECT (fixture->environ), "80/tcp");
  ports_fixture_destroy (fixture);
}

static void
test_no_firewall_makes_no_group (EnvironFixture *fixture,
                                 gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "firewall-mode", "none", NULL);
  machine = ports_fixture_start (fixture, "0");
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", GROUPS), ==, 1);
  ports_fixture_assert (fixture, machine, "");
  ports_fixture_destroy (fixture);
}

static void
test_base_group_is_kept_right (EnvironFixture *fixture,
                               gconstpointer   data)
{
  g_autoptr(WelkinStartResult) first = NULL;
  g_autoptr(WelkinStartResult) second = NULL;
  g_autofree char *right = NULL;
  g_autofree char *repaired = NULL;
  g_autofree char *surplus = NULL;
  const char *base;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  first = environ_fixture_assert_starts (fixture, "0", NULL);
  environ_fixture_assert_stops (fixture, welkin_instance_get_id (
                                           welkin_start_result_get_instance (first)));
  right = environ_fixture_take_inventory (fixture);

  base = fake_cloud_find (fixture->provider.fake, "security_group", "welkin-test");
  surplus = g_strdup_printf ("{'project': 'demo', 'security_group_id': '%s', "
                             "'direction': 'ingress', 'protocol': 'tcp', 'port_range_min': 9, "
                             "'port_range_max': 9}",
                             base);
  fake_cloud_add (fixture->provider.fake, "security_group_rule", surplus);
  fake_log_clear (fixture->provider.fake);
  environ_fixture_reopen (fixture, NULL);
  second = environ_fixture_assert_starts (fixture, "1", NULL);
  environ_fixture_assert_stops (fixture, welkin_instance_get_id (
                                           welkin_start_result_get_instance (second)));
  repaired = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (repaired, ==, right);
  /* What is right stays as it is. */
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", RULES), ==, 0);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "DELETE", RULES "/*"), ==, 1);
  environ_fixture_assert_goes (fixture);
}

static void
test_foreign_group_of_our_name_is_a_conflict (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fixture->provider.fake, "security_group",
                  "{'name': 'welkin-test', 'project': 'demo', 'description': 'of others'}");
  before = environ_fixture_take_inventory (fixture);
  assert_fails (fixture, WELKIN_ERROR_CONFLICT, "\"welkin-test\" that is not ours");
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);
}

static void
test_group_in_use_is_told_with_its_users (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  FakeRule used = { .method = "DELETE", .path = GROUPS "/*", .times = -1, .action = FAKE_FAIL,
                    .status = 400,
                    .body = "{\"badRequest\": {\"message\": \"Security group is still in use\"}}" };
  g_autoptr(WelkinStartResult) started = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  started = environ_fixture_assert_starts (fixture, "0", NULL);
  fake_cloud_add_rule (fixture->provider.fake, &used);
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  fake_cloud_clear_rules (fixture->provider.fake);
  environ_fixture_assert_goes (fixture);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_nova_test ("/nova-network/machine", test_machine_starts_and_stops);
  environ_fixture_add_nova_test ("/nova-network/interfaces", test_machine_tells_its_interfaces);
  environ_fixture_add_nova_test ("/nova-network/environment",
                                 test_environment_goes_with_its_machines);
  environ_fixture_add_nova_test ("/nova-network/stop-gone", test_server_that_is_gone_is_stopped);
  environ_fixture_add_nova_test ("/nova-network/stop-faults",
                                 test_stop_leaves_nothing_that_destroy_does_not_find);
  environ_fixture_add_nova_test ("/nova-network/plain-machine", test_machine_without_floating_ip);
  environ_fixture_add_nova_test ("/nova-network/two-environments",
                                 test_environments_let_each_other_be);
  environ_fixture_add_nova_test ("/nova-network/networks", test_network_is_found_by_label_and_id);
  environ_fixture_add_nova_test ("/nova-network/pools", test_pool_is_chosen);
  environ_fixture_add_nova_test ("/nova-network/addresses/shortage",
                                 test_shortage_of_addresses_is_told);
  environ_fixture_add_nova_test ("/nova-network/addresses/borrowed",
                                 test_any_free_address_is_borrowed);
  environ_fixture_add_nova_test ("/nova-network/addresses/taken-meanwhile",
                                 test_address_that_is_taken_meanwhile_stays_there);
  environ_fixture_add_nova_test ("/nova-network/addresses/marks", test_no_address_has_a_mark);
  environ_fixture_add_nova_test ("/nova-network/addresses/refused",
                                 test_address_goes_before_the_server_of_a_failed_start);
  environ_fixture_add_nova_test ("/nova-network/addresses/early",
                                 test_early_address_is_assigned_later);
  environ_fixture_add_nova_test ("/nova-network/addresses/taken",
                                 test_address_that_was_taken_is_replaced);
  environ_fixture_add_nova_test ("/nova-network/addresses/always-taken",
                                 test_address_that_is_always_taken_fails);
  environ_fixture_add_nova_test ("/nova-network/addresses/moved",
                                 test_address_on_another_server_stays);
  environ_fixture_add_nova_test ("/nova-network/ports/machine", test_machine_has_ports);
  environ_fixture_add_nova_test ("/nova-network/ports/environment", test_environment_has_ports);
  environ_fixture_add_nova_test ("/nova-network/ports/none", test_no_firewall_makes_no_group);
  environ_fixture_add_nova_test ("/nova-network/groups/base", test_base_group_is_kept_right);
  environ_fixture_add_nova_test ("/nova-network/groups/foreign",
                                 test_foreign_group_of_our_name_is_a_conflict);
  environ_fixture_add_nova_test ("/nova-network/groups/in-use",
                                 test_group_in_use_is_told_with_its_users);

  return provider_fixture_run ();
}
