/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/remove-with-volume.h"

G_BEGIN_DECLS

/* Removes a server whose metadata name a floating IP, as its only mark, and before it that floating
 * IP: once the server is gone, nothing tells any more whose it was. In the shape of an undo:
 * snapshot is an OsSnapshot. */
void     os_remove_with_address_async  (gpointer             snapshot,
                                        const char          *id,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
gboolean os_remove_with_address_finish (gpointer             snapshot,
                                        GAsyncResult        *result,
                                        GError             **error);

/* What a server needs of which this is known. floating_ip: (nullable) what its metadata name */
const OsServerRemover *os_choose_server_remover (OsSnapshot *snapshot,
                                                 gboolean    is_on_volume,
                                                 const char *floating_ip);

G_END_DECLS
