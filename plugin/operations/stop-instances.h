/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Deletes servers of ours, and when they are gone what was made for them: floating IPs, ports and
 * security groups. Ids that are not there are no error; a server that is not ours is, and stays.
 * All are tried before the first error is returned. A stop that is cancelled when it has begun to
 * delete still has a minute to end what it has begun. */
void     os_stop_instances_async  (OsSnapshot          *snapshot,
                                   const char *const   *ids,
                                   WelkinProgress      *progress,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
gboolean os_stop_instances_finish (OsSnapshot          *snapshot,
                                   GAsyncResult        *result,
                                   GError             **error);

G_END_DECLS
