/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Security groups as nova had them until 2.36. */

#include "fake-nova.h"

/* what is shown */

static void
append_source (GString *out, FakeRequest *request, JsonObject *rule)
{
  const char *group_id = fake_json_get_string (rule, "remote_group_id");
  const char *prefix = fake_json_get_string (rule, "remote_ip_prefix");
  JsonObject *group;

  if (group_id == NULL)
    {
      fake_json_append (out, "'group': {}, 'ip_range': {'cidr': %s}",
                        prefix != NULL ? prefix : "0.0.0.0/0");
      return;
    }
  group = fake_store_get (fake_cloud_get_store (request->cloud, "security_group"), group_id);
  fake_json_append (out, "'group': {'name': %s, 'tenant_id': %s}, 'ip_range': {}",
                    fake_json_get_string (group, "name"),
                    fake_json_get_string (group, "project_id"));
}

/* Any port is all of them by number; any type of ICMP is -1. */
static void
append_rule (GString *out, FakeRequest *request, JsonObject *group, JsonObject *rule)
{
  g_autofree char *id = fake_nova_get_shown_id (request->cloud, rule);
  g_autofree char *group_id = fake_nova_get_shown_id (request->cloud, group);
  const char *protocol = fake_json_get_string (rule, "protocol");
  gboolean is_icmp = g_strcmp0 (protocol, "icmp") == 0;

  fake_json_append (out, "{'id': %r, 'parent_group_id': %r, 'ip_protocol': %s, ", id, group_id,
                    protocol);
  if (protocol == NULL)
    g_string_append (out, "\"from_port\": null, \"to_port\": null, ");
  else
    fake_json_append (out, "'from_port': %l, 'to_port': %l, ",
                      fake_json_get_int (rule, "port_range_min", is_icmp ? -1 : 1),
                      fake_json_get_int (rule, "port_range_max", is_icmp ? -1 : 65535));
  append_source (out, request, rule);
  g_string_append_c (out, '}');
}

/* Only what comes in, by IPv4: nova knows of nothing else. */
static gboolean
is_shown (JsonObject *rule)
{
  return g_str_equal (fake_json_get_string (rule, "direction"), "ingress")
         && g_str_equal (fake_json_get_string (rule, "ethertype"), "IPv4");
}

static void
append_group (GString *out, FakeRequest *request, JsonObject *group)
{
  g_autofree char *id = fake_nova_get_shown_id (request->cloud, group);
  JsonArray *rules = fake_json_get_array (group, "security_group_rules");
  const char *separator = "";

  fake_json_append (out, "{'id': %r, 'name': %s, 'description': %s, 'tenant_id': %s, 'rules': [",
                    id, fake_json_get_string (group, "name"),
                    fake_json_get_string (group, "description"),
                    fake_json_get_string (group, "project_id"));
  for (guint i = 0; i < json_array_get_length (rules); i++)
    {
      JsonObject *rule = json_array_get_object_element (rules, i);

      if (!is_shown (rule))
        continue;
      g_string_append (out, separator);
      append_rule (out, request, group, rule);
      separator = ", ";
    }
  g_string_append (out, "]}");
}

static void
reply_group (FakeRequest *request, JsonObject *group)
{
  GString *out = g_string_new ("{\"security_group\": ");

  append_group (out, request, group);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* groups */

static gboolean
is_ours (FakeRequest *request, JsonObject *group)
{
  return g_strcmp0 (fake_json_get_string (group, "project_id"), request->token->project_id) == 0;
}

void
fake_nova_list_security_groups (FakeRequest *request)
{
  GString *out;
  const char *separator = "";

  if (!fake_nova_has_networks (request))
    return;
  fake_neutron_ensure_default_group (request->cloud, request->token->project_id);
  out = g_string_new ("{\"security_groups\": [");
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "security_group"));
       l != NULL; l = l->next)
    {
      if (!is_ours (request, l->data))
        continue;
      g_string_append (out, separator);
      append_group (out, request, l->data);
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static gboolean
is_taken (FakeRequest *request, const char *name)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "security_group"));
       l != NULL; l = l->next)
    if (is_ours (request, l->data)
        && g_strcmp0 (fake_json_get_string (l->data, "name"), name) == 0)
      return TRUE;
  return FALSE;
}

