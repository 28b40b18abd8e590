/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "base/memo.h"
#include "services/os-network-service-private.h"

/* What the cloud offers: extensions, networks, routers. */

/* How long networks and routers are kept. */
#define MEMO_SECONDS 60.0

G_DEFINE_FINAL_TYPE_WITH_CODE (OsNetworkService, os_network_service, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OS_TYPE_FIREWALL,
                                                      os_network_service_firewall_init)
                               G_IMPLEMENT_INTERFACE (OS_TYPE_ADDRESSES,
                                                      os_network_service_addresses_init))

/* Extensions */

static void
load_extensions (gpointer             owner,
                 const char          *key,
                 GCancellable        *cancellable,
                 GAsyncReadyCallback  callback,
                 gpointer             user_data)
{
  OsNetworkService *self = OS_NETWORK_SERVICE (owner);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "GET", "extensions", NULL);

  os_client_list_async (self->client, self, request, &os_extension_table, "extensions", NULL, NULL,
                        cancellable, callback, user_data);
}

static gpointer
load_extensions_finish (gpointer       owner,
                        GAsyncResult  *result,
                        GError       **error)
{
  g_autoptr(GPtrArray) extensions = os_client_list_finish (owner, result, error);
  GHashTable *aliases;

  if (extensions == NULL)
    return NULL;
  aliases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < extensions->len; i++)
    {
      OsExtension *extension = g_ptr_array_index (extensions, i);

      g_hash_table_add (aliases, g_steal_pointer (&extension->alias));
    }
  return aliases;
}

void
os_network_service_list_extensions_async (OsNetworkService    *self,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data)
{
  wk_memo_get_async (self->extensions, "", cancellable, callback, user_data);
}

GHashTable *
os_network_service_list_extensions_finish (OsNetworkService  *self,
                                           GAsyncResult      *result,
                                           GError           **error)
{
  return wk_memo_get_finish (self->extensions, result, error);
}

/* Networks */

/* The key is "KEY=VALUE", or "" for all. */
static void
load_networks_run (WkFlow *flow,
                   gpointer user_data)
{
  const char *key = user_data;
  const char *value = strchr (key, '=');
  OsNetworkService *self = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *networks;

  WK_FLOW_BEGIN (flow);

  request = os_request_new (OS_SERVICE_NETWORK, "GET", "networks", NULL);
  if (value != NULL)
    {
      g_autofree char *name = g_strndup (key, value - key);

      os_request_add_query (request, name, value + 1);
    }
  WK_AWAIT (flow, os_client_list_async (self->client, self, request, &os_network_table,
                                        "networks", NULL, NULL, WK_RESUME (flow)));
  networks = os_client_list_finish (self, WK_RESULT (flow), &error);
  if (networks == NULL)
    WK_FAIL (flow, &error, NULL);
  if (g_str_has_prefix (key, "name="))
    {
      const char *names[] = { value + 1, NULL };

      os_network_service_keep_exact_names (networks, G_STRUCT_OFFSET (OsNetwork, name), names);
    }
  wk_flow_return_pointer (flow, networks, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
load_networks (gpointer             owner,
               const char          *key,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_networks, load_networks_run,
                 g_strdup (key), g_free);
}

static gpointer
load_networks_finish (gpointer       owner,
                      GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_networks, error);
}

void
os_network_service_list_networks_async (OsNetworkService    *self,
                                        const char          *key,
                                        const char          *value,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autofree char *query = key != NULL ? g_strconcat (key, "=", value, NULL) : g_strdup ("");

  wk_memo_get_async (self->networks, query, cancellable, callback, user_data);
}

GPtrArray *
os_network_service_list_networks_finish (OsNetworkService  *self,
                                         GAsyncResult      *result,
                                         GError           **error)
{
  return wk_memo_get_finish (self->networks, result, error);
}

/* Routers: through the ports that they have in the network. */

static OsRequest *
make_legs_request (const char *network_id)
{
  static const char *const owners[] = {
    "network:router_interface",
    "network:router_interface_distributed",
    "network:ha_router_replicated_interface",
  };
  OsRequest *request = os_request_new (OS_SERVICE_NETWORK, "GET", "ports", NULL);

  os_request_add_query (request, "network_id", network_id);
  for (guint i = 0; i < G_N_ELEMENTS (owners); i++)
    os_request_add_query (request, "device_owner", owners[i]);
  return request;
}

static OsRequest *
make_routers_request (GPtrArray *legs)
{
  OsRequest *request = os_request_new (OS_SERVICE_NETWORK, "GET", "routers", NULL);

  for (guint i = 0; i < legs->len; i++)
    os_request_add_query (request, "id", ((OsPort *) g_ptr_array_index (legs, i))->device_id);
  return request;
}

static void
load_routers_run (WkFlow *flow,
                  gpointer user_data)
{
  const char *network_id = user_data;
  OsNetworkService *self = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GPtrArray) records = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  request = make_legs_request (network_id);
  WK_AWAIT (flow, os_client_list_async (self->client, self, request, &os_port_table, "ports", NULL,
                                        NULL, WK_RESUME (flow)));
  records = os_client_list_finish (self, WK_RESULT (flow), &error);
  if (records == NULL)
    WK_FAIL (flow, &error, NULL);

  if (records->len > 0)
    {
      request = make_routers_request (records);
      g_clear_pointer (&records, g_ptr_array_unref);
      WK_AWAIT (flow, os_client_list_async (self->client, self, request, &os_router_table,
                                            "routers", NULL, NULL, WK_RESUME (flow)));
      records = os_client_list_finish (self, WK_RESULT (flow), &error);
      if (records == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&records), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
load_routers (gpointer             owner,
              const char          *key,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_routers, load_routers_run,
                 g_strdup (key), g_free);
}

static gpointer
load_routers_finish (gpointer       owner,
                     GAsyncResult  *result,
                     GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_routers, error);
}

void
os_network_service_list_routers_async (OsNetworkService    *self,
                                       const char          *network_id,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data)
{
  wk_memo_get_async (self->routers, network_id, cancellable, callback, user_data);
}

GPtrArray *
os_network_service_list_routers_finish (OsNetworkService  *self,
                                        GAsyncResult      *result,
                                        GError           **error)
{
  return wk_memo_get_finish (self->routers, result, error);
}

OsNetworkService *
os_network_service_new (OsClient *client)
{
  OsNetworkService *self = g_object_new (OS_TYPE_NETWORK_SERVICE, NULL);

  self->client = g_object_ref (client);
  self->extensions = wk_memo_new (self, -1, load_extensions, load_extensions_finish,
                                  (WkMemoCopy) g_hash_table_ref,
                                  (GDestroyNotify) g_hash_table_unref);
  self->networks = wk_memo_new (self, MEMO_SECONDS, load_networks, load_networks_finish,
                                (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->routers = wk_memo_new (self, MEMO_SECONDS, load_routers, load_routers_finish,
                               (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

static void
os_network_service_dispose (GObject *object)
{
  OsNetworkService *self = OS_NETWORK_SERVICE (object);
  WkMemo **memos[] = { &self->extensions, &self->networks, &self->routers };

  for (guint i = 0; i < G_N_ELEMENTS (memos); i++)
    {
      if (*memos[i] != NULL)
        wk_memo_close (*memos[i]);
      g_clear_pointer (memos[i], wk_memo_unref);
    }
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_network_service_parent_class)->dispose (object);
}

static void
os_network_service_class_init (OsNetworkServiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_network_service_dispose;
}

static void
os_network_service_init (OsNetworkService *self)
{
}
