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

GPtrArray *
os_describe_interfaces (GPtrArray           *ports,
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
