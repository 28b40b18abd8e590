/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * Floating IPs where nova has them. They carry no mark: what makes one ours is that the metadata of
 * one of our servers name it, so that it is allocated before the server is made. Until then it is
 * noted outside of the cloud (see address-intent.h): os_forget_address_async() when a server names
 * it.
 */

/* Allocates one; pool "": nova's choice; mark: of the start that it is for. Where may_borrow is
 * TRUE and "floating-ip-reuse" is "any", one that is there is borrowed first. It runs to its end
 * even when it is cancelled, so that an address which was allocated is known. Where the
 * answer was lost, what was found is taken as one that was there. Whatever comes of it, let go of
 * it (see wanted-addresses.h) when a server has it or none will. */
void          os_nova_reserve_address_async  (OsSnapshot          *snapshot,
                                              const char          *pool,
                                              const char          *mark,
                                              gboolean             may_borrow,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
OsFloatingIp *os_nova_reserve_address_finish (OsSnapshot          *snapshot,
                                              GAsyncResult        *result,
                                              GError             **error);

G_END_DECLS
