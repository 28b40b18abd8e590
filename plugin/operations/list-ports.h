/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* The ports (element-type WelkinPortRange) (transfer full) that were opened for a machine, or with
 * NULL for the environment, sorted. source: as in os_change_ports_async(). */
void       os_list_ports_async  (OsSnapshot          *snapshot,
                                 OsDetail            *machine,
                                 gpointer             source,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
GPtrArray *os_list_ports_finish (gpointer             source,
                                 GAsyncResult        *result,
                                 GError             **error);

G_END_DECLS
