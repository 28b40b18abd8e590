/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/ports-group.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Opens or closes ports (element-type WelkinPortRange) of a machine, or with NULL of the
 * environment. Those that are open, or closed, already are a success. They are closed as they were
 * opened: a part of a range is not cut out of it. source: the object that the callback gets and the
 * finish function is given. */
void     os_change_ports_async  (OsSnapshot          *snapshot,
                                 OsDetail            *machine,
                                 OsPortsCall          call,
                                 GPtrArray           *ranges,
                                 gpointer             source,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
gboolean os_change_ports_finish (gpointer             source,
                                 GAsyncResult        *result,
                                 GError             **error);

G_END_DECLS
