/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/welkin-bootstrap.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/*
 * Chooses the tools that the machines of an environment are to run, and pins their version: writes
 * it down, and sets it as the environment's agent-version, so that every later machine gets the
 * same.
 */
void       welkin_bootstrap_tools_async  (WelkinEnviron          *environment,
                                          WelkinInfo             *info,
                                          WelkinBootstrapOptions *options,
                                          WelkinSurroundings     *surroundings,
                                          GCancellable           *cancellable,
                                          GAsyncReadyCallback     callback,
                                          gpointer                user_data);
/* (element-type WelkinTools) (transfer container): empty when there are none and nobody asked for
 * any */
GPtrArray *welkin_bootstrap_tools_finish (WelkinEnviron          *environment,
                                          GAsyncResult           *result,
                                          GError                **error);

G_END_DECLS