/* Both texts are wanted, and short. */
static gboolean
check_text (FakeRequest *request, JsonObject *body, const char *member)
{
  const char *text = fake_json_get_string (body, member);

  if (text == NULL)
    fake_nova_fail (request, 400, "The input is not a string or unicode");
  else if (strlen (text) > 255)
    fake_nova_fail (request, 400, "%s has %d characters, more than 255.", member,
                    (int) strlen (text));
  else
    return TRUE;
  return FALSE;
}

void
fake_nova_create_security_group (FakeRequest *request)
{
  JsonObject *body;
  g_auto (FakeFault) fault = { 0 };
  JsonObject *group;

  if (!fake_nova_has_networks (request))
    return;
  body = fake_nova_get_body (request, "security_group");
  if (body == NULL || !check_text (request, body, "name")
      || !check_text (request, body, "description"))
    return;
  if (request->cloud->settings.nova_network
      && is_taken (request, fake_json_get_string (body, "name")))
    return fake_nova_fail (request, 400, "Security group %s already exists.",
                           fake_json_get_string (body, "name"));
  group = fake_group_resource.create (request->cloud, request->token, body, &fault);
  if (group == NULL && fault.status == 409 && g_str_equal (fault.type, "OverQuota"))
    return fake_nova_fail (request, 403, "Quota exceeded, too many security groups.");
  if (group == NULL)
    return fake_nova_fail (request, 400, "%s", fault.message);
  reply_group (request, group);
}

static JsonObject *
need_group (FakeRequest *request, const char *id)
{
  JsonObject *group = fake_nova_find_shown (request, "security_group", id);

  if (group == NULL)
    fake_nova_fail (request, 404, "Security group %s not found.", id != NULL ? id : "None");
  return group;
}

void
fake_nova_get_security_group (FakeRequest *request)
{
  JsonObject *group;

  if (!fake_nova_has_networks (request))
    return;
  group = need_group (request, g_ptr_array_index (request->args, 0));
  if (group != NULL)
    reply_group (request, group);
}

/* A server is in its groups from the beginning, before it is connected to anything. */
static gboolean
is_used (FakeCloud *cloud, const char *id)
{
  for (GList *l = cloud->nova->servers.head; l != NULL; l = l->next)
    if (g_ptr_array_find_with_equal_func (((FakeServer *) l->data)->groups, id, g_str_equal, NULL))
      return TRUE;
  return FALSE;
}

void
fake_nova_delete_security_group (FakeRequest *request)
{
  JsonObject *group;
  g_auto (FakeFault) fault = { 0 };
  const char *id;

  if (!fake_nova_has_networks (request))
    return;
  group = need_group (request, g_ptr_array_index (request->args, 0));
  if (group == NULL)
    return;
  id = fake_json_get_string (group, "id");
  if (is_used (request->cloud, id)
      || !fake_group_resource.remove (request->cloud, group, &fault))
    return fake_nova_fail (request, 400, "Security group is still in use");
  fake_store_remove (fake_cloud_get_store (request->cloud, "security_group"), id);
  fake_request_reply (request, 202, "application/json", NULL);
}

/* rules */

/* The value of a member that may be a number or a text; G_MININT if there is none. */
static gint64
get_port (JsonObject *body, const char *member)
{
  g_autofree char *text = NULL;

  if (fake_json_is_null (body, member))
    return G_MININT;
  text = fake_json_scalar_to_text (json_object_get_member (body, member));
  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : G_MININT;
}

static gboolean
check_ports (FakeRequest *request, const char *protocol, gint64 from, gint64 to)
{
  gboolean is_icmp = g_strcmp0 (protocol, "icmp") == 0;

  if (g_strcmp0 (protocol, "tcp") != 0 && g_strcmp0 (protocol, "udp") != 0 && !is_icmp)
    fake_nova_fail (request, 400, "Invalid IP protocol %s.",
                    protocol != NULL ? protocol : "None");
  else if (from == G_MININT || to == G_MININT || (!is_icmp && from > to)
           || (!is_icmp && (from < 1 || to > 65535))
           || (is_icmp && (from < -1 || from > 255 || to < -1 || to > 255)))
    fake_nova_fail (request, 400, "Invalid port range %d:%d. %s", (int) from, (int) to,
                    is_icmp ? "For ICMP, the type:code must be valid"
                            : "Valid TCP ports should be between 1-65535");
  else
    return TRUE;
  return FALSE;
}

