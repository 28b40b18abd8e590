/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-firewall.h"

G_DEFINE_INTERFACE (OsFirewall, os_firewall, G_TYPE_OBJECT)

static void
os_firewall_default_init (OsFirewallInterface *iface)
{
}

WkClock *
os_firewall_get_clock (OsFirewall *self)
{
  return OS_FIREWALL_GET_IFACE (self)->get_clock (self);
}

gboolean
os_firewall_has_ipv6 (OsFirewall *self)
{
  return OS_FIREWALL_GET_IFACE (self)->has_ipv6;
}

const char *
os_firewall_get_group_name (OsFirewall *self,
                            const char *id)
{
  return OS_FIREWALL_GET_IFACE (self)->get_group_name (self, id);
}

void
os_firewall_list_groups_async (OsFirewall          *self,
                               const char * const  *query,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->list_groups_async (self, query, cancellable, callback, user_data);
}

GPtrArray *
os_firewall_list_groups_finish (OsFirewall    *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->list_groups_finish (self, result, error);
}

void
os_firewall_list_server_groups_async (OsFirewall          *self,
                                      const char          *server_id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->list_server_groups_async (self, server_id, cancellable, callback,
                                                          user_data);
}

GPtrArray *
os_firewall_list_server_groups_finish (OsFirewall    *self,
                                       GAsyncResult  *result,
                                       gboolean      *is_guarded,
                                       GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->list_server_groups_finish (self, result, is_guarded, error);
}

void
os_firewall_list_users_async (OsFirewall          *self,
                              const char          *group_id,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->list_users_async (self, group_id, cancellable, callback, user_data);
}

char **
os_firewall_list_users_finish (OsFirewall    *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->list_users_finish (self, result, error);
}

void
os_firewall_create_group_async (OsFirewall          *self,
                                const char          *name,
                                const char          *description,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->create_group_async (self, name, description, cancellable, callback,
                                                    user_data);
}

OsSecurityGroup *
os_firewall_create_group_finish (OsFirewall    *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->create_group_finish (self, result, error);
}

void
os_firewall_delete_group_async (OsFirewall          *self,
                                const char          *id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->delete_group_async (self, id, cancellable, callback, user_data);
}

gboolean
os_firewall_delete_group_finish (OsFirewall    *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->delete_group_finish (self, result, error);
}

void
os_firewall_create_rules_async (OsFirewall          *self,
                                GPtrArray           *rules,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->create_rules_async (self, rules, cancellable, callback, user_data);
}

gboolean
os_firewall_create_rules_finish (OsFirewall    *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->create_rules_finish (self, result, error);
}

void
os_firewall_delete_rule_async (OsFirewall          *self,
                               const char          *id,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  OS_FIREWALL_GET_IFACE (self)->delete_rule_async (self, id, cancellable, callback, user_data);
}

gboolean
os_firewall_delete_rule_finish (OsFirewall    *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return OS_FIREWALL_GET_IFACE (self)->delete_rule_finish (self, result, error);
}

static const char *
get_value (const OsSecurityGroup *group,
           const char            *key)
{
  if (g_str_equal (key, "id"))
    return group->id;
  return g_str_equal (key, "name") ? group->name : group->description;
}

static gboolean
matches_key (const OsSecurityGroup *group,
             const char            *key,
             const char * const    *query)
{
  for (gsize i = 0; query[i] != NULL; i += 2)
    {
      if (g_str_equal (query[i], key)
          && g_strcmp0 (get_value (group, key), query[i + 1]) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
matches (const OsSecurityGroup *group,
         const char * const    *query)
{
  for (gsize i = 0; query[i] != NULL; i += 2)
    {
      if (!matches_key (group, query[i], query))
        return FALSE;
    }
  return TRUE;
}

void
os_firewall_keep_matching (GPtrArray          *groups,
                           const char * const *query)
{
  for (guint i = groups->len; i > 0 && query != NULL; i--)
    {
      if (!matches (g_ptr_array_index (groups, i - 1), query))
        g_ptr_array_remove_index (groups, i - 1);
    }
}
