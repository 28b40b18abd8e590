/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "model/os-nova-group.h"
#include "services/os-nova-network-private.h"
#include "values/welkin-error.h"

/* Nova as a firewall: security groups and their rules. */

#define ANY_PORT -1

static WkClock *
firewall_get_clock (OsFirewall *firewall)
{
  return os_client_get_clock (OS_NOVA_NETWORK (firewall)->client);
}

/* A group that was never seen is nova's to refuse. */
static const char *
firewall_get_group_name (OsFirewall *firewall,
                         const char *id)
{
  const char *name = g_hash_table_lookup (OS_NOVA_NETWORK (firewall)->group_names, id);

  return name != NULL ? name : id;
}

static void
note_name (OsNovaNetwork         *self,
           const OsSecurityGroup *group)
{
  g_hash_table_replace (self->group_names, g_strdup (group->id), g_strdup (group->name));
}

/* Listing groups: nova has no filters. */

static GPtrArray *
list_finish (OsNovaNetwork  *self,
             GAsyncResult   *result,
             GError        **error)
{
  g_autoptr(GPtrArray) listed = os_client_list_finish (self, result, error);
  GPtrArray *groups;

  if (listed == NULL)
    return NULL;
  groups = os_nova_groups_convert (listed);
  for (guint i = 0; i < groups->len; i++)
    note_name (self, g_ptr_array_index (groups, i));
  return groups;
}

static void
list_all (OsNovaNetwork       *self,
          GCancellable        *cancellable,
          GAsyncReadyCallback  callback,
          gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "os-security-groups",
                                                 NULL);

  os_client_list_async (self->client, self, request, &os_nova_group_table, "security_groups", NULL,
                        NULL, cancellable, callback, user_data);
}

static void
list_groups_run (WkFlow  *flow,
                 gpointer user_data)
{
  char **query = user_data;
  OsNovaNetwork *self = wk_flow_get_source (flow);
  GPtrArray *groups;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, list_all (self, WK_RESUME (flow)));
  groups = list_finish (self, WK_RESULT (flow), &error);
  if (groups == NULL)
    WK_FAIL (flow, &error, NULL);
  os_firewall_keep_matching (groups, (const char * const *) query);
  wk_flow_return_pointer (flow, groups, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
firewall_list_groups_async (OsFirewall          *firewall,
                            const char * const  *query,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  wk_flow_start (firewall, cancellable, callback, user_data, firewall_list_groups_async,
                 list_groups_run, g_strdupv ((char **) query), (GDestroyNotify) g_strfreev);
}

static GPtrArray *
firewall_list_groups_finish (OsFirewall    *firewall,
                             GAsyncResult  *result,
                             GError       **error)
{
  return wk_flow_finish_pointer (result, firewall, firewall_list_groups_async, error);
}

/* Those of a server. */

static void
firewall_list_server_groups_async (OsFirewall          *firewall,
                                   const char          *server_id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", server_id,
                                                 "os-security-groups", NULL);

  os_client_list_async (OS_NOVA_NETWORK (firewall)->client, firewall, request,
                        &os_nova_group_table, "security_groups", NULL, NULL, cancellable, callback,
                        user_data);
}

/* Nova guards all that it connects. */
static GPtrArray *
firewall_list_server_groups_finish (OsFirewall    *firewall,
                                    GAsyncResult  *result,
                                    gboolean      *is_guarded,
                                    GError       **error)
{
  *is_guarded = TRUE;
  return list_finish (OS_NOVA_NETWORK (firewall), result, error);
}

/* Those who are in a group: servers. */

static void
list_members (OsNovaNetwork       *self,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", "detail",
                                                 NULL);

  os_client_list_async (self->client, self, request, &os_nova_member_table, "servers", NULL, NULL,
                        cancellable, callback, user_data);
}

static void
list_users_run (WkFlow  *flow,
                gpointer user_data)
{
  const char *group_id = user_data;
  OsNovaNetwork *self = wk_flow_get_source (flow);
  const char *name = firewall_get_group_name (OS_FIREWALL (self), group_id);
  g_autoptr(GStrvBuilder) users = g_strv_builder_new ();
  g_autoptr(GPtrArray) members = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, list_members (self, WK_RESUME (flow)));
  members = os_client_list_finish (self, WK_RESULT (flow), &error);
  if (members == NULL)
    WK_FAIL (flow, &error, NULL);
  for (guint i = 0; i < members->len; i++)
    {
      const OsNovaMember *member = g_ptr_array_index (members, i);

      if (os_nova_member_is_in (member, name))
        g_strv_builder_add (users, member->id);
    }
  wk_flow_return_pointer (flow, g_strv_builder_end (users), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
firewall_list_users_async (OsFirewall          *firewall,
                           const char          *group_id,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  wk_flow_start (firewall, cancellable, callback, user_data, firewall_list_users_async,
                 list_users_run, g_strdup (group_id), g_free);
}

static char **
firewall_list_users_finish (OsFirewall    *firewall,
                            GAsyncResult  *result,
                            GError       **error)
{
  return wk_flow_finish_pointer (result, firewall, firewall_list_users_async, error);
}

/* Making and deleting groups. */

static void
firewall_create_group_async (OsFirewall          *firewall,
                             const char          *name,
                             const char          *description,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "os-security-groups",
                                                 NULL);

  os_request_set_json_texts (request, "security_group", "name", name, "description", description,
                             NULL);
  os_client_load_async (OS_NOVA_NETWORK (firewall)->client, firewall, request,
                        &os_nova_group_table, "security_group", cancellable, callback, user_data);
}

