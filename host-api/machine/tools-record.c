/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/tools-record.h"

#include <json-glib/json-glib.h>

#include "base/json.h"

#define VERSION "version"

char *
welkin_tools_make_binary (WelkinTools *tools)
{
  return g_strjoin ("-", welkin_tools_get_version (tools), welkin_tools_get_series (tools),
                    welkin_tools_get_arch (tools), NULL);
}

/* In the words of 2014; the order of keys is part of them. */
char *
welkin_tools_make_record (WelkinTools *tools)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *binary = welkin_tools_make_binary (tools);
  const char *sha256 = welkin_tools_get_sha256 (tools);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, VERSION);
  json_builder_add_string_value (builder, binary);
  json_builder_set_member_name (builder, "url");
  json_builder_add_string_value (builder, welkin_tools_get_uri (tools));
  if (sha256 != NULL && *sha256 != '\0')
    {
      json_builder_set_member_name (builder, "sha256");
      json_builder_add_string_value (builder, sha256);
    }
  json_builder_set_member_name (builder, "size");
  json_builder_add_int_value (builder, MAX (welkin_tools_get_size (tools), 0));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

gboolean
welkin_tools_is_record (WelkinTools *tools,
                        const char  *text)
{
  g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr(JsonNode) root = wk_json_parse (bytes, NULL);
  g_autofree char *binary = welkin_tools_make_binary (tools);

  return root != NULL && JSON_NODE_HOLDS_OBJECT (root)
         && g_strcmp0 (json_object_get_string_member_with_default (json_node_get_object (root),
                                                                   VERSION, NULL),
                       binary)
              == 0;
}
