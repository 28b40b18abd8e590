/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * JSON text by template: what stands in the code is what goes over the wire,
 * with ' for ". In the template
 *   %s  const char *, a string, or null
 *   %r  const char *, put in as it is
 *   %d  int        %l  gint64        %b  gboolean
 *   %o  JsonObject *, or null        %j  JsonNode *, or null
 */
void fake_json_append (GString *out, const char *format, ...);
char *fake_json (const char *format, ...);
JsonObject *fake_json_object_new (const char *format, ...);

/* NULL unless @text is one JSON value */
JsonNode *fake_json_parse (const char *text, gssize length);
JsonObject *fake_json_parse_object (const char *text);
char *fake_json_node_to_text (JsonNode *node);

/* readers that take a missing or strange member for the fallback */
const char *fake_json_get_string (JsonObject *object, const char *name);
gint64 fake_json_get_int (JsonObject *object, const char *name, gint64 fallback);
gboolean fake_json_get_bool (JsonObject *object, const char *name, gboolean fallback);
JsonObject *fake_json_get_object (JsonObject *object, const char *name);
JsonArray *fake_json_get_array (JsonObject *object, const char *name);
gboolean fake_json_is_null (JsonObject *object, const char *name);
gboolean fake_json_node_is_string (JsonNode *node);
gboolean fake_json_array_has (JsonArray *array, const char *text);

/* a string, number or boolean as text, NULL for the rest (transfer full) */
char *fake_json_scalar_to_text (JsonNode *node);
/* as Python's repr() shows it, which services quote in their errors (transfer full) */
char *fake_json_node_to_python (JsonNode *node);
char *fake_json_text_to_python (const char *text);

void fake_json_set_text (JsonObject *object, const char *name, const char *json);
void fake_json_copy_members (JsonObject *into, JsonObject *from);
/* only members that are not null */
void fake_json_merge (JsonObject *into, JsonObject *from);

G_END_DECLS
