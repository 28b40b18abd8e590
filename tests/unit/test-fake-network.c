/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The fake's network service, where clouds differ from what one would think. */

#include "fake-client.h"

#define NETWORK "/network/v2.0"

static char *
make_group (FakeClient *client)
{
  fake_client_send (client, "POST", NETWORK "/security-groups",
                    "{'security_group': {'name': 'sg'}}", NULL);
  fake_client_assert_status (client, 201);
  return g_strdup (fake_client_get (client, "security_group.id"));
}

static void
post_rule (FakeClient *client, const char *group, const char *members)
{
  g_autofree char *body = fake_client_format (
    "{'security_group_rule': {'security_group_id': '%s', 'direction': 'ingress', %s}}", group,
    members);

  fake_client_send (client, "POST", NETWORK "/security-group-rules", body, NULL);
}

static char *
make_port (FakeClient *client, const char *members)
{
  g_autofree char *body =
    fake_client_format ("{'port': {'network_id': '%s'%s}}",
                        fake_cloud_find (client->cloud, "network", "private"), members);

  fake_client_send (client, "POST", NETWORK "/ports", body, NULL);
  fake_client_assert_status (client, 201);
  return g_strdup (fake_client_get (client, "port.id"));
}

static void
post_floating (FakeClient *client, const char *port)
{
  g_autofree char *body =
    fake_client_format ("{'floatingip': {'floating_network_id': '%s', 'port_id': '%s',"
                        " 'description': 'mine'}}",
                        fake_cloud_find (client->cloud, "network", "public"), port);

  fake_client_send (client, "POST", NETWORK "/floatingips", body, NULL);
}

static void
test_rules_are_normalised (void)
{
  static const struct
  {
    const char *members;
    const char *member;
    const char *shown;
  } rules[] = {
    { "'protocol': 'tcp', 'port_range_min': 1, 'port_range_max': 65535", "port_range_min", NULL },
    { "'protocol': 'TCP', 'port_range_min': 5, 'port_range_max': 6", "protocol", "tcp" },
    { "'protocol': 17", "protocol", "17" },
    { "'protocol': 'icmp', 'ethertype': 'IPv6'", "protocol", "ipv6-icmp" },
    { "'remote_ip_prefix': '10.1.2.3/8'", "normalized_cidr", "10.0.0.0/8" },
    { "'remote_ip_prefix': '10.1.2.3'", "remote_ip_prefix", "10.1.2.3/32" },
    { "'remote_ip_prefix': '2001:0DB8:0::/48', 'ethertype': 'IPv6'", "remote_ip_prefix",
      "2001:db8::/48" },
  };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autofree char *member = g_strconcat ("security_group_rule.", rules[i].member, NULL);

      post_rule (client, group, rules[i].members);
      fake_client_assert_status (client, 201);
      g_assert_cmpstr (fake_client_get (client, member), ==, rules[i].shown);
    }
}

static void
test_rules_that_mean_the_same_exist_already (void)
{
  static const char *const same[] = {
    "'protocol': 'tcp'",
    "'protocol': '6', 'remote_ip_prefix': '0.0.0.0/0'",
    "'protocol': 'TCP', 'description': 'another'",
    "'protocol': 'tcp', 'port_range_min': 1, 'port_range_max': 65535",
  };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);
  g_autofree char *id = NULL;

  post_rule (client, group, same[0]);
  fake_client_assert_status (client, 201);
  id = g_strdup (fake_client_get (client, "security_group_rule.id"));
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    {
      post_rule (client, group, same[i]);
      fake_client_assert_status (client, 409);
      g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                       "SecurityGroupRuleExists");
      g_assert_nonnull (strstr (client->text, id));
    }
  post_rule (client, group, "'protocol': 'tcp', 'port_range_min': 1, 'port_range_max': 65534");
  fake_client_assert_status (client, 201);
}

static void
test_bad_rules_are_refused_by_type (void)
{
  static const struct
  {
    const char *members;
    const char *type;
  } rules[] = {
    { "'protocol': 'icmp', 'port_range_min': -1, 'port_range_max': -1",
      "SecurityGroupInvalidPortValue" },
    { "'protocol': 'tcp', 'port_range_min': 0, 'port_range_max': 1",
      "SecurityGroupInvalidPortValue" },
    { "'protocol': 'tcp', 'port_range_min': 2, 'port_range_max': 1",
      "SecurityGroupInvalidPortRange" },
    { "'protocol': 'gre', 'port_range_min': 1, 'port_range_max': 1",
      "SecurityGroupInvalidProtocolForPort" },
    { "'protocol': 'ipv6-icmp', 'ethertype': 'IPv4'",
      "SecurityGroupEthertypeConflictWithProtocol" },
    { "'protocol': 'none-such'", "SecurityGroupRuleInvalidProtocol" },
    { "'remote_ip_prefix': '10.0.0.0/33'", "InvalidCIDR" },
    { "'remote_group_id': 'x'", "SecurityGroupNotFound" },
  };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      post_rule (client, group, rules[i].members);
      g_assert_cmpuint (client->status, >=, 400);
      g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==, rules[i].type);
    }
}

