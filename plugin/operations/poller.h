/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-compute.h"

G_BEGIN_DECLS

/*
 * Waits for servers to be built, or to be gone, on behalf of everybody at once: one list a tick
 * serves them all. One or two servers are asked for by their ids, which is cheaper for the cloud.
 * Ticks come after 1, 2, 3, 5, 5 … seconds.
 */
typedef struct _OsPoller OsPoller;

typedef enum
{
  OS_POLL_UNTIL_SEEN,
  OS_POLL_UNTIL_BUILT,
  OS_POLL_UNTIL_GONE,
} OsPollGoal;

OsPoller *os_poller_new         (OsCompute           *compute,
                                 WkClock             *clock,
                                 const char          *server_filter);
OsPoller *os_poller_ref         (OsPoller            *self);
void      os_poller_unref       (OsPoller            *self);
/* seconds: how long to wait at most */
void      os_poller_wait_async  (OsPoller            *self,
                                 const char          *server_id,
                                 OsPollGoal           goal,
                                 double               seconds,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
/* TRUE: the goal is reached. server: (out) (optional) (transfer full) (nullable) as it was seen
 * last, NULL when it is not there any more. FALSE with WELKIN_ERROR_TIMED_OUT, or
 * WELKIN_ERROR_NOT_FOUND when a server vanished that was to be built. */
gboolean  os_poller_wait_finish (OsPoller            *self,
                                 GAsyncResult        *result,
                                 OsServer           **server,
                                 GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsPoller, os_poller_unref)

G_END_DECLS
