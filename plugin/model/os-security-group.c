/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-security-group.h"

#include "model/os-prefix.h"
#include "model/os-protocol.h"

#define EVERYWHERE_IPV4 "0.0.0.0/0"
#define EVERYWHERE_IPV6 "::/0"
#define LAST_PORT 65535

static const WkJsonField rule_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, id), WK_JSON_REQUIRED },
  { "security_group_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, group_id) },
  { "direction", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, direction) },
  { "ethertype", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, ethertype) },
  { "protocol", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, protocol) },
  { "port_range_min", WK_JSON_INT, G_STRUCT_OFFSET (OsSecurityGroupRule, port_min),
    WK_JSON_TRISTATE },
  { "port_range_max", WK_JSON_INT, G_STRUCT_OFFSET (OsSecurityGroupRule, port_max),
    WK_JSON_TRISTATE },
  { "remote_ip_prefix", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, remote_ip_prefix) },
  { "remote_group_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, remote_group_id) },
  { "remote_address_group_id", WK_JSON_ID,
    G_STRUCT_OFFSET (OsSecurityGroupRule, remote_address_group_id) },
};

OS_DEFINE_RECORD (OsSecurityGroupRule, os_security_group_rule, rule_fields)

static const WkJsonField group_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroup, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroup, name) },
  { "description", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroup, description) },
  { "project_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroup, project_id) },
  { "tenant_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroup, project_id) },
  { "created_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroup, created) },
  { "security_group_rules", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsSecurityGroup, rules), 0,
    &os_security_group_rule_table },
};

OS_DEFINE_RECORD (OsSecurityGroup, os_security_group, group_fields)

OsSecurityGroupRule *
os_security_group_rule_new (const char *group_id,
                            const char *ethertype,
                            const char *protocol,
                            guint       port_min,
                            guint       port_max,
                            const char *prefix,
                            const char *remote_group)
{
  OsSecurityGroupRule *self = wk_json_record_new (&os_security_group_rule_table);

  self->group_id = g_strdup (group_id);
  self->direction = g_strdup ("ingress");
  self->ethertype = g_strdup (ethertype);
  self->protocol = g_strdup (protocol);
  if (port_max > 0)
    {
      self->port_min = port_min;
      self->port_max = port_max;
    }
  if (prefix != NULL)
    self->remote_ip_prefix = os_prefix_normalise (prefix);
  if (self->remote_ip_prefix == NULL)
    self->remote_ip_prefix = g_strdup (prefix);
  self->remote_group_id = g_strdup (remote_group);
  return self;
}

char *
os_security_group_rule_dup_protocol (const OsSecurityGroupRule *self)
{
  return os_protocol_normalise (self->protocol);
}

gboolean
os_security_group_rule_is_ipv6 (const OsSecurityGroupRule *self)
{
  if (self->ethertype != NULL)
    return g_ascii_strcasecmp (self->ethertype, "IPv6") == 0;
  return self->remote_ip_prefix != NULL && strchr (self->remote_ip_prefix, ':') != NULL;
}

gboolean
os_security_group_rule_is_open (const OsSecurityGroupRule *self)
{
  return g_strcmp0 (self->direction, "ingress") == 0 && self->remote_group_id == NULL
         && self->remote_address_group_id == NULL;
}

char *
os_security_group_rule_dup_prefix (const OsSecurityGroupRule *self)
{
  const char *text = self->remote_ip_prefix;
  char *prefix;

  if (text == NULL)
    return g_strdup (os_security_group_rule_is_ipv6 (self) ? EVERYWHERE_IPV6 : EVERYWHERE_IPV4);
  prefix = os_prefix_normalise (text);
  return prefix != NULL ? prefix : g_strdup (text);
}

void
os_security_group_rule_get_ports (const OsSecurityGroupRule *self,
                                  guint                     *from,
                                  guint                     *to)
{
  g_autofree char *protocol = os_security_group_rule_dup_protocol (self);

  *from = 0;
  *to = 0;
  if (!os_protocol_has_ports (protocol))
    return;
  /* There is no port 0: clouds that write it mean none, as others do with null and -1. */
  *from = self->port_min > 0 ? MIN (self->port_min, LAST_PORT) : 1;
  *to = self->port_max > 0 ? MIN (self->port_max, LAST_PORT) : LAST_PORT;
  *to = MAX (*from, *to);
}

static gboolean
ports_equal (const OsSecurityGroupRule *self,
             const OsSecurityGroupRule *other)
{
  g_autofree char *protocol = os_security_group_rule_dup_protocol (self);
  guint ports[4];

  os_security_group_rule_get_ports (self, &ports[0], &ports[1]);
  os_security_group_rule_get_ports (other, &ports[2], &ports[3]);
  if (ports[0] != ports[2] || ports[1] != ports[3])
    return FALSE;
  if (!g_str_equal (protocol, "icmp"))
    return TRUE;
  return MAX (self->port_min, -1) == MAX (other->port_min, -1)
         && MAX (self->port_max, -1) == MAX (other->port_max, -1);
}

static gboolean
remotes_equal (const OsSecurityGroupRule *self,
               const OsSecurityGroupRule *other)
{
  g_autofree char *prefix = NULL;
  g_autofree char *other_prefix = NULL;

  if (g_strcmp0 (self->remote_group_id, other->remote_group_id) != 0
      || g_strcmp0 (self->remote_address_group_id, other->remote_address_group_id) != 0)
    return FALSE;
  if (self->remote_group_id != NULL || self->remote_address_group_id != NULL)
    return TRUE;
  prefix = os_security_group_rule_dup_prefix (self);
  other_prefix = os_security_group_rule_dup_prefix (other);
  return g_str_equal (prefix, other_prefix);
}

gboolean
os_security_group_rule_equal (const OsSecurityGroupRule *self,
                              const OsSecurityGroupRule *other)
{
  g_autofree char *protocol = os_security_group_rule_dup_protocol (self);
  g_autofree char *other_protocol = os_security_group_rule_dup_protocol (other);

  return g_strcmp0 (self->direction, other->direction) == 0
         && os_security_group_rule_is_ipv6 (self) == os_security_group_rule_is_ipv6 (other)
         && g_str_equal (protocol, other_protocol)
         && remotes_equal (self, other)
         && ports_equal (self, other);
}

const OsSecurityGroupRule *
os_security_group_rule_find (GPtrArray                 *rules,
                             const OsSecurityGroupRule *wanted)
{
  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (rules, i);

      if (os_security_group_rule_equal (rule, wanted))
        return rule;
    }
  return NULL;
}