static void
test_bulk_rules_are_all_or_nothing (void)
{
#define RULE(port)                                                                                \
  "{'security_group_id': '%1$s', 'direction': 'ingress', 'protocol': 'tcp',"                      \
  " 'port_range_min': " port ", 'port_range_max': " port "}"
  static const struct
  {
    const char *rules;
    guint status;
    const char *type;
  } cases[] = {
    { RULE ("5") "," RULE ("6"), 201, NULL },
    { RULE ("7") "," RULE ("5"), 409, "SecurityGroupRuleExists" },
    { RULE ("8") "," RULE ("8"), 409, "DuplicateSecurityGroupRuleInPost" },
    { RULE ("9") "," RULE ("0"), 400, "SecurityGroupInvalidPortValue" },
    { RULE ("9") ", {'security_group_id': 'x', 'direction': 'ingress'}", 400,
      "SecurityGroupNotSingleGroupRules" },
    { "", 400, "HTTPBadRequest" },
  };
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);
  g_autofree char *path = fake_client_format (NETWORK "/security-groups/%s", group);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rules = g_strdup_printf (cases[i].rules, group);
      g_autofree char *body = fake_client_format ("{'security_group_rules': [%s]}", rules);

      fake_client_send (client, "POST", NETWORK "/security-group-rules", body, NULL);
      fake_client_assert_status (client, cases[i].status);
      g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==, cases[i].type);
    }
  fake_client_send (client, "GET", path, NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "security_group.security_group_rules"), ==, 4);
}

static void
test_group_in_use_stays (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);
  g_autofree char *other = make_group (client);
  g_autofree char *member = fake_client_format (", 'security_groups': ['%s']", group);
  g_autofree char *remote = fake_client_format ("'remote_group_id': '%s'", group);
  g_autofree char *port = make_port (client, member);
  g_autofree char *port_path = fake_client_format (NETWORK "/ports/%s", port);
  g_autofree char *path = fake_client_format (NETWORK "/security-groups/%s", group);
  g_autofree char *other_path = fake_client_format (NETWORK "/security-groups/%s", other);
  g_autofree char *users = fake_client_format (NETWORK "/ports?security_groups=%s", group);

  post_rule (client, other, remote);
  fake_client_assert_status (client, 201);
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 409);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==, "SecurityGroupInUse");
  fake_client_send (client, "GET", users, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "ports.0.id"), ==, port);
  fake_client_send (client, "DELETE", port_path, NULL, NULL);
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 204);
  fake_client_send (client, "GET", other_path, NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "security_group.security_group_rules"), ==, 2);
}

static void
test_port_gets_default_group_and_both_addresses (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = make_port (client, ", 'tags': ['forgotten']");
  g_autofree char *bare = NULL;

  g_assert_nonnull (port);
  g_assert_cmpint (fake_client_count (client, "port.security_groups"), ==, 1);
  g_assert_cmpint (fake_client_count (client, "port.fixed_ips"), ==, 2);
  g_assert_cmpint (fake_client_count (client, "port.tags"), ==, 0);
  g_assert_true (g_str_has_prefix (fake_client_get (client, "port.fixed_ips.0.ip_address"),
                                   "10.11."));
  g_assert_true (g_str_has_prefix (fake_client_get (client, "port.fixed_ips.1.ip_address"),
                                   "2001:db8:11:0:f816:3eff:"));
  bare = make_port (client, ", 'security_groups': []");
  g_assert_cmpint (fake_client_count (client, "port.security_groups"), ==, 0);
}

static void
test_network_without_port_security_takes_no_groups (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);
  g_autofree char *member = fake_client_format (", 'security_groups': ['%s']", group);
  g_autofree char *body = NULL;
  g_autofree char *port = NULL;

  fake_cloud_update (client->cloud, "network", "private", "{'port_security_enabled': false}");
  body = fake_client_format ("{'port': {'network_id': '%s'%s}}",
                             fake_cloud_find (client->cloud, "network", "private"), member);
  fake_client_send (client, "POST", NETWORK "/ports", body, NULL);
  fake_client_assert_status (client, 400);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                   "PortSecurityAndIPRequiredForSecurityGroups");
  port = make_port (client, "");
  g_assert_cmpint (fake_client_count (client, "port.security_groups"), ==, 0);
  g_assert_cmpstr (fake_client_get (client, "port.port_security_enabled"), ==, "false");
}

