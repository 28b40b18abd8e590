/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "environments/environment-getters.h"

G_BEGIN_DECLS

/* Waits until the agent at the address, and at the port of the environment, lets us in and says
 * that it is this environment's. clock: nullable */
void     welkin_wait_for_agent_async  (WelkinConfig              *config,
                                       const char                *address,
                                       const WelkinConnectDelays *delays,
                                       WkClock                   *clock,
                                       GCancellable              *cancellable,
                                       GAsyncReadyCallback        callback,
                                       gpointer                   user_data);
gboolean welkin_wait_for_agent_finish (GAsyncResult              *result,
                                       GError                   **error);

G_END_DECLS
