/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "ports-fixture.h"

#include "services/os-network-service.h"
#include "values/welkin-error.h"

#define GROUPS "/network/v2.0/security-groups"
#define RULES  "/network/v2.0/security-group-rules"
#define PORTS  "/network/v2.0/ports"

/* What everybody may do. */

static void
assert_opens_and_closes (EnvironFixture *fixture,
                         GObject        *owner)
{
  ports_fixture_assert (fixture, owner, "");
  ports_fixture_assert_does (fixture, ports_fixture_open, owner,
                             "8000-8080/tcp 80/tcp 53/udp 1-65535/udp icmp");
  ports_fixture_assert (fixture, owner, "icmp 80/tcp 8000-8080/tcp 1-65535/udp 53/udp");

  /* Again, with others. */
  ports_fixture_assert_does (fixture, ports_fixture_open, owner, "80/tcp 443/tcp 53/udp icmp");
  ports_fixture_assert (fixture, owner, "icmp 80/tcp 443/tcp 8000-8080/tcp 1-65535/udp 53/udp");

  ports_fixture_assert_does (fixture, ports_fixture_close, owner,
                             "80/tcp 1-65535/udp 99/tcp 8000-8001/tcp");
  ports_fixture_assert (fixture, owner, "icmp 443/tcp 8000-8080/tcp 53/udp");
  ports_fixture_assert_does (fixture, ports_fixture_close, owner,
                             "80/tcp 443/tcp 8000-8080/tcp 53/udp icmp");
  ports_fixture_assert (fixture, owner, "");
}

static void
assert_minds_sources (EnvironFixture *fixture,
                      GObject        *owner)
{
  ports_fixture_assert_does (fixture, ports_fixture_open, owner,
               "80/tcp@192.0.2.9/24,10.0.0.0/8 80/tcp@2001:DB8::1/32 22/tcp@0.0.0.0/0");
  ports_fixture_assert (fixture, owner, "22/tcp 80/tcp@10.0.0.0/8,192.0.2.0/24,2001:db8::/32");
  ports_fixture_assert_does (fixture, ports_fixture_close, owner, "80/tcp");
  ports_fixture_assert_does (fixture, ports_fixture_close, owner, "80/tcp@192.0.2.0/24 22/tcp");
  ports_fixture_assert (fixture, owner, "80/tcp@10.0.0.0/8,2001:db8::/32");
  ports_fixture_assert_does (fixture, ports_fixture_close, owner,
                             "80/tcp@10.0.0.0/8,2001:db8::/32");
  ports_fixture_assert (fixture, owner, "");
}

static void
test_machine_has_ports (EnvironFixture *fixture,
                        gconstpointer   data)
{
  g_autoptr(GObject) machine = ports_fixture_start (fixture, "0");
  g_autoptr(GObject) other = ports_fixture_start (fixture, "1");

  ports_fixture_assert_does (fixture, ports_fixture_open, other, "7/tcp");
  assert_opens_and_closes (fixture, machine);
  assert_minds_sources (fixture, machine);
  ports_fixture_assert (fixture, other, "7/tcp");
  ports_fixture_destroy (fixture);
}

static void
test_environment_has_ports (EnvironFixture *fixture,
                            gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  environ_fixture_reopen (fixture, "firewall-mode", "global", NULL);
  /* Nobody is there for whom they could be opened. */
  ports_fixture_assert (fixture, G_OBJECT (fixture->environ), "");
  ports_fixture_assert_does (fixture, ports_fixture_close, G_OBJECT (fixture->environ), "80/tcp");
  ports_fixture_assert_fails (fixture, ports_fixture_open, G_OBJECT (fixture->environ), "80/tcp",
                              WELKIN_ERROR_NOT_FOUND, "Cannot open ports of environment test: ");

  machine = ports_fixture_start (fixture, "0");
  assert_opens_and_closes (fixture, G_OBJECT (fixture->environ));
  assert_minds_sources (fixture, G_OBJECT (fixture->environ));
  ports_fixture_destroy (fixture);
}

