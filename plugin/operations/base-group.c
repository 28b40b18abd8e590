/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/base-group.h"

#include "operations/rule-sources.h"

#define SSH_PORT 22
/* What the host fills in where nobody says anything; nothing of ours listens there. */
#define DEFAULT_STATE_PORT 37017

static void
add_rule (GPtrArray  *rules,
          const char *group_id,
          const char *ethertype,
          const char *protocol,
          guint       port,
          const char *prefix)
{
  g_ptr_array_add (rules, os_security_group_rule_new (group_id, ethertype, protocol, port, port,
                                                      prefix, prefix == NULL ? group_id : NULL));
}

/* Neutron keeps the ports 1 to 65535 as none at all, so none is what is asked for. */
static void
add_inner_rules (GPtrArray  *rules,
                 const char *group_id)
{
  add_rule (rules, group_id, "IPv4", "tcp", 0, NULL);
  add_rule (rules, group_id, "IPv4", "udp", 0, NULL);
  add_rule (rules, group_id, "IPv4", "icmp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "tcp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "udp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "ipv6-icmp", 0, NULL);
}

static char **
dup_admin_sources (WelkinConfig *config)
{
  g_auto(GStrv) sources = welkin_config_get_strings (config, "admin-sources");

  /* An empty list is nobody, no list is everybody. */
  if (welkin_config_has (config, "admin-sources") && *sources == NULL)
    return g_steal_pointer (&sources);
  return os_rule_sources_complete ((const char *const *) sources,
                                   os_config_wants_ipv6_rules (config));
}

GPtrArray *
os_base_group_dup_rules (WelkinConfig *config,
                         const char   *group_id)
{
  GPtrArray *rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  gint64 state_port = welkin_config_get_int (config, "state-port");
  gint64 ports[] = {
    SSH_PORT,
    welkin_config_get_int (config, "api-port"),
    state_port != DEFAULT_STATE_PORT ? state_port : 0,
  };
  g_auto(GStrv) sources = dup_admin_sources (config);

  for (gsize i = 0; sources[i] != NULL; i++)
    {
      const char *ethertype = os_rule_source_get_ethertype (sources[i]);

      if (g_str_equal (ethertype, "IPv6") && !os_config_wants_ipv6_rules (config))
        continue;
      for (gsize j = 0; j < G_N_ELEMENTS (ports); j++)
        {
          if (ports[j] > 0)
            add_rule (rules, group_id, ethertype, "tcp", ports[j], sources[i]);
        }
    }
  add_inner_rules (rules, group_id);
  return rules;
}

void
os_base_group_compare (const OsSecurityGroup *group,
                       GPtrArray             *desired,
                       GPtrArray            **missing,
                       GPtrArray            **surplus)
{
  *missing = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  *surplus = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; group->rules != NULL && i < group->rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);

      /* The egress rules are neutron's own. */
      if (g_strcmp0 (rule->direction, "ingress") == 0
          && os_security_group_rule_find (desired, rule) == NULL)
        g_ptr_array_add (*surplus, g_strdup (rule->id));
    }
  for (guint i = desired->len; i > 0; i--)
    {
      if (os_security_group_rule_find (group->rules, g_ptr_array_index (desired, i - 1)) == NULL)
        g_ptr_array_insert (*missing, 0, g_ptr_array_steal_index (desired, i - 1));
    }
}
