/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Releases a floating IP that nova has and os_nova_reserve_address_async() made, unless another
 * server than this one has it by now: whoever gave it to that one wants it there. server_id:
 * (nullable) none. */
void     os_nova_release_address_async       (OsSnapshot          *snapshot,
                                              const char          *id,
                                              const char          *server_id,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean os_nova_release_address_finish      (OsSnapshot          *snapshot,
                                              GAsyncResult        *result,
                                              GError             **error);

/* For one that no server has, in the shape of an undo: snapshot is an OsSnapshot. */
void     os_nova_release_free_address_async  (gpointer             snapshot,
                                              const char          *id,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean os_nova_release_free_address_finish (gpointer             snapshot,
                                              GAsyncResult        *result,
                                              GError             **error);

G_END_DECLS
