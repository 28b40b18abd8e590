/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "services/os-network-service-private.h"
#include "values/welkin-error.h"

/* Neutron as a firewall: security groups and their rules. */

static WkClock *
firewall_get_clock (OsFirewall *firewall)
{
  return os_client_get_clock (OS_NETWORK_SERVICE (firewall)->client);
}

/* Names may be ambiguous, and nova takes ids as well. */
static const char *
firewall_get_group_name (OsFirewall *firewall,
                         const char *id)
{
  return id;
}

/* Listing groups. */

/* A group that another project shares with us, or lets administrators see, is not ours. */
static void
drop_foreign (GPtrArray  *groups,
              const char *project_id)
{
  for (guint i = groups->len; i > 0; i--)
    {
      const OsSecurityGroup *group = g_ptr_array_index (groups, i - 1);

      if (group->project_id != NULL && g_strcmp0 (group->project_id, project_id) != 0)
        g_ptr_array_remove_index (groups, i - 1);
    }
}

static void
list_groups_run (WkFlow  *flow,
                 gpointer user_data)
{
  char **query = user_data;
  OsNetworkService *self = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_own_async (
                    self, "security-groups", "security_groups", &os_security_group_table,
                    G_STRUCT_OFFSET (OsSecurityGroup, name), (const char * const *) query,
                    WK_RESUME (flow)));
  groups = os_network_service_list_own_finish (self, WK_RESULT (flow), &error);
  if (groups == NULL)
    WK_FAIL (flow, &error, NULL);
  drop_foreign (groups, os_client_get_project_id (self->client));
  os_firewall_keep_matching (groups, (const char * const *) query);
  wk_flow_return_pointer (flow, g_steal_pointer (&groups), (GDestroyNotify) g_ptr_array_unref);

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

/* Those of a server: through its ports. */

typedef struct
{
  GPtrArray *groups; /* (owned) */
  gboolean   is_guarded;
} ServerGroups;

static void
server_groups_free (gpointer data)
{
  ServerGroups *self = data;

  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_free (self);
}

/* As a query for groups. */
static char **
list_group_ids (GPtrArray *ports)
{
  g_autoptr(GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GStrvBuilder) query = g_strv_builder_new ();

  for (guint i = 0; i < ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (ports, i);

      for (guint j = 0; port->group_ids != NULL && j < port->group_ids->len; j++)
        {
          if (g_hash_table_add (ids, g_ptr_array_index (port->group_ids, j)))
            g_strv_builder_add_many (query, "id", g_ptr_array_index (port->group_ids, j), NULL);
        }
    }
  return g_strv_builder_end (query);
}

/* Until it has a port, nothing reaches the server, and nothing tells that groups will not count. */
static gboolean
is_guarded (GPtrArray *ports)
{
  for (guint i = 0; i < ports->len; i++)
    {
      if (((OsPort *) g_ptr_array_index (ports, i))->is_guarded != FALSE)
        return TRUE;
    }
  return ports->len == 0;
}

static void
server_groups_run (WkFlow  *flow,
                   gpointer user_data)
{
  const char *server_id = user_data;
  OsNetworkService *self = wk_flow_get_source (flow);
  const char *of_server[] = { "device_id", server_id, NULL };
  g_auto(GStrv) ids = NULL;
  g_autoptr(GPtrArray) ports = NULL;
  g_autoptr(GError) error = NULL;
  ServerGroups *found;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_ports_async (self, of_server, WK_RESUME (flow)));
  ports = os_network_service_list_ports_finish (self, WK_RESULT (flow), &error);
  if (ports == NULL)
    WK_FAIL (flow, &error, NULL);
  ids = list_group_ids (ports);
  if (*ids == NULL)
    {
      found = g_new0 (ServerGroups, 1);
      found->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_free);
      found->is_guarded = is_guarded (ports);
      wk_flow_return_pointer (flow, found, server_groups_free);
      return;
    }

  WK_AWAIT (flow, os_firewall_list_groups_async (OS_FIREWALL (self), (const char * const *) ids,
                                                 WK_RESUME (flow)));
  found = g_new0 (ServerGroups, 1);
  found->is_guarded = TRUE;
  found->groups = os_firewall_list_groups_finish (OS_FIREWALL (self), WK_RESULT (flow), &error);
  if (found->groups != NULL)
    {
      wk_flow_return_pointer (flow, found, server_groups_free);
      return;
    }
  server_groups_free (found);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static void
firewall_list_server_groups_async (OsFirewall          *firewall,
                                   const char          *server_id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  wk_flow_start (firewall, cancellable, callback, user_data, firewall_list_server_groups_async,
                 server_groups_run, g_strdup (server_id), g_free);
}

static GPtrArray *
firewall_list_server_groups_finish (OsFirewall    *firewall,
                                    GAsyncResult  *result,
                                    gboolean      *is_guarded,
                                    GError       **error)
{
  ServerGroups *found =
    wk_flow_finish_pointer (result, firewall, firewall_list_server_groups_async, error);
  GPtrArray *groups;

  if (found == NULL)
    return NULL;
  *is_guarded = found->is_guarded;
  groups = g_steal_pointer (&found->groups);
  server_groups_free (found);
  return groups;
}

