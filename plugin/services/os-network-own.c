/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "services/os-network-service-private.h"

/* What our own project has and makes: ports and floating IPs; see also os-network-groups.c. */

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
  char             **query;   /* (owned) */
  char             **names;   /* (owned) what the records may be called; empty: anything */
  gsize              name_offset;
} ListOwn;

static void
list_own_free (ListOwn *self)
{
  os_request_unref (self->request);
  g_strfreev (self->query);
  g_strfreev (self->names);
  g_free (self);
}

static void
take_query (ListOwn *self)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; self->query[i] != NULL; i += 2)
    {
      os_request_add_query (self->request, self->query[i], self->query[i + 1]);
      if (g_str_equal (self->query[i], "name"))
        g_strv_builder_add (names, self->query[i + 1]);
    }
  self->names = g_strv_builder_end (names);
}

static void
list_own_run (WkFlow *flow,
              gpointer user_data)
{
  ListOwn *self = user_data;
  OsNetworkService *service = wk_flow_get_source (flow);
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *records;

  WK_FLOW_BEGIN (flow);

  if (os_network_service_asks_for_marks (self->member, self->query))
    {
      WK_AWAIT (flow, os_network_service_list_extensions_async (service, WK_RESUME (flow)));
      extensions = os_network_service_list_extensions_finish (service, WK_RESULT (flow), &error);
      if (extensions == NULL)
        WK_FAIL (flow, &error, NULL);
      os_network_service_translate_query (extensions, self->member, &self->query);
    }
  take_query (self);
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

void
os_network_service_list_own_async (OsNetworkService    *self,
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
  const char *everything[] = { NULL };

  list->request = os_request_new (OS_SERVICE_NETWORK, "GET", path, NULL);
  list->table = table;
  list->member = member;
  list->name_offset = name_offset;
  list->query = g_strdupv ((char **) (query != NULL ? query : everything));
  wk_flow_start (self, cancellable, callback, user_data, os_network_service_list_own_async,
                 list_own_run, list, (GDestroyNotify) list_own_free);
}

GPtrArray *
os_network_service_list_own_finish (OsNetworkService  *self,
                                    GAsyncResult      *result,
                                    GError           **error)
{
  return wk_flow_finish_pointer (result, self, os_network_service_list_own_async, error);
}

void
os_network_service_delete_async (OsNetworkService    *self,
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

static void
read_mark_of_port (gpointer port,
                   gpointer user_data)
{
  os_network_service_read_port_mark (port);
}

void
os_network_service_list_ports_async (OsNetworkService    *self,
                                     const char * const  *query,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  os_network_service_list_own_async (self, "ports", "ports", &os_port_table,
                                     G_STRUCT_OFFSET (OsPort, name), query, cancellable, callback,
                                     user_data);
}

GPtrArray *
os_network_service_list_ports_finish (OsNetworkService  *self,
                                      GAsyncResult      *result,
                                      GError           **error)
{
  GPtrArray *ports = os_network_service_list_own_finish (self, result, error);

  if (ports != NULL)
    g_ptr_array_foreach (ports, read_mark_of_port, NULL);
  return ports;
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
  json_object_set_boolean_member (port, "admin_state_up", TRUE);
  /* Where it is left out, neutron takes the project's default group. */
  if (request->security_group_ids != NULL)
    {
      JsonArray *groups = json_array_new ();

      for (guint i = 0; request->security_group_ids[i] != NULL; i++)
        json_array_add_string_element (groups, request->security_group_ids[i]);
      json_object_set_array_member (port, "security_groups", groups);
    }
  os_network_service_send_marked_async (self, call, "port", port, request->description,
                                        cancellable, callback, user_data);
}

OsPort *
os_network_service_create_port_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return os_network_service_send_marked_finish (self, result, error);
}

void
os_network_service_describe_port_async (OsNetworkService    *self,
                                        const char          *id,
                                        const char          *name,
                                        const char          *description,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "PUT", "ports", id, NULL);
  JsonObject *port = json_object_new ();

  json_object_set_string_member (port, "name", name);
  os_network_service_send_marked_async (self, request, "port", port, description, cancellable,
                                        callback, user_data);
}

OsPort *
os_network_service_describe_port_finish (OsNetworkService  *self,
                                         GAsyncResult      *result,
                                         GError           **error)
{
  return os_network_service_send_marked_finish (self, result, error);
}