static void
test_ports_of_the_wrong_mode_are_refused (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  GObject *environ = G_OBJECT (fixture->environ);
  g_autoptr(GObject) machine = NULL;
  g_autoptr(GError) error = NULL;

  ports_fixture_assert_fails (fixture, ports_fixture_open, environ, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED,
                              "Cannot open ports of environment test: invalid firewall mode "
                              "\"instance\" for opening ports on environment");
  ports_fixture_assert_fails (fixture, ports_fixture_close, environ, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED,
                              "invalid firewall mode \"instance\" for closing ports on "
                              "environment");
  g_assert_null (ports_fixture_list (fixture, environ, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "invalid firewall mode \"instance\" for retrieving "
                                            "ports from environment"));
  g_clear_error (&error);

  environ_fixture_reopen (fixture, "firewall-mode", "global", NULL);
  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED,
                              "Cannot open ports of machine 0: invalid firewall mode \"global\" "
                              "for opening ports on instance");
  ports_fixture_assert_fails (fixture, ports_fixture_close, machine, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED,
                              "invalid firewall mode \"global\" for closing ports on instance");
  g_assert_null (ports_fixture_list (fixture, machine, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "invalid firewall mode \"global\" for retrieving "
                                            "ports from instance"));
  ports_fixture_destroy (fixture);
}

static void
test_without_a_firewall_nothing_is_opened (EnvironFixture *fixture,
                                           gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  environ_fixture_reopen (fixture, "firewall-mode", "none", NULL);
  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert (fixture, machine, "");
  ports_fixture_assert (fixture, G_OBJECT (fixture->environ), "");
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED, "invalid firewall mode \"none\"");
  ports_fixture_assert_fails (fixture, ports_fixture_close, G_OBJECT (fixture->environ), "80/tcp",
                              WELKIN_ERROR_NOT_SUPPORTED, "invalid firewall mode \"none\"");
  if (fixture->provider.fake != NULL)
    {
      g_assert_null (fake_cloud_find (fixture->provider.fake, "security_group", "welkin-test-0"));
      g_assert_null (fake_cloud_find (fixture->provider.fake, "security_group",
                                      "welkin-test-global"));
    }
  ports_fixture_destroy (fixture);
}

static void
test_without_ipv6_there_are_no_twins (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;
  g_autoptr(GObject) again = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "enable-ipv6-rules", "false", NULL);
  machine = ports_fixture_start (fixture, "0");
  fake_log_clear (fixture->provider.fake);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 81/tcp@2001:db8::/32");
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", RULES), ==, 1);
  ports_fixture_assert (fixture, machine, "80/tcp 81/tcp@2001:db8::/32");

  /* A twin that was made when it was wanted goes all the same. */
  environ_fixture_reopen (fixture, NULL);
  again = ports_fixture_start (fixture, "1");
  ports_fixture_assert_does (fixture, ports_fixture_open, again, "80/tcp");
  ports_fixture_assert_does (fixture, ports_fixture_close, again, "80/tcp");
  ports_fixture_assert (fixture, again, "");
  ports_fixture_destroy (fixture);
}

static void
test_bad_ports_are_no_request (EnvironFixture *fixture,
                               gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  fake_log_clear (fixture->provider.fake);
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp 443/tcp@here",
                              WELKIN_ERROR_INVALID_ARGUMENT,
                              "Cannot open ports of machine 0: bad port range \"443/tcp\": "
                              "\"here\" is not a network");
  ports_fixture_assert_fails (fixture, ports_fixture_close, machine, "443/tcp@10.0.0.0/99",
                              WELKIN_ERROR_INVALID_ARGUMENT,
                              "Cannot close ports of machine 0: bad port range");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "");
  ports_fixture_assert_does (fixture, ports_fixture_close, machine, "");
  g_assert_cmpuint (fake_log_get_entries (fixture->provider.fake)->len, ==, 0);
  ports_fixture_destroy (fixture);
}

/* One request for all, if the group is as it was thought to be. */
static void
test_ports_are_opened_together (EnvironFixture *fixture,
                                gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;
  g_autoptr(GString) text = g_string_new (NULL);

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  for (guint port = 100; port < 150; port++)
    g_string_append_printf (text, "%s%u/tcp", port > 100 ? " " : "", port);
  fake_log_clear (fixture->provider.fake);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, text->str);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", RULES), ==, 1);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, text->str);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", RULES), ==, 1);
  ports_fixture_assert (fixture, machine, text->str);
  ports_fixture_assert_does (fixture, ports_fixture_close, machine, text->str);
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "DELETE", RULES "/*"), ==, 100);
  ports_fixture_assert (fixture, machine, "");
  ports_fixture_destroy (fixture);
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  guint *n_running = user_data;
  g_autoptr(GError) error = NULL;

  welkin_instance_open_ports_finish (WELKIN_INSTANCE (source), result, &error);
  g_assert_no_error (error);
  (*n_running)--;
}

