/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/floating-ip.h"

G_BEGIN_DECLS

/* Looks once more at a floating IP that was there and was taken over, when its server runs: the
 * result is the same one, or another in its place if it is somebody else's by now. As with
 * os_get_floating_ip_async(). ip: (transfer full) */
void          os_keep_floating_ip_async  (OsSnapshot                *snapshot,
                                          const OsFloatingIpRequest *request,
                                          OsFloatingIp              *ip,
                                          GCancellable              *cancellable,
                                          GAsyncReadyCallback        callback,
                                          gpointer                   user_data);
OsFloatingIp *os_keep_floating_ip_finish (OsSnapshot                *snapshot,
                                          GAsyncResult              *result,
                                          GError                   **error);

G_END_DECLS
