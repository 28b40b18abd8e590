/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Puts a floating IP, as os_nova_reserve_address_async() made it, on a server of ours. Nova takes
 * an address off a server without a word when somebody puts it on another one: if that has
 * happened, or would happen to whoever has it by now, the server gets another address, and its
 * metadata name that. mark: of the start */
void          os_nova_assign_address_async  (OsSnapshot          *snapshot,
                                             const OsFloatingIp  *ip,
                                             const char          *server_id,
                                             const char          *mark,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
/* The one that the server has (transfer full). On failure every other than the first is released
 * again. */
OsFloatingIp *os_nova_assign_address_finish (OsSnapshot          *snapshot,
                                             GAsyncResult        *result,
                                             GError             **error);

G_END_DECLS