/* Those who are in a group: ports. Not every release can filter by it; some ignore the filter. */

static gboolean
is_in_group (const OsPort *port,
             const char   *group_id)
{
  return port->group_ids != NULL
         && g_ptr_array_find_with_equal_func (port->group_ids, group_id, g_str_equal, NULL);
}

static void
list_users_run (WkFlow  *flow,
                gpointer user_data)
{
  const char *group_id = user_data;
  OsNetworkService *self = wk_flow_get_source (flow);
  const char *query[] = { "security_groups", group_id, NULL };
  g_autoptr(GStrvBuilder) users = g_strv_builder_new ();
  g_autoptr(GPtrArray) ports = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_ports_async (self, query, WK_RESUME (flow)));
  ports = os_network_service_list_ports_finish (self, WK_RESULT (flow), &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT))
    {
      g_clear_error (&error);
      WK_AWAIT (flow, os_network_service_list_ports_async (self, NULL, WK_RESUME (flow)));
      ports = os_network_service_list_ports_finish (self, WK_RESULT (flow), &error);
    }
  if (ports == NULL)
    WK_FAIL (flow, &error, NULL);
  for (guint i = 0; i < ports->len; i++)
    {
      if (is_in_group (g_ptr_array_index (ports, i), group_id))
        g_strv_builder_add (users, ((OsPort *) g_ptr_array_index (ports, i))->id);
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
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "POST", "security-groups",
                                                 NULL);

  os_request_set_json_texts (request, "security_group", "name", name, "description", description,
                             NULL);
  os_client_load_async (OS_NETWORK_SERVICE (firewall)->client, firewall, request,
                        &os_security_group_table, "security_group", cancellable, callback,
                        user_data);
}

static OsSecurityGroup *
firewall_create_group_finish (OsFirewall    *firewall,
                              GAsyncResult  *result,
                              GError       **error)
{
  return os_client_load_finish (firewall, result, error);
}

static void
firewall_delete_group_async (OsFirewall          *firewall,
                             const char          *id,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  os_network_service_delete_async (OS_NETWORK_SERVICE (firewall), "security-groups", id,
                                   cancellable, callback, user_data);
}

/* Of groups and of rules. */
static gboolean
firewall_delete_finish (OsFirewall    *firewall,
                        GAsyncResult  *result,
                        GError       **error)
{
  return os_client_delete_finish (firewall, result, error);
}

/* Rules. */

static JsonObject *
make_rule (const OsSecurityGroupRule *rule)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "security_group_id", rule->group_id);
  json_object_set_string_member (object, "direction", rule->direction);
  json_object_set_string_member (object, "ethertype", rule->ethertype);
  /* Neutron takes no null for what is left open. */
  if (rule->protocol != NULL)
    json_object_set_string_member (object, "protocol", rule->protocol);
  if (rule->port_min >= 0)
    json_object_set_int_member (object, "port_range_min", rule->port_min);
  if (rule->port_max >= 0)
    json_object_set_int_member (object, "port_range_max", rule->port_max);
  if (rule->remote_group_id != NULL)
    json_object_set_string_member (object, "remote_group_id", rule->remote_group_id);
  else if (rule->remote_ip_prefix != NULL)
    json_object_set_string_member (object, "remote_ip_prefix", rule->remote_ip_prefix);
  return object;
}

static void
firewall_create_rules_async (OsFirewall          *firewall,
                             GPtrArray           *rules,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "POST",
                                                 "security-group-rules", NULL);
  JsonNode *node;
  JsonArray *array;

  if (rules->len == 1)
    {
      os_request_set_json_object (request, "security_group_rule",
                                  make_rule (g_ptr_array_index (rules, 0)));
    }
  else
    {
      array = json_array_new ();
      for (guint i = 0; i < rules->len; i++)
        json_array_add_object_element (array, make_rule (g_ptr_array_index (rules, i)));
      node = json_node_new (JSON_NODE_ARRAY);
      json_node_take_array (node, array);
      os_request_set_json (request, "security_group_rules", node);
    }
  /* A rule cannot be made twice. */
  os_request_set_repeatable (request);
  os_client_send_async (OS_NETWORK_SERVICE (firewall)->client, firewall, request, cancellable,
                        callback, user_data);
}

static gboolean
firewall_create_rules_finish (OsFirewall    *firewall,
                              GAsyncResult  *result,
                              GError       **error)
{
  return os_client_done_finish (firewall, result, error);
}

static void
firewall_delete_rule_async (OsFirewall          *firewall,
                            const char          *id,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  os_network_service_delete_async (OS_NETWORK_SERVICE (firewall), "security-group-rules", id,
                                   cancellable, callback, user_data);
}

void
os_network_service_firewall_init (OsFirewallInterface *iface)
{
  iface->has_ipv6 = TRUE;
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
