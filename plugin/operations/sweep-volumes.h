/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Deletes the volumes that carry the mark of the environment, which servers left behind that are
 * gone. All are tried before the first error is returned. */
void     os_sweep_volumes_async  (OsSnapshot          *snapshot,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
gboolean os_sweep_volumes_finish (OsSnapshot          *snapshot,
                                  GAsyncResult        *result,
                                  GError             **error);

G_END_DECLS
