/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "contracts/welkin-environ.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* Starts the machine of one record, with some more tries when the cloud may think better of it, and
 * writes down what came of it. progress: nullable */
void     welkin_provisioner_start_async  (WelkinEnviron       *environment,
                                          WelkinInfo          *info,
                                          const char          *machine_id,
                                          WelkinSurroundings  *surroundings,
                                          WkClock             *clock,
                                          WelkinProgress      *progress,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* FALSE when nothing can be written down any more, and when it was cancelled. That the machine was
 * not started is no error: its record tells. */
gboolean welkin_provisioner_start_finish (WelkinEnviron       *environment,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
