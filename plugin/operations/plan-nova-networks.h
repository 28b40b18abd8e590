/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/plan-networks.h"

G_BEGIN_DECLS

/* os_plan_networks_async() for clouds without a network service. */
void           os_plan_nova_networks_async  (OsSnapshot          *snapshot,
                                             WelkinConstraints   *constraints,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
OsNetworkPlan *os_plan_nova_networks_finish (OsSnapshot          *snapshot,
                                             GAsyncResult        *result,
                                             GError             **error);

G_END_DECLS
