/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/describe-interfaces.h"

static GPtrArray *
list_addresses (const OsPort *port,
                const char   *network_name)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);

  for (guint i = 0; port->fixed_ips != NULL && i < port->fixed_ips->len; i++)
    {
      const OsFixedIp *fixed_ip = g_ptr_array_index (port->fixed_ips, i);

      if (fixed_ip->address != NULL)
        g_ptr_array_add (addresses, welkin_address_new (fixed_ip->address, WELKIN_SCOPE_UNKNOWN,
                                                        network_name));
    }
  return addresses;
}

static GPtrArray *
describe_ports (GPtrArray           *ports,
                const OsNetworkPlan *networks,
                const OsFloatingIp  *ip)
{
  GPtrArray *interfaces =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_network_interface_unref);

  for (guint i = 0; i < ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (ports, i);
      const OsPlannedNetwork *network = g_ptr_array_index (networks->networks, i);
      g_autoptr(GPtrArray) addresses = list_addresses (port, network->name);

      if (i == networks->floating_index && ip != NULL)
        g_ptr_array_add (addresses, welkin_address_new (ip->address, WELKIN_SCOPE_PUBLIC, NULL));
      g_ptr_array_add (interfaces, welkin_network_interface_new (port->id, port->mac_address,
                                                                 network->id, network->name,
                                                                 addresses));
    }
  return interfaces;
}

/* Where nova has connected it: it has no names for its cards but their hardware addresses, and puts
 * floating IPs on the first one. */

static gboolean
is_on_card (const OsServerAddress *address,
            const OsServerAddress *first)
{
  return g_strcmp0 (address->network, first->network) == 0
         && g_strcmp0 (address->mac, first->mac) == 0;
}

static gboolean
is_fixed (const OsServerAddress *address)
{
  return g_strcmp0 (address->type, "floating") != 0;
}

/* Whether another one before it is on the same card. */
static gboolean
is_described (GPtrArray *all,
              guint      index)
{
  for (guint i = 0; i < index; i++)
    if (is_fixed (all->pdata[i]) && is_on_card (all->pdata[i], all->pdata[index]))
      return TRUE;
  return FALSE;
}

static GPtrArray *
list_addresses_on_card (GPtrArray             *all,
                        const OsServerAddress *first)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);

  for (guint i = 0; i < all->len; i++)
    {
      const OsServerAddress *address = g_ptr_array_index (all, i);

      if (is_fixed (address) && is_on_card (address, first))
        g_ptr_array_add (addresses, welkin_address_new (address->address, WELKIN_SCOPE_UNKNOWN,
                                                        address->network));
    }
  return addresses;
}

/* Nova may have chosen the network itself, and then tells only its name. */
static const char *
get_network_id (const OsNetworkPlan *networks,
                const char          *name)
{
  for (guint i = 0; i < networks->networks->len; i++)
    {
      const OsPlannedNetwork *network = g_ptr_array_index (networks->networks, i);

      if (g_strcmp0 (network->name, name) == 0)
        return network->id;
    }
  return name;
}

static GPtrArray *
describe_cards (const OsServer      *server,
                const OsNetworkPlan *networks,
                const OsFloatingIp  *ip)
{
  GPtrArray *interfaces =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_network_interface_unref);

  for (guint i = 0; server->addresses != NULL && i < server->addresses->len; i++)
    {
      const OsServerAddress *first = g_ptr_array_index (server->addresses, i);
      g_autoptr(GPtrArray) addresses = NULL;

      if (!is_fixed (first) || is_described (server->addresses, i))
        continue;
      addresses = list_addresses_on_card (server->addresses, first);
      if (interfaces->len == 0 && ip != NULL)
        g_ptr_array_add (addresses, welkin_address_new (ip->address, WELKIN_SCOPE_PUBLIC, NULL));
      g_ptr_array_add (interfaces,
                       welkin_network_interface_new (first->mac != NULL ? first->mac
                                                                        : first->network,
                                                     first->mac,
                                                     get_network_id (networks, first->network),
                                                     first->network, addresses));
    }
  return interfaces;
}

GPtrArray *
os_describe_interfaces (const OsServer      *server,
                        GPtrArray           *ports,
                        const OsNetworkPlan *networks,
                        const OsFloatingIp  *ip)
{
  return networks->is_novas ? describe_cards (server, networks, ip)
                            : describe_ports (ports, networks, ip);
}
