/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/agent-records.h"

static const WkJsonField environment_fields[] = {
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentEnvironment, name) },
  { "type", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentEnvironment, type) },
  { "uuid", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentEnvironment, uuid) },
};
const WkJsonTable welkin_agent_environment_table = WK_JSON_TABLE (WelkinAgentEnvironment,
                                                                  environment_fields);

static const WkJsonField machine_fields[] = {
  { "id", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentMachine, id) },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentMachine, status), WK_JSON_REQUIRED },
  { "version", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentMachine, version), WK_JSON_REQUIRED },
  { "reported", WK_JSON_STRING, G_STRUCT_OFFSET (WelkinAgentMachine, reported) },
};
const WkJsonTable welkin_agent_machine_table = WK_JSON_TABLE (WelkinAgentMachine, machine_fields);