static OsSecurityGroup *
firewall_create_group_finish (OsFirewall    *firewall,
                              GAsyncResult  *result,
                              GError       **error)
{
  OsNovaGroup *made = os_client_load_finish (firewall, result, error);
  g_autoptr(GPtrArray) alone = NULL;
  g_autoptr(GPtrArray) groups = NULL;

  if (made == NULL)
    return NULL;
  alone = g_ptr_array_new_with_free_func ((GDestroyNotify) os_nova_group_free);
  g_ptr_array_add (alone, made);
  groups = os_nova_groups_convert (alone);
  note_name (OS_NOVA_NETWORK (firewall), g_ptr_array_index (groups, 0));
  return g_ptr_array_steal_index (groups, 0);
}

static void
firewall_delete_group_async (OsFirewall          *firewall,
                             const char          *id,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  os_nova_network_delete_async (OS_NOVA_NETWORK (firewall), "os-security-groups", id, cancellable,
                                callback, user_data);
}

static gboolean
firewall_delete_finish (OsFirewall    *firewall,
                        GAsyncResult  *result,
                        GError       **error)
{
  return os_client_delete_finish (firewall, result, error);
}

/* Rules. */

/* Nova wants to be told the ports even where any will do, and a rule that names neither addresses
 * nor a group is open to everybody. */
static JsonObject *
make_rule (const OsSecurityGroupRule *rule)
{
  JsonObject *object = json_object_new ();
  g_autofree char *protocol = os_security_group_rule_dup_protocol (rule);
  gint64 from = rule->port_min;
  gint64 to = rule->port_max;
  guint first;
  guint last;

  os_security_group_rule_get_ports (rule, &first, &last);
  if (last > 0)
    {
      from = first;
      to = last;
    }
  json_object_set_string_member (object, "parent_group_id", rule->group_id);
  json_object_set_string_member (object, "ip_protocol", protocol);
  json_object_set_int_member (object, "from_port", MAX (from, ANY_PORT));
  json_object_set_int_member (object, "to_port", MAX (to, ANY_PORT));
  if (rule->remote_group_id != NULL)
    {
      json_object_set_string_member (object, "group_id", rule->remote_group_id);
    }
  else
    {
      g_autofree char *prefix = os_security_group_rule_dup_prefix (rule);

      json_object_set_string_member (object, "cidr", prefix);
    }
  return object;
}

static void
firewall_create_rules_async (OsFirewall          *firewall,
                             GPtrArray           *rules,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(OsRequest) request = NULL;

  if (rules->len > 1)
    {
      g_task_report_new_error (firewall, callback, user_data, firewall_create_rules_async,
                               WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                               "nova takes one rule at a time");
      return;
    }
  request = os_request_new (OS_SERVICE_COMPUTE, "POST", "os-security-group-rules", NULL);
  os_request_set_json_object (request, "security_group_rule",
                              make_rule (g_ptr_array_index (rules, 0)));
  /* A rule cannot be made twice. */
  os_request_set_repeatable (request);
  os_client_send_async (OS_NOVA_NETWORK (firewall)->client, firewall, request, cancellable,
                        callback, user_data);
}

static gboolean
firewall_create_rules_finish (OsFirewall    *firewall,
                              GAsyncResult  *result,
                              GError       **error)
{
  if (g_async_result_is_tagged (result, firewall_create_rules_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  return os_client_done_finish (firewall, result, error);
}

static void
firewall_delete_rule_async (OsFirewall          *firewall,
                            const char          *id,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  os_nova_network_delete_async (OS_NOVA_NETWORK (firewall), "os-security-group-rules", id,
                                cancellable, callback, user_data);
}

void
os_nova_network_firewall_init (OsFirewallInterface *iface)
{
  iface->has_ipv6 = FALSE;
  iface->get_clock = firewall_get_clock;
  iface->get_group_name = firewall_get_group_name;
  iface->list_groups_async = firewall_list_groups_async;
  iface->list_groups_finish = firewall_list_groups_finish;
  iface->list_server_groups_async = firewall_list_server_groups_async;
  iface->list_server_groups_finish = firewall_list_server_groups_finish;
  iface->list_users_async = firewall_list_users_async;
  iface->list_users_finish = firewall_list_users_finish;
  iface->create_group_async = firewall_create_group_async;
  iface->create_group_finish = firewall_create_group_finish;
  iface->delete_group_async = firewall_delete_group_async;
  iface->delete_group_finish = firewall_delete_finish;
  iface->create_rules_async = firewall_create_rules_async;
  iface->create_rules_finish = firewall_create_rules_finish;
  iface->delete_rule_async = firewall_delete_rule_async;
  iface->delete_rule_finish = firewall_delete_finish;
}
