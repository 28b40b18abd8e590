/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>

#include "model/os-security-group.h"

static const WkJsonField rule_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, id), WK_JSON_REQUIRED },
  { "security_group_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, group_id) },
  { "direction", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, direction) },
  { "ethertype", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, ethertype) },
  { "protocol", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, protocol) },
  { "port_range_min", WK_JSON_INT, G_STRUCT_OFFSET (OsSecurityGroupRule, port_min) },
  { "port_range_max", WK_JSON_INT, G_STRUCT_OFFSET (OsSecurityGroupRule, port_max) },
  { "remote_ip_prefix", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroupRule, remote_ip_prefix) },
  { "remote_group_id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroupRule, remote_group_id) },
};

OS_DEFINE_RECORD (OsSecurityGroupRule, os_security_group_rule, rule_fields)

static const WkJsonField group_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsSecurityGroup, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroup, name) },
  { "description", WK_JSON_STRING, G_STRUCT_OFFSET (OsSecurityGroup, description) },
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
                            const char *remote_ip_prefix,
                            const char *remote_group_id)
{
  OsSecurityGroupRule *self = wk_json_record_new (&os_security_group_rule_table);

  self->group_id = g_strdup (group_id);
  self->direction = g_strdup ("ingress");
  self->ethertype = g_strdup (ethertype);
  self->protocol = g_strdup (protocol);
  self->port_min = port_min;
  self->port_max = port_max;
  self->remote_ip_prefix = g_strdup (remote_ip_prefix);
  self->remote_group_id = g_strdup (remote_group_id);
  return self;
}

static const struct
{
  const char *other;
  const char *name;
} protocols[] = {
  { "1", "icmp" },
  { "6", "tcp" },
  { "17", "udp" },
  { "58", "ipv6-icmp" },
  { "132", "sctp" },
  { "icmpv6", "ipv6-icmp" },
};

static const char *
get_protocol (const OsSecurityGroupRule *self)
{
  const char *protocol = self->protocol != NULL ? self->protocol : "any";

  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_ascii_strcasecmp (protocol, protocols[i].other) == 0)
      protocol = protocols[i].name;
  if (g_ascii_strcasecmp (protocol, "icmp") == 0 && g_strcmp0 (self->ethertype, "IPv6") == 0)
    return "ipv6-icmp";
  return protocol;
}

/* The prefix with its host bits cleared, as in "10.0.0.0/8"; the text itself when it is none. */
static char *
dup_prefix (const OsSecurityGroupRule *self)
{
  const char *text = self->remote_ip_prefix;
  g_auto(GStrv) parts = NULL;
  g_autoptr(GInetAddress) address = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autoptr(GInetAddress) network = NULL;
  g_autofree char *network_text = NULL;
  guint64 length;
  gsize size;

  if (self->remote_group_id != NULL)
    return g_strdup ("");
  if (text == NULL)
    text = g_strcmp0 (self->ethertype, "IPv6") == 0 ? "::/0" : "0.0.0.0/0";
  parts = g_strsplit (text, "/", 2);
  address = g_inet_address_new_from_string (parts[0] != NULL ? parts[0] : "");
  if (address == NULL)
    return g_strdup (text);
  size = g_inet_address_get_native_size (address);
  length = size * 8;
  if (parts[1] != NULL && !g_ascii_string_to_unsigned (parts[1], 10, 0, length, &length, NULL))
    return g_strdup (text);
  bytes = g_memdup2 (g_inet_address_to_bytes (address), size);
  for (gsize i = 0; i < size * 8; i++)
    if (i >= length)
      bytes[i / 8] &= ~(0x80 >> (i % 8));
  network = g_inet_address_new_from_bytes (bytes, g_inet_address_get_family (address));
  network_text = g_inet_address_to_string (network);
  return g_strdup_printf ("%s/%u", network_text, (guint) length);
}

/* All ports are no ports. */
static gboolean
has_ports (const OsSecurityGroupRule *self)
{
  return (self->port_min > 0 || self->port_max > 0)
         && !(self->port_min == 1 && self->port_max == 65535);
}

static gboolean
ports_equal (const OsSecurityGroupRule *self,
             const OsSecurityGroupRule *other)
{
  if (has_ports (self) != has_ports (other))
    return FALSE;
  return !has_ports (self)
         || (self->port_min == other->port_min && self->port_max == other->port_max);
}

gboolean
os_security_group_rule_equal (const OsSecurityGroupRule *self,
                              const OsSecurityGroupRule *other)
{
  g_autofree char *prefix = dup_prefix (self);
  g_autofree char *other_prefix = dup_prefix (other);

  return g_strcmp0 (self->direction, other->direction) == 0
         && g_strcmp0 (self->ethertype, other->ethertype) == 0
         && g_ascii_strcasecmp (get_protocol (self), get_protocol (other)) == 0
         && g_strcmp0 (self->remote_group_id, other->remote_group_id) == 0
         && g_str_equal (prefix, other_prefix)
         && ports_equal (self, other);
}