/* Each sees a group in which the rules of the others are not yet. */
static void
test_many_may_open_the_same_at_once (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(GObject) machine = ports_fixture_start (fixture, "0");
  g_autoptr(GPtrArray) ranges = ports_fixture_parse ("80/tcp 443/tcp icmp");
  guint n_running = 5;

  for (guint i = 5; i > 0; i--)
    welkin_instance_open_ports_async (WELKIN_INSTANCE (machine), ranges, NULL, opened_cb,
                                      &n_running);
  while (n_running > 0)
    g_main_context_iteration (NULL, TRUE);
  ports_fixture_assert (fixture, machine, "icmp 80/tcp 443/tcp");
  ports_fixture_destroy (fixture);
}

/* A group that has the name of the machine's and belongs to another. (transfer full): its id */
static char *
make_namesake (EnvironFixture *fixture,
               OsFirewall     *firewall)
{
  g_autoptr(OsSecurityGroup) group = NULL;
  g_autoptr(GError) error = NULL;

  os_firewall_create_group_async (firewall, "welkin-test-0",
                                  "welkin env=11111111-2222-4333-8444-555555555555", NULL,
                                  provider_fixture_done_cb, &fixture->provider);
  group = os_firewall_create_group_finish (firewall, provider_fixture_wait (&fixture->provider),
                                           &error);
  g_assert_no_error (error);
  return g_strdup (group->id);
}

/* It has the two rules it was born with; and goes. */
static void
assert_untouched (EnvironFixture *fixture,
                  OsFirewall     *firewall,
                  const char     *group_id)
{
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  os_firewall_list_groups_async (firewall, (const char *[]) { "id", group_id, NULL }, NULL,
                                 provider_fixture_done_cb, &fixture->provider);
  groups = os_firewall_list_groups_finish (firewall, provider_fixture_wait (&fixture->provider),
                                           &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, 1);
  g_assert_cmpuint (((OsSecurityGroup *) g_ptr_array_index (groups, 0))->rules->len, ==, 2);
  os_firewall_delete_group_async (firewall, group_id, NULL, provider_fixture_done_cb,
                                  &fixture->provider);
  g_assert_true (os_firewall_delete_group_finish (firewall,
                                                  provider_fixture_wait (&fixture->provider),
                                                  &error));
}

/* A machine's own group is the one that it is in and that carries its mark, whatever others are
 * called. */
static void
test_groups_of_the_same_name_are_left_alone (EnvironFixture *fixture,
                                             gconstpointer   data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  OsFirewall *firewall = OS_FIREWALL (service);
  g_autofree char *older = make_namesake (fixture, firewall);
  g_autoptr(GObject) machine = ports_fixture_start (fixture, "0");
  g_autofree char *younger = make_namesake (fixture, firewall);

  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "80/tcp");
  assert_untouched (fixture, firewall, older);
  assert_untouched (fixture, firewall, younger);
  ports_fixture_destroy (fixture);
}

/* Environment "test-0" calls its first group as "test" calls that of machine 0, and "test-global"
 * so as "test" calls that of all machines. */
static void
test_names_that_meet_are_two_groups (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  static const char *const cases[][2] = { { "instance", "test-0" }, { "global", "test-global" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinEnviron) other = environ_fixture_open (fixture, "name", cases[i][1], NULL);
      g_autoptr(WelkinStartResult) result = NULL;
      g_autoptr(GObject) machine = NULL;
      g_autoptr(GError) error = NULL;
      GObject *owner;

      environ_fixture_reopen (fixture, "firewall-mode", cases[i][0], NULL);
      machine = ports_fixture_start (fixture, "0");
      owner = i == 0 ? machine : G_OBJECT (fixture->environ);
      ports_fixture_assert_does (fixture, ports_fixture_open, owner, "80/tcp");
      result = environ_fixture_start (fixture, other, "0", NULL, &error);
      g_assert_no_error (error);
      ports_fixture_assert (fixture, owner, "80/tcp");
      environ_fixture_destroy (fixture, other, &error);
      g_assert_no_error (error);
      ports_fixture_assert (fixture, owner, "80/tcp");
      ports_fixture_destroy (fixture);
    }
}

static void
test_machine_that_has_lost_its_group_is_told (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  fake_cloud_remove (fixture->provider.fake, "security_group", "welkin-test-0");
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp",
                              WELKIN_ERROR_NOT_FOUND, "Cannot open ports of machine 0: ");
  ports_fixture_assert_does (fixture, ports_fixture_close, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "");
  ports_fixture_destroy (fixture);
}

