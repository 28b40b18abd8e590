/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* The zones in which a machine can be started now, sorted. */
void   os_list_zones_async  (OsSnapshot          *snapshot,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data);
char **os_list_zones_finish (OsSnapshot          *snapshot,
                             GAsyncResult        *result,
                             GError             **error);

G_END_DECLS
