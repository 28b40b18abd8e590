/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-start-params.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* Decides as a start of a machine does, and tells what; nothing but the login and what only reads
 * is sent. source: what the callback gets; config: validated; params: of the first of n_machines
 * that are alike */
void       os_list_plan_async  (gpointer             source,
                                WelkinConfig        *config,
                                WelkinSurroundings  *surroundings,
                                WelkinStartParams   *params,
                                guint                n_machines,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
/* (element-type WelkinPlanEntry) (transfer full) */
GPtrArray *os_list_plan_finish (gpointer             source,
                                GAsyncResult        *result,
                                GError             **error);

G_END_DECLS
