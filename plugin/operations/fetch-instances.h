/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Servers of the environment, with the flavors that tell what hardware they are. */
typedef struct
{
  GPtrArray *details;     /* of OsDetail, oldest first */
  GPtrArray *flavors;     /* (nullable) of OsFlavor: NULL when they could not be had */
  GPtrArray *foreign_ids; /* of those wanted: servers that are there, but are not ours */
} OsFetched;

void       os_fetched_free          (OsFetched           *self);

/* Every server of the environment that is not gone. */
void       os_list_instances_async  (OsSnapshot          *snapshot,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
OsFetched *os_list_instances_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

/* Those of the ids that are servers of the environment and not gone. Ids that make no sense are
 * missing without being asked for. A few are asked for one by one, more by one list and then
 * those that it did not have. One that this process has started a moment ago is asked for again
 * for a while before it is missing. */
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
