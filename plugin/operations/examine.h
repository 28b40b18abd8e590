/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-progress.h"
#include "values/welkin-config.h"
#include "values/welkin-constraints.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* Looks for what would stand in the way of a bootstrap. Nothing but the login and what only reads
 * is sent. It ends in a bounded time. source: what the callback gets; config: validated. */
void       os_examine_async  (gpointer             source,
                              WelkinConfig        *config,
                              WelkinSurroundings  *surroundings,
                              WelkinConstraints   *constraints,
                              WelkinProgress      *progress,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data);
/* (element-type WelkinFinding) (transfer full) */
GPtrArray *os_examine_finish (gpointer             source,
                              GAsyncResult        *result,
                              GError             **error);

G_END_DECLS
