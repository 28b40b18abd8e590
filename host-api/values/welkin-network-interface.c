/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-network-interface.h"

/**
 * WelkinNetworkInterface:
 *
 * What connects a machine to one network.
 *
 * Network interfaces are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinNetworkInterface
{
  char      *id;
  char      *mac_address;  /* (nullable) */
  char      *network_id;
  char      *network_name; /* (nullable) */
  GPtrArray *addresses;    /* (owned) of WelkinAddress */
};

G_DEFINE_BOXED_TYPE (WelkinNetworkInterface,
                     welkin_network_interface,
                     welkin_network_interface_ref,
                     welkin_network_interface_unref)

static void
network_interface_clear (gpointer data)
{
  WelkinNetworkInterface *self = data;

  g_ptr_array_unref (self->addresses);
  g_free (self->network_name);
  g_free (self->network_id);
  g_free (self->mac_address);
  g_free (self->id);
}

/**
 * welkin_network_interface_new:
 * @id: what the cloud calls it
 * @mac_address: (nullable): its hardware address, as in "fa:16:3e:00:00:01"
 * @network_id: the network that it leads to
 * @network_name: (nullable): what people call that network
 * @addresses: (element-type WelkinAddress): its addresses, in the cloud's order
 *
 * Makes a description of a network interface. This is for providers.
 *
 * Returns: (transfer full): a new network interface
 *
 * Since: 0.1
 */
WelkinNetworkInterface *
welkin_network_interface_new (const char *id,
                              const char *mac_address,
                              const char *network_id,
                              const char *network_name,
                              GPtrArray  *addresses)
{
  WelkinNetworkInterface *self;

  g_return_val_if_fail (id != NULL && network_id != NULL && addresses != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinNetworkInterface);
  self->id = g_strdup (id);
  self->mac_address = g_strdup (mac_address);
  self->network_id = g_strdup (network_id);
  self->network_name = g_strdup (network_name);
  self->addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  for (guint i = 0; i < addresses->len; i++)
    g_ptr_array_add (self->addresses, welkin_address_ref (g_ptr_array_index (addresses, i)));
  return self;
}

/**
 * welkin_network_interface_ref:
 * @self: a network interface
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinNetworkInterface *
welkin_network_interface_ref (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_network_interface_unref:
 * @self: (transfer full): a network interface
 *
 * Drops a reference; the last one frees the network interface.
 *
 * Since: 0.1
 */
void
welkin_network_interface_unref (WelkinNetworkInterface *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, network_interface_clear);
}

/**
 * welkin_network_interface_get_id:
 * @self: a network interface
 *
 * Gets what the cloud calls it.
 *
 * Returns: (transfer none): its id
 *
 * Since: 0.1
 */
const char *
welkin_network_interface_get_id (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->id;
}

/**
 * welkin_network_interface_get_mac_address:
 * @self: a network interface
 *
 * Gets its hardware address.
 *
 * Returns: (transfer none) (nullable): as in "fa:16:3e:00:00:01"; %NULL when
 *   it is not known
 *
 * Since: 0.1
 */
const char *
welkin_network_interface_get_mac_address (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->mac_address;
}

/**
 * welkin_network_interface_get_network_id:
 * @self: a network interface
 *
 * Gets the network that it leads to.
 *
 * Returns: (transfer none): the network's id
 *
 * Since: 0.1
 */
const char *
welkin_network_interface_get_network_id (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->network_id;
}

/**
 * welkin_network_interface_get_network_name:
 * @self: a network interface
 *
 * Gets what people call the network that it leads to.
 *
 * Returns: (transfer none) (nullable): the network's name; %NULL when it has
 *   none
 *
 * Since: 0.1
 */
const char *
welkin_network_interface_get_network_name (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->network_name;
}

/**
 * welkin_network_interface_get_addresses:
 * @self: a network interface
 *
 * Gets its addresses, as they were when the machine was started.
 *
 * Returns: (transfer none) (element-type WelkinAddress): the addresses, in the
 *   cloud's order
 *
 * Since: 0.1
 */
GPtrArray *
welkin_network_interface_get_addresses (WelkinNetworkInterface *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->addresses;
}
