/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Security groups and their rules, with all that neutron normalises. */

#include "fake-neutron.h"

static const char *const group_settable[] = {
  "name", "description", "stateful", "project_id", "tenant_id", NULL,
};
static const char *const group_changeable[] = { "name", "description", "stateful", NULL };
static const char *const group_filters[] = { "shared", NULL };

static const char *const rule_settable[] = {
  "security_group_id", "direction", "ethertype", "protocol", "port_range_min", "port_range_max",
  "remote_ip_prefix", "remote_group_id", "remote_address_group_id", "description", "project_id",
  "tenant_id", NULL,
};
static const char *const rule_changeable[] = { "description", NULL };

static const FakeToken everybody = { .is_admin = TRUE };

static JsonArray *
get_rules (JsonObject *group)
{
  return fake_json_get_array (group, "security_group_rules");
}

/* A rule is in the store and in its group, the same object in both. */
static JsonObject *
store_rule (FakeCloud *cloud, JsonObject *group, JsonObject *rule)
{
  json_object_set_int_member (rule, "standard_attr_id", ++cloud->neutron->next_attr);
  fake_neutron_store (cloud, &fake_rule_resource, fake_json_get_string (group, "project_id"),
                      rule);
  json_array_add_object_element (get_rules (group), json_object_ref (rule));
  return rule;
}

static void
add_plain_rule (FakeCloud *cloud,
                JsonObject *group,
                const char *direction,
                const char *ethertype,
                const char *remote_group_id)
{
  store_rule (cloud, group,
              fake_json_object_new (
                "{'id': null, 'tenant_id': null, 'security_group_id': %s, 'ethertype': %s,"
                " 'direction': %s, 'protocol': null, 'port_range_min': null,"
                " 'port_range_max': null, 'remote_ip_prefix': null,"
                " 'remote_address_group_id': null, 'normalized_cidr': null,"
                " 'remote_group_id': %s, 'description': null}",
                fake_json_get_string (group, "id"), ethertype, direction, remote_group_id));
}

static JsonObject *
make_group (FakeCloud *cloud, const char *owner, const char *name, const char *description)
{
  JsonObject *group;

  group = fake_json_object_new ("{'id': null, 'name': %s, 'stateful': true, 'tenant_id': null,"
                                " 'description': %s, 'shared': false,"
                                " 'security_group_rules': []}",
                                name, description);
  fake_neutron_store (cloud, &fake_group_resource, owner, group);
  add_plain_rule (cloud, group, "egress", "IPv4", NULL);
  add_plain_rule (cloud, group, "egress", "IPv6", NULL);
  json_object_set_int_member (group, "revision_number", 1);
  return group;
}

const char *
fake_neutron_ensure_default_group (FakeCloud *cloud, const char *project_id)
{
  GHashTable *defaults = cloud->neutron->defaults;
  JsonObject *group;
  const char *id;

  if (g_hash_table_contains (defaults, project_id))
    return g_hash_table_lookup (defaults, project_id);
  group = make_group (cloud, project_id, "default", "Default security group");
  id = fake_json_get_string (group, "id");
  add_plain_rule (cloud, group, "ingress", "IPv4", id);
  add_plain_rule (cloud, group, "ingress", "IPv6", id);
  g_hash_table_insert (defaults, g_strdup (project_id), g_strdup (id));
  return g_hash_table_lookup (defaults, project_id);
}

static gboolean
is_default (FakeCloud *cloud, JsonObject *group)
{
  return g_strcmp0 (g_hash_table_lookup (cloud->neutron->defaults,
                                         fake_json_get_string (group, "project_id")),
                    fake_json_get_string (group, "id"))
         == 0;
}

static JsonObject *
create_group (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *owner = fake_neutron_get_owner (cloud, caller, body);
  const char *name = fake_json_get_string (body, "name");
  const char *description = fake_json_get_string (body, "description");

  fake_neutron_ensure_default_group (cloud, owner);
  if (g_strcmp0 (name, "default") == 0)
    return fake_fault_set (fault, 409, "SecurityGroupDefaultAlreadyExists",
                           "Default security group already exists.");
  if (!fake_neutron_check_quota (cloud, &fake_group_resource, owner, 1, fault))
    return NULL;
  return make_group (cloud, owner, name != NULL ? name : "",
                     description != NULL ? description : "");
}