/* As neutron would be told of it; NULL after an answer. */
static JsonObject *
make_rule (FakeRequest *request, JsonObject *body, JsonObject *group)
{
  g_autofree char *source_id = json_object_has_member (body, "group_id")
    ? fake_json_scalar_to_text (json_object_get_member (body, "group_id")) : NULL;
  g_autofree char *protocol = fake_json_get_string (body, "ip_protocol") != NULL
    ? g_ascii_strdown (fake_json_get_string (body, "ip_protocol"), -1) : NULL;
  gint64 from = get_port (body, "from_port");
  gint64 to = get_port (body, "to_port");
  const char *cidr = fake_json_get_string (body, "cidr");
  JsonObject *source = NULL;
  JsonObject *rule;

  if (!check_ports (request, protocol, from, to))
    return NULL;
  if (source_id != NULL)
    {
      source = need_group (request, source_id);
      if (source == NULL)
        return NULL;
      cidr = NULL;
    }
  else if (cidr == NULL)
    cidr = "0.0.0.0/0";
  rule = fake_json_object_new (
    "{'security_group_id': %s, 'direction': 'ingress', 'ethertype': 'IPv4', 'protocol': %s,"
    " 'remote_ip_prefix': %s, 'remote_group_id': %s}",
    fake_json_get_string (group, "id"), protocol, cidr,
    source != NULL ? fake_json_get_string (source, "id") : NULL);
  if (from >= 0)
    json_object_set_int_member (rule, "port_range_min", from);
  if (to >= 0)
    json_object_set_int_member (rule, "port_range_max", to);
  return rule;
}

void
fake_nova_create_security_rule (FakeRequest *request)
{
  JsonObject *body;
  g_autofree char *group_id = NULL;
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) wanted = NULL;
  JsonObject *group, *rule;
  GString *out;

  if (!fake_nova_has_networks (request))
    return;
  body = fake_nova_get_body (request, "security_group_rule");
  if (body == NULL)
    return;
  if (json_object_has_member (body, "parent_group_id"))
    group_id = fake_json_scalar_to_text (json_object_get_member (body, "parent_group_id"));
  group = need_group (request, group_id);
  if (group == NULL)
    return;
  wanted = make_rule (request, body, group);
  if (wanted == NULL)
    return;
  rule = fake_rule_resource.create (request->cloud, request->token, wanted, &fault);
  if (rule == NULL && g_str_equal (fault.type, "SecurityGroupRuleExists"))
    return fake_nova_fail (request, 400, "This rule already exists in group %s", group_id);
  if (rule == NULL && g_str_equal (fault.type, "OverQuota"))
    return fake_nova_fail (request, 403, "Quota exceeded, too many security group rules.");
  if (rule == NULL)
    return fake_nova_fail (request, 400, "%s", fault.message);
  out = g_string_new ("{\"security_group_rule\": ");
  append_rule (out, request, group, rule);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_delete_security_rule (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *rule;

  if (!fake_nova_has_networks (request))
    return;
  rule = fake_nova_find_shown (request, "security_group_rule", id);
  if (rule == NULL)
    return fake_nova_fail (request, 404, "Rule (%s) not found", id);
  fake_neutron_drop (request->cloud, &fake_rule_resource, fake_json_get_string (rule, "id"));
  fake_request_reply (request, 202, "application/json", NULL);
}

/* those of a server */

void
fake_nova_list_server_groups_of (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);
  FakeStore *store = fake_cloud_get_store (request->cloud, "security_group");
  const char *separator = "";
  GString *out;

  if (server == NULL)
    return;
  out = g_string_new ("{\"security_groups\": [");
  for (guint i = 0; i < server->groups->len; i++)
    {
      JsonObject *group = fake_store_get (store, g_ptr_array_index (server->groups, i));

      if (group == NULL)
        continue;
      g_string_append (out, separator);
      append_group (out, request, group);
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}
