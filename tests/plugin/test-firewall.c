/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "operations/ensure-group.h"
#include "operations/make-rules.h"
#include "services/os-network-service.h"
#include "values/welkin-error.h"

#define GROUPS "/network/v2.0/security-groups"
#define RULES  "/network/v2.0/security-group-rules"

/* What the cloud has, looked at and changed behind the environment's back. */
typedef struct
{
  EnvironFixture   *fixture;
  OsClient         *client;   /* (owned) */
  OsNetworkService *service;  /* (owned) */
  OsFirewall       *firewall; /* the service */
} Look;

static void
look_init (Look           *look,
           EnvironFixture *fixture)
{
  look->fixture = fixture;
  look->client = provider_fixture_make_client (&fixture->provider, NULL);
  look->service = os_network_service_new (look->client);
  look->firewall = OS_FIREWALL (look->service);
}

static void
look_clear (Look *look)
{
  g_clear_object (&look->service);
  g_clear_object (&look->client);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

static GAsyncResult *
wait_for (Look *look)
{
  return provider_fixture_wait (&look->fixture->provider);
}

static GPtrArray *
list_groups (Look       *look,
             const char *name)
{
  const char *query[] = { "name", name, NULL };
  g_autoptr(GError) error = NULL;
  GPtrArray *groups;

  os_firewall_list_groups_async (look->firewall, query, NULL, provider_fixture_done_cb,
                                 &look->fixture->provider);
  groups = os_firewall_list_groups_finish (look->firewall, wait_for (look), &error);
  g_assert_no_error (error);
  return groups;
}

/* Those of the environment that have that name: others are in the project too. */
static GPtrArray *
list_own_groups (Look       *look,
                 const char *name)
{
  GPtrArray *groups = list_groups (look, name);

  for (guint i = groups->len; i > 0; i--)
    {
      const OsSecurityGroup *group = g_ptr_array_index (groups, i - 1);

      if (group->description == NULL
          || strstr (group->description, look->fixture->provider.uuid) == NULL)
        g_ptr_array_remove_index (groups, i - 1);
    }
  return groups;
}

static OsSecurityGroup *
load_group (Look       *look,
            const char *name)
{
  g_autoptr(GPtrArray) groups = list_own_groups (look, name);

  g_assert_cmpuint (groups->len, ==, 1);
  return g_ptr_array_steal_index (groups, 0);
}

static void
delete_rule (Look       *look,
             const char *id)
{
  g_autoptr(GError) error = NULL;

  os_firewall_delete_rule_async (look->firewall, id, NULL, provider_fixture_done_cb,
                                 &look->fixture->provider);
  os_firewall_delete_rule_finish (look->firewall, wait_for (look), &error);
  g_assert_no_error (error);
}

static void
add_rule (Look       *look,
          const char *group_id,
          guint       from,
          guint       to)
{
  g_autoptr(GPtrArray) rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (rules, os_security_group_rule_new (group_id, "IPv4", "tcp", from, to,
                                                      "0.0.0.0/0", NULL));
  os_make_rules_async (look->firewall, rules, NULL, provider_fixture_done_cb,
                       &look->fixture->provider);
  os_make_rules_finish (look->firewall, wait_for (look), &error);
  g_assert_no_error (error);
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The ingress rules, sorted: "IPv4 tcp 22-22 0.0.0.0/0\n…"; "group" for what comes from itself */
static char *
describe_group (const OsSecurityGroup *group)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < group->rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);
      g_autofree char *protocol = os_security_group_rule_dup_protocol (rule);
      g_autofree char *prefix = os_security_group_rule_dup_prefix (rule);
      guint from;
      guint to;

      if (!g_str_equal (rule->direction, "ingress"))
        continue;
      os_security_group_rule_get_ports (rule, &from, &to);
      g_ptr_array_add (lines,
                       g_strdup_printf ("%s %s %u-%u %s", rule->ethertype, protocol, from, to,
                                        g_strcmp0 (rule->remote_group_id, group->id) == 0
                                          ? "group" : prefix));
    }
  g_ptr_array_sort (lines, compare_texts);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static char *
describe (Look       *look,
          const char *name)
{
  g_autoptr(OsSecurityGroup) group = load_group (look, name);

  return describe_group (group);
}

