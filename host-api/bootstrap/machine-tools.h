/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * Tools for many machines of one environment, of the version that is pinned: what is asked for one
 * series and architecture is asked once, however many machines want it.
 */
typedef struct _WelkinMachineTools WelkinMachineTools;

WelkinMachineTools *welkin_machine_tools_new         (WelkinEnviron       *environment,
                                                      WelkinSurroundings  *surroundings);
/* Nothing may be under way. */
void                welkin_machine_tools_free        (WelkinMachineTools  *self);
/* An environment without a pinned version has machines without tools. */
gboolean            welkin_machine_tools_are_wanted  (WelkinMachineTools  *self);
void                welkin_machine_tools_find_async  (WelkinMachineTools  *self,
                                                      const char          *series,
                                                      WelkinConstraints   *constraints,
                                                      GCancellable        *cancellable,
                                                      GAsyncReadyCallback  callback,
                                                      gpointer             user_data);
/* (element-type WelkinTools) (transfer container) */
GPtrArray          *welkin_machine_tools_find_finish (WelkinMachineTools  *self,
                                                      GAsyncResult        *result,
                                                      GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineTools, welkin_machine_tools_free)

G_END_DECLS
