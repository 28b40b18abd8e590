/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-nova-group.h"

#include "model/os-security-group.h"

static const WkJsonField range_fields[] = {
  { "cidr", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaRange, cidr) },
};
static const WkJsonTable range_table = WK_JSON_TABLE (OsNovaRange, range_fields);

static const WkJsonField source_fields[] = {
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaSource, name) },
};
static const WkJsonTable source_table = WK_JSON_TABLE (OsNovaSource, source_fields);

static const WkJsonField rule_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsNovaRule, id), WK_JSON_REQUIRED },
  { "parent_group_id", WK_JSON_ID, G_STRUCT_OFFSET (OsNovaRule, group_id) },
  { "ip_protocol", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaRule, protocol) },
  { "from_port", WK_JSON_INT, G_STRUCT_OFFSET (OsNovaRule, port_min), WK_JSON_TRISTATE },
  { "to_port", WK_JSON_INT, G_STRUCT_OFFSET (OsNovaRule, port_max), WK_JSON_TRISTATE },
  { "ip_range", WK_JSON_RECORD, G_STRUCT_OFFSET (OsNovaRule, range), 0, &range_table },
  { "group", WK_JSON_RECORD, G_STRUCT_OFFSET (OsNovaRule, source), 0, &source_table },
};
static const WkJsonTable rule_table = WK_JSON_TABLE (OsNovaRule, rule_fields);

static const WkJsonField group_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsNovaGroup, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaGroup, name), WK_JSON_REQUIRED },
  { "description", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaGroup, description) },
  { "tenant_id", WK_JSON_ID, G_STRUCT_OFFSET (OsNovaGroup, project_id) },
  { "rules", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsNovaGroup, rules), 0, &rule_table },
};

OS_DEFINE_RECORD (OsNovaGroup, os_nova_group, group_fields)

static const WkJsonField member_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsNovaMember, id), WK_JSON_REQUIRED },
  { "security_groups", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsNovaMember, groups), 0, &source_table },
};

OS_DEFINE_RECORD (OsNovaMember, os_nova_member, member_fields)

static const WkJsonField pool_fields[] = {
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsNovaPool, name), WK_JSON_REQUIRED },
};

OS_DEFINE_RECORD (OsNovaPool, os_nova_pool, pool_fields)

static const char *
find_id (GPtrArray  *groups,
         const char *name)
{
  for (guint i = 0; i < groups->len; i++)
    {
      const OsNovaGroup *group = g_ptr_array_index (groups, i);

      if (g_str_equal (group->name, name))
        return group->id;
    }
  return name;
}

/* There is nothing but what comes in, and IPv4. */
static OsSecurityGroupRule *
convert_rule (const OsNovaRule *rule,
              GPtrArray        *groups)
{
  OsSecurityGroupRule *converted = wk_json_record_new (&os_security_group_rule_table);

  converted->id = g_strdup (rule->id);
  converted->group_id = g_strdup (rule->group_id);
  converted->direction = g_strdup ("ingress");
  converted->ethertype = g_strdup ("IPv4");
  converted->protocol = g_strdup (rule->protocol);
  converted->port_min = rule->port_min;
  converted->port_max = rule->port_max;
  if (rule->source != NULL && rule->source->name != NULL)
    converted->remote_group_id = g_strdup (find_id (groups, rule->source->name));
  else if (rule->range != NULL)
    converted->remote_ip_prefix = g_strdup (rule->range->cidr);
  return converted;
}

static OsSecurityGroup *
convert_group (const OsNovaGroup *group,
               GPtrArray         *groups)
{
  OsSecurityGroup *converted = wk_json_record_new (&os_security_group_table);

  converted->id = g_strdup (group->id);
  converted->name = g_strdup (group->name);
  converted->description = g_strdup (group->description);
  converted->project_id = g_strdup (group->project_id);
  converted->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  for (guint i = 0; group->rules != NULL && i < group->rules->len; i++)
    g_ptr_array_add (converted->rules, convert_rule (g_ptr_array_index (group->rules, i), groups));
  return converted;
}

GPtrArray *
os_nova_groups_convert (GPtrArray *groups)
{
  GPtrArray *converted =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_free);

  for (guint i = 0; i < groups->len; i++)
    g_ptr_array_add (converted, convert_group (g_ptr_array_index (groups, i), groups));
  return converted;
}

gboolean
os_nova_member_is_in (const OsNovaMember *self,
                      const char         *group_name)
{
  for (guint i = 0; self->groups != NULL && i < self->groups->len; i++)
    {
      const OsNovaSource *group = g_ptr_array_index (self->groups, i);

      if (g_strcmp0 (group->name, group_name) == 0)
        return TRUE;
    }
  return FALSE;
}