static gboolean
update_group (FakeCloud *cloud,
              const FakeToken *caller,
              JsonObject *group,
              JsonObject *body,
              FakeFault *fault)
{
  if (!is_default (cloud, group) || !json_object_has_member (body, "name"))
    return TRUE;
  fake_fault_set (fault, 409, "SecurityGroupCannotUpdateDefault",
                  "Updating default security group not allowed.");
  return FALSE;
}

static gboolean
is_in_use (FakeCloud *cloud, const char *id)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "port")); l != NULL;
       l = l->next)
    if (fake_json_array_has (fake_json_get_array (l->data, "security_groups"), id))
      return TRUE;
  return FALSE;
}

/* The rules of a group go with it, and those that name it as their source. */
static gboolean
remove_group (FakeCloud *cloud, JsonObject *group, FakeFault *fault)
{
  const char *id = fake_json_get_string (group, "id");
  GList *next;

  if (is_default (cloud, group))
    {
      fake_fault_set (fault, 409, "SecurityGroupCannotRemoveDefault",
                      "Insufficient rights for removing default security group.");
      return FALSE;
    }
  if (is_in_use (cloud, id))
    {
      fake_fault_set (fault, 409, "SecurityGroupInUse", "Security Group %s in use.", id);
      return FALSE;
    }
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "security_group_rule"));
       l != NULL; l = next)
    {
      next = l->next;
      if (g_strcmp0 (fake_json_get_string (l->data, "security_group_id"), id) == 0
          || g_strcmp0 (fake_json_get_string (l->data, "remote_group_id"), id) == 0)
        fake_neutron_drop (cloud, &fake_rule_resource, fake_json_get_string (l->data, "id"));
    }
  return TRUE;
}

const FakeResource fake_group_resource = {
  .kind = "security_group",
  .plural = "security_groups",
  .path = "security-groups",
  .not_found_type = "SecurityGroupNotFound",
  .not_found_message = "Security group %s does not exist",
  .settable = group_settable,
  .changeable = group_changeable,
  .filters = group_filters,
  .create = create_group,
  .update = update_group,
  .remove = remove_group,
};

/* rules */

static const struct
{
  const char *name;
  int number;
} protocols[] = {
  { "ah", 51 },         { "dccp", 33 },       { "egp", 8 },         { "esp", 50 },
  { "gre", 47 },        { "hopopt", 0 },      { "icmp", 1 },        { "igmp", 2 },
  { "ip", 0 },          { "ipip", 4 },        { "ipv6-encap", 41 }, { "ipv6-frag", 44 },
  { "ipv6-icmp", 58 },  { "icmpv6", 58 },     { "ipv6-nonxt", 59 }, { "ipv6-opts", 60 },
  { "ipv6-route", 43 }, { "ospf", 89 },       { "pgm", 113 },       { "rsvp", 46 },
  { "sctp", 132 },      { "tcp", 6 },         { "udp", 17 },        { "udplite", 136 },
  { "vrrp", 112 },
};

/* The protocol's number, -1 for none or unknown ones. */
static int
get_number (const char *protocol)
{
  guint64 number;

  if (protocol == NULL)
    return -1;
  if (g_ascii_string_to_unsigned (protocol, 10, 0, 255, &number, NULL))
    return (int) number;
  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (protocols[i].name, protocol))
      return protocols[i].number;
  return -1;
}

static gboolean
has_ports (int number)
{
  return number == 6 || number == 17 || number == 33 || number == 132 || number == 136;
}

static gboolean
is_icmp (int number)
{
  return number == 1 || number == 58;
}

/*
 * What is stored: lower case; names and numbers as given, except that ICMP for
 * IPv6 has one name.
 */
static char *
normalise_protocol (JsonObject *body, const char *ethertype, FakeFault *fault)
{
  JsonNode *node = json_object_get_member (body, "protocol");
  g_autofree char *given = node != NULL ? fake_json_scalar_to_text (node) : NULL;
  g_autofree char *protocol = given != NULL ? g_ascii_strdown (given, -1) : NULL;
  int number = get_number (protocol);

  if (protocol == NULL)
    return NULL;
  if (number < 0)
    return fake_fault_set (
      fault, 400, "SecurityGroupRuleInvalidProtocol",
      "Security group rule protocol %s not supported. Only protocol values [None, 'ah', 'dccp', "
      "'egp', 'esp', 'gre', 'hopopt', 'icmp', 'igmp', 'ip', 'ipip', 'ipv6-encap', 'ipv6-frag', "
      "'ipv6-icmp', 'icmpv6', 'ipv6-nonxt', 'ipv6-opts', 'ipv6-route', 'ospf', 'pgm', 'rsvp', "
      "'sctp', 'tcp', 'udp', 'udplite', 'vrrp'] and integer representations [0 to 255] are "
      "supported.",
      given);
  if (g_str_equal (protocol, "icmpv6")
      || (g_str_equal (protocol, "icmp") && g_str_equal (ethertype, "IPv6")))
    return g_strdup ("ipv6-icmp");
  return g_steal_pointer (&protocol);
}

