/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-leftover.h"

G_BEGIN_DECLS

/* Removes what os_list_leftovers_async() has listed, after a look at whether it still carries the
 * environment's mark and nothing uses it. With a server goes what was made for it. That it is gone
 * is a success; WELKIN_ERROR_FORBIDDEN: it is not ours; WELKIN_ERROR_IN_USE: it is needed. */
void     os_remove_leftover_async  (OsSnapshot          *snapshot,
                                    WelkinLeftover      *leftover,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data);
gboolean os_remove_leftover_finish (OsSnapshot          *snapshot,
                                    GAsyncResult        *result,
                                    GError             **error);

G_END_DECLS