static void
start (EnvironFixture *fixture,
       const char     *machine_id)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (fixture, fixture->environ, machine_id, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
}

static const char base_rules[] =
  "IPv4 icmp 0-0 group\n"
  "IPv4 tcp 1-65535 group\n"
  "IPv4 tcp 17070-17070 0.0.0.0/0\n"
  "IPv4 tcp 22-22 0.0.0.0/0\n"
  "IPv4 udp 1-65535 group\n"
  "IPv6 icmp 0-0 group\n"
  "IPv6 tcp 1-65535 group\n"
  "IPv6 tcp 17070-17070 ::/0\n"
  "IPv6 tcp 22-22 ::/0\n"
  "IPv6 udp 1-65535 group";

static void
test_groups_of_each_mode (EnvironFixture *fixture,
                          gconstpointer   data)
{
  g_auto(Look) look = { NULL };
  g_autofree char *base = NULL;
  g_autofree char *own = NULL;
  g_autofree char *global = NULL;
  g_autofree char *kept = NULL;
  g_autoptr(GPtrArray) none = NULL;
  g_autoptr(WelkinStartResult) result = NULL;

  look_init (&look, fixture);
  start (fixture, "0");
  base = describe (&look, "welkin-test");
  own = describe (&look, "welkin-test-0");
  g_assert_cmpstr (base, ==, base_rules);
  g_assert_cmpstr (own, ==, "");
  environ_fixture_assert_goes (fixture);

  environ_fixture_reopen (fixture, "firewall-mode", "global", NULL);
  result = environ_fixture_assert_starts (fixture, "0", NULL);
  global = describe (&look, "welkin-test-global");
  g_assert_cmpstr (global, ==, "");
  none = list_own_groups (&look, "welkin-test-0");
  g_assert_cmpuint (none->len, ==, 0);
  /* It is the environment's, and stays as long as that. */
  environ_fixture_assert_stops (
    fixture, welkin_instance_get_id (welkin_start_result_get_instance (result)));
  kept = describe (&look, "welkin-test-global");
  g_assert_cmpstr (kept, ==, "");
  environ_fixture_assert_goes (fixture);
}

/* Older designs sent a group without a name. */
static void
test_unknown_mode_has_the_base_group_alone (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  static const char *const modes[] = { "none", "sometimes", "" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *during = NULL;

      environ_fixture_reopen (fixture, "firewall-mode", modes[i], NULL);
      fake_log_clear (fixture->provider.fake);
      start (fixture, "0");
      during = environ_fixture_take_inventory (fixture);
      g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 1);
      g_assert_nonnull (strstr (during, "security_group demo/welkin-test "));
      environ_fixture_assert_goes (fixture);
    }
}

/* Adds a rule to the base group and takes one away. */
static void
spoil_base_group (Look *look)
{
  g_autoptr(OsSecurityGroup) group = load_group (look, "welkin-test");
  g_autofree char *spoilt = NULL;

  for (guint i = 0; i < group->rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);
      g_autofree char *protocol = os_security_group_rule_dup_protocol (rule);

      if (g_strcmp0 (rule->remote_group_id, group->id) == 0 && g_str_equal (protocol, "tcp"))
        delete_rule (look, rule->id);
    }
  add_rule (look, group->id, 1, 65535);
  add_rule (look, group->id, 3306, 3306);
  spoilt = describe (look, "welkin-test");
  g_assert_cmpstr (spoilt, !=, base_rules);
}

static void
test_drift_is_repaired (EnvironFixture *fixture,
                        gconstpointer   data)
{
  g_auto(Look) look = { NULL };
  g_autofree char *repaired = NULL;

  look_init (&look, fixture);
  start (fixture, "0");
  spoil_base_group (&look);
  environ_fixture_reopen (fixture, NULL);
  start (fixture, "1");
  repaired = describe (&look, "welkin-test");
  g_assert_cmpstr (repaired, ==, base_rules);
  environ_fixture_assert_goes (fixture);
}