/* A port member, G_MININT if it is null or missing; strange ones set @fault. */
static int
get_port (JsonObject *body, const char *name, FakeFault *fault)
{
  gint64 port;
  g_autofree char *text = NULL;

  if (fake_json_is_null (body, name))
    return G_MININT;
  port = fake_json_get_int (body, name, G_MININT);
  if (port != G_MININT)
    return (int) port;
  text = fake_json_scalar_to_text (json_object_get_member (body, name));
  fake_fault_set (fault, 400, "SecurityGroupInvalidPortValue", "Invalid value for port %s",
                  text != NULL ? text : "None");
  return -1;
}

static gboolean
check_icmp_ports (int min, int max, FakeFault *fault)
{
  if (min == -1 || max == -1)
    {
      fake_fault_set (fault, 400, "SecurityGroupInvalidPortValue", "Invalid value for port -1");
      return FALSE;
    }
  if (min > 255 || (min < 0 && min != G_MININT))
    {
      fake_fault_set (fault, 400, "SecurityGroupInvalidIcmpValue",
                      "Invalid value for ICMP type (port_range_min) %d. It must be 0 to 255.", min);
      return FALSE;
    }
  if (max > 255)
    {
      fake_fault_set (fault, 400, "SecurityGroupInvalidIcmpValue",
                      "Invalid value for ICMP code (port_range_max) %d. It must be 0 to 255.", max);
      return FALSE;
    }
  if (min == G_MININT && max != G_MININT)
    {
      fake_fault_set (fault, 400, "SecurityGroupMissingIcmpType",
                      "ICMP code (port-range-max) %d is provided but ICMP type (port-range-min) "
                      "is missing.",
                      max);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_ports (const char *protocol, int min, int max, FakeFault *fault)
{
  int number = get_number (protocol);

  if (min == G_MININT && max == G_MININT)
    return TRUE;
  if (protocol == NULL)
    {
      fake_fault_set (fault, 400, "SecurityGroupProtocolRequiredWithPorts",
                      "Must also specify protocol if port range is given.");
      return FALSE;
    }
  if (is_icmp (number))
    return check_icmp_ports (min, max, fault);
  if (!has_ports (number))
    {
      fake_fault_set (fault, 400, "SecurityGroupInvalidProtocolForPort",
                      "Ports cannot be specified for protocol %d. Ports are only supported for "
                      "DCCP, SCTP, TCP, UDP, UDPLITE.",
                      number);
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    {
      int port = i == 0 ? min : max;

      if (port != G_MININT && (port < 1 || port > 65535))
        {
          fake_fault_set (fault, 400, "SecurityGroupInvalidPortValue",
                          "Invalid value for port %d", port);
          return FALSE;
        }
    }
  if (min == G_MININT || max == G_MININT || min > max)
    {
      fake_fault_set (fault, 400, "SecurityGroupInvalidPortRange",
                      "For TCP/UDP protocols, port_range_min must be <= port_range_max");
      return FALSE;
    }
  return TRUE;
}

/* Sets remote_ip_prefix as it is shown, and normalized_cidr. */
static gboolean
take_prefix (JsonObject *rule, const char *given, const char *ethertype, FakeFault *fault)
{
  g_auto (FakePrefix) prefix = { NULL };
  g_autofree char *address = NULL;
  g_autofree char *masked = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *normalised = NULL;

  if (given == NULL)
    return TRUE;
  if (!fake_prefix_parse (given, &prefix))
    {
      fake_fault_set (fault, 400, "InvalidCIDR", "Invalid CIDR %s given as IP prefix.", given);
      return FALSE;
    }
  if ((g_inet_address_get_family (prefix.address) == G_SOCKET_FAMILY_IPV6)
      != g_str_equal (ethertype, "IPv6"))
    {
      fake_fault_set (fault, 400, "SecurityGroupRuleParameterConflict",
                      "Conflicting value ethertype %s for CIDR %s", ethertype, given);
      return FALSE;
    }
  address = g_inet_address_to_string (prefix.address);
  masked = g_inet_address_to_string (prefix.masked);
  shown = g_strdup_printf ("%s/%u", address, prefix.length);
  normalised = g_strdup_printf ("%s/%u", masked, prefix.length);
  json_object_set_string_member (rule, "remote_ip_prefix", shown);
  json_object_set_string_member (rule, "normalized_cidr", normalised);
  return TRUE;
}

/* What makes two rules the same: a null prefix is everywhere, a number is its name. */
static char *
make_key (JsonObject *rule)
{
  const char *ethertype = fake_json_get_string (rule, "ethertype");
  const char *prefix = fake_json_get_string (rule, "remote_ip_prefix");
  const char *group = fake_json_get_string (rule, "remote_group_id");

  if (prefix == NULL && group == NULL)
    prefix = g_str_equal (ethertype, "IPv6") ? "::/0" : "0.0.0.0/0";
  return g_strdup_printf ("%s %s %d %d %d %s %s", fake_json_get_string (rule, "direction"),
                          ethertype, get_number (fake_json_get_string (rule, "protocol")),
                          (int) fake_json_get_int (rule, "port_range_min", -1),
                          (int) fake_json_get_int (rule, "port_range_max", -1),
                          prefix != NULL ? prefix : "", group != NULL ? group : "");
}

static JsonObject *
find_same (JsonObject *group, JsonObject *rule)
{
  JsonArray *rules = get_rules (group);
  g_autofree char *key = make_key (rule);

  for (guint i = 0; i < json_array_get_length (rules); i++)
    {
      JsonObject *other = json_array_get_object_element (rules, i);
      g_autofree char *other_key = make_key (other);

      if (g_str_equal (key, other_key))
        return other;
    }
  return NULL;
}

/* The rule as it would be stored, not yet stored. */
static JsonObject *
normalise_rule (JsonObject *body, FakeFault *fault)
{
  const char *direction = fake_json_get_string (body, "direction");
  const char *ethertype = fake_json_get_string (body, "ethertype");
  const char *remote_group = fake_json_get_string (body, "remote_group_id");
  const char *prefix = fake_json_get_string (body, "remote_ip_prefix");
  const char *description = fake_json_get_string (body, "description");
  g_autofree char *protocol = NULL;
  g_autoptr (JsonObject) rule = NULL;
  int min = get_port (body, "port_range_min", fault);
  int max = get_port (body, "port_range_max", fault);

  if (direction == NULL)
    return fake_fault_set (fault, 400, "HTTPBadRequest",
                           "Failed to parse request. Required attribute 'direction' not specified");
  if (!g_str_equal (direction, "ingress") && !g_str_equal (direction, "egress"))
    return fake_fault_set (fault, 400, "HTTPBadRequest",
                           "Invalid input for direction. Reason: %s is not in valid_values.",
                           direction);
  if (ethertype == NULL || g_ascii_strcasecmp (ethertype, "IPv4") == 0)
    ethertype = "IPv4";
  else if (g_ascii_strcasecmp (ethertype, "IPv6") == 0)
    ethertype = "IPv6";
  if (!g_str_equal (ethertype, "IPv4") && !g_str_equal (ethertype, "IPv6"))
    return fake_fault_set (fault, 400, "SecurityGroupRuleInvalidEtherType",
                           "Security group rule for ethertype '%s' not supported. Allowed values "
                           "are ['IPv4', 'IPv6'].",
                           ethertype);
  protocol = normalise_protocol (body, ethertype, fault);
  if (fault->message != NULL || !check_ports (protocol, min, max, fault))
    return NULL;
  if (get_number (protocol) == 58 && g_str_equal (ethertype, "IPv4"))
    return fake_fault_set (fault, 400, "SecurityGroupEthertypeConflictWithProtocol",
                           "Invalid ethertype %s for protocol %s.", ethertype, protocol);
  if (remote_group != NULL && prefix != NULL)
    return fake_fault_set (fault, 400, "SecurityGroupMultipleRemoteEntites",
                           "Only one of remote_ip_prefix or remote_group_id or "
                           "remote_address_group_id may be provided.");

  rule = fake_json_object_new (
    "{'id': null, 'tenant_id': null, 'security_group_id': %s, 'ethertype': %s, 'direction': %s,"
    " 'protocol': %s, 'port_range_min': null, 'port_range_max': null, 'remote_ip_prefix': null,"
    " 'remote_address_group_id': null, 'normalized_cidr': null, 'remote_group_id': %s,"
    " 'description': %s}",
    fake_json_get_string (body, "security_group_id"), ethertype, direction, protocol, remote_group,
    description != NULL ? description : "");
  /* The whole range is no range. */
  if (min != G_MININT && !(has_ports (get_number (protocol)) && min == 1 && max == 65535))
    json_object_set_int_member (rule, "port_range_min", min);
  if (max != G_MININT && !(has_ports (get_number (protocol)) && min == 1 && max == 65535))
    json_object_set_int_member (rule, "port_range_max", max);
  if (!take_prefix (rule, prefix, ethertype, fault))
    return NULL;
  return g_steal_pointer (&rule);
}

static JsonObject *
create_rule (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *remote_group = fake_json_get_string (body, "remote_group_id");
  g_autoptr (JsonObject) rule = normalise_rule (body, fault);
  JsonObject *group, *same;

  if (rule == NULL)
    return NULL;
  group = fake_neutron_get (cloud, &fake_group_resource, caller,
                            fake_json_get_string (body, "security_group_id"), fault);
  if (group == NULL)
    return NULL;
  if (remote_group != NULL
      && fake_neutron_get (cloud, &fake_group_resource, caller, remote_group, fault) == NULL)
    return NULL;
  same = find_same (group, rule);
  if (same != NULL)
    return fake_fault_set (fault, 409, "SecurityGroupRuleExists",
                           "Security group rule already exists. Rule id is %s.",
                           fake_json_get_string (same, "id"));
  if (!fake_neutron_check_quota (cloud, &fake_rule_resource,
                                 fake_json_get_string (group, "project_id"), 1, fault))
    return NULL;
  fake_neutron_touch (group);
  return store_rule (cloud, group, g_steal_pointer (&rule));
}

static gboolean
check_rules (FakeCloud *cloud, JsonArray *bodies, FakeFault *fault)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *group_id = NULL;
  guint n = json_array_get_length (bodies);

  for (guint i = 0; i < n; i++)
    {
      JsonObject *body = json_array_get_object_element (bodies, i);
      const char *id = fake_json_get_string (body, "security_group_id");
      g_autoptr (JsonObject) rule = NULL;

      if (i > 0 && g_strcmp0 (id, group_id) != 0)
        {
          fake_fault_set (fault, 400, "SecurityGroupNotSingleGroupRules",
                          "Only allowed to update rules for one security profile at a time");
          return FALSE;
        }
      group_id = id;
      rule = normalise_rule (body, fault);
      if (rule == NULL)
        return FALSE;
      if (!g_hash_table_add (keys, make_key (rule)))
        {
          fake_fault_set (fault, 409, "DuplicateSecurityGroupRuleInPost",
                          "Duplicate Security Group Rule in POST.");
          return FALSE;
        }
    }
  return TRUE;
}

static void
edit_rule_answer (JsonObject *answer)
{
  static const char *const hidden[] = { "tags", "standard_attr_id" };

  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    if (json_object_has_member (answer, hidden[i]))
      json_object_remove_member (answer, hidden[i]);
}

static gboolean
remove_rule (FakeCloud *cloud, JsonObject *rule, FakeFault *fault)
{
  g_auto (FakeFault) ignored = { 0 };
  JsonObject *group = fake_neutron_get (cloud, &fake_group_resource, &everybody,
                                        fake_json_get_string (rule, "security_group_id"),
                                        &ignored);
  JsonArray *rules = group != NULL ? get_rules (group) : NULL;

  for (guint i = 0; rules != NULL && i < json_array_get_length (rules); i++)
    if (json_array_get_object_element (rules, i) == rule)
      {
        json_array_remove_element (rules, i);
        fake_neutron_touch (group);
        break;
      }
  return TRUE;
}

const FakeResource fake_rule_resource = {
  .kind = "security_group_rule",
  .plural = "security_group_rules",
  .path = "security-group-rules",
  .not_found_type = "SecurityGroupRuleNotFound",
  .not_found_message = "Security group rule %s does not exist",
  .required = "security_group_id",
  .settable = rule_settable,
  .changeable = rule_changeable,
  .create = create_rule,
  .edit_answer = edit_rule_answer,
  .check_bulk = check_rules,
  .remove = remove_rule,
};
