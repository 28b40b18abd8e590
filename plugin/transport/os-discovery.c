/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json.h"
#include "transport/os-discovery.h"

void
os_api_version_free (OsApiVersion *self)
{
  g_free (self->path);
  g_free (self->highest);
  g_free (self);
}

static const char *
get_text (JsonObject *object,
          const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

/* The path of "links": [{"rel": "self", "href": "…"}]. */
static char *
dup_self_path (JsonObject *version)
{
  JsonNode *links = json_object_get_member (version, "links");
  JsonArray *array;

  if (links == NULL || !JSON_NODE_HOLDS_ARRAY (links))
    return NULL;
  array = json_node_get_array (links);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *link = json_array_get_element (array, i);
      const char *href;
      g_autoptr(GUri) uri = NULL;
      char *path;

      if (!JSON_NODE_HOLDS_OBJECT (link)
          || g_strcmp0 (get_text (json_node_get_object (link), "rel"), "self") != 0)
        continue;
      href = get_text (json_node_get_object (link), "href");
      uri = href != NULL ? g_uri_parse (href, G_URI_FLAGS_ENCODED, NULL) : NULL;
      if (uri == NULL)
        return NULL;
      path = g_strdup (g_uri_get_path (uri));
      while (g_str_has_suffix (path, "/"))
        path[strlen (path) - 1] = '\0';
      return path;
    }
  return NULL;
}

/* "v3", "v3.14" */
static gboolean
parse_id (const char *id,
          guint      *major,
          guint      *minor)
{
  char *end;

  if (id == NULL || id[0] != 'v' || !g_ascii_isdigit (id[1]))
    return FALSE;
  *major = g_ascii_strtoull (id + 1, &end, 10);
  *minor = 0;
  if (end[0] == '.' && g_ascii_isdigit (end[1]))
    *minor = g_ascii_strtoull (end + 1, &end, 10);
  return *end == '\0';
}

static gboolean
is_one_of (const char        *text,
           const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_ascii_strcasecmp (text, words[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
read_version (JsonNode  *node,
              GPtrArray *versions)
{
  static const char *const usable[] = { "stable", "current", "supported", NULL };
  static const char *const deprecated[] = { "deprecated", NULL };
  JsonObject *object;
  const char *status;
  const char *highest;
  OsApiVersion *version;
  guint major;
  guint minor;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return;
  object = json_node_get_object (node);
  status = get_text (object, "status");
  if (status == NULL || !parse_id (get_text (object, "id"), &major, &minor)
      || !(is_one_of (status, usable) || is_one_of (status, deprecated)))
    return;

  highest = get_text (object, "version");
  version = g_new0 (OsApiVersion, 1);
  version->major = major;
  version->minor = minor;
  version->is_deprecated = is_one_of (status, deprecated);
  version->path = dup_self_path (object);
  version->highest = highest != NULL && *highest != '\0' ? g_strdup (highest) : NULL;
  g_ptr_array_add (versions, version);
}

/* {"versions": {"values": […]}}, {"versions": […]}, {"choices": […]} or {"version": {…}}. */
static JsonNode *
find_versions (JsonNode *document)
{
  static const char *const names[] = { "versions", "choices", "version" };
  JsonNode *node = NULL;

  if (!JSON_NODE_HOLDS_OBJECT (document))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names) && node == NULL; i++)
    node = json_object_get_member (json_node_get_object (document), names[i]);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node)
      && json_object_has_member (json_node_get_object (node), "values"))
    return json_object_get_member (json_node_get_object (node), "values");
  return node;
}

GPtrArray *
os_discovery_read (GBytes *document)
{
  GPtrArray *versions = g_ptr_array_new_with_free_func ((GDestroyNotify) os_api_version_free);
  g_autoptr(JsonNode) root = wk_json_parse (document, NULL);
  JsonNode *node = root != NULL ? find_versions (root) : NULL;
  JsonArray *array;

  if (node == NULL)
    return versions;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    {
      read_version (node, versions);
      return versions;
    }
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    read_version (json_array_get_element (array, i), versions);
  return versions;
}
