/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "model/os-nova-group.h"
#include "services/os-nova-network-private.h"
#include "values/welkin-error.h"

/* What there is: networks and pools. */

G_DEFINE_FINAL_TYPE_WITH_CODE (OsNovaNetwork, os_nova_network, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (OS_TYPE_FIREWALL,
                                                      os_nova_network_firewall_init)
                               G_IMPLEMENT_INTERFACE (OS_TYPE_ADDRESSES,
                                                      os_nova_network_addresses_init))

/* Networks */

static void
list_networks (OsNovaNetwork       *self,
               const char          *path,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", path, NULL);

  os_client_list_async (self->client, self, request, &os_network_table, "networks", NULL, NULL,
                        cancellable, callback, user_data);
}

static void
list_networks_run (WkFlow  *flow,
                   gpointer user_data)
{
  OsNovaNetwork *self = wk_flow_get_source (flow);
  GPtrArray *networks;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, list_networks (self, "os-networks", WK_RESUME (flow)));
  networks = os_client_list_finish (self, WK_RESULT (flow), &error);
  /* On many clouds that is for administrators only, and there is this for others. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
      || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      g_clear_error (&error);
      WK_AWAIT (flow, list_networks (self, "os-tenant-networks", WK_RESUME (flow)));
      networks = os_client_list_finish (self, WK_RESULT (flow), &error);
    }
  if (networks == NULL)
    WK_FAIL (flow, &error, NULL);
  /* Nova shows nobody what he cannot use. */
  for (guint i = 0; i < networks->len; i++)
    ((OsNetwork *) g_ptr_array_index (networks, i))->is_shared = TRUE;
  wk_flow_return_pointer (flow, networks, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_nova_network_list_networks_async (OsNovaNetwork       *self,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_nova_network_list_networks_async,
                 list_networks_run, NULL, NULL);
}

GPtrArray *
os_nova_network_list_networks_finish (OsNovaNetwork  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  return wk_flow_finish_pointer (result, self, os_nova_network_list_networks_async, error);
}

/* Pools */

void
os_nova_network_list_pools_async (OsNovaNetwork       *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET",
                                                 "os-floating-ip-pools", NULL);

  os_client_list_async (self->client, self, request, &os_nova_pool_table, "floating_ip_pools",
                        NULL, NULL, cancellable, callback, user_data);
}

char **
os_nova_network_list_pools_finish (OsNovaNetwork  *self,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  g_autoptr(GPtrArray) pools = os_client_list_finish (self, result, error);
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();

  if (pools == NULL)
    return NULL;
  for (guint i = 0; i < pools->len; i++)
    {
      const OsNovaPool *pool = g_ptr_array_index (pools, i);

      g_strv_builder_add (names, pool->name);
    }
  return g_strv_builder_end (names);
}

void
os_nova_network_delete_async (OsNovaNetwork       *self,
                              const char          *path,
                              const char          *id,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "DELETE", path, id, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

OsNovaNetwork *
os_nova_network_new (OsClient *client)
{
  OsNovaNetwork *self = g_object_new (OS_TYPE_NOVA_NETWORK, NULL);

  self->client = g_object_ref (client);
  return self;
}

static void
os_nova_network_finalize (GObject *object)
{
  OsNovaNetwork *self = OS_NOVA_NETWORK (object);

  g_hash_table_unref (self->group_names);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_nova_network_parent_class)->finalize (object);
}

static void
os_nova_network_class_init (OsNovaNetworkClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_nova_network_finalize;
}

static void
os_nova_network_init (OsNovaNetwork *self)
{
  self->group_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
