/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * Gives floating IPs the marks that they could not be born with, where whoever allocated them was
 * cut off before he could: each is on the port that was noted. Whoever looks for what is ours calls
 * it first, and whoever removes servers, with which ports may go. Where nothing was noted, it asks
 * nobody.
 */
void     os_complete_marks_async  (OsSnapshot          *snapshot,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean os_complete_marks_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
