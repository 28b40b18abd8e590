/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Closes ports (element-type WelkinPortRange) of a machine, or with NULL of the environment, as
 * they were opened: a part of a range is not cut out of it. Those that are closed already are a
 * success. source: as in os_open_ports_async(). */
void     os_close_ports_async  (OsSnapshot          *snapshot,
                                OsDetail            *machine,
                                GPtrArray           *ranges,
                                gpointer             source,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
gboolean os_close_ports_finish (gpointer             source,
                                GAsyncResult        *result,
                                GError             **error);

G_END_DECLS
