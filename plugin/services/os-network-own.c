/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "services/os-network-service-private.h"
#include "values/welkin-error.h"

/* What our own project has and makes: ports, floating IPs, security groups and their rules. */

void
os_network_service_keep_exact_names (GPtrArray          *records,
                                     gsize               name_offset,
                                     const char * const *names)
{
  for (guint i = records->len; i > 0; i--)
    {
      const char *found = G_STRUCT_MEMBER (char *, g_ptr_array_index (records, i - 1), name_offset);

      if (found == NULL || !g_strv_contains (names, found))
        g_ptr_array_remove_index (records, i - 1);
    }
}

typedef struct
{
  OsRequest         *request; /* (owned) */
  const WkJsonTable *table;
  const char        *member;
  char             **names;   /* (owned) what the records may be called; empty: anything */
  gsize              name_offset;
} ListOwn;

static void
list_own_free (ListOwn *self)
{
  os_request_unref (self->request);
  g_strfreev (self->names);
  g_free (self);
}

static void
list_own_run (WkFlow *flow,
              gpointer user_data)
{
  ListOwn *self = user_data;
  OsNetworkService *service = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  GPtrArray *records;

  WK_FLOW_BEGIN (flow);

  /* Administrators see what is of every project. */
  WK_AWAIT (flow, os_client_login_async (service->client, WK_RESUME (flow)));
  if (!os_client_login_finish (service->client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  os_request_add_query (self->request, "project_id", os_client_get_project_id (service->client));

  WK_AWAIT (flow, os_client_list_async (service->client, service, self->request, self->table,
                                        self->member, NULL, NULL, WK_RESUME (flow)));
  records = os_client_list_finish (service, WK_RESULT (flow), &error);
  if (records == NULL)
    WK_FAIL (flow, &error, NULL);
  if (*self->names != NULL)
    os_network_service_keep_exact_names (records, self->name_offset,
                                         (const char * const *) self->names);
  wk_flow_return_pointer (flow, records, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
list_own_async (OsNetworkService    *self,
                const char          *path,
                const char          *member,
                const WkJsonTable   *table,
                gsize                name_offset,
                const char * const  *query,
                GCancellable        *cancellable,
                GAsyncReadyCallback  callback,
                gpointer             user_data)
{
  ListOwn *list = g_new0 (ListOwn, 1);
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();

  list->request = os_request_new (OS_SERVICE_NETWORK, "GET", path, NULL);
  list->table = table;
  list->member = member;
  list->name_offset = name_offset;
  for (guint i = 0; query != NULL && query[i] != NULL; i += 2)
    {
      os_request_add_query (list->request, query[i], query[i + 1]);
      if (g_str_equal (query[i], "name"))
        g_strv_builder_add (names, query[i + 1]);
    }
  list->names = g_strv_builder_end (names);
  wk_flow_start (self, cancellable, callback, user_data, list_own_async, list_own_run, list,
                 (GDestroyNotify) list_own_free);
}

static GPtrArray *
list_own_finish (OsNetworkService  *self,
                 GAsyncResult      *result,
                 GError           **error)
{
  return wk_flow_finish_pointer (result, self, list_own_async, error);
}

static void
delete_async (OsNetworkService    *self,
              const char          *path,
              const char          *id,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "DELETE", path, id, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

/* Ports */

void
os_network_service_list_ports_async (OsNetworkService    *self,
                                     const char * const  *query,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  list_own_async (self, "ports", "ports", &os_port_table, G_STRUCT_OFFSET (OsPort, name), query,
                  cancellable, callback, user_data);
}

GPtrArray *
os_network_service_list_ports_finish (OsNetworkService  *self,
                                      GAsyncResult      *result,
                                      GError           **error)
{
  return list_own_finish (self, result, error);
}

void
os_network_service_create_port_async (OsNetworkService    *self,
                                      const OsPortRequest *request,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) call = os_request_new (OS_SERVICE_NETWORK, "POST", "ports", NULL);
  JsonObject *port = json_object_new ();

  json_object_set_string_member (port, "network_id", request->network_id);
  json_object_set_string_member (port, "name", request->name);
  json_object_set_string_member (port, "description", request->description);
  json_object_set_boolean_member (port, "admin_state_up", TRUE);
  /* Where it is left out, neutron takes the project's default group. */
  if (request->security_group_ids != NULL)
    {
      JsonArray *groups = json_array_new ();

      for (guint i = 0; request->security_group_ids[i] != NULL; i++)
        json_array_add_string_element (groups, request->security_group_ids[i]);
      json_object_set_array_member (port, "security_groups", groups);
    }
  os_request_set_json_object (call, "port", port);
  os_client_load_async (self->client, self, call, &os_port_table, "port", cancellable, callback,
                        user_data);
}

OsPort *
os_network_service_create_port_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_network_service_delete_port_async (OsNetworkService    *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  delete_async (self, "ports", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_port_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Floating IPs */

void
os_network_service_list_floating_ips_async (OsNetworkService    *self,
                                            const char * const  *query,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data)
{
  list_own_async (self, "floatingips", "floatingips", &os_floating_ip_table, 0, query, cancellable,
                  callback, user_data);
}

GPtrArray *
os_network_service_list_floating_ips_finish (OsNetworkService  *self,
                                             GAsyncResult      *result,
                                             GError           **error)
{
  return list_own_finish (self, result, error);
}

void
os_network_service_create_floating_ip_async (OsNetworkService    *self,
                                             const char          *network_id,
                                             const char          *port_id,
                                             const char          *fixed_address,
                                             const char          *description,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "POST", "floatingips", NULL);
  JsonObject *floating_ip = json_object_new ();

  json_object_set_string_member (floating_ip, "floating_network_id", network_id);
  json_object_set_string_member (floating_ip, "port_id", port_id);
  json_object_set_string_member (floating_ip, "description", description);
  if (fixed_address != NULL)
    json_object_set_string_member (floating_ip, "fixed_ip_address", fixed_address);
  os_request_set_json_object (request, "floatingip", floating_ip);
  os_client_load_async (self->client, self, request, &os_floating_ip_table, "floatingip",
                        cancellable, callback, user_data);
}

OsFloatingIp *
os_network_service_create_floating_ip_finish (OsNetworkService  *self,
                                              GAsyncResult      *result,
                                              GError           **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_network_service_delete_floating_ip_async (OsNetworkService    *self,
                                             const char          *id,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data)
{
  delete_async (self, "floatingips", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_floating_ip_finish (OsNetworkService  *self,
                                              GAsyncResult      *result,
                                              GError           **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Security groups */

void
os_network_service_list_security_groups_async (OsNetworkService    *self,
                                               const char * const  *query,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data)
{
  list_own_async (self, "security-groups", "security_groups", &os_security_group_table,
                  G_STRUCT_OFFSET (OsSecurityGroup, name), query, cancellable, callback,
                  user_data);
}

GPtrArray *
os_network_service_list_security_groups_finish (OsNetworkService  *self,
                                                GAsyncResult      *result,
                                                GError           **error)
{
  return list_own_finish (self, result, error);
}

void
os_network_service_create_security_group_async (OsNetworkService    *self,
                                                const char          *name,
                                                const char          *description,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "POST", "security-groups",
                                                 NULL);
  JsonObject *group = json_object_new ();

  json_object_set_string_member (group, "name", name);
  json_object_set_string_member (group, "description", description);
  os_request_set_json_object (request, "security_group", group);
  os_client_load_async (self->client, self, request, &os_security_group_table, "security_group",
                        cancellable, callback, user_data);
}

OsSecurityGroup *
os_network_service_create_security_group_finish (OsNetworkService  *self,
                                                 GAsyncResult      *result,
                                                 GError           **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_network_service_delete_security_group_async (OsNetworkService    *self,
                                                const char          *id,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data)
{
  delete_async (self, "security-groups", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_security_group_finish (OsNetworkService  *self,
                                                 GAsyncResult      *result,
                                                 GError           **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Rules */

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
  if (rule->port_min > 0 || rule->port_max > 0)
    {
      json_object_set_int_member (object, "port_range_min", rule->port_min);
      json_object_set_int_member (object, "port_range_max", rule->port_max);
    }
  if (rule->remote_group_id != NULL)
    json_object_set_string_member (object, "remote_group_id", rule->remote_group_id);
  else if (rule->remote_ip_prefix != NULL)
    json_object_set_string_member (object, "remote_ip_prefix", rule->remote_ip_prefix);
  return object;
}

typedef struct
{
  GPtrArray *bodies; /* (owned) of JsonObject: one for each rule */
  guint      next;   /* of them, when they go one by one */
  GError    *error;  /* (owned) (nullable) of the first that failed */
} CreateRules;

static void
create_rules_free (CreateRules *self)
{
  g_ptr_array_unref (self->bodies);
  g_clear_error (&self->error);
  g_free (self);
}

static OsRequest *
make_rules_request (CreateRules *self)
{
  OsRequest *request = os_request_new (OS_SERVICE_NETWORK, "POST", "security-group-rules", NULL);
  JsonArray *rules = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  for (guint i = 0; i < self->bodies->len; i++)
    json_array_add_object_element (rules, json_object_ref (g_ptr_array_index (self->bodies, i)));
  json_node_take_array (node, rules);
  os_request_set_json (request, "security_group_rules", node);
  /* A rule cannot be made twice. */
  os_request_set_repeatable (request);
  return request;
}

static OsRequest *
make_rule_request (CreateRules *self)
{
  OsRequest *request = os_request_new (OS_SERVICE_NETWORK, "POST", "security-group-rules", NULL);
  JsonObject *rule = g_ptr_array_index (self->bodies, self->next);

  os_request_set_json_object (request, "security_group_rule", json_object_ref (rule));
  os_request_set_repeatable (request);
  return request;
}

static void
create_rules_run (WkFlow *flow,
                  gpointer user_data)
{
  CreateRules *self = user_data;
  OsNetworkService *service = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* All or nothing: one rule that is there already spoils the lot, and they go one by one. */
  request = make_rules_request (self);
  WK_AWAIT (flow, os_client_send_async (service->client, service, request, WK_RESUME (flow)));
  response = os_client_send_finish (service, WK_RESULT (flow), &error);
  if (response == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS))
    WK_FAIL (flow, &error, NULL);
  if (response != NULL)
    self->next = self->bodies->len;

  for (; self->next < self->bodies->len; self->next++)
    {
      request = make_rule_request (self);
      WK_AWAIT (flow, os_client_send_async (service->client, service, request, WK_RESUME (flow)));
      response = os_client_send_finish (service, WK_RESULT (flow), &error);
      if (response == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS)
          && self->error == NULL)
        self->error = g_steal_pointer (&error);
    }

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_network_service_create_rules_async (OsNetworkService    *self,
                                       GPtrArray           *rules,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  CreateRules *create;

  if (rules->len == 0)
    {
      g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);

      g_task_set_source_tag (task, os_network_service_create_rules_async);
      g_task_return_boolean (task, TRUE);
      return;
    }
  create = g_new0 (CreateRules, 1);
  create->bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  for (guint i = 0; i < rules->len; i++)
    g_ptr_array_add (create->bodies, make_rule (g_ptr_array_index (rules, i)));
  wk_flow_start (self, cancellable, callback, user_data, os_network_service_create_rules_async,
                 create_rules_run, create, (GDestroyNotify) create_rules_free);
}

gboolean
os_network_service_create_rules_finish (OsNetworkService  *self,
                                        GAsyncResult      *result,
                                        GError           **error)
{
  return wk_flow_finish_boolean (result, self, os_network_service_create_rules_async, error);
}

void
os_network_service_delete_rule_async (OsNetworkService    *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  delete_async (self, "security-group-rules", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_rule_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return os_client_delete_finish (self, result, error);
}
