/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-nova-network.h"

G_BEGIN_DECLS

/* What the files of the service share. */
struct _OsNovaNetwork
{
  GObject parent;

  OsClient   *client;      /* (owned) */
  GHashTable *group_names; /* (owned) of char *, by id: of all groups seen so far */
};

/* To be finished with os_client_delete_finish(). */
void os_nova_network_delete_async   (OsNovaNetwork        *self,
                                     const char           *path,
                                     const char           *id,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);

void os_nova_network_firewall_init  (OsFirewallInterface  *iface);
void os_nova_network_addresses_init (OsAddressesInterface *iface);

G_END_DECLS
