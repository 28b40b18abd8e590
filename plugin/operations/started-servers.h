/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* The servers that one try to make a server has made, whose ids need not be known: start is the
 * mark of the try. More than one is there when the answer to a call was lost and the call was made
 * again. */

/* (transfer container) of OsServer, without those that are gone */
void       os_list_started_async    (OsSnapshot          *snapshot,
                                     const char          *start,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
GPtrArray *os_list_started_finish   (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

/* Removes them all, in the shape of an undo: snapshot is an OsSnapshot. */
void       os_remove_started_async  (gpointer             snapshot,
                                     const char          *start,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean   os_remove_started_finish (gpointer             snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
