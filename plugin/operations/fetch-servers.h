/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Servers, with the flavors that tell what hardware they are. */
typedef struct
{
  GPtrArray *servers; /* of OsServer */
  GPtrArray *flavors; /* (nullable) of OsFlavor: NULL when they could not be had */
} OsFetched;

void       os_fetched_free          (OsFetched           *self);

/* The servers of these ids, ours or not; ids that make no sense are missing without being asked
 * for. A few are asked for one by one, more by one list and then those that it did not have. */
void       os_fetch_servers_async   (OsSnapshot          *snapshot,
                                     const char *const   *ids,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
OsFetched *os_fetch_servers_finish  (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

/* Every server of the environment that is not gone, oldest first. */
void       os_list_instances_async  (OsSnapshot          *snapshot,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
OsFetched *os_list_instances_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

/* Those of the ids that are servers of the environment and not gone. */
void       os_find_instances_async  (OsSnapshot          *snapshot,
                                     const char *const   *ids,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
OsFetched *os_find_instances_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsFetched, os_fetched_free)

G_END_DECLS
