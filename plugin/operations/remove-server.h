/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* How to unmake things that do not go at once, in the shape of an undo. That there is no such thing
 * is a success. */

/* Deletes a server and waits until it is gone, five minutes at most. snapshot: an OsSnapshot */
void     os_remove_server_async  (gpointer             snapshot,
                                  const char          *id,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
gboolean os_remove_server_finish (gpointer             snapshot,
                                  GAsyncResult        *result,
                                  GError             **error);

G_END_DECLS
