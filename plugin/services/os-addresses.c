/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-addresses.h"

G_DEFINE_INTERFACE (OsAddresses, os_addresses, G_TYPE_OBJECT)

static void
os_addresses_default_init (OsAddressesInterface *iface)
{
}

void
os_addresses_list_async (OsAddresses         *self,
                         const char * const  *query,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  OS_ADDRESSES_GET_IFACE (self)->list_async (self, query, cancellable, callback, user_data);
}

GPtrArray *
os_addresses_list_finish (OsAddresses   *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  return OS_ADDRESSES_GET_IFACE (self)->list_finish (self, result, error);
}

void
os_addresses_delete_async (OsAddresses         *self,
                           const char          *id,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  OS_ADDRESSES_GET_IFACE (self)->delete_async (self, id, cancellable, callback, user_data);
}

gboolean
os_addresses_delete_finish (OsAddresses   *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return OS_ADDRESSES_GET_IFACE (self)->delete_finish (self, result, error);
}
