/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Removes what goes with servers and is left when they are gone: floating IPs and ports, then
 * security groups. marks: the marks of what is to go (a set of them), or NULL for all that carries
 * the mark of the environment, and then volumes as well. All are tried before the first error is
 * returned. */
void     os_sweep_async  (OsSnapshot          *snapshot,
                          GHashTable          *marks,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data);
gboolean os_sweep_finish (OsSnapshot          *snapshot,
                          GAsyncResult        *result,
                          GError             **error);

/* Ports and floating IPs that carry the mark too, beside those that are kept (their ids): of what
 * was asked for twice because the first answer was lost, the cloud may have made two. */
void     os_sweep_twins_async  (OsSnapshot          *snapshot,
                                const char          *mark,
                                GPtrArray           *kept,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
gboolean os_sweep_twins_finish (OsSnapshot          *snapshot,
                                GAsyncResult        *result,
                                GError             **error);

/* Whoever wanted to make one of these got this error. TRUE once an hour, if that is because there
 * are too many: those that were left over count as well. */
gboolean os_may_sweep_orphans    (OsSnapshot          *snapshot,
                                  const GError        *error);
/* Ports and floating IPs of starts that are not under way here, that no server has, and that nobody
 * has touched for a quarter of an hour: somebody else may be starting machines as well. Does what
 * it can. */
void     os_sweep_orphans_async  (OsSnapshot          *snapshot,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
void     os_sweep_orphans_finish (OsSnapshot          *snapshot,
                                  GAsyncResult        *result);

/* For one mark, in the shape of an undo: snapshot is an OsSnapshot. */
void     os_sweep_mark_async  (gpointer             snapshot,
                               const char          *mark,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
gboolean os_sweep_mark_finish (gpointer             snapshot,
                               GAsyncResult        *result,
                               GError             **error);

G_END_DECLS
