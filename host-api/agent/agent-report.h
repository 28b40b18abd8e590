/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "agent/agent-settings.h"
#include "base/clock.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Reports the machine to the first of the addresses that takes it, and again each five minutes;
 * as long as none does, it tries more often. Ends only when it is cancelled, or cannot begin. */
void     agent_report_async  (const AgentSettings *settings,
                              const char          *machine_id,
                              const char          *version,
                              WkClock             *clock,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data);
gboolean agent_report_finish (GAsyncResult        *result,
                              GError             **error);

G_END_DECLS
