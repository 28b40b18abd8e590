/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/bootstrap-options.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/provider-state.h"

G_BEGIN_DECLS

/* A machine whose start was cut off, and that runs. */
typedef struct
{
  WelkinMachineRecord *record;   /* (owned) */
  WelkinInstance      *instance; /* (owned) */
} WelkinResumed;

void           welkin_resumed_free            (WelkinResumed          *self);

/*
 * Looks what an earlier bootstrap has left. One that was killed has left a record of the first
 * machine, which tells of its start and of no instance, or that its set-up has begun, and in the
 * cloud whatever that start made.
 * Whoever has the lock of the environment knows that nobody goes on with it: a machine that runs,
 * and that the options would make, is completed and taken over. Otherwise all that there is of the
 * environment goes: nothing else has been made in it yet.
 *
 * What was saved as the environment's machine, or begun by somebody else, is left alone, and is
 * WELKIN_ERROR_ALREADY_BOOTSTRAPPED. found: (nullable) the state that there is
 */
void           welkin_bootstrap_resume_async  (WelkinEnviron          *environment,
                                               WelkinInfo             *info,
                                               WelkinBootstrapOptions *options,
                                               WelkinProviderState    *found,
                                               GCancellable           *cancellable,
                                               GAsyncReadyCallback     callback,
                                               gpointer                user_data);
/* NULL without an error: there is nothing, or nothing any more. (transfer full) */
WelkinResumed *welkin_bootstrap_resume_finish (WelkinEnviron          *environment,
                                               GAsyncResult           *result,
                                               GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinResumed, welkin_resumed_free)

G_END_DECLS
