/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Allocates a floating IP, born on the port and with our mark. It runs to its end even when it is
 * cancelled, so that an address which was allocated is known. */
void          os_make_floating_ip_async  (OsSnapshot          *snapshot,
                                          const char          *external_network_id,
                                          const OsPort        *port,
                                          const char          *mark,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
OsFloatingIp *os_make_floating_ip_finish (OsSnapshot          *snapshot,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