static void
test_quota_of_rules_is_told (EnvironFixture *fixture,
                             gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  fake_cloud_set_quota (fixture->provider.fake, "demo", "security_group_rule", 1);
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "80/tcp 443/tcp",
                              WELKIN_ERROR_QUOTA_EXCEEDED, "Cannot open ports of machine 0: ");
  ports_fixture_assert (fixture, machine, "");
  fake_cloud_set_quota (fixture->provider.fake, "demo", "security_group_rule", -1);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp");
  ports_fixture_destroy (fixture);
}

/* Field cases. */

static void
count_message (const char    *domain,
               GLogLevelFlags level,
               const char    *message,
               gpointer       user_data)
{
  guint *n_messages = user_data;

  if (strstr (message, "port security") != NULL)
    (*n_messages)++;
}

static void
test_network_without_port_security_needs_no_rules (EnvironFixture *fixture,
                                                   gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  guint n_messages = 0;
  guint handler;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_update (fixture->provider.fake, "network", "private",
                     "{'port_security_enabled': false}");
  handler = g_log_set_handler ("welkin-openstack", G_LOG_LEVEL_MESSAGE, count_message,
                               &n_messages);
  machine = ports_fixture_start (fixture, "0");
  g_assert_cmpuint (n_messages, ==, 1);
  before = environ_fixture_take_inventory (fixture);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp");
  ports_fixture_assert_does (fixture, ports_fixture_close, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "");
  g_assert_cmpuint (n_messages, ==, 2);
  g_log_remove_handler ("welkin-openstack", handler);
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);
  g_assert_null (strstr (after, "security_group demo/welkin-test"));
  ports_fixture_destroy (fixture);
}

/* Each network is judged by itself. */
static void
test_machine_on_two_networks_is_guarded_on_one (EnvironFixture *fixture,
                                                gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add (fixture->provider.fake, "network",
                  "{'name': 'plain', 'project': 'demo', 'port_security_enabled': false}");
  fake_cloud_add (fixture->provider.fake, "subnet",
                  "{'network': 'plain', 'cidr': '10.9.0.0/24'}");
  g_clear_pointer (&fixture->before, g_free);
  fixture->before = environ_fixture_take_inventory (fixture);
  environ_fixture_reopen (fixture, "network", "private,plain", NULL);
  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "80/tcp");
  ports_fixture_destroy (fixture);
}

static void
test_network_that_says_nothing_has_port_security (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set_extension (fixture->provider.fake, "port-security", FALSE);
  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "80/tcp");
  ports_fixture_destroy (fixture);
}

/* A list of groups that is answered from here on: rules as JSON. */
static void
answer_groups (EnvironFixture *fixture,
               const char     *rules)
{
  g_autofree char *body = g_strdup_printf (
    "{\"security_groups\": [{\"id\": \"%s\", \"name\": \"welkin-test-0\", \"description\": "
    "\"welkin env=%s machine=0 start=x/1\", \"security_group_rules\": [%s]}]}",
    fake_cloud_find (fixture->provider.fake, "security_group", "welkin-test-0"),
    fixture->provider.uuid, rules);
  FakeRule rule = { .method = "GET", .path = GROUPS, .times = -1, .action = FAKE_FAIL,
                    .status = 200, .body = body };

  fake_cloud_add_rule (fixture->provider.fake, &rule);
}

static void
test_null_rules_are_shown_and_not_made_again (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  answer_groups (fixture,
                 "{\"id\": \"1\", \"direction\": \"egress\", \"ethertype\": \"IPv4\","
                 " \"protocol\": null, \"port_range_min\": null, \"port_range_max\": null,"
                 " \"remote_ip_prefix\": null, \"remote_group_id\": null},"
                 "{\"id\": \"2\", \"direction\": \"ingress\", \"protocol\": \"tcp\","
                 " \"port_range_min\": null, \"port_range_max\": null,"
                 " \"remote_ip_prefix\": \"0.0.0.0/0\"},"
                 "{\"id\": \"3\", \"direction\": \"ingress\", \"ethertype\": \"IPv6\","
                 " \"protocol\": \"6\", \"port_range_min\": null, \"port_range_max\": null,"
                 " \"remote_ip_prefix\": null, \"remote_group_id\": null},"
                 "{\"id\": \"4\", \"direction\": \"ingress\", \"protocol\": null,"
                 " \"remote_ip_prefix\": \"192.0.2.0/24\"}");
  ports_fixture_assert (fixture, machine, "any@192.0.2.0/24 1-65535/tcp");
  fake_log_clear (fixture->provider.fake);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "1-65535/tcp");
  g_assert_cmpuint (environ_fixture_count_requests (fixture, "POST", RULES), ==, 0);
  ports_fixture_destroy (fixture);
}

