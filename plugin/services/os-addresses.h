/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "model/os-floating-ip.h"

G_BEGIN_DECLS

#define OS_TYPE_ADDRESSES (os_addresses_get_type ())

/*
 * Floating IPs, whichever service of the cloud has them: those of our own project. Where they carry
 * no description, their ids are in the metadata of the servers that they were made for
 * (OS_METADATA_FLOATING_IP).
 */
G_DECLARE_INTERFACE (OsAddresses, os_addresses, OS, ADDRESSES, GObject)

struct _OsAddressesInterface
{
  GTypeInterface parent;

  void       (*list_async)    (OsAddresses          *self,
                               const char * const   *query,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
  GPtrArray *(*list_finish)   (OsAddresses          *self,
                               GAsyncResult         *result,
                               GError              **error);
  void       (*delete_async)  (OsAddresses          *self,
                               const char           *id,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
  gboolean   (*delete_finish) (OsAddresses          *self,
                               GAsyncResult         *result,
                               GError              **error);
};

/* (element-type OsFloatingIp) (transfer full). query: (nullable) "description", value, …, NULL:
 * those that have one of them, which where there are none is nothing. */
void       os_addresses_list_async    (OsAddresses          *self,
                                       const char * const   *query,
                                       GCancellable         *cancellable,
                                       GAsyncReadyCallback   callback,
                                       gpointer              user_data);
GPtrArray *os_addresses_list_finish   (OsAddresses          *self,
                                       GAsyncResult         *result,
                                       GError              **error);
/* Also takes it off what it is on. That there is no such address is a success. */
void       os_addresses_delete_async  (OsAddresses          *self,
                                       const char           *id,
                                       GCancellable         *cancellable,
                                       GAsyncReadyCallback   callback,
                                       gpointer              user_data);
gboolean   os_addresses_delete_finish (OsAddresses          *self,
                                       GAsyncResult         *result,
                                       GError              **error);

G_END_DECLS
