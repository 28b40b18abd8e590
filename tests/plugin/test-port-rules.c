/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json.h"
#include "operations/port-rules.h"
#include "values/welkin-error.h"

#define RULES(rules) "{\"security_group\": {\"id\": \"g\", \"security_group_rules\": [" rules "]}}"

static OsSecurityGroup *
read_group (const char *json)
{
  g_autoptr(GBytes) bytes = g_bytes_new (json, strlen (json));
  g_autoptr(GError) error = NULL;
  OsSecurityGroup *group =
    wk_json_decode_record (&os_security_group_table, "security_group", bytes, &error);

  g_assert_no_error (error);
  return group;
}

/* "80/tcp 1-65535/udp@10.0.0.0/8,::/0", or "" */
static char *
describe_ranges (GPtrArray *ranges)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ranges->len; i++)
    {
      WelkinPortRange *range = g_ptr_array_index (ranges, i);
      g_autofree char *ports = welkin_port_range_to_string (range);
      const char *const *sources = welkin_port_range_get_sources (range);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ports);
      for (gsize j = 0; sources != NULL && sources[j] != NULL; j++)
        g_string_append_printf (text, "%c%s", j == 0 ? '@' : ',', sources[j]);
    }
  return g_string_free (text, FALSE);
}

static GPtrArray *
make_ranges (WelkinPortRange *range)
{
  GPtrArray *ranges = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);

  g_ptr_array_add (ranges, range);
  return ranges;
}

static void
assert_lists (const char *json,
              gboolean    with_twins,
              const char *expected)
{
  g_autoptr(OsSecurityGroup) group = read_group (json);
  g_autoptr(GPtrArray) ranges = os_port_rules_dup_ranges (group, with_twins);
  g_autofree char *text = describe_ranges (ranges);

  g_assert_cmpstr (text, ==, expected);
}

/* "IPv4 tcp 80-80 0.0.0.0/0, …" */
static char *
describe_rules (GPtrArray *rules)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (rules, i);

      g_string_append_printf (text, "%s%s %s %d-%d %s", i > 0 ? ", " : "", rule->ethertype,
                              rule->protocol != NULL ? rule->protocol : "-", (int) rule->port_min,
                              (int) rule->port_max, rule->remote_ip_prefix);
      g_assert_null (rule->remote_group_id);
      g_assert_cmpstr (rule->direction, ==, "ingress");
      g_assert_cmpstr (rule->group_id, ==, "g");
    }
  return g_string_free (text, FALSE);
}

