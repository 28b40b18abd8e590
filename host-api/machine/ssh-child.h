/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"

G_BEGIN_DECLS

/* Runs a child process to its end, as welkin_ssh_run_async() says. What it writes is bounded: more
 * than fits is read and dropped. */
void  welkin_ssh_child_run_async  (const char *const  *arguments,
                                   const char         *input,
                                   double              seconds,
                                   WelkinProgress     *progress,
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data);
/* (transfer full) */
char *welkin_ssh_child_run_finish (GAsyncResult       *result,
                                   GError            **error);

G_END_DECLS
