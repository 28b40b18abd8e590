/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "agent/agent.h"
#include "machine/agent-records.h"

G_BEGIN_DECLS

/* Who has not reported for so long is "down": three reports are missing. */
#define AGENT_LATE_SECONDS (3 * AGENT_REPORT_SECONDS)

/* How the state looks, in its file and to those who ask. */

void    agent_json_add_text        (JsonBuilder            *builder,
                                    const char             *key,
                                    const char             *text);
/* Each adds a member, "environment" or "machines" or "machine", to the open object. */
void    agent_json_add_environment (JsonBuilder            *builder,
                                    const WelkinAgentEnvironment *environment);
void    agent_json_add_machine     (JsonBuilder            *builder,
                                    const WelkinAgentMachine     *machine);
void    agent_json_add_machines    (JsonBuilder            *builder,
                                    GPtrArray              *machines);
/* Ends the object, which was opened first. (transfer full) */
GBytes *agent_json_end             (JsonBuilder            *builder);

G_END_DECLS
