/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * Nova makes the volume that a server boots from, and gives it no mark. It is deleted with its
 * server; for the case that nova leaves it behind it gets the marks of its server, as soon as it
 * is seen. Does what it can: a volume without a mark is nobody's, and stays.
 */
void os_mark_volumes_async  (OsSnapshot          *snapshot,
                             const OsServer      *server,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data);
void os_mark_volumes_finish (OsSnapshot          *snapshot,
                             GAsyncResult        *result);

G_END_DECLS
