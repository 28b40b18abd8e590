/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "values/welkin-plan-entry.h"
#include "values/welkin-start-params.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_PLANNER (welkin_planner_get_type ())

/* An environ that tells what a start would choose, and makes nothing. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinPlanner, welkin_planner, WELKIN, PLANNER, GObject)

struct _WelkinPlannerInterface
{
  GTypeInterface parent;

  void       (*plan_async)  (WelkinPlanner       *self,
                             WelkinStartParams   *params,
                             guint                n_machines,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data);
  GPtrArray *(*plan_finish) (WelkinPlanner       *self,
                             GAsyncResult        *result,
                             GError             **error);

  gpointer reserved[4];
};

/* params: of the first machine; n_machines: how many alike, at least 1 */
WELKIN_AVAILABLE_IN_0_1
void       welkin_planner_plan_async  (WelkinPlanner       *self,
                                       WelkinStartParams   *params,
                                       guint                n_machines,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
/* (element-type WelkinPlanEntry) (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_planner_plan_finish (WelkinPlanner       *self,
                                       GAsyncResult        *result,
                                       GError             **error);

G_END_DECLS
