/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Gives one with our mark back: it is deleted, or only taken off its port when it was borrowed. */
void          os_release_floating_ip_async  (OsSnapshot                *snapshot,
                                             const OsFloatingIp        *ip,
                                             GCancellable              *cancellable,
                                             GAsyncReadyCallback        callback,
                                             gpointer                   user_data);
gboolean      os_release_floating_ip_finish (OsSnapshot                *snapshot,
                                             GAsyncResult              *result,
                                             GError                   **error);

G_END_DECLS
