/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/claim-floating-ip.h"

G_BEGIN_DECLS

/*
 * Makes a new floating IP on its port, with our mark, exactly once (see OsMaker, whose rules hold
 * here, too). Where it cannot be born with its mark, the port is noted before, and forgotten when
 * it has its tags: what is cut off in between is for os_complete_marks_async().
 */
void          os_make_floating_ip_async  (OsSnapshot                *snapshot,
                                          const OsFloatingIpRequest *request,
                                          GCancellable              *cancellable,
                                          GAsyncReadyCallback        callback,
                                          gpointer                   user_data);
OsFloatingIp *os_make_floating_ip_finish (OsSnapshot                *snapshot,
                                          GAsyncResult              *result,
                                          GError                   **error);

G_END_DECLS