static void
test_rules_of_others_are_kept_on_request (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  g_auto(Look) look = { NULL };
  g_autofree char *repaired = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  start (fixture, "0");
  spoil_base_group (&look);
  environ_fixture_reopen (fixture, "secgroup-keep-extra", "true", NULL);
  start (fixture, "1");
  repaired = describe (&look, "welkin-test");
  g_assert_nonnull (strstr (repaired, "IPv4 tcp 1-65535 0.0.0.0/0\nIPv4 tcp 1-65535 group\n"));
  g_assert_nonnull (strstr (repaired, "IPv4 tcp 3306-3306 0.0.0.0/0\n"));
  environ_fixture_assert_goes (fixture);
}

/* The rules for administrators follow the configuration, those between machines do not. */
static void
test_rules_follow_the_configuration (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_auto(Look) look = { NULL };
  g_autofree char *rules = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  start (fixture, "0");
  environ_fixture_reopen (fixture, "admin-sources", "192.0.2.0/24", "state-port", "27017",
                          "enable-ipv6-rules", "false", NULL);
  start (fixture, "1");
  rules = describe (&look, "welkin-test");
  g_assert_cmpstr (rules, ==,
                   "IPv4 icmp 0-0 group\n"
                   "IPv4 tcp 1-65535 group\n"
                   "IPv4 tcp 17070-17070 192.0.2.0/24\n"
                   "IPv4 tcp 22-22 192.0.2.0/24\n"
                   "IPv4 tcp 27017-27017 192.0.2.0/24\n"
                   "IPv4 udp 1-65535 group\n"
                   "IPv6 icmp 0-0 group\n"
                   "IPv6 tcp 1-65535 group\n"
                   "IPv6 udp 1-65535 group");
  environ_fixture_assert_goes (fixture);
}

/* The host fills it in where nobody has said anything. */
static void
test_default_of_the_state_port_opens_nothing (EnvironFixture *fixture,
                                              gconstpointer   data)
{
  g_auto(Look) look = { NULL };
  g_autofree char *rules = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  environ_fixture_reopen (fixture, "state-port", "37017", NULL);
  start (fixture, "0");
  rules = describe (&look, "welkin-test");
  g_assert_cmpstr (rules, ==, base_rules);
  environ_fixture_assert_goes (fixture);
}

static void
test_group_that_vanishes_under_repair_is_looked_for_again (EnvironFixture *fixture,
                                                           gconstpointer   data)
{
  FakeRule gone = { .method = "POST", .path = RULES, .action = FAKE_FAIL, .status = 404,
                    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupNotFound\", "
                            "\"message\": \"Security group X does not exist\"}}" };
  g_auto(Look) look = { NULL };
  g_autofree char *repaired = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  start (fixture, "0");
  spoil_base_group (&look);
  environ_fixture_reopen (fixture, NULL);
  fake_cloud_add_rule (fixture->provider.fake, &gone);
  start (fixture, "1");
  repaired = describe (&look, "welkin-test");
  g_assert_cmpstr (repaired, ==, base_rules);
  environ_fixture_assert_goes (fixture);
}

static void
test_default_group_that_is_not_there_is_missed (EnvironFixture *fixture,
                                                gconstpointer   data)
{
  FakeRule none = { .method = "GET", .path = GROUPS, .times = -1, .action = FAKE_FAIL,
                    .status = 200, .body = "{\"security_groups\": []}" };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "firewall-mode", "none", "use-default-secgroup", "true", NULL);
  fake_cloud_add_rule (fixture->provider.fake, &none);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "the project has no security group \"default\""));
  environ_fixture_assert_clean (fixture);
}

static FakeRule there_already = {
  .method = "POST", .path = GROUPS, .action = FAKE_FAIL, .status = 400,
  .body = "{\"badRequest\": {\"code\": 400, \"message\": "
          "\"Security group welkin-test already exists\"}}",
};

/* Another process was faster, where only one group can have the name. */
static void
test_group_that_is_there_already_is_used (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  FakeRule unseen = { .method = "GET", .path = GROUPS, .action = FAKE_FAIL, .status = 200,
                      .body = "{\"security_groups\": []}" };
  g_auto(Look) look = { NULL };
  g_autofree char *rules = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  environ_fixture_reopen (fixture, "firewall-mode", "none", NULL);
  start (fixture, "0");
  environ_fixture_reopen (fixture, "firewall-mode", "none", NULL);
  fake_cloud_add_rule (fixture->provider.fake, &unseen);
  fake_cloud_add_rule (fixture->provider.fake, &there_already);
  start (fixture, "1");
  rules = describe (&look, "welkin-test");
  g_assert_cmpstr (rules, ==, base_rules);
  environ_fixture_assert_goes (fixture);
}