static void
assert_opens (WelkinPortRange *range,
              gboolean         with_twins,
              const char      *expected)
{
  g_autoptr(GPtrArray) ranges = make_ranges (range);
  g_autoptr(GPtrArray) rules = os_port_ranges_dup_rules (ranges, "g", with_twins);
  g_autofree char *text = describe_rules (rules);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_everywhere_is_ipv6_as_well (void)
{
  static const char *const office[] = { "192.0.2.7/24", "192.0.2.0/24", "2001:DB8::1/32", NULL };
  static const char *const open[] = { "192.0.2.0/24", "0.0.0.0/0", NULL };

  assert_opens (welkin_port_range_new ("tcp", 80, 80, NULL), TRUE,
                "IPv4 tcp 80-80 0.0.0.0/0, IPv6 tcp 80-80 ::/0");
  assert_opens (welkin_port_range_new ("tcp", 80, 80, NULL), FALSE, "IPv4 tcp 80-80 0.0.0.0/0");
  assert_opens (welkin_port_range_new ("udp", 1, 65535, office), TRUE,
                "IPv4 udp 1-65535 192.0.2.0/24, IPv6 udp 1-65535 2001:db8::/32");
  assert_opens (welkin_port_range_new ("TCP", 1, 9, open), TRUE,
                "IPv4 tcp 1-9 192.0.2.0/24, IPv4 tcp 1-9 0.0.0.0/0, IPv6 tcp 1-9 ::/0");
}

/* Neutron refuses the -1 that nova wants, and each version of IP has its own name for it. */
static void
test_icmp_has_no_ports (void)
{
  assert_opens (welkin_port_range_new ("icmp", 0, 0, NULL), TRUE,
                "IPv4 icmp -1--1 0.0.0.0/0, IPv6 ipv6-icmp -1--1 ::/0");
  assert_opens (welkin_port_range_new ("any", 0, 0, NULL), FALSE, "IPv4 - -1--1 0.0.0.0/0");
}

static void
test_bad_ranges_are_refused (void)
{
  static const char *const bad[] = { "10.0.0.0/33", NULL };
  static const char *const worse[] = { "office", NULL };
  struct
  {
    WelkinPortRange *range;
    const char      *message;
  } cases[] = {
    { welkin_port_range_new ("tcp", 0, 80, NULL),
      "bad port range \"0-80/tcp\": ports are numbers from 1 to 65535" },
    { welkin_port_range_new ("6", 0, 0, NULL),
      "bad port range \"6\": ports are numbers from 1 to 65535" },
    { welkin_port_range_new ("icmp", 8, 8, NULL),
      "bad port range \"8/icmp\": this protocol has no ports" },
    { welkin_port_range_new ("", 0, 0, NULL), "bad port range \"\": there is no such protocol" },
    { welkin_port_range_new ("-1", 0, 0, NULL),
      "bad port range \"-1\": there is no such protocol" },
    { welkin_port_range_new ("tcp\n", 1, 1, NULL),
      "bad port range \"1/tcp\n\": there is no such protocol" },
    { welkin_port_range_new ("tcp", 80, 80, bad),
      "bad port range \"80/tcp\": \"10.0.0.0/33\" is not a network like 192.0.2.0/24 or "
      "2001:db8::/32" },
    { welkin_port_range_new ("tcp", 80, 80, worse),
      "bad port range \"80/tcp\": \"office\" is not a network like 192.0.2.0/24 or "
      "2001:db8::/32" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) ranges = make_ranges (cases[i].range);
      g_autoptr(GError) error = NULL;

      g_assert_false (os_port_ranges_check (ranges, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* Null is all, and neither a crash nor 0. */
static void
test_null_rules_are_listed_as_all (void)
{
  assert_lists (RULES ("{\"id\": \"1\", \"direction\": \"egress\", \"ethertype\": \"IPv4\","
                       " \"protocol\": null, \"port_range_min\": null, \"port_range_max\": null,"
                       " \"remote_ip_prefix\": null, \"remote_group_id\": null},"
                       "{\"id\": \"2\", \"direction\": \"ingress\", \"protocol\": \"tcp\","
                       " \"port_range_min\": null, \"port_range_max\": null,"
                       " \"remote_ip_prefix\": \"0.0.0.0/0\"}"),
                FALSE, "1-65535/tcp");
  assert_lists (RULES ("{\"id\": \"1\", \"direction\": \"ingress\", \"ethertype\": \"IPv4\","
                       " \"protocol\": null, \"port_range_min\": null, \"port_range_max\": null,"
                       " \"remote_ip_prefix\": null, \"remote_group_id\": null}"),
                FALSE, "any");
  assert_lists (RULES ("{\"id\": \"1\", \"direction\": \"ingress\"}"), TRUE, "any@0.0.0.0/0");
  assert_lists (RULES (""), TRUE, "");
  assert_lists ("{\"security_group\": {\"id\": \"g\", \"security_group_rules\": null}}", TRUE, "");
}

#define RULE(rest) "{\"id\": \"1\", \"direction\": \"ingress\", " rest "}"

static void
test_rules_of_one_range_are_listed_as_one (void)
{
  assert_lists (RULES (RULE ("\"ethertype\": \"IPv6\", \"protocol\": \"tcp\","
                             " \"port_range_min\": 80, \"port_range_max\": 80") ","
                       RULE ("\"ethertype\": \"IPv4\", \"protocol\": 6,"
                             " \"port_range_min\": \"80\", \"port_range_max\": \"80\"") ","
                       RULE ("\"ethertype\": \"IPv4\", \"protocol\": \"tcp\","
                             " \"port_range_min\": 7, \"port_range_max\": 9,"
                             " \"remote_ip_prefix\": \"192.0.2.1/24\"") ","
                       RULE ("\"ethertype\": \"IPv4\", \"protocol\": \"tcp\","
                             " \"port_range_min\": 7, \"port_range_max\": 9,"
                             " \"remote_ip_prefix\": \"10.0.0.0/8\"") ","
                       RULE ("\"ethertype\": \"IPv6\", \"protocol\": \"icmp\"") ","
                       RULE ("\"ethertype\": \"IPv4\", \"protocol\": \"icmp\","
                             " \"port_range_min\": 0, \"port_range_max\": 0")),
                TRUE, "icmp 7-9/tcp@10.0.0.0/8,192.0.2.0/24 80/tcp");
}

/* What machines may say to each other is not what was opened. */
static void
test_rules_between_machines_are_not_listed (void)
{
  assert_lists (RULES (RULE ("\"protocol\": \"tcp\", \"remote_group_id\": \"g\"") ","
                       RULE ("\"protocol\": \"udp\", \"remote_address_group_id\": \"a\"")),
                TRUE, "");
}

static void
assert_closes (WelkinPortRange *range,
               const char      *json,
               const char      *expected)
{
  g_autoptr(OsSecurityGroup) group = read_group (json);
  g_autoptr(GPtrArray) ranges = make_ranges (range);
  g_autoptr(GPtrArray) ids = os_port_ranges_find_rules (ranges, group);
  g_autofree char *text = NULL;

  g_ptr_array_add (ids, NULL);
  text = g_strjoinv (" ", (char **) ids->pdata);
  g_assert_cmpstr (text, ==, expected);
}

#define HTTP(id, rest) \
  "{\"id\": \"" id "\", \"direction\": \"ingress\", \"protocol\": \"tcp\"," \
  " \"port_range_min\": 80, \"port_range_max\": 80, " rest "}"

static void
test_only_what_was_opened_is_closed (void)
{
  static const char *const office[] = { "192.0.2.0/24", NULL };
  const char *json =
    RULES (HTTP ("v4", "\"ethertype\": \"IPv4\", \"remote_ip_prefix\": null") ","
           HTTP ("v6", "\"ethertype\": \"IPv6\", \"remote_ip_prefix\": \"0::0/0\"") ","
           HTTP ("office", "\"remote_ip_prefix\": \"192.0.2.9/24\"") ","
           HTTP ("inner", "\"remote_group_id\": \"g\"") ","
           "{\"id\": \"out\", \"direction\": \"egress\", \"protocol\": \"tcp\","
           " \"port_range_min\": 80, \"port_range_max\": 80},"
           "{\"id\": \"wide\", \"direction\": \"ingress\", \"protocol\": \"tcp\"},"
           "{\"id\": \"udp\", \"direction\": \"ingress\", \"protocol\": \"udp\","
           " \"port_range_min\": 80, \"port_range_max\": 80}");

  assert_closes (welkin_port_range_new ("tcp", 80, 80, NULL), json, "v4 v6");
  assert_closes (welkin_port_range_new ("tcp", 80, 80, office), json, "office");
  assert_closes (welkin_port_range_new ("tcp", 1, 65535, NULL), json, "wide");
  assert_closes (welkin_port_range_new ("tcp", 79, 81, NULL), json, "");
  assert_closes (welkin_port_range_new ("icmp", 0, 0, NULL), json, "");
}

/* The same rule in another hand: whatever clouds write for it. */

typedef struct
{
  gboolean is_ipv6;
  int      protocol; /* of protocol_names */
  guint    from;     /* 0: all */
  guint    to;
  int      prefix;   /* of prefixes */
} Meaning;

#define N_WRITINGS 4

static const char *const protocol_names[][N_WRITINGS] = {
  { "\"tcp\"", "6", "\"6\"", "\"TCP\"" },
  { "\"udp\"", "17", "\"17\"", "\"Udp\"" },
  { "\"sctp\"", "132", "\"132\"", "\"SCTP\"" },
  { "null", "\"any\"", "\"\"", "\"-1\"" },
};

static const char *const icmp_names[2][N_WRITINGS] = {
  { "\"icmp\"", "1", "\"1\"", "\"ICMP\"" },
  { "\"ipv6-icmp\"", "58", "\"icmpv6\"", "\"icmp\"" },
};

static const char *const prefixes[2][3][N_WRITINGS] = {
  {
    { "null", "\"0.0.0.0/0\"", "\"10.0.0.1/0\"", "\"0.0.0.0/0\"" },
    { "\"10.0.0.0/8\"", "\"10.1.2.3/8\"", "\"10.255.255.255/8\"", "\"10.0.0.0/8\"" },
    { "\"192.0.2.7/32\"", "\"192.0.2.7\"", "\"192.0.2.7/32\"", "\"192.0.2.7\"" },
  },
  {
    { "null", "\"::/0\"", "\"0:0:0:0:0:0:0:0/0\"", "\"2001:db8::1/0\"" },
    { "\"2001:db8::/32\"", "\"2001:0DB8::/32\"", "\"2001:db8:0:0::/32\"",
      "\"2001:db8:ffff::1/32\"" },
    { "\"2001:db8::7/128\"", "\"2001:db8::7\"", "\"2001:0db8:0::0007/128\"",
      "\"2001:DB8::7\"" },
  },
};

static const char *const no_ports[] = {
  "\"port_range_min\": null, \"port_range_max\": null, ", "",
  "\"port_range_min\": -1, \"port_range_max\": -1, ",
  "\"port_range_min\": \"-1\", \"port_range_max\": \"\", ",
};

static const char *const all_ports[] = {
  "\"port_range_min\": 1, \"port_range_max\": 65535, ",
  "\"port_range_min\": 0, \"port_range_max\": 65535, ",
  "\"port_range_min\": 0, \"port_range_max\": 0, ",
  "\"port_range_min\": \"1\", \"port_range_max\": \"65535\", ",
};

static gboolean
is_icmp (const Meaning *meaning)
{
  return meaning->protocol == G_N_ELEMENTS (protocol_names);
}

static gboolean
has_ports (const Meaning *meaning)
{
  return meaning->protocol < (int) G_N_ELEMENTS (protocol_names) - 1;
}

static Meaning
invent_meaning (void)
{
  Meaning meaning = {
    .is_ipv6 = g_test_rand_int_range (0, 2),
    .protocol = g_test_rand_int_range (0, G_N_ELEMENTS (protocol_names) + 1),
    .prefix = g_test_rand_int_range (0, 3),
  };

  if (has_ports (&meaning) && g_test_rand_bit ())
    {
      meaning.from = g_test_rand_int_range (1, 65536);
      meaning.to = g_test_rand_bit () ? 65534 : meaning.from;
      meaning.to = MAX (meaning.from, meaning.to);
    }
  return meaning;
}

static const char *
pick (const char *const *writings)
{
  return writings[g_test_rand_int_range (0, N_WRITINGS)];
}

static char *
write_ports (const Meaning *meaning)
{
  const char *quote = g_test_rand_bit () ? "\"" : "";

  if (meaning->from > 0)
    return g_strdup_printf ("\"port_range_min\": %s%u%s, \"port_range_max\": %s%u%s, ", quote,
                            meaning->from, quote, quote, meaning->to, quote);
  if (has_ports (meaning) && g_test_rand_bit ())
    return g_strdup (pick (all_ports));
  return g_strdup (pick (no_ports));
}

static OsSecurityGroup *
write_rule (const Meaning *meaning)
{
  static const char *const ethertypes[2][N_WRITINGS] = {
    { "IPv4", "ipv4", "IPV4", "IPv4" }, { "IPv6", "ipv6", "IPV6", "IPv6" },
  };
  g_autofree char *ports = write_ports (meaning);
  g_autofree char *json = g_strdup_printf (
    RULES ("{\"id\": %d, \"direction\": \"ingress\", \"ethertype\": \"%s\", \"protocol\": %s, %s"
           "\"remote_ip_prefix\": %s, \"remote_group_id\": null}"),
    g_test_rand_int_range (1, 9), pick (ethertypes[meaning->is_ipv6]),
    pick (is_icmp (meaning) ? icmp_names[meaning->is_ipv6] : protocol_names[meaning->protocol]),
    ports, pick (prefixes[meaning->is_ipv6][meaning->prefix]));

  return read_group (json);
}

static gboolean
means_the_same (const Meaning *one,
                const Meaning *other)
{
  return one->is_ipv6 == other->is_ipv6 && one->protocol == other->protocol
         && one->from == other->from && one->to == other->to && one->prefix == other->prefix;
}

static void
test_rules_mean_the_same_in_any_hand (void)
{
  for (guint i = 0; i < 3000; i++)
    {
      Meaning meaning = invent_meaning ();
      Meaning other_meaning = g_test_rand_bit () ? meaning : invent_meaning ();
      g_autoptr(OsSecurityGroup) one = write_rule (&meaning);
      g_autoptr(OsSecurityGroup) other = write_rule (&other_meaning);
      g_autoptr(GPtrArray) ranges = os_port_rules_dup_ranges (one, TRUE);
      g_autoptr(GPtrArray) other_ranges = os_port_rules_dup_ranges (other, TRUE);
      g_autoptr(GPtrArray) found = os_port_ranges_find_rules (ranges, one);
      g_autofree char *text = describe_ranges (ranges);
      g_autofree char *other_text = describe_ranges (other_ranges);
      gboolean is_equal = means_the_same (&meaning, &other_meaning);
      g_autoptr(GError) error = NULL;

      g_test_message ("%s, %s", text, other_text);
      g_assert_cmpint (os_security_group_rule_equal (g_ptr_array_index (one->rules, 0),
                                                     g_ptr_array_index (other->rules, 0)),
                       ==, is_equal);
      /* What is listed can be closed, and opened again to the same. */
      g_assert_cmpint (g_str_equal (text, other_text), ==, is_equal);
      g_assert_true (os_port_ranges_check (ranges, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (found->len, ==, 1);
    }
}

/* Whatever a cloud says is no reason to crash. */
static void
test_nonsense_is_survived (void)
{
  static const char *const values[] = {
    "null", "-7", "0", "99999", "9223372036854775807", "\"\"", "\"x\"", "1.5", "[]", "{}", "true",
    "\"::/999\"", "\"1.2.3.4/\"", "\"/8\"", "\"ingress\"", "\"IPv6\"",
  };

  for (guint i = 0; i < 3000; i++)
    {
      const char *picked[7];
      g_autofree char *json = NULL;
      g_autoptr(OsSecurityGroup) group = NULL;
      g_autoptr(GPtrArray) ranges = NULL;
      g_autoptr(GPtrArray) found = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (picked); j++)
        picked[j] = values[g_test_rand_int_range (0, G_N_ELEMENTS (values))];
      json = g_strdup_printf (
        RULES ("{\"id\": \"1\", \"direction\": \"ingress\", \"ethertype\": %s, \"protocol\": %s,"
               " \"port_range_min\": %s, \"port_range_max\": %s, \"remote_ip_prefix\": %s,"
               " \"remote_group_id\": %s, \"other\": %s}"),
        picked[0], picked[1], picked[2], picked[3], picked[4], picked[5], picked[6]);
      group = read_group (json);
      ranges = os_port_rules_dup_ranges (group, i % 2);
      found = os_port_ranges_find_rules (ranges, group);
      g_assert_cmpuint (found->len, <=, 1);
      g_assert_cmpuint (ranges->len, ==, found->len);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/port-rules/open/everywhere-is-ipv6", test_everywhere_is_ipv6_as_well);
  g_test_add_func ("/port-rules/open/icmp", test_icmp_has_no_ports);
  g_test_add_func ("/port-rules/open/bad-ranges", test_bad_ranges_are_refused);
  g_test_add_func ("/defects/02/one-range", test_rules_of_one_range_are_listed_as_one);
  g_test_add_func ("/defects/02/between-machines", test_rules_between_machines_are_not_listed);
  g_test_add_func ("/defects/22/only-what-was-opened", test_only_what_was_opened_is_closed);
  g_test_add_func ("/cases/G38/null-rules", test_null_rules_are_listed_as_all);
  g_test_add_func ("/defects/01/null-rules", test_null_rules_are_listed_as_all);
  g_test_add_func ("/cases/G38/any-hand", test_rules_mean_the_same_in_any_hand);
  g_test_add_func ("/cases/G38/nonsense", test_nonsense_is_survived);

  return g_test_run ();
}
