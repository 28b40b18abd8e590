/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdio.h>

#include "provider-fixture.h"

#include "operations/make-rules.h"
#include "services/os-network-service.h"
#include "values/welkin-error.h"

#define RULES "/network/v2.0/security-group-rules"

static GPtrArray *
list_networks (ProviderFixture  *fixture,
               OsNetworkService *service,
               const char       *key,
               const char       *value)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *networks;

  os_network_service_list_networks_async (service, key, value, NULL, provider_fixture_done_cb,
                                          fixture);
  networks = os_network_service_list_networks_finish (service, provider_fixture_wait (fixture),
                                                      &error);
  g_assert_no_error (error);
  return networks;
}

static void
test_networks_by_name_id_and_kind (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GPtrArray) named = list_networks (fixture, service, "name", "private");
  g_autoptr(GPtrArray) loud = list_networks (fixture, service, "name", "PRIVATE");
  const OsNetwork *network = g_ptr_array_index (named, 0);
  g_autoptr(GPtrArray) same = list_networks (fixture, service, "id", network->id);
  g_autoptr(GPtrArray) external = list_networks (fixture, service, "router:external", "true");
  g_autoptr(GPtrArray) all = list_networks (fixture, service, NULL, NULL);

  g_assert_cmpuint (named->len, ==, 1);
  g_assert_false (network->is_external);
  g_assert_cmpint (network->is_up, ==, TRUE);
  g_assert_cmpint (network->has_port_security, ==, TRUE);
  g_assert_cmpuint (network->subnets->len, >, 0);
  /* The cloud's database takes it for the same name. */
  g_assert_cmpuint (loud->len, ==, 0);
  g_assert_cmpuint (same->len, ==, 1);
  g_assert_cmpuint (external->len, >, 0);
  g_assert_true (((OsNetwork *) g_ptr_array_index (external, 0))->is_external);
  g_assert_cmpuint (all->len, >=, 2);
}

static void
test_network_that_says_nothing_of_itself (void)
{
  static const char text[] = "{\"networks\": [{\"id\": \"n1\", \"port_security_enabled\": null}]}";
  g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr(GPtrArray) networks =
    wk_json_decode_records (&os_network_table, "networks", bytes, NULL);
  const OsNetwork *network = g_ptr_array_index (networks, 0);

  g_assert_cmpint (network->has_port_security, ==, -1);
  g_assert_cmpint (network->is_up, ==, -1);
}

static void
test_extensions_are_a_set (ProviderFixture *fixture,
                           gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(GError) error = NULL;

  os_network_service_list_extensions_async (service, NULL, provider_fixture_done_cb, fixture);
  extensions = os_network_service_list_extensions_finish (service,
                                                          provider_fixture_wait (fixture),
                                                          &error);
  g_assert_no_error (error);
  g_assert_true (g_hash_table_contains (extensions, "security-group"));
  g_assert_true (g_hash_table_contains (extensions, "standard-attr-description"));
  g_assert_false (g_hash_table_contains (extensions, "no-such-extension"));
}

static void
test_routers_lead_outside (ProviderFixture *fixture,
                           gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GPtrArray) networks = list_networks (fixture, service, "name", "private");
  g_autoptr(GPtrArray) external = list_networks (fixture, service, "router:external", "true");
  const OsNetwork *network = g_ptr_array_index (networks, 0);
  const OsNetwork *outside = g_ptr_array_index (external, 0);
  g_autoptr(GPtrArray) routers = NULL;
  g_autoptr(GPtrArray) none = NULL;
  g_autoptr(GError) error = NULL;

  os_network_service_list_routers_async (service, network->id, NULL, provider_fixture_done_cb,
                                         fixture);
  routers = os_network_service_list_routers_finish (service, provider_fixture_wait (fixture),
                                                    &error);
  g_assert_no_error (error);
  g_assert_cmpuint (routers->len, ==, 1);
  g_assert_cmpstr (((OsRouter *) g_ptr_array_index (routers, 0))->gateway->network_id, ==,
                   outside->id);

  os_network_service_list_routers_async (service, outside->id, NULL, provider_fixture_done_cb,
                                         fixture);
  none = os_network_service_list_routers_finish (service, provider_fixture_wait (fixture),
                                                 &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
}

/* Groups and rules */

