/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "contracts/welkin-storage.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Removes everything that carries the environment's mark: servers first, then floating IPs and
 * ports, then security groups, and its storage last, so that what failed half-way can be done
 * again. */
void     os_destroy_async  (OsSnapshot          *snapshot,
                            WelkinStorage       *storage,
                            WelkinProgress      *progress,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data);
gboolean os_destroy_finish (OsSnapshot          *snapshot,
                            GAsyncResult        *result,
                            GError             **error);

G_END_DECLS