void
os_network_service_delete_port_async (OsNetworkService    *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  os_network_service_delete_async (self, "ports", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_port_finish (OsNetworkService  *self,
                                       GAsyncResult      *result,
                                       GError           **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Floating IPs */

static void
read_mark_of_ip (gpointer ip,
                 gpointer user_data)
{
  os_network_service_read_floating_ip_mark (ip);
}

void
os_network_service_list_floating_ips_async (OsNetworkService    *self,
                                            const char * const  *query,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data)
{
  os_network_service_list_own_async (self, "floatingips", "floatingips", &os_floating_ip_table, 0,
                                     query, cancellable, callback, user_data);
}

GPtrArray *
os_network_service_list_floating_ips_finish (OsNetworkService  *self,
                                             GAsyncResult      *result,
                                             GError           **error)
{
  GPtrArray *ips = os_network_service_list_own_finish (self, result, error);

  if (ips != NULL)
    g_ptr_array_foreach (ips, read_mark_of_ip, NULL);
  return ips;
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
  if (fixed_address != NULL)
    json_object_set_string_member (floating_ip, "fixed_ip_address", fixed_address);
  os_network_service_send_marked_async (self, request, "floatingip", floating_ip, description,
                                        cancellable, callback, user_data);
}

OsFloatingIp *
os_network_service_create_floating_ip_finish (OsNetworkService  *self,
                                              GAsyncResult      *result,
                                              GError           **error)
{
  return os_network_service_send_marked_finish (self, result, error);
}

void
os_network_service_load_floating_ip_async (OsNetworkService    *self,
                                           const char          *id,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data)
{
  g_autoptr(OsRequest) request =
    os_request_new (OS_SERVICE_NETWORK, "GET", "floatingips", id, NULL);

  os_client_load_async (self->client, self, request, &os_floating_ip_table, "floatingip",
                        cancellable, callback, user_data);
}

OsFloatingIp *
os_network_service_load_floating_ip_finish (OsNetworkService  *self,
                                            GAsyncResult      *result,
                                            GError           **error)
{
  OsFloatingIp *ip = os_client_load_finish (self, result, error);

  if (ip != NULL)
    os_network_service_read_floating_ip_mark (ip);
  return ip;
}

void
os_network_service_change_floating_ip_async (OsNetworkService         *self,
                                             const OsFloatingIpChange *change,
                                             GCancellable             *cancellable,
                                             GAsyncReadyCallback       callback,
                                             gpointer                  user_data)
{
  g_autoptr(OsRequest) request =
    os_request_new (OS_SERVICE_NETWORK, "PUT", "floatingips", change->id, NULL);
  JsonObject *floating_ip = json_object_new ();

  if (change->port_id != NULL)
    json_object_set_string_member (floating_ip, "port_id", change->port_id);
  else
    json_object_set_null_member (floating_ip, "port_id");
  if (change->fixed_address != NULL)
    json_object_set_string_member (floating_ip, "fixed_ip_address", change->fixed_address);
  json_object_set_string_member (floating_ip, "description", change->description);
  if (change->revision >= 0)
    {
      g_autofree char *condition =
        g_strdup_printf ("revision_number=%" G_GINT64_FORMAT, change->revision);

      os_request_set_header (request, "If-Match", condition);
    }
  os_request_set_json_object (request, "floatingip", floating_ip);
  os_client_load_async (self->client, self, request, &os_floating_ip_table, "floatingip",
                        cancellable, callback, user_data);
}

OsFloatingIp *
os_network_service_change_floating_ip_finish (OsNetworkService  *self,
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
  os_network_service_delete_async (self, "floatingips", id, cancellable, callback, user_data);
}

gboolean
os_network_service_delete_floating_ip_finish (OsNetworkService  *self,
                                              GAsyncResult      *result,
                                              GError           **error)
{
  return os_client_delete_finish (self, result, error);
}

static void
addresses_list_async (OsAddresses         *addresses,
                      const char * const  *query,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  os_network_service_list_floating_ips_async (OS_NETWORK_SERVICE (addresses), query, cancellable,
                                              callback, user_data);
}

static GPtrArray *
addresses_list_finish (OsAddresses   *addresses,
                       GAsyncResult  *result,
                       GError       **error)
{
  return os_network_service_list_floating_ips_finish (OS_NETWORK_SERVICE (addresses), result,
                                                      error);
}

static void
addresses_delete_async (OsAddresses         *addresses,
                        const char          *id,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  os_network_service_delete_floating_ip_async (OS_NETWORK_SERVICE (addresses), id, cancellable,
                                               callback, user_data);
}

static gboolean
addresses_delete_finish (OsAddresses   *addresses,
                         GAsyncResult  *result,
                         GError       **error)
{
  return os_network_service_delete_floating_ip_finish (OS_NETWORK_SERVICE (addresses), result,
                                                       error);
}

void
os_network_service_addresses_init (OsAddressesInterface *iface)
{
  iface->list_async = addresses_list_async;
  iface->list_finish = addresses_list_finish;
  iface->delete_async = addresses_delete_async;
  iface->delete_finish = addresses_delete_finish;
}
