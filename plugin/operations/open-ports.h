/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Opens ports (element-type WelkinPortRange) of a machine, or with NULL of the environment. Those
 * that are open already are a success. source: the object that the callback gets and the finish
 * function is given. */
void     os_open_ports_async  (OsSnapshot          *snapshot,
                               OsDetail            *machine,
                               GPtrArray           *ranges,
                               gpointer             source,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
gboolean os_open_ports_finish (gpointer             source,
                               GAsyncResult        *result,
                               GError             **error);

G_END_DECLS