static void
test_group_of_others_in_the_way_is_told (EnvironFixture *fixture,
                                         gconstpointer   data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "firewall-mode", "none", NULL);
  fake_cloud_add_rule (fixture->provider.fake, &there_already);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "\"welkin-test\" that is not ours: "));
  g_assert_nonnull (strstr (welkin_error_get_hint (error), "another name"));
  environ_fixture_assert_clean (fixture);
}

/* That nobody can tell whether a group is there does not mean that it is not. */
static void
test_groups_that_cannot_be_listed_are_not_made (EnvironFixture *fixture,
                                                gconstpointer   data)
{
  FakeRule secret = { .method = "GET", .path = GROUPS, .times = -1, .action = FAKE_FAIL,
                      .status = 403,
                      .body = "{\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", "
                              "\"message\": \"not allowed\"}}" };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_add_rule (fixture->provider.fake, &secret);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", GROUPS), ==, 0);
  environ_fixture_assert_clean (fixture);
}

/* Groups that two make at the same time. */

#define N_RACES 8

typedef struct
{
  char           *name;
  OsEnsuredGroup *groups[2]; /* (owned) what each has got */
  GPtrArray      *nothing;   /* (owned) what each has seen */
  Look           *look;
  guint          *n_running;
} Race;

typedef struct
{
  Race *race;
  guint index;
} Runner;

static void
ensured_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autofree Runner *runner = user_data;
  g_autoptr(GError) error = NULL;

  runner->race->groups[runner->index] = os_ensure_group_finish (result, &error);
  g_assert_no_error (error);
  (*runner->race->n_running)--;
}

static void
run (Race *race,
     guint index)
{
  OsGroupRequest request = {
    .firewall = race->look->firewall,
    .name = race->name,
    .description = "the mark",
    .groups = race->nothing,
  };
  Runner *runner = g_new0 (Runner, 1);

  runner->race = race;
  runner->index = index;
  os_ensure_group_async (&request, NULL, ensured_cb, runner);
}

static gboolean
run_second_cb (gpointer user_data)
{
  run (user_data, 1);
  return G_SOURCE_REMOVE;
}

/* Those who make a group in the same second may see each other's, or only the other one his: all
 * of them come to the same end. Time is not scaled, because the cloud dates groups by its own. */
static void
test_one_of_two_groups_wins (EnvironFixture *fixture,
                             gconstpointer   data)
{
  g_auto(GStrv) variables = NULL;
  g_auto(Look) look = { NULL };
  Race races[N_RACES] = { { NULL } };
  guint n_running = 2 * N_RACES;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_set_quota (fixture->provider.fake, "demo", "security_group", -1);
  variables = fake_cloud_dup_environment (fixture->provider.fake, "demo", "demo");
  welkin_surroundings_unref (fixture->provider.surroundings);
  fixture->provider.surroundings =
    welkin_surroundings_new ((const char *const *) variables, "/");
  look_init (&look, fixture);
  for (guint i = 0; i < N_RACES; i++)
    {
      races[i].name = g_strdup_printf ("race-%u", i);
      races[i].nothing = g_ptr_array_new ();
      races[i].look = &look;
      races[i].n_running = &n_running;
      run (&races[i], 0);
      /* From beside each other to one behind the other. */
      g_timeout_add (i * 100, run_second_cb, &races[i]);
    }
  while (n_running > 0)
    g_main_context_iteration (NULL, TRUE);

  for (guint i = 0; i < N_RACES; i++)
    {
      g_autoptr(GPtrArray) left = list_groups (&look, races[i].name);

      g_assert_cmpstr (races[i].groups[0]->id, ==, races[i].groups[1]->id);
      /* He whose it is would take it away again, and nobody else may. */
      g_assert_cmpint (races[i].groups[0]->was_made + races[i].groups[1]->was_made, ==, 1);
      g_assert_cmpuint (left->len, ==, 1);
      g_assert_cmpstr (((OsSecurityGroup *) g_ptr_array_index (left, 0))->id, ==,
                       races[i].groups[0]->id);
      os_ensured_group_free (races[i].groups[0]);
      os_ensured_group_free (races[i].groups[1]);
      g_ptr_array_unref (races[i].nothing);
      g_free (races[i].name);
    }
}

