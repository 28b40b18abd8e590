/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Makes a port with our mark, for a server that is still to be made. It runs to its end even when
 * it is cancelled. */
void    os_make_port_async  (OsSnapshot          *snapshot,
                             const OsPortRequest *request,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data);
OsPort *os_make_port_finish (OsSnapshot          *snapshot,
                             GAsyncResult        *result,
                             GError             **error);

G_END_DECLS
