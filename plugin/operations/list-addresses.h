/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* The floating IPs of nova, with marks as their descriptions where something was noted of them (see
 * address-intent.h). (transfer full) of OsFloatingIp */
void       os_list_marked_addresses_async  (OsSnapshot          *snapshot,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
GPtrArray *os_list_marked_addresses_finish (OsSnapshot          *snapshot,
                                            GAsyncResult        *result,
                                            GError             **error);

G_END_DECLS
