/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* A server that is to run in one of some zones; all of it must stay until the call has ended. */
typedef struct
{
  OsServerRequest    server;     /* all but its zone, its flavor and the start in its metadata */
  const char *const *zones;      /* in this order; "" is nova's choice */
  GPtrArray         *flavors;    /* of OsFlavor, in this order in each zone */
  const char        *start_id;
  OsPollGoal         goal;       /* of the wait for it */
  OsZoneClaim       *claim;      /* to the first zone */
  WelkinProgress    *progress;   /* (nullable) */
} OsPlacement;

/* Makes a server and waits for it; where there is no room for it, the next flavor and the next zone
 * are tried, which takes the wait until it is built. On failure and on cancellation no server is
 * left. The error says what was tried. */
void      os_place_server_async  (OsSnapshot          *snapshot,
                                  const OsPlacement   *placement,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data);
OsServer *os_place_server_finish (OsSnapshot          *snapshot,
                                  GAsyncResult        *result,
                                  GError             **error);

G_END_DECLS
