/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Makes one server and waits until it is active, or only until it is seen, as the goal says. On
 * failure and on cancellation it is gone again. What the request points to must stay until the call
 * has ended; start is what marks this very attempt. console: (out) (transfer full), set when a
 * server fails that printed something. */
void      os_make_server_async  (OsSnapshot            *snapshot,
                                 const OsServerRequest *request,
                                 const char            *start,
                                 OsPollGoal             goal,
                                 char                 **console,
                                 GCancellable          *cancellable,
                                 GAsyncReadyCallback    callback,
                                 gpointer               user_data);
/* WELKIN_ERROR_NO_VALID_HOST: another zone may have room for it. WELKIN_ERROR_TIMED_OUT: another
 * zone may be faster. */
OsServer *os_make_server_finish (OsSnapshot            *snapshot,
                                 GAsyncResult          *result,
                                 GError               **error);

G_END_DECLS
