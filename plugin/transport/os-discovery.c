/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json.h"
#include "base/uri.h"
#include "transport/os-discovery.h"

void
os_api_version_free (OsApiVersion *self)
{
  g_free (self->origin);
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

/* "links": [{"rel": "self", "href": "…"}] */
static const char *
find_self_link (JsonObject *version)
{
  JsonNode *links = json_object_get_member (version, "links");
  JsonArray *array;

  if (links == NULL || !JSON_NODE_HOLDS_ARRAY (links))
    return NULL;
  array = json_node_get_array (links);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *link = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (link)
          && g_strcmp0 (get_text (json_node_get_object (link), "rel"), "self") == 0)
        return get_text (json_node_get_object (link), "href");
    }
  return NULL;
}

static void
take_link (OsApiVersion *version,
           const char   *href)
{
  g_autoptr(GUri) uri = href != NULL ? g_uri_parse (href, G_URI_FLAGS_ENCODED, NULL) : NULL;

  if (uri == NULL)
    return;
  version->origin = wk_uri_get_origin (href);
  version->path = g_strdup (g_uri_get_path (uri));
  while (g_str_has_suffix (version->path, "/"))
    version->path[strlen (version->path) - 1] = '\0';
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
  take_link (version, find_self_link (object));
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

/* What is deprecated is better than nothing. */
static gboolean
is_better (const OsApiVersion *version,
           const OsApiVersion *than)
{
  if (than == NULL || version->is_deprecated != than->is_deprecated)
    return than == NULL || than->is_deprecated;
  return version->minor > than->minor;
}

/* Whether path is at or below base, both without a slash at the end. */
static gboolean
is_below (const char *path,
          const char *base)
{
  gsize length = strlen (base);

  return strncmp (path, base, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* The last segment of the link's path, when it is the version. */
static const char *
get_version_segment (const OsApiVersion *version)
{
  g_autofree char *pattern = g_strdup_printf ("^/v%u(\\.\\d+)?$", version->major);
  const char *slash = version->path != NULL ? strrchr (version->path, '/') : NULL;

  return slash != NULL && g_regex_match_simple (pattern, slash, 0, 0) ? slash : NULL;
}

/* A link may be believed as far as its path goes: if it is at the very host, or else below the path
 * that we know. */
static gboolean
is_path_good (const OsApiVersion *version,
              const char         *base)
{
  g_autofree char *origin = wk_uri_get_origin (base);
  g_autoptr(GUri) uri = g_uri_parse (base, G_URI_FLAGS_ENCODED, NULL);
  g_autofree char *base_path = g_strdup (g_uri_get_path (uri));

  while (g_str_has_suffix (base_path, "/"))
    base_path[strlen (base_path) - 1] = '\0';
  return g_strcmp0 (version->origin, origin) == 0 || is_below (version->path, base_path);
}

char *
os_discovery_choose (GPtrArray  *versions,
                     const char *base,
                     guint       major)
{
  g_autofree char *origin = wk_uri_get_origin (base);
  const OsApiVersion *best = NULL;
  const char *segment;

  for (guint i = 0; i < versions->len; i++)
    {
      const OsApiVersion *version = g_ptr_array_index (versions, i);

      if (version->major == major && is_better (version, best))
        best = version;
    }
  if (best == NULL)
    return NULL;
  segment = get_version_segment (best);
  if (segment != NULL && is_path_good (best, base))
    return g_strconcat (origin, best->path, NULL);
  if (segment != NULL)
    return g_strconcat (base, segment, NULL);
  /* Identity has all of its versions 3 at /v3. */
  return major == 3 ? g_strconcat (base, "/v3", NULL)
                    : g_strdup_printf ("%s/v%u.%u", base, major, best->minor);
}
