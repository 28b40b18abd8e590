/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* Asks the agent of an environment's first machine, as the user who sees all. */
typedef struct _WelkinAgentClient WelkinAgentClient;

/* Where it is, "HOST:PORT", from inside the cloud first. (transfer full) (nullable): when the
 * environment was bootstrapped without an agent */
char             **welkin_agent_list_addresses    (WelkinInfo         *info);

/* config: of the environment, with all its secrets */
WelkinAgentClient *welkin_agent_client_new        (WelkinConfig       *config,
                                                   GError            **error);
void               welkin_agent_client_free       (WelkinAgentClient  *self);

/* address: "HOST:PORT"; seconds: of the wall, until it gives up. The client must outlive it. */
void               welkin_agent_client_get_async  (WelkinAgentClient  *self,
                                                   const char         *address,
                                                   const char         *path,
                                                   double              seconds,
                                                   GCancellable       *cancellable,
                                                   GAsyncReadyCallback callback,
                                                   gpointer            user_data);
/* What it answered. Who answers with a certificate of somebody else, or lets us not in, is an
 * error. (transfer full) */
GBytes            *welkin_agent_client_get_finish (WelkinAgentClient  *self,
                                                   GAsyncResult       *result,
                                                   GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinAgentClient, welkin_agent_client_free)

G_END_DECLS
