/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "environments/environment-getters.h"

G_BEGIN_DECLS

/* Waits until whoever answers at the port shows a certificate that the environment's authority has
 * signed. clock: nullable */
void     welkin_wait_for_agent_async  (const char                *address,
                                       guint16                    port,
                                       const char                *ca_certificate,
                                       const WelkinConnectDelays *delays,
                                       WkClock                   *clock,
                                       GCancellable              *cancellable,
                                       GAsyncReadyCallback        callback,
                                       gpointer                   user_data);
gboolean welkin_wait_for_agent_finish (GAsyncResult              *result,
                                       GError                   **error);

G_END_DECLS
