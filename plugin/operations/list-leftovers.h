/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-leftover.h"

G_BEGIN_DECLS

/* What carries the environment's mark and is of none of these starts, and what is named like the
 * environment's but carries no mark (element-type WelkinLeftover) (transfer full), in the order in
 * which it can be removed. What a machine uses is not left behind, whatever its mark says; nor is
 * what all machines share. */
void       os_list_leftovers_async  (OsSnapshot          *snapshot,
                                     const char *const   *live_start_ids,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
GPtrArray *os_list_leftovers_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);
/* The same thing with its age: by the cloud's own clock, for ours may be ahead of it, and call old
 * what was just made. leftover: (transfer full) */
WelkinLeftover *os_date_leftover    (OsSnapshot          *snapshot,
                                     WelkinLeftover      *leftover,
                                     GDateTime           *changed);

G_END_DECLS
