/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Deletes volumes whose servers are gone, side by side and each as soon as nova and cinder let go
 * of it, a minute later at most. That there is no such volume is a success. */
void     os_remove_volumes_async  (OsSnapshot          *snapshot,
                                   const char *const   *ids,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
gboolean os_remove_volumes_finish (OsSnapshot          *snapshot,
                                   GAsyncResult        *result,
                                   GError             **error);

G_END_DECLS
