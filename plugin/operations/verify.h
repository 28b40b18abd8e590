/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Logs in and looks whether a machine could be started, as far as reading tells. */
void     os_verify_async  (OsSnapshot          *snapshot,
                           WelkinProgress      *progress,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data);
gboolean os_verify_finish (OsSnapshot          *snapshot,
                           GAsyncResult        *result,
                           GError             **error);

G_END_DECLS