static void
test_floating_ip_is_born_on_its_port (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = make_port (client, "");
  g_autofree char *path = NULL;
  g_autofree char *port_path = fake_client_format (NETWORK "/ports/%s", port);

  post_floating (client, port);
  fake_client_assert_status (client, 201);
  g_assert_cmpstr (fake_client_get (client, "floatingip.status"), ==, "DOWN");
  g_assert_cmpstr (fake_client_get (client, "floatingip.port_id"), ==, port);
  g_assert_cmpstr (fake_client_get (client, "floatingip.description"), ==, "mine");
  path = fake_client_format (NETWORK "/floatingips/%s", fake_client_get (client, "floatingip.id"));
  fake_client_await (client, path, "floatingip.status", "ACTIVE");

  post_floating (client, port);
  fake_client_assert_status (client, 409);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                   "FloatingIPPortAlreadyAssociated");
  fake_client_send (client, "GET", NETWORK "/floatingips", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "floatingips"), ==, 1);

  fake_client_send (client, "DELETE", port_path, NULL, NULL);
  fake_client_assert_status (client, 204);
  fake_client_await (client, path, "floatingip.status", "DOWN");
  g_assert_null (fake_client_get (client, "floatingip.port_id"));
}

static void
test_floating_ip_needs_a_route (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = make_port (client, "");

  fake_cloud_update (client->cloud, "router", "demo-router",
                     "{'external_gateway_info': {'network_id': 'elsewhere'}}");
  post_floating (client, port);
  fake_client_assert_status (client, 404);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                   "ExternalGatewayForFloatingIPNotFound");
  post_floating (client, "00000000-0000-4000-8000-000000000000");
  fake_client_assert_status (client, 404);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==, "PortNotFound");
}

static void
test_if_match_guards_only_what_has_ended (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = make_port (client, "");
  g_autofree char *path = NULL;
  FakePending *first, *second;

  fake_cloud_set (client->cloud, "fip-delay", 0);
  post_floating (client, port);
  path = fake_client_format (NETWORK "/floatingips/%s", fake_client_get (client, "floatingip.id"));
  fake_client_send (client, "GET", path, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "floatingip.revision_number"), ==, "1");

  fake_cloud_set (client->cloud, "latency", 50);
  first = fake_client_start (client, "PUT", path, "{'floatingip': {'description': 'a'}}",
                             "If-Match: revision_number=1", NULL);
  second = fake_client_start (client, "PUT", path, "{'floatingip': {'description': 'b'}}",
                              "If-Match: revision_number=1", NULL);
  fake_client_wait (client, first);
  fake_client_assert_status (client, 200);
  fake_client_wait (client, second);
  fake_client_assert_status (client, 200);

  fake_client_send (client, "PUT", path, "{'floatingip': {'description': 'c'}}",
                    "If-Match: revision_number=1", NULL);
  fake_client_assert_status (client, 412);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                   "RevisionNumberConstraintFailed");
  fake_client_send (client, "PUT", path, "{'floatingip': {'description': 'c'}}", "If-Match: *",
                    NULL);
  fake_client_assert_status (client, 200);
}

static void
test_names_match_in_any_case (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_send (client, "GET", NETWORK "/networks?name=PRIVATE%20", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 1);
  fake_client_send (client, "GET", NETWORK "/networks?name=", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 0);
  fake_client_send (client, "GET", NETWORK "/networks?nonsense=1", NULL, NULL);
  fake_client_assert_status (client, 400);
  fake_client_send (client, "GET", NETWORK "/networks?name=private&fields=id&fields=name", NULL,
                    NULL);
  g_assert_null (fake_client_get (client, "networks.0.status"));
  fake_cloud_set (client->cloud, "case-sensitive", 1);
  fake_client_send (client, "GET", NETWORK "/networks?name=PRIVATE", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 0);
}

static void
test_pages_have_links_only_with_a_limit (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *next = NULL;

  fake_client_send (client, "GET", NETWORK "/networks", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 2);
  g_assert_null (fake_client_get (client, "networks_links"));
  fake_cloud_set (client->cloud, "neutron-max-limit", 1);
  fake_client_send (client, "GET", NETWORK "/networks", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 1);
  g_assert_cmpstr (fake_client_get (client, "networks_links.0.rel"), ==, "next");
  next = g_strdup (strstr (fake_client_get (client, "networks_links.0.href"), "/network/"));
  fake_client_send (client, "GET", next, NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "networks"), ==, 1);
  fake_cloud_set (client->cloud, "neutron-max-limit", 5);
  fake_client_send (client, "GET", NETWORK "/networks", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "networks_links.0.rel"), ==, "previous");
}

