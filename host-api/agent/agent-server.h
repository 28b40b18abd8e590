/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "agent/agent-settings.h"
#include "agent/agent-state.h"
#include "base/clock.h"

G_BEGIN_DECLS

/*
 * What the first machine serves over HTTPS. Whoever wants to know more than its health logs in
 * (HTTP Basic) with a name and the password that is made for it: "machine-7", who sees and reports
 * itself, or "user-admin", who sees all.
 *
 *   GET /v1/health              {"status": "ok"}, without login
 *   GET /v1/environment         {"environment": {"name": …, "type": …, "uuid": …}}
 *   GET /v1/machines            {"machines": [{"id": …, "status": "started", …}, …]}; one of which
 *                               nothing was heard for long is "down"
 *   GET /v1/machines/7          {"machine": {…}}
 *   PUT, POST /v1/machines/7    {"machine": {"status": "started", "version": …}}; 204: it is kept
 *
 * What goes wrong is {"error": "…"}.
 */
typedef struct _AgentServer AgentServer;

/* settings and state must outlive it. */
AgentServer *agent_server_new      (const AgentSettings *settings,
                                    AgentState          *state);
/* What answers whom it is given. (transfer none) */
SoupServer  *agent_server_get_http (AgentServer         *self);
/* Lets clients in, with the certificate of the data directory. */
gboolean     agent_server_listen   (AgentServer         *self,
                                    const char          *data_directory,
                                    WkClock             *clock,
                                    GError             **error);
/* Lets nobody in any more; whoever is there has his answer. */
void         agent_server_stop     (AgentServer         *self);
void         agent_server_free     (AgentServer         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentServer, agent_server_free)

G_END_DECLS
