/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "model/os-detail.h"
#include "operations/snapshot.h"
#include "values/welkin-hardware.h"
#include "values/welkin-network-interface.h"
#include "values/welkin-start-params.h"
#include "values/welkin-tools.h"

G_BEGIN_DECLS

/* A machine that runs. */
typedef struct
{
  OsDetail       *detail;           /* (owned) */
  WelkinHardware *hardware;         /* (owned) */
  WelkinTools    *tools;            /* (owned) (nullable) */
  char           *floating_address; /* (owned) (nullable): nova may not tell of it yet */
  GPtrArray      *interfaces;       /* (owned) of WelkinNetworkInterface */
} OsStarted;

void       os_started_free          (OsStarted           *self);

/*
 * Starts a machine: finds out what to make it from, sees to its security groups, makes its ports,
 * then its floating IP beside its server, and waits until that is active. On failure and on
 * cancellation nothing is left of it.
 */
void       os_start_instance_async  (OsSnapshot          *snapshot,
                                     WelkinStartParams   *params,
                                     WelkinProgress      *progress,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
OsStarted *os_start_instance_finish (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsStarted, os_started_free)

G_END_DECLS
