/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/base-group.h"
#include "operations/make-group.h"

static WelkinConfig *
make_config (const char *admin_sources,
             const char *state_port)
{
  struct
  {
    const char *key;
    const char *value;
  } items[] = {
    { "api-port", "17070" },
    { "state-port", state_port },
    { "admin-sources", admin_sources },
    { "enable-ipv6-rules", "true" },
  };
  WelkinConfig *config = welkin_config_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++)
    {
      WelkinConfig *next;

      if (items[i].value == NULL)
        continue;
      next = welkin_config_with_text (config, items[i].key, items[i].value, NULL);
      welkin_config_unref (config);
      config = next;
    }
  return config;
}

/* "tcp 22 0.0.0.0/0, …" */
static char *
describe_rules (GPtrArray *rules)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (rules, i);

      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", rule->ethertype, rule->protocol);
      if (rule->port_min > 0)
        g_string_append_printf (text, " %d", (int) rule->port_min);
      g_string_append_printf (text, " %s", rule->remote_group_id != NULL ? rule->remote_group_id
                                                                        : rule->remote_ip_prefix);
    }
  return g_string_free (text, FALSE);
}

static void
test_base_group_lets_administrators_and_machines_in (void)
{
  g_autoptr(WelkinConfig) config = make_config (NULL, NULL);
  g_autoptr(GPtrArray) rules = os_base_group_dup_rules (config, "G");
  g_autofree char *text = describe_rules (rules);

  g_assert_cmpstr (text, ==,
                   "IPv4 tcp 22 0.0.0.0/0, IPv4 tcp 17070 0.0.0.0/0, "
                   "IPv6 tcp 22 ::/0, IPv6 tcp 17070 ::/0, "
                   "IPv4 tcp G, IPv4 udp G, IPv4 icmp G, IPv6 tcp G, IPv6 udp G, IPv6 ipv6-icmp G");
}

static void
test_base_group_is_as_narrow_as_its_sources (void)
{
  g_autoptr(WelkinConfig) config = make_config ("192.0.2.0/24", "27017");
  g_autoptr(GPtrArray) rules = os_base_group_dup_rules (config, "G");
  g_autofree char *text = describe_rules (rules);

  g_assert_true (g_str_has_prefix (text, "IPv4 tcp 22 192.0.2.0/24, IPv4 tcp 17070 192.0.2.0/24, "
                                         "IPv4 tcp 27017 192.0.2.0/24, IPv4 tcp G"));
}

static void
test_whoever_opens_to_all_opens_to_ipv6 (void)
{
  g_autoptr(WelkinConfig) config = make_config ("0.0.0.0/0", NULL);
  g_autoptr(GPtrArray) rules = os_base_group_dup_rules (config, "G");
  g_autofree char *text = describe_rules (rules);

  g_assert_nonnull (strstr (text, "IPv6 tcp 22 ::/0"));
}

static OsSecurityGroupRule *
make_rule (const char *id,
           const char *ethertype,
           const char *protocol,
           guint       port_min,
           guint       port_max,
           const char *prefix,
           const char *group)
{
  OsSecurityGroupRule *rule =
    os_security_group_rule_new ("G", ethertype, protocol, port_min, port_max, prefix, group);

  rule->id = g_strdup (id);
  return rule;
}

/* As neutron shows what was made from os_base_group_dup_rules(), in its own spelling. */
static OsSecurityGroup *
make_group_as_stored (void)
{
  OsSecurityGroup *group = wk_json_record_new (&os_security_group_table);
  OsSecurityGroupRule *egress = make_rule ("e", "IPv4", NULL, 0, 0, NULL, NULL);

  group->id = g_strdup ("G");
  group->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  g_free (egress->direction);
  egress->direction = g_strdup ("egress");
  g_ptr_array_add (group->rules, egress);
  g_ptr_array_add (group->rules, make_rule ("1", "IPv4", "6", 22, 22, NULL, NULL));
  g_ptr_array_add (group->rules, make_rule ("2", "IPv4", "tcp", 17070, 17070, "0.0.0.0/0", NULL));
  g_ptr_array_add (group->rules, make_rule ("3", "IPv6", "tcp", 22, 22, "::/0", NULL));
  g_ptr_array_add (group->rules, make_rule ("4", "IPv6", "tcp", 17070, 17070, NULL, NULL));
  g_ptr_array_add (group->rules, make_rule ("5", "IPv4", "tcp", 1, 65535, NULL, "G"));
  g_ptr_array_add (group->rules, make_rule ("6", "IPv4", "17", 0, 0, NULL, "G"));
  g_ptr_array_add (group->rules, make_rule ("7", "IPv4", "icmp", 0, 0, NULL, "G"));
  g_ptr_array_add (group->rules, make_rule ("8", "IPv6", "tcp", 0, 0, NULL, "G"));
  g_ptr_array_add (group->rules, make_rule ("9", "IPv6", "udp", 0, 0, NULL, "G"));
  g_ptr_array_add (group->rules, make_rule ("10", "IPv6", "icmpv6", 0, 0, NULL, "G"));
  return group;
}

