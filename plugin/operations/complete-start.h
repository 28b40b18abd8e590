/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-start-params.h"

G_BEGIN_DECLS

/*
 * What a start would have done to its server, which runs, had it not been cut off: the floating IP
 * that was asked for is on the server, and what nova has made for it carries our mark. What was
 * done before is not done again. What a failure leaves goes with the server when that is stopped.
 */
void     os_complete_start_async  (OsSnapshot          *snapshot,
                                   WelkinStartParams   *params,
                                   const char          *server_id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
gboolean os_complete_start_finish (OsSnapshot          *snapshot,
                                   GAsyncResult        *result,
                                   GError             **error);

G_END_DECLS
