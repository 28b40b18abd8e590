/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/undo.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* As os_remove_server_async(), for a server that boots from a volume: nova deletes that together
 * with the server, and where it does not, this does. In the shape of an undo: snapshot is an
 * OsSnapshot. */
void     os_remove_with_volume_async  (gpointer             snapshot,
                                       const char          *id,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
gboolean os_remove_with_volume_finish (gpointer             snapshot,
                                       GAsyncResult        *result,
                                       GError             **error);

/* Either this or os_remove_server_async(). */
typedef struct
{
  WkUndoAsync  remove_async;
  WkUndoFinish remove_finish;
} OsServerRemover;

const OsServerRemover *os_get_server_remover (gboolean is_on_volume);

G_END_DECLS