static void
test_rules_in_neutrons_spelling_are_left_alone (void)
{
  g_autoptr(WelkinConfig) config = make_config (NULL, NULL);
  g_autoptr(GPtrArray) desired = os_base_group_dup_rules (config, "G");
  g_autoptr(OsSecurityGroup) group = make_group_as_stored ();
  g_autoptr(GPtrArray) missing = NULL;
  g_autoptr(GPtrArray) surplus = NULL;

  os_base_group_compare (group, desired, &missing, &surplus);
  g_assert_cmpuint (missing->len, ==, 0);
  g_assert_cmpuint (surplus->len, ==, 0);
}

static void
test_missing_and_surplus_rules_are_found (void)
{
  g_autoptr(WelkinConfig) config = make_config (NULL, NULL);
  g_autoptr(GPtrArray) desired = os_base_group_dup_rules (config, "G");
  g_autoptr(OsSecurityGroup) group = make_group_as_stored ();
  g_autoptr(GPtrArray) missing = NULL;
  g_autoptr(GPtrArray) surplus = NULL;
  g_autofree char *missing_text = NULL;

  g_ptr_array_remove_index (group->rules, 5);
  g_ptr_array_add (group->rules, make_rule ("wide", "IPv4", "tcp", 0, 0, "0.0.0.0/0", NULL));
  os_base_group_compare (group, desired, &missing, &surplus);
  missing_text = describe_rules (missing);
  g_assert_cmpstr (missing_text, ==, "IPv4 tcp G");
  g_assert_cmpuint (surplus->len, ==, 1);
  g_assert_cmpstr (g_ptr_array_index (surplus, 0), ==, "wide");
}

static void
add_group (GPtrArray  *groups,
           const char *id,
           const char *name,
           const char *description,
           const char *created)
{
  OsSecurityGroup *group = wk_json_record_new (&os_security_group_table);

  group->id = g_strdup (id);
  group->name = g_strdup (name);
  group->description = g_strdup (description);
  group->created = g_strdup (created);
  g_ptr_array_add (groups, group);
}

static void
test_oldest_marked_group_is_chosen_by_all (void)
{
  g_autoptr(GPtrArray) groups =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_free);

  g_assert_null (os_choose_group (groups, "welkin-a", "mark"));
  add_group (groups, "0", "welkin-a", "somebody's", "2020-01-01T00:00:00Z");
  g_assert_null (os_choose_group (groups, "welkin-a", "mark"));
  add_group (groups, "9", "welkin-a", "mark", "2026-01-01T00:00:00Z");
  add_group (groups, "2", "welkin-a", "mark", "2026-01-02T00:00:00Z");
  add_group (groups, "5", "welkin-a", "mark", "2026-01-01T00:00:00Z");
  add_group (groups, "1", "welkin-b", "mark", "2020-01-01T00:00:00Z");
  g_assert_cmpstr (os_choose_group (groups, "welkin-a", "mark")->id, ==, "5");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/security-groups/base/lets-administrators-and-machines-in",
                   test_base_group_lets_administrators_and_machines_in);
  g_test_add_func ("/security-groups/base/is-as-narrow-as-its-sources",
                   test_base_group_is_as_narrow_as_its_sources);
  g_test_add_func ("/security-groups/base/open-to-all-is-open-to-ipv6",
                   test_whoever_opens_to_all_opens_to_ipv6);
  g_test_add_func ("/security-groups/compare/neutrons-spelling-is-left-alone",
                   test_rules_in_neutrons_spelling_are_left_alone);
  g_test_add_func ("/security-groups/compare/missing-and-surplus",
                   test_missing_and_surplus_rules_are_found);
  g_test_add_func ("/security-groups/choose/oldest-marked-one",
                   test_oldest_marked_group_is_chosen_by_all);

  return g_test_run ();
}
