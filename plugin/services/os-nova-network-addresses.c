/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-nova-network-private.h"

/* Floating IPs of nova. */

static void
addresses_list_async (OsAddresses         *addresses,
                      const char * const  *query,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GTask) task = NULL;

  /* None of them has a description. */
  if (query != NULL && *query != NULL)
    {
      task = g_task_new (addresses, cancellable, callback, user_data);
      g_task_set_source_tag (task, addresses_list_async);
      g_task_return_pointer (task,
                             g_ptr_array_new_with_free_func ((GDestroyNotify) os_floating_ip_free),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  request = os_request_new (OS_SERVICE_COMPUTE, "GET", "os-floating-ips", NULL);
  os_client_list_async (OS_NOVA_NETWORK (addresses)->client, addresses, request,
                        &os_floating_ip_table, "floating_ips", NULL, NULL, cancellable, callback,
                        user_data);
}

static GPtrArray *
addresses_list_finish (OsAddresses   *addresses,
                       GAsyncResult  *result,
                       GError       **error)
{
  if (g_async_result_is_tagged (result, addresses_list_async))
    return g_task_propagate_pointer (G_TASK (result), error);
  return os_client_list_finish (addresses, result, error);
}

static void
addresses_delete_async (OsAddresses         *addresses,
                        const char          *id,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  os_nova_network_delete_async (OS_NOVA_NETWORK (addresses), "os-floating-ips", id, cancellable,
                                callback, user_data);
}

static gboolean
addresses_delete_finish (OsAddresses   *addresses,
                         GAsyncResult  *result,
                         GError       **error)
{
  return os_client_delete_finish (addresses, result, error);
}

void
os_nova_network_create_floating_ip_async (OsNovaNetwork       *self,
                                          const char          *pool,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "os-floating-ips",
                                                 NULL);
  g_autoptr(GBytes) body = g_bytes_new_static ("{}", 2);
  JsonNode *name;

  if (*pool != '\0')
    {
      name = json_node_init_string (json_node_alloc (), pool);
      os_request_set_json (request, "pool", name);
    }
  else
    {
      os_request_set_body (request, body, "application/json");
    }
  os_client_load_async (self->client, self, request, &os_floating_ip_table, "floating_ip",
                        cancellable, callback, user_data);
}

OsFloatingIp *
os_nova_network_create_floating_ip_finish (OsNovaNetwork  *self,
                                           GAsyncResult   *result,
                                           GError        **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_nova_network_get_floating_ip_async (OsNovaNetwork       *self,
                                       const char          *id,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "os-floating-ips", id,
                                                 NULL);

  os_client_load_async (self->client, self, request, &os_floating_ip_table, "floating_ip",
                        cancellable, callback, user_data);
}

OsFloatingIp *
os_nova_network_get_floating_ip_finish (OsNovaNetwork  *self,
                                        GAsyncResult   *result,
                                        GError        **error)
{
  return os_client_load_finish (self, result, error);
}

void
os_nova_network_add_floating_ip_async (OsNovaNetwork       *self,
                                       const char          *server_id,
                                       const char          *address,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", server_id,
                                                 "action", NULL);

  os_request_set_json_texts (request, "addFloatingIp", "address", address, NULL);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_nova_network_add_floating_ip_finish (OsNovaNetwork  *self,
                                        GAsyncResult   *result,
                                        GError        **error)
{
  return os_client_done_finish (self, result, error);
}

void
os_nova_network_addresses_init (OsAddressesInterface *iface)
{
  iface->list_async = addresses_list_async;
  iface->list_finish = addresses_list_finish;
  iface->delete_async = addresses_delete_async;
  iface->delete_finish = addresses_delete_finish;
}
