/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-floating-ip.h"
#include "model/os-network.h"
#include "services/os-addresses.h"
#include "services/os-firewall.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_NOVA_NETWORK (os_nova_network_get_type ())

/*
 * What nova has of networks where there is no neutron: it is an OsFirewall and OsAddresses. All of
 * it ended with microversion 2.36, so that no microversion is ever asked for here. Names of
 * security groups are unique in a project, rules are for IPv4 and come one at a time, and floating
 * IPs carry no mark.
 */
G_DECLARE_FINAL_TYPE (OsNovaNetwork, os_nova_network, OS, NOVA_NETWORK, GObject)

OsNovaNetwork *os_nova_network_new                       (OsClient             *client);

/* Networks that we can use (element-type OsNetwork) (transfer full), of which only id and name
 * are known. */
void           os_nova_network_list_networks_async       (OsNovaNetwork        *self,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
GPtrArray     *os_nova_network_list_networks_finish      (OsNovaNetwork        *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

/* The names of what floating IPs come from (transfer full). */
void           os_nova_network_list_pools_async          (OsNovaNetwork        *self,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
char         **os_nova_network_list_pools_finish         (OsNovaNetwork        *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

/* Allocates one; pool "": nova's choice. WELKIN_ERROR_UNAVAILABLE or _TIMED_OUT: it may have been
 * allocated all the same. */
void           os_nova_network_create_floating_ip_async  (OsNovaNetwork        *self,
                                                          const char           *pool,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
OsFloatingIp  *os_nova_network_create_floating_ip_finish (OsNovaNetwork        *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

/* WELKIN_ERROR_NOT_FOUND: there is none. */
void           os_nova_network_get_floating_ip_async     (OsNovaNetwork        *self,
                                                          const char           *id,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
OsFloatingIp  *os_nova_network_get_floating_ip_finish    (OsNovaNetwork        *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

/* Puts an address on a server; nova takes it off any other that has it. */
void           os_nova_network_add_floating_ip_async     (OsNovaNetwork        *self,
                                                          const char           *server_id,
                                                          const char           *address,
                                                          GCancellable         *cancellable,
                                                          GAsyncReadyCallback   callback,
                                                          gpointer              user_data);
gboolean       os_nova_network_add_floating_ip_finish    (OsNovaNetwork        *self,
                                                          GAsyncResult         *result,
                                                          GError              **error);

G_END_DECLS
