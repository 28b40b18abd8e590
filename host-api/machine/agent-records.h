/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/json.h"

G_BEGIN_DECLS

/* What the agent of the first machine tells, and how it looks in JSON. */

#define WELKIN_AGENT_ADMIN "user-admin"
#define WELKIN_AGENT_ENVIRONMENT_PATH "/v1/environment"
#define WELKIN_AGENT_MACHINES_PATH "/v1/machines"

typedef struct
{
  char *name;
  char *type;
  char *uuid;
} WelkinAgentEnvironment;

typedef struct
{
  char *id;
  char *status;
  char *version;  /* of its agent */
  char *reported; /* when it last did, ISO 8601 */
} WelkinAgentMachine;

extern const WkJsonTable welkin_agent_environment_table; /* "environment" */
extern const WkJsonTable welkin_agent_machine_table;     /* "machine", "machines" */

G_END_DECLS
