/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/claim-floating-ip.h"

G_BEGIN_DECLS

/*
 * Gets a floating IP for a port, with our mark: one that is there, as far as "floating-ip-reuse"
 * lets us, or a new one, which is born on the port. It runs to its end even when it is cancelled,
 * so that an address which was allocated is known. One that was there (its was_there) is for
 * os_sweep_mark_async() to give back, which looks whose it is by then.
 */
void          os_get_floating_ip_async  (OsSnapshot                *snapshot,
                                         const OsFloatingIpRequest *request,
                                         GCancellable              *cancellable,
                                         GAsyncReadyCallback        callback,
                                         gpointer                   user_data);
OsFloatingIp *os_get_floating_ip_finish (OsSnapshot                *snapshot,
                                         GAsyncResult              *result,
                                         GError                   **error);

G_END_DECLS
