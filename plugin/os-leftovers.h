/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "operations/list-leftovers.h"

G_BEGIN_DECLS

/*
 * All that an environment has left: what operations know of, and the container of its files when
 * nothing else is there any more, neither a machine nor what tells of them. Files that were put
 * there for a bootstrap that never came are left over as well.
 */
void       os_list_all_leftovers_async  (OsSnapshot          *snapshot,
                                         WelkinStorage       *storage,
                                         const char *const   *live_start_ids,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
/* (element-type WelkinLeftover) (transfer full) */
GPtrArray *os_list_all_leftovers_finish (OsSnapshot          *snapshot,
                                         GAsyncResult        *result,
                                         GError             **error);

/* Removes one of them, unless it has come into use or lost its mark. */
void       os_remove_any_leftover_async  (OsSnapshot          *snapshot,
                                          WelkinStorage       *storage,
                                          WelkinLeftover      *leftover,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
gboolean   os_remove_any_leftover_finish (OsSnapshot          *snapshot,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
