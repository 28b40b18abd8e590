/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-json.h"

#include <string.h>

void
agent_json_add_text (JsonBuilder *builder,
                     const char  *key,
                     const char  *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, text);
}

void
agent_json_add_environment (JsonBuilder                  *builder,
                            const WelkinAgentEnvironment *environment)
{
  json_builder_set_member_name (builder, "environment");
  json_builder_begin_object (builder);
  agent_json_add_text (builder, "name", environment->name);
  agent_json_add_text (builder, "type", environment->type);
  agent_json_add_text (builder, "uuid", environment->uuid);
  json_builder_end_object (builder);
}

/* Whether nothing was heard of it for so long that it cannot be well. */
static gboolean
is_late (const WelkinAgentMachine *machine)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) reported = NULL;

  if (machine->reported != NULL)
    reported = g_date_time_new_from_iso8601 (machine->reported, NULL);
  return reported != NULL &&
         g_date_time_difference (now, reported) > AGENT_LATE_SECONDS * G_TIME_SPAN_SECOND;
}

static void
add_record (JsonBuilder              *builder,
            const WelkinAgentMachine *machine)
{
  json_builder_begin_object (builder);
  agent_json_add_text (builder, "id", machine->id);
  agent_json_add_text (builder, "status", is_late (machine) ? "down" : machine->status);
  agent_json_add_text (builder, "version", machine->version);
  agent_json_add_text (builder, "reported", machine->reported);
  json_builder_end_object (builder);
}

void
agent_json_add_machine (JsonBuilder              *builder,
                        const WelkinAgentMachine *machine)
{
  json_builder_set_member_name (builder, "machine");
  add_record (builder, machine);
}

void
agent_json_add_machines (JsonBuilder *builder,
                         GPtrArray   *machines)
{
  json_builder_set_member_name (builder, "machines");
  json_builder_begin_array (builder);
  for (guint i = 0; i < machines->len; i++)
    add_record (builder, g_ptr_array_index (machines, i));
  json_builder_end_array (builder);
}

GBytes *
agent_json_end (JsonBuilder *builder)
{
  g_autoptr(JsonNode) root = NULL;
  char *text;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  return g_bytes_new_take (text, strlen (text));
}