/* Groups that something is still in. */

static void
test_group_that_is_let_go_late_is_tried_again (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = GROUPS "/*", .times = 4, .action = FAKE_FAIL,
                    .status = 409,
                    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupInUse\", "
                            "\"message\": \"Security Group X in use.\"}}" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  start (fixture, "0");
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  environ_fixture_assert_goes (fixture);
}

static void
test_group_that_stays_in_use_is_named (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  FakeCloud *fake = fixture->provider.fake;
  g_auto(Look) look = { NULL };
  g_autoptr(OsSecurityGroup) group = NULL;
  g_autofree char *port = NULL;
  g_autofree char *id = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  look_init (&look, fixture);
  start (fixture, "0");
  group = load_group (&look, "welkin-test");
  port = g_strdup_printf ("{'name': 'guest', 'network': 'private', 'security_groups': ['%s']}",
                          group->id);
  id = g_strdup (fake_cloud_add (fake, "port", port));

  g_assert_false (environ_fixture_destroy (fixture, fixture->environ, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "welkin-test"));
  g_assert_nonnull (strstr (error->message, group->id));
  g_assert_nonnull (strstr (error->message, id));
  /* Everything else is gone. */
  g_assert_null (fake_cloud_find (fake, "server", "welkin-test-machine-0"));
  g_assert_null (fake_cloud_find (fake, "security_group", "welkin-test-0"));

  fake_cloud_remove (fake, "port", "guest");
  environ_fixture_assert_goes (fixture);
}

/* What a start has made goes with it, even if its group is let go late. */
static void
test_groups_of_a_failed_start_are_tried_again (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  FakeRule rule = { .method = "DELETE", .path = GROUPS "/*", .times = 5, .action = FAKE_FAIL,
                    .status = 409,
                    .body = "{\"NeutronError\": {\"type\": \"SecurityGroupInUse\", "
                            "\"message\": \"Security Group X in use.\"}}" };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  fake_cloud_script_server (fixture->provider.fake, NULL, NULL, -1, "BUILD,ERROR", 500, "No.");
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  result = environ_fixture_start (fixture, fixture->environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  g_assert_null (strstr (error->message, "left behind"));
  environ_fixture_assert_clean (fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/firewall/modes", test_groups_of_each_mode);
  environ_fixture_add_test ("/defects/14/unknown-mode", test_unknown_mode_has_the_base_group_alone);
  environ_fixture_add_test ("/defects/13/drift", test_drift_is_repaired);
  environ_fixture_add_test ("/firewall/keep-extra", test_rules_of_others_are_kept_on_request);
  environ_fixture_add_test ("/firewall/configuration", test_rules_follow_the_configuration);
  environ_fixture_add_test ("/firewall/default-state-port",
                            test_default_of_the_state_port_opens_nothing);
  environ_fixture_add_test ("/firewall/vanishes",
                            test_group_that_vanishes_under_repair_is_looked_for_again);
  environ_fixture_add_test ("/defects/12/cannot-be-listed",
                            test_groups_that_cannot_be_listed_are_not_made);
  environ_fixture_add_test ("/firewall/no-default-group",
                            test_default_group_that_is_not_there_is_missed);
  environ_fixture_add_test ("/firewall/race", test_one_of_two_groups_wins);
  environ_fixture_add_test ("/firewall/failed-start",
                            test_groups_of_a_failed_start_are_tried_again);
  environ_fixture_add_test ("/cases/G39/group-is-there", test_group_that_is_there_already_is_used);
  environ_fixture_add_test ("/cases/G39/group-of-others", test_group_of_others_in_the_way_is_told);
  environ_fixture_add_test ("/cases/G41/let-go-late",
                            test_group_that_is_let_go_late_is_tried_again);
  environ_fixture_add_test ("/cases/G41/named", test_group_that_stays_in_use_is_named);

  return provider_fixture_run ();
}