static OsSecurityGroup *
make_group (ProviderFixture  *fixture,
            OsNetworkService *service)
{
  g_autofree char *description = g_strconcat ("welkin env=", fixture->uuid, NULL);
  g_autoptr(GError) error = NULL;
  OsSecurityGroup *group;

  os_firewall_create_group_async (OS_FIREWALL (service), "welkin-test", description, NULL,
                                  provider_fixture_done_cb, fixture);
  group = os_firewall_create_group_finish (OS_FIREWALL (service), provider_fixture_wait (fixture),
                                           &error);
  g_assert_no_error (error);
  g_assert_cmpstr (group->description, ==, description);
  return group;
}

static GPtrArray *
list_groups (ProviderFixture  *fixture,
             OsNetworkService *service,
             const char       *name)
{
  const char *query[] = { "name", name, NULL };
  g_autoptr(GError) error = NULL;
  GPtrArray *groups;

  os_firewall_list_groups_async (OS_FIREWALL (service), query, NULL, provider_fixture_done_cb,
                                 fixture);
  groups = os_firewall_list_groups_finish (OS_FIREWALL (service), provider_fixture_wait (fixture),
                                           &error);
  g_assert_no_error (error);
  return groups;
}

static void
create_rules (ProviderFixture  *fixture,
              OsNetworkService *service,
              GPtrArray        *rules)
{
  g_autoptr(GError) error = NULL;

  os_make_rules_async (OS_FIREWALL (service), rules, NULL, provider_fixture_done_cb, fixture);
  os_make_rules_finish (OS_FIREWALL (service), provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
delete_group (ProviderFixture  *fixture,
              OsNetworkService *service,
              const char       *id)
{
  g_autoptr(GError) error = NULL;

  os_firewall_delete_group_async (OS_FIREWALL (service), id, NULL, provider_fixture_done_cb,
                                  fixture);
  os_firewall_delete_group_finish (OS_FIREWALL (service), provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static const OsSecurityGroup *
find_group (GPtrArray  *groups,
            const char *id)
{
  for (guint i = 0; i < groups->len; i++)
    if (g_str_equal (((OsSecurityGroup *) g_ptr_array_index (groups, i))->id, id))
      return g_ptr_array_index (groups, i);
  return NULL;
}

static guint
count_rule (const OsSecurityGroup     *group,
            const OsSecurityGroupRule *wanted)
{
  guint count = 0;

  for (guint i = 0; i < group->rules->len; i++)
    if (os_security_group_rule_equal (g_ptr_array_index (group->rules, i), wanted))
      count++;
  return count;
}

static void
test_rules_that_are_there_are_a_success (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(OsSecurityGroup) group = make_group (fixture, service);
  g_autoptr(GPtrArray) rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  g_autoptr(GPtrArray) groups = NULL;
  const OsSecurityGroup *found;

  g_ptr_array_add (rules, os_security_group_rule_new (group->id, "IPv4", "tcp", 22, 22,
                                                      "0.0.0.0/0", NULL));
  create_rules (fixture, service, rules);
  g_ptr_array_add (rules, os_security_group_rule_new (group->id, "IPv4", "tcp", 1, 65535, NULL,
                                                      group->id));
  g_ptr_array_add (rules, os_security_group_rule_new (group->id, "IPv6", "ipv6-icmp", 0, 0, NULL,
                                                      group->id));
  create_rules (fixture, service, rules);
  create_rules (fixture, service, rules);
  if (fixture->fake != NULL)
    /* One, then a lot that is refused and three, then the same again. */
    g_assert_cmpuint (fake_log_count (fixture->fake, "POST", RULES), ==, 9);

  groups = list_groups (fixture, service, "welkin-test");
  found = find_group (groups, group->id);
  g_assert_nonnull (found);
  for (guint i = 0; i < rules->len; i++)
    g_assert_cmpuint (count_rule (found, g_ptr_array_index (rules, i)), ==, 1);

  delete_group (fixture, service, group->id);
  delete_group (fixture, service, group->id);
}

static void
test_no_rules_are_no_request (ProviderFixture *fixture,
                              gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GPtrArray) rules = g_ptr_array_new ();

  if (provider_fixture_needs_fake (fixture))
    return;
  create_rules (fixture, service, rules);
  g_assert_cmpuint (fake_log_get_entries (fixture->fake)->len, ==, 0);
}

/* spec: ethertype, protocol, ports, where from: a prefix, or a group if it begins with "g"; "-" is
 * what is left open. */
static OsSecurityGroupRule *
make_rule (const char *spec)
{
  g_auto(GStrv) words = g_strsplit (spec, " ", 4);
  const char *protocol = g_str_equal (words[1], "-") ? NULL : words[1];
  const char *remote = g_str_equal (words[3], "-") ? NULL : words[3];
  gboolean is_group = remote != NULL && *remote == 'g';
  guint port_min = 0;
  guint port_max = 0;

  if (!g_str_equal (words[2], "-"))
    g_assert_cmpint (sscanf (words[2], "%u-%u", &port_min, &port_max), ==, 2);
  return os_security_group_rule_new ("g0", words[0], protocol, port_min, port_max,
                                     is_group ? NULL : remote, is_group ? remote : NULL);
}

static void
test_rules_written_in_other_ways_are_equal (void)
{
  static const struct
  {
    const char *one;
    const char *other;
    gboolean    is_equal;
  } cases[] = {
    { "IPv4 tcp 1-65535 -", "IPv4 tcp - -", TRUE },
    { "IPv4 tcp 1-65534 -", "IPv4 tcp - -", FALSE },
    { "IPv4 tcp 22-22 -", "IPv4 tcp 22-23 -", FALSE },
    { "IPv4 6 - -", "IPv4 TCP - -", TRUE },
    { "IPv6 icmp - -", "IPv6 58 - -", TRUE },
    { "IPv4 icmp - -", "IPv6 icmp - -", FALSE },
    { "IPv4 - - -", "IPv4 tcp - -", FALSE },
    { "IPv4 - - 0.0.0.0/0", "IPv4 - - -", TRUE },
    { "IPv6 - - ::/0", "IPv6 - - -", TRUE },
    { "IPv4 - - 10.1.2.3/8", "IPv4 - - 10.0.0.0/8", TRUE },
    { "IPv4 - - 10.1.2.3", "IPv4 - - 10.1.2.3/32", TRUE },
    { "IPv4 - - 10.1.2.3/31", "IPv4 - - 10.1.2.3/32", FALSE },
    { "IPv6 - - 2001:0db8:0::/48", "IPv6 - - 2001:db8::/48", TRUE },
    { "IPv4 - - g1", "IPv4 - - -", FALSE },
    { "IPv4 - - g1", "IPv4 - - g2", FALSE },
    { "IPv4 - - g1", "IPv4 - - g1", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(OsSecurityGroupRule) one = make_rule (cases[i].one);
      g_autoptr(OsSecurityGroupRule) other = make_rule (cases[i].other);

      g_test_message ("%s, %s", cases[i].one, cases[i].other);
      g_assert_cmpint (os_security_group_rule_equal (one, other), ==, cases[i].is_equal);
      g_assert_cmpint (os_security_group_rule_equal (other, one), ==, cases[i].is_equal);
    }
}

static void
test_administrators_see_their_own_project (ProviderFixture *fixture,
                                           gconstpointer    data)
{
  g_autoptr(OsClient) demo = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) demo_service = os_network_service_new (demo);
  g_autoptr(OsClient) admin = NULL;
  g_autoptr(OsNetworkService) admin_service = NULL;
  g_autoptr(OsSecurityGroup) group = NULL;
  g_autoptr(GPtrArray) demo_groups = NULL;
  g_autoptr(GPtrArray) admin_groups = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  admin = provider_fixture_make_client (fixture, "username", "admin", "password", "admin",
                                        "tenant-name", "admin", "auth-url",
                                        fake_cloud_get_auth_url (fixture->fake), NULL);
  admin_service = os_network_service_new (admin);
  group = make_group (fixture, demo_service);
  demo_groups = list_groups (fixture, demo_service, "welkin-test");
  admin_groups = list_groups (fixture, admin_service, "welkin-test");
  g_assert_cmpuint (demo_groups->len, ==, 1);
  g_assert_cmpuint (admin_groups->len, ==, 0);
}

/* Another project may let ours use a group of its own. */
static void
test_group_that_is_shared_is_not_ours (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GPtrArray) groups = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "security_group", "{'name': 'shared', 'project': 'other'}");
  fake_cloud_update (fixture->fake, "security_group", "shared", "{'shared': true}");
  groups = list_groups (fixture, service, "shared");
  g_assert_cmpuint (groups->len, ==, 0);
}

/* Those who are in a group, where neutron can be asked for them and where it shows all ports. */
static void
test_users_of_a_group_are_found (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  OsFirewall *firewall = OS_FIREWALL (service);
  g_autoptr(OsSecurityGroup) group = NULL;
  g_autofree char *port = NULL;
  const char *id;

  if (provider_fixture_needs_fake (fixture))
    return;
  group = make_group (fixture, service);
  port = g_strdup_printf ("{'name': 'in', 'network': 'private', 'security_groups': ['%s']}",
                          group->id);
  id = fake_cloud_add (fixture->fake, "port", port);
  fake_cloud_add (fixture->fake, "port", "{'name': 'out', 'network': 'private'}");
  for (guint i = 0; i < 2; i++)
    {
      g_auto(GStrv) users = NULL;
      g_autoptr(GError) error = NULL;

      os_firewall_list_users_async (firewall, group->id, NULL, provider_fixture_done_cb, fixture);
      users = os_firewall_list_users_finish (firewall, provider_fixture_wait (fixture), &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length (users), ==, 1);
      g_assert_cmpstr (users[0], ==, id);
      if (i == 0)
        fake_cloud_set_extension (fixture->fake, "port-security-groups-filtering", FALSE);
    }
}

/* Ports and floating IPs */

static GPtrArray *
list_floating_ips (ProviderFixture  *fixture,
                   OsNetworkService *service,
                   const char       *port_id)
{
  const char *query[] = { "port_id", port_id, NULL };
  g_autoptr(GError) error = NULL;
  GPtrArray *floating_ips;

  os_network_service_list_floating_ips_async (service, query, NULL, provider_fixture_done_cb,
                                              fixture);
  floating_ips = os_network_service_list_floating_ips_finish (service,
                                                              provider_fixture_wait (fixture),
                                                              &error);
  g_assert_no_error (error);
  return floating_ips;
}

static OsPort *
make_port (ProviderFixture  *fixture,
           OsNetworkService *service,
           const char       *description)
{
  static const char *const no_groups[] = { NULL };
  g_autoptr(GPtrArray) networks = list_networks (fixture, service, "name", "private");
  OsPortRequest request = {
    .network_id = ((OsNetwork *) g_ptr_array_index (networks, 0))->id, .name = "welkin-test",
    .description = description, .security_group_ids = no_groups,
  };
  g_autoptr(GError) error = NULL;
  OsPort *port;

  os_network_service_create_port_async (service, &request, NULL, provider_fixture_done_cb,
                                        fixture);
  port = os_network_service_create_port_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_nonnull (os_port_get_ipv4 (port));
  return port;
}

static OsFloatingIp *
make_floating_ip (ProviderFixture  *fixture,
                  OsNetworkService *service,
                  const OsPort     *port,
                  const char       *description)
{
  g_autoptr(GPtrArray) external = list_networks (fixture, service, "router:external", "true");
  const OsNetwork *outside = g_ptr_array_index (external, 0);
  g_autoptr(GError) error = NULL;
  OsFloatingIp *floating_ip;

  os_network_service_create_floating_ip_async (service, outside->id, port->id,
                                               os_port_get_ipv4 (port), description, NULL,
                                               provider_fixture_done_cb, fixture);
  floating_ip = os_network_service_create_floating_ip_finish (service,
                                                              provider_fixture_wait (fixture),
                                                              &error);
  g_assert_no_error (error);
  g_assert_cmpstr (floating_ip->port_id, ==, port->id);
  g_assert_cmpstr (floating_ip->network_id, ==, outside->id);
  g_assert_nonnull (floating_ip->address);
  return floating_ip;
}

static void
delete_floating_ip_and_port (ProviderFixture    *fixture,
                             OsNetworkService   *service,
                             const OsFloatingIp *floating_ip,
                             const OsPort       *port)
{
  g_autoptr(GError) error = NULL;

  os_network_service_delete_floating_ip_async (service, floating_ip->id, NULL,
                                               provider_fixture_done_cb, fixture);
  os_network_service_delete_floating_ip_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  os_network_service_delete_port_async (service, port->id, NULL, provider_fixture_done_cb,
                                        fixture);
  os_network_service_delete_port_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
test_floating_ip_is_born_on_its_port (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autofree char *description = g_strconcat ("welkin env=", fixture->uuid, NULL);
  const char *query[] = { "description", description, NULL };
  g_autoptr(OsPort) port = make_port (fixture, service, description);
  g_autoptr(OsFloatingIp) floating_ip = make_floating_ip (fixture, service, port, description);
  g_autoptr(GPtrArray) ports = NULL;
  g_autoptr(GPtrArray) listed = NULL;
  g_autoptr(GError) error = NULL;

  os_network_service_list_ports_async (service, query, NULL, provider_fixture_done_cb, fixture);
  ports = os_network_service_list_ports_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ports->len, ==, 1);
  listed = list_floating_ips (fixture, service, port->id);
  g_assert_cmpuint (listed->len, ==, 1);
  delete_floating_ip_and_port (fixture, service, floating_ip, port);
}

static OsFloatingIp *
load_floating_ip (ProviderFixture  *fixture,
                  OsNetworkService *service,
                  const char       *id)
{
  g_autoptr(GError) error = NULL;
  OsFloatingIp *floating_ip;

  os_network_service_load_floating_ip_async (service, id, NULL, provider_fixture_done_cb, fixture);
  floating_ip = os_network_service_load_floating_ip_finish (service,
                                                            provider_fixture_wait (fixture),
                                                            &error);
  g_assert_no_error (error);
  return floating_ip;
}

static void
test_floating_ip_changes_only_while_it_is_the_same (ProviderFixture *fixture,
                                                    gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autofree char *description = g_strconcat ("welkin env=", fixture->uuid, NULL);
  g_autoptr(OsPort) port = make_port (fixture, service, description);
  g_autoptr(OsFloatingIp) floating_ip = make_floating_ip (fixture, service, port, description);
  g_autoptr(OsFloatingIp) taken_off = NULL;
  g_autoptr(OsFloatingIp) too_late = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  OsFloatingIpChange change = { .id = floating_ip->id, .description = description };
  OsFloatingIpChange back = {
    .id = floating_ip->id, .port_id = port->id, .description = "not ours", .revision = 0,
  };
  g_autoptr(GError) error = NULL;

  g_assert_false (os_floating_ip_is_free (floating_ip));
  g_assert_nonnull (floating_ip->created);
  change.revision = -1;
  os_network_service_change_floating_ip_async (service, &change, NULL, provider_fixture_done_cb,
                                               fixture);
  taken_off = os_network_service_change_floating_ip_finish (service,
                                                            provider_fixture_wait (fixture),
                                                            &error);
  g_assert_no_error (error);
  g_assert_true (os_floating_ip_is_free (taken_off));
  g_assert_cmpint (taken_off->revision, >, back.revision);

  os_network_service_change_floating_ip_async (service, &back, NULL, provider_fixture_done_cb,
                                               fixture);
  too_late = os_network_service_change_floating_ip_finish (service,
                                                           provider_fixture_wait (fixture),
                                                           &error);
  g_assert_null (too_late);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
  after = load_floating_ip (fixture, service, floating_ip->id);
  g_assert_true (os_floating_ip_is_free (after));
  g_assert_cmpstr (after->description, ==, description);
  delete_floating_ip_and_port (fixture, service, floating_ip, port);
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/neutron/networks/by-name-id-and-kind", test_networks_by_name_id_and_kind);
  g_test_add_func ("/neutron/networks/that-say-nothing", test_network_that_says_nothing_of_itself);
  add ("/neutron/extensions-are-a-set", test_extensions_are_a_set);
  add ("/neutron/routers-lead-outside", test_routers_lead_outside);
  add ("/defects/11/there-already-is-a-success", test_rules_that_are_there_are_a_success);
  add ("/neutron/rules/none-are-no-request", test_no_rules_are_no_request);
  g_test_add_func ("/neutron/rules/written-in-other-ways-are-equal",
                   test_rules_written_in_other_ways_are_equal);
  add ("/neutron/administrators-see-their-own-project", test_administrators_see_their_own_project);
  add ("/neutron/group-that-is-shared", test_group_that_is_shared_is_not_ours);
  add ("/neutron/users-of-a-group", test_users_of_a_group_are_found);
  add ("/neutron/floating-ip-is-born-on-its-port", test_floating_ip_is_born_on_its_port);
  add ("/neutron/floating-ip-changes-only-while-the-same",
       test_floating_ip_changes_only_while_it_is_the_same);

  return provider_fixture_run ();
}
