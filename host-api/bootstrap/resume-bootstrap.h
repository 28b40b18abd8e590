/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/machine-record.h"
#include "contracts/welkin-environ.h"

G_BEGIN_DECLS

/*
 * A bootstrap that was killed has left a record of the first machine, which tells of its start and
 * of no instance, and in the cloud whatever that start made. Whoever has the lock of the
 * environment knows that nobody goes on with it.
 */

/* The record, if that is so, or NULL. (transfer full) */
WelkinMachineRecord *welkin_bootstrap_load_cut_off (WelkinInfo          *info);

/* Looks what the start has made. A machine that runs is completed and taken over, if it is wanted.
 * Otherwise, if may_remove, all that there is of the environment goes: nothing else has been made
 * in it yet. info: not written */
void                 welkin_bootstrap_resume_async  (WelkinEnviron       *environment,
                                                     WelkinInfo          *info,
                                                     WelkinMachineRecord *record,
                                                     gboolean             is_wanted,
                                                     gboolean             may_remove,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
/* NULL without an error: none was taken over. (transfer full) */
WelkinInstance      *welkin_bootstrap_resume_finish (WelkinEnviron       *environment,
                                                     GAsyncResult        *result,
                                                     GError             **error);

G_END_DECLS
