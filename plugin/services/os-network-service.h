/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-floating-ip.h"
#include "model/os-network.h"
#include "model/os-port.h"
#include "services/os-addresses.h"
#include "services/os-firewall.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

/* Of neutron's extensions, what marks need: one of these. */
#define OS_DESCRIPTION_EXTENSION "standard-attr-description"
#define OS_TAG_EXTENSION "standard-attr-tag"

#define OS_TYPE_NETWORK_SERVICE (os_network_service_get_type ())

/*
 * Neutron, which is also an OsFirewall and OsAddresses. Lists of ports and floating IPs are of our
 * own project, whoever we are. To delete what is not there is a success everywhere.
 *
 * query: key, value, …, NULL; or NULL. Neutron's filters match more than what is asked for
 * (without case, with trailing spaces), so the exact value of "name" is looked at again here.
 */
G_DECLARE_FINAL_TYPE (OsNetworkService, os_network_service, OS, NETWORK_SERVICE, GObject)

OsNetworkService *os_network_service_new                        (OsClient             *client);

/* The aliases of what this neutron can do, as a set (transfer full); asked for once. */
void              os_network_service_list_extensions_async      (OsNetworkService     *self,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
GHashTable       *os_network_service_list_extensions_finish     (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

/* Networks (element-type OsNetwork) (transfer full) that we can see, filtered by one of "name",
 * "id" and "router:external", or all (key and value NULL); asked for once a minute at most. */
void              os_network_service_list_networks_async        (OsNetworkService     *self,
                                                                 const char           *key,
                                                                 const char           *value,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
GPtrArray        *os_network_service_list_networks_finish       (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

/* The routers (element-type OsRouter) (transfer full) that have a leg in the network; kept a
 * minute. */
void              os_network_service_list_routers_async         (OsNetworkService     *self,
                                                                 const char           *network_id,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
GPtrArray        *os_network_service_list_routers_finish        (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

/* (element-type OsPort) (transfer full) */
void              os_network_service_list_ports_async           (OsNetworkService     *self,
                                                                 const char * const   *query,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
GPtrArray        *os_network_service_list_ports_finish          (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

typedef struct
{
  const char         *network_id;
  const char         *name;
  const char         *description;
  const char * const *security_group_ids; /* NULL: say nothing of groups; empty: none */
} OsPortRequest;

/* WELKIN_ERROR_UNAVAILABLE or _TIMED_OUT, here and wherever something is made: it may have been
 * made all the same, to be looked for by its description. */
void              os_network_service_create_port_async          (OsNetworkService     *self,
                                                                 const OsPortRequest  *request,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
OsPort           *os_network_service_create_port_finish         (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
/* Gives a port that somebody else has made for us a name and a description. */
void              os_network_service_describe_port_async        (OsNetworkService     *self,
                                                                 const char           *id,
                                                                 const char           *name,
                                                                 const char           *description,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
OsPort           *os_network_service_describe_port_finish       (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
void              os_network_service_delete_port_async          (OsNetworkService     *self,
                                                                 const char           *id,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
gboolean          os_network_service_delete_port_finish         (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

/* (element-type OsFloatingIp) (transfer full) */
void              os_network_service_list_floating_ips_async    (OsNetworkService     *self,
                                                                 const char * const   *query,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
GPtrArray        *os_network_service_list_floating_ips_finish   (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
/* Allocated and put on the port in one step. fixed_address: (nullable) which of the port's
 * addresses. Where neutron has no descriptions it has no mark yet: see
 * os_network_service_tag_floating_ip_async(). */
void              os_network_service_create_floating_ip_async (OsNetworkService     *self,
                                                               const char           *network_id,
                                                               const char           *port_id,
                                                               const char           *fixed_address,
                                                               const char           *description,
                                                               GCancellable         *cancellable,
                                                               GAsyncReadyCallback   callback,
                                                               gpointer              user_data);
OsFloatingIp     *os_network_service_create_floating_ip_finish  (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
/* Gives one that lacks a mark this one, where neutron has tags in place of descriptions. */
void              os_network_service_tag_floating_ip_async      (OsNetworkService     *self,
                                                                 const char           *id,
                                                                 const char           *mark,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
gboolean          os_network_service_tag_floating_ip_finish     (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
void              os_network_service_load_floating_ip_async     (OsNetworkService     *self,
                                                                 const char           *id,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
OsFloatingIp     *os_network_service_load_floating_ip_finish    (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

/* What becomes of a floating IP. */
typedef struct
{
  const char *id;
  const char *port_id;       /* (nullable) NULL: it is taken off its port */
  const char *fixed_address; /* (nullable) which of the port's addresses */
  const char *description;
  gint64      revision;      /* only while it has this one; -1: in any case */
} OsFloatingIpChange;

/* WELKIN_ERROR_CONFLICT: it does not have that revision any more. That it had is no proof that
 * nobody else changes it, too: neutron looks before it changes. */
void              os_network_service_change_floating_ip_async (OsNetworkService         *self,
                                                               const OsFloatingIpChange *change,
                                                               GCancellable       *cancellable,
                                                               GAsyncReadyCallback callback,
                                                               gpointer            user_data);
OsFloatingIp     *os_network_service_change_floating_ip_finish  (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);
void              os_network_service_delete_floating_ip_async   (OsNetworkService     *self,
                                                                 const char           *id,
                                                                 GCancellable         *cancellable,
                                                                 GAsyncReadyCallback   callback,
                                                                 gpointer              user_data);
gboolean          os_network_service_delete_floating_ip_finish  (OsNetworkService     *self,
                                                                 GAsyncResult         *result,
                                                                 GError              **error);

G_END_DECLS
