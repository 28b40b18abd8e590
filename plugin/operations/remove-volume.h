/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Deletes a volume whose server is gone, as soon as nova and cinder let go of it, a minute later at
 * most. That there is no such volume is a success. */
void     os_remove_volume_async  (OsSnapshot          *snapshot,
                                  const char          *id,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
gboolean os_remove_volume_finish (OsSnapshot          *snapshot,
                                  GAsyncResult        *result,
                                  GError             **error);

G_END_DECLS
