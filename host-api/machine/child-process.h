/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"

G_BEGIN_DECLS

/* Runs a child process to its end with this input. Lines of its standard error are said as they
 * come. The error of one that fails is what it said, and at least its status; one that is cancelled
 * or late is killed. What it writes is bounded: more than fits is read and dropped.
 * seconds: 0: no limit; progress: nullable */
void  welkin_child_process_run_async  (const char *const  *arguments,
                                       const char         *input,
                                       double              seconds,
                                       WelkinProgress     *progress,
                                       GCancellable       *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer            user_data);
/* What it wrote to its standard output. (transfer full) */
char *welkin_child_process_run_finish (GAsyncResult       *result,
                                       GError            **error);

G_END_DECLS