static void
test_projects_are_apart_but_not_for_admins (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *group = make_group (client);
  g_autofree char *path = fake_client_format (NETWORK "/security-groups/%s", group);
  g_autofree char *filter = NULL;

  fake_client_log_in (client, "other", "secret", "other");
  fake_client_send (client, "GET", path, NULL, NULL);
  fake_client_assert_status (client, 404);
  fake_client_send (client, "GET", NETWORK "/networks?fields=name&sort_key=name", NULL, NULL);
  g_assert_cmpstr (client->text, ==,
                   "{\"networks\":[{\"name\":\"other-private\"},{\"name\":\"public\"}]}");
  filter = fake_client_format (NETWORK "/security-groups?name=default&project_id=%s",
                               client->project_id);
  fake_client_log_in (client, "admin", "admin", "admin");
  fake_client_send (client, "GET", NETWORK "/security-groups?name=default", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "security_groups"), ==, 3);
  fake_client_send (client, "GET", filter, NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "security_groups"), ==, 1);
}

static void
test_quota_is_a_conflict (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = make_port (client, "");

  fake_cloud_set_quota (client->cloud, "demo", "floatingip", 0);
  post_floating (client, port);
  fake_client_assert_status (client, 409);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==, "OverQuota");
}

static void
test_addresses_run_out (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *body = NULL;
  const char *network =
    fake_cloud_add (client->cloud, "network", "{'name': 'tiny', 'project': 'demo'}");

  fake_cloud_add (client->cloud, "subnet", "{'network': 'tiny', 'cidr': '10.77.0.0/30'}");
  body = fake_client_format ("{'port': {'network_id': '%s'}}", network);
  fake_client_send (client, "POST", NETWORK "/ports", body, NULL);
  fake_client_assert_status (client, 201);
  fake_client_send (client, "POST", NETWORK "/ports", body, NULL);
  fake_client_assert_status (client, 409);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.type"), ==,
                   "IpAddressGenerationFailure");
}

static void
test_extension_that_is_missing_takes_its_members_along (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *port = NULL;

  fake_cloud_set_extension (client->cloud, "port-security", FALSE);
  fake_cloud_set_extension (client->cloud, "standard-attr-description", FALSE);
  fake_client_send (client, "GET", NETWORK "/networks?name=private", NULL, NULL);
  g_assert_null (fake_client_get (client, "networks.0.port_security_enabled"));
  port = make_port (client, "");
  g_assert_null (fake_client_get (client, "port.description"));
  post_floating (client, port);
  fake_client_assert_status (client, 400);
  g_assert_cmpstr (fake_client_get (client, "NeutronError.message"), ==,
                   "Unrecognized attribute(s) 'description'");
  fake_client_send (client, "GET", NETWORK "/extensions", NULL, NULL);
  g_assert_null (strstr (client->text, "\"port-security\""));
  g_assert_nonnull (strstr (client->text, "\"revision-if-match\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fake/network/rules-are-normalised", test_rules_are_normalised);
  g_test_add_func ("/fake/network/rules-that-mean-the-same-exist-already",
                   test_rules_that_mean_the_same_exist_already);
  g_test_add_func ("/fake/network/bad-rules-are-refused-by-type",
                   test_bad_rules_are_refused_by_type);
  g_test_add_func ("/fake/network/bulk-rules-are-all-or-nothing",
                   test_bulk_rules_are_all_or_nothing);
  g_test_add_func ("/fake/network/group-in-use-stays", test_group_in_use_stays);
  g_test_add_func ("/fake/network/port-gets-default-group-and-both-addresses",
                   test_port_gets_default_group_and_both_addresses);
  g_test_add_func ("/fake/network/without-port-security-takes-no-groups",
                   test_network_without_port_security_takes_no_groups);
  g_test_add_func ("/fake/network/floating-ip-is-born-on-its-port",
                   test_floating_ip_is_born_on_its_port);
  g_test_add_func ("/fake/network/floating-ip-needs-a-route", test_floating_ip_needs_a_route);
  g_test_add_func ("/fake/network/if-match-guards-only-what-has-ended",
                   test_if_match_guards_only_what_has_ended);
  g_test_add_func ("/fake/network/names-match-in-any-case", test_names_match_in_any_case);
  g_test_add_func ("/fake/network/pages-have-links-only-with-a-limit",
                   test_pages_have_links_only_with_a_limit);
  g_test_add_func ("/fake/network/projects-are-apart-but-not-for-admins",
                   test_projects_are_apart_but_not_for_admins);
  g_test_add_func ("/fake/network/quota-is-a-conflict", test_quota_is_a_conflict);
  g_test_add_func ("/fake/network/addresses-run-out", test_addresses_run_out);
  g_test_add_func ("/fake/network/extension-that-is-missing-takes-its-members-along",
                   test_extension_that_is_missing_takes_its_members_along);

  return g_test_run ();
}
