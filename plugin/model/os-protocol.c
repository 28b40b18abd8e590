/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-protocol.h"

static const struct
{
  const char *other;
  const char *name;
} protocols[] = {
  { "", "any" },
  { "-1", "any" },
  { "1", "icmp" },
  { "6", "tcp" },
  { "17", "udp" },
  { "33", "dccp" },
  { "58", "icmp" },
  { "132", "sctp" },
  { "136", "udplite" },
  { "icmpv6", "icmp" },
  { "ipv6-icmp", "icmp" },
};

char *
os_protocol_normalise (const char *protocol)
{
  g_autofree char *lower = g_ascii_strdown (protocol != NULL ? protocol : "any", -1);

  for (guint i = 0; i < G_N_ELEMENTS (protocols); i++)
    if (g_str_equal (lower, protocols[i].other))
      return g_strdup (protocols[i].name);
  return g_steal_pointer (&lower);
}

gboolean
os_protocol_has_ports (const char *protocol)
{
  static const char *const names[] = { "tcp", "udp", "sctp", "dccp", "udplite", NULL };

  return g_strv_contains (names, protocol);
}
