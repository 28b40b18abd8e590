/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "services/os-network-service.h"

G_BEGIN_DECLS

struct _OsNetworkService
{
  GObject parent;

  OsClient *client;     /* (owned) */
  WkMemo   *extensions; /* (owned) GHashTable of aliases */
  WkMemo   *networks;   /* (owned) GPtrArray of OsNetwork, by the query that gave them */
  WkMemo   *routers;    /* (owned) GPtrArray of OsRouter, by the network they lead to */
};

/* Drops what neutron's filter took for one of the names: databases compare without case and without
 * spaces at the end. */
void os_network_service_keep_exact_names (GPtrArray          *records,
                                          gsize               name_offset,
                                          const char * const *names);

/* Lists what is of our own project, with neutron's own filters: see the public header for query.
 * name_offset: where in a record its name is. */
void       os_network_service_list_own_async  (OsNetworkService     *self,
                                               const char           *path,
                                               const char           *member,
                                               const WkJsonTable    *table,
                                               gsize                 name_offset,
                                               const char * const   *query,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
GPtrArray *os_network_service_list_own_finish (OsNetworkService     *self,
                                               GAsyncResult         *result,
                                               GError              **error);
/* To be finished with os_client_delete_finish(). */
void       os_network_service_delete_async    (OsNetworkService     *self,
                                               const char           *path,
                                               const char           *id,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);

/*
 * What keeps the marks of ports and floating IPs (os-network-marks.c). Where neutron has no
 * descriptions, the name of a port is its mark, which goes along in the call that makes it as well;
 * a floating IP has no name: its mark are tags, which take a call of their own.
 */

/* Sends what makes or changes a port or a floating IP (member) with its mark, as far as it goes
 * along. thing: (transfer full) what else is in the body */
void       os_network_service_send_marked_async  (OsNetworkService     *self,
                                                  OsRequest            *request,
                                                  const char           *member,
                                                  JsonObject           *thing,
                                                  const char           *mark,
                                                  GCancellable         *cancellable,
                                                  GAsyncReadyCallback   callback,
                                                  gpointer              user_data);
/* An OsPort or OsFloatingIp. */
gpointer   os_network_service_send_marked_finish (OsNetworkService     *self,
                                                  GAsyncResult         *result,
                                                  GError              **error);
/* A filter for descriptions (of the list's member) becomes one for what keeps the marks. */
gboolean   os_network_service_asks_for_marks     (const char           *member,
                                                  char                **query);
void       os_network_service_translate_query    (GHashTable           *extensions,
                                                  const char           *member,
                                                  char               ***query);
/* Whatever keeps it, it is the description then. */
void       os_network_service_read_port_mark     (OsPort               *port);
void       os_network_service_read_floating_ip_mark (OsFloatingIp      *ip);

void       os_network_service_firewall_init   (OsFirewallInterface  *iface);
void       os_network_service_addresses_init  (OsAddressesInterface *iface);

G_END_DECLS