/* The id of our project's group of this name. (transfer full) */
static char *
find_own_group (EnvironFixture *fixture,
                const char     *name)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  os_firewall_list_groups_async (OS_FIREWALL (service), (const char *[]) { "name", name, NULL },
                                 NULL, provider_fixture_done_cb, &fixture->provider);
  groups = os_firewall_list_groups_finish (OS_FIREWALL (service),
                                           provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (groups->len, ==, 1);
  return g_strdup (((OsSecurityGroup *) g_ptr_array_index (groups, 0))->id);
}

/* Administrators are shown the groups of all projects. */
static void
test_groups_of_other_projects_are_not_ours (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule all = { .method = "GET", .path = GROUPS, .action = FAKE_FAIL, .status = 200 };
  const FakeLogEntry *entry;
  g_autoptr(GObject) machine = NULL;
  g_autofree char *ours = NULL;
  g_autofree char *base = NULL;
  g_autofree char *body = NULL;
  g_autofree char *port = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  ours = find_own_group (fixture, "default");
  body = g_strdup_printf (
    "{\"security_groups\": ["
    "{\"id\": \"d2\", \"name\": \"default\", \"tenant_id\": \"p2\"},"
    "{\"id\": \"d3\", \"name\": \"default\", \"project_id\": \"p3\"},"
    "{\"id\": \"b2\", \"name\": \"welkin-test\", \"project_id\": \"p2\","
    " \"description\": \"welkin env=%s\"},"
    "{\"id\": \"%s\", \"name\": \"default\", \"project_id\": \"%s\"}]}",
    fixture->provider.uuid, ours, fake_cloud_find (fake, "project", "demo"));
  all.body = body;
  environ_fixture_reopen (fixture, "use-default-secgroup", "true", NULL);
  fake_cloud_add_rule (fake, &all);
  machine = ports_fixture_start (fixture, "0");

  entry = fake_log_find (fake, "POST", PORTS);
  port = g_strndup (g_bytes_get_data (entry->body, NULL), g_bytes_get_size (entry->body));
  g_assert_null (strstr (port, "\"d2\""));
  g_assert_null (strstr (port, "\"d3\""));
  g_assert_null (strstr (port, "\"b2\""));
  g_assert_nonnull (strstr (port, ours));
  base = find_own_group (fixture, "welkin-test");
  g_assert_nonnull (strstr (port, base));
  ports_fixture_destroy (fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/ports/of-a-machine", test_machine_has_ports);
  environ_fixture_add_test ("/ports/of-an-environment", test_environment_has_ports);
  environ_fixture_add_test ("/ports/wrong-mode", test_ports_of_the_wrong_mode_are_refused);
  environ_fixture_add_test ("/ports/no-firewall", test_without_a_firewall_nothing_is_opened);
  environ_fixture_add_test ("/ports/no-ipv6", test_without_ipv6_there_are_no_twins);
  environ_fixture_add_test ("/ports/bad", test_bad_ports_are_no_request);
  environ_fixture_add_test ("/ports/together", test_ports_are_opened_together);
  environ_fixture_add_test ("/ports/at-once", test_many_may_open_the_same_at_once);
  environ_fixture_add_test ("/ports/same-name", test_groups_of_the_same_name_are_left_alone);
  environ_fixture_add_test ("/defects/15/names-that-meet", test_names_that_meet_are_two_groups);
  environ_fixture_add_test ("/ports/lost-group", test_machine_that_has_lost_its_group_is_told);
  environ_fixture_add_test ("/ports/quota", test_quota_of_rules_is_told);
  environ_fixture_add_test ("/cases/G37/no-port-security",
                            test_network_without_port_security_needs_no_rules);
  environ_fixture_add_test ("/cases/G37/in-places", test_machine_on_two_networks_is_guarded_on_one);
  environ_fixture_add_test ("/defects/39/in-places",
                            test_machine_on_two_networks_is_guarded_on_one);
  environ_fixture_add_test ("/cases/G37/key-missing",
                            test_network_that_says_nothing_has_port_security);
  environ_fixture_add_test ("/cases/G38/shown", test_null_rules_are_shown_and_not_made_again);
  environ_fixture_add_test ("/cases/G40/other-projects",
                            test_groups_of_other_projects_are_not_ours);

  return provider_fixture_run ();
}
