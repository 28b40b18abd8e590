/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Compute: versions, microversions, routing, errors, pages. */

#include "fake-nova.h"

/* errors */

static const struct
{
  guint status;
  const char *name;
} fault_names[] = {
  { 400, "badRequest" }, { 403, "forbidden" },     { 404, "itemNotFound" },
  { 405, "badMethod" },  { 406, "computeFault" },  { 409, "conflictingRequest" },
  { 413, "overLimit" },  { 415, "badMediaType" },  { 500, "computeFault" },
};

void
fake_nova_fail (FakeRequest *request, guint status, const char *format, ...)
{
  g_autofree char *message = NULL;
  const char *name = "computeFault";
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  for (guint i = 0; i < G_N_ELEMENTS (fault_names); i++)
    if (fault_names[i].status == status)
      name = fault_names[i].name;
  fake_request_reply_json (request, status, fake_json ("{'%r': {'code': %d, 'message': %s}}", name,
                                                       status, message));
  fake_request_set_header (request, "Content-Type", "application/json; charset=UTF-8");
}

void
fake_nova_reply_no_route (FakeRequest *request)
{
  static const char *const version_headers[] = {
    "OpenStack-API-Version", "X-OpenStack-Nova-API-Version", "Vary",
  };
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (request->message);

  for (guint i = 0; i < G_N_ELEMENTS (version_headers); i++)
    soup_message_headers_remove (headers, version_headers[i]);
  fake_request_reply_json (
    request, 404,
    fake_json ("{'message': %s, 'code': '404 Not Found', 'title': 'Not Found'}",
               "The resource could not be found.<br /><br />\n\n\n"));
}

char *
fake_nova_get_base (FakeRequest *request, gboolean with_version)
{
  const char *host = fake_request_get_header (request, "Host");

  return g_strdup_printf ("http://%s/compute%s", host != NULL ? host : "",
                          with_version ? "/v2.1" : "");
}

JsonObject *
fake_nova_get_body (FakeRequest *request, const char *name)
{
  const char *type = fake_request_get_header (request, "Content-Type");
  JsonNode *json = fake_request_get_json (request);
  g_autofree char *shown = NULL;
  JsonNode *member;

  if (type != NULL && g_str_has_prefix (type, "application/x-www-form-urlencoded"))
    {
      fake_nova_fail (request, 415, "Unsupported Content-Type");
      return NULL;
    }
  if (!fake_request_has_body (request))
    {
      fake_nova_fail (request, 400, "None is not of type 'object'");
      return NULL;
    }
  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    {
      fake_nova_fail (request, 400, "Malformed request body");
      return NULL;
    }
  member = json_object_get_member (json_node_get_object (json), name);
  if (member == NULL)
    {
      fake_nova_fail (request, 400, "'%s' is a required property", name);
      return NULL;
    }
  if (JSON_NODE_HOLDS_OBJECT (member))
    return json_node_get_object (member);
  shown = fake_json_node_to_python (member);
  fake_nova_fail (request, 400,
                  "Invalid input for field/attribute %s. Value: %s. %s is not of type 'object'",
                  name, shown, shown);
  return NULL;
}

/* pages */

gboolean
fake_nova_get_limit (FakeRequest *request, guint *limit)
{
  const char *text = fake_request_get_parameter (request, "limit");
  guint64 asked;

  *limit = (guint) request->cloud->settings.nova_max_limit;
  if (text == NULL || *text == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &asked, NULL))
    {
      fake_nova_fail (request, 400,
                      "Invalid input for query parameters limit. Value: %s. '%s' does not match "
                      "'^[0-9]*$'",
                      text, text);
      return FALSE;
    }
  *limit = MIN (*limit, (guint) asked);
  return TRUE;
}

void
fake_nova_append_next (FakeRequest *request,
                       GString *out,
                       const char *plural,
                       const char *marker)
{
  const char *host = fake_request_get_header (request, "Host");
  g_autoptr (GString) query = g_string_new (NULL);
  g_autofree char *href = NULL;

  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);
      g_autofree char *value = g_uri_escape_string (parameter->value, NULL, FALSE);

      if (!g_str_equal (parameter->name, "marker"))
        g_string_append_printf (query, "%s=%s&", parameter->name, value);
    }
  href = g_strdup_printf ("http://%s%s?%smarker=%s", host, request->entry->path, query->str,
                          marker);
  fake_json_append (out, ", '%r_links': [{'rel': 'next', 'href': %s}]", plural, href);
}

/* versions */

static char *
make_version (FakeCloud *cloud)
{
  int most = cloud->settings.nova_max_microversion;
  g_autofree char *version = most > 0 ? g_strdup_printf ("2.%d", most) : g_strdup ("");

  return fake_json ("'id': 'v2.1', 'status': 'CURRENT', 'version': %s, 'min_version': %s,"
                    " 'updated': '2013-07-23T11:33:21Z'",
                    version, most > 0 ? "2.1" : "");
}

static void
reply_versions (FakeRequest *request)
{
  g_autofree char *base = fake_nova_get_base (request, FALSE);
  g_autofree char *version = make_version (request->cloud);

  fake_request_reply_json (
    request, 200,
    fake_json ("{'versions': [{'id': 'v2.0', 'status': 'SUPPORTED', 'version': '',"
               " 'min_version': '', 'updated': '2011-01-21T11:33:21Z',"
               " 'links': [{'rel': 'self', 'href': '%r/v2/'}]},"
               " {%r, 'links': [{'rel': 'self', 'href': '%r/v2.1/'}]}]}",
               base, version, base));
}

static void
reply_version (FakeRequest *request)
{
  g_autofree char *base = fake_nova_get_base (request, FALSE);
  g_autofree char *version = make_version (request->cloud);

  fake_request_reply_json (
    request, 200,
    fake_json ("{'version': {%r, 'links': [{'rel': 'self', 'href': '%r/v2.1/'},"
               " {'rel': 'describedby', 'type': 'text/html',"
               " 'href': 'http://docs.openstack.org/'}],"
               " 'media-types': [{'base': 'application/json',"
               " 'type': 'application/vnd.openstack.compute+json;version=2.1'}]}}",
               version, base));
}

static void
reply_choices (FakeRequest *request)
{
  g_autofree char *base = fake_nova_get_base (request, FALSE);

  fake_request_reply_json (
    request, 300,
    fake_json (
      "{'choices': [{'id': 'v2.0', 'status': 'SUPPORTED', 'links': [{'rel': 'self',"
      " 'href': '%r/v2%r'}], 'media-types': [{'base': 'application/json',"
      " 'type': 'application/vnd.openstack.compute+json;version=2'}]},"
      " {'id': 'v2.1', 'status': 'CURRENT', 'links': [{'rel': 'self', 'href': '%r/v2.1%r'}],"
      " 'media-types': [{'base': 'application/json',"
      " 'type': 'application/vnd.openstack.compute+json;version=2.1'}]}]}",
      base, request->path, base, request->path));
}

static void
set_version_headers (FakeRequest *request, const char *version)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (request->message);
  g_autofree char *with_service = g_strconcat ("compute ", version, NULL);

  fake_request_set_header (request, "OpenStack-API-Version", with_service);
  fake_request_set_header (request, "X-OpenStack-Nova-API-Version", version);
  soup_message_headers_append (headers, "Vary", "OpenStack-API-Version");
  soup_message_headers_append (headers, "Vary", "X-OpenStack-Nova-API-Version");
}

/* The newer header wins over the older one. */
static const char *
get_asked_version (FakeRequest *request)
{
  const char *asked = fake_request_get_header (request, "OpenStack-API-Version");

  if (asked != NULL && g_str_has_prefix (asked, "compute "))
    return asked + strlen ("compute ");
  return fake_request_get_header (request, "X-OpenStack-Nova-API-Version");
}

/* Sets the microversion; FALSE after an answer. */
static gboolean
negotiate (FakeRequest *request)
{
  int most = request->cloud->settings.nova_max_microversion;
  const char *asked = get_asked_version (request);
  g_autofree char *granted = NULL;
  guint64 major = 2, minor = 1;

  if (most == 0)
    return TRUE;
  if (g_strcmp0 (asked, "latest") == 0)
    minor = (guint64) most;
  else if (asked != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (asked, ".", -1);

      if (g_strv_length (parts) != 2
          || !g_ascii_string_to_unsigned (parts[0], 10, 0, 99, &major, NULL)
          || !g_ascii_string_to_unsigned (parts[1], 10, 0, 9999, &minor, NULL))
        {
          fake_nova_fail (request, 400,
                          "API Version String %s is of invalid format. Must be of format "
                          "MajorNum.MinorNum.",
                          asked);
          return FALSE;
        }
    }
  granted = g_strdup_printf ("%d.%d", (int) major, (int) minor);
  set_version_headers (request, granted);
  if (major != 2 || minor < 1 || minor > (guint64) most)
    {
      fake_nova_fail (request, 406,
                      "Version %s is not supported by the API. Minimum is 2.1 and maximum is "
                      "2.%d.",
                      granted, most);
      return FALSE;
    }
  request->microversion = (int) minor;
  return TRUE;
}

/* routing */

static const FakeRoute routes[] = {
  { "GET", "/flavors", fake_nova_list_flavors },
  { "GET", "/flavors/detail", fake_nova_detail_flavors },
  { "GET", "/flavors/*", fake_nova_get_flavor },
  { "GET", "/os-availability-zone", fake_nova_list_zones },
  { "GET", "/os-availability-zone/detail", fake_nova_detail_zones },
  { "GET", "/limits", fake_nova_get_limits },
  { "GET", "/os-server-groups", fake_nova_list_groups },
  { "POST", "/os-server-groups", fake_nova_create_group },
  { "GET", "/os-server-groups/*", fake_nova_get_group },
  { "DELETE", "/os-server-groups/*", fake_nova_delete_group },
  { "GET", "/os-networks", fake_nova_list_networks },
  { "GET", "/os-tenant-networks", fake_nova_list_networks },
  { "GET", "/os-floating-ip-pools", fake_nova_list_pools },
  { "GET", "/os-floating-ips", fake_nova_list_floating },
  { "POST", "/os-floating-ips", fake_nova_create_floating },
  { "GET", "/os-floating-ips/*", fake_nova_get_floating },
  { "DELETE", "/os-floating-ips/*", fake_nova_delete_floating },
  { "GET", "/os-security-groups", fake_nova_list_security_groups },
  { "POST", "/os-security-groups", fake_nova_create_security_group },
  { "GET", "/os-security-groups/*", fake_nova_get_security_group },
  { "DELETE", "/os-security-groups/*", fake_nova_delete_security_group },
  { "POST", "/os-security-group-rules", fake_nova_create_security_rule },
  { "DELETE", "/os-security-group-rules/*", fake_nova_delete_security_rule },
  { "GET", "/servers", fake_nova_list_servers },
  { "POST", "/servers", fake_nova_create_server },
  { "GET", "/servers/detail", fake_nova_detail_servers },
  { "GET", "/servers/*", fake_nova_get_server },
  { "PUT", "/servers/*", fake_nova_update_server },
  { "DELETE", "/servers/*", fake_nova_delete_server },
  { "POST", "/servers/*/action", fake_nova_act },
  { "GET", "/servers/*/os-interface", fake_nova_get_interfaces },
  { "GET", "/servers/*/os-security-groups", fake_nova_list_server_groups_of },
  { "GET", "/servers/*/metadata", fake_nova_get_metadata },
  { "POST", "/servers/*/metadata", fake_nova_post_metadata },
  { "PUT", "/servers/*/metadata", fake_nova_put_metadata },
  { "DELETE", "/servers/*/metadata/*", fake_nova_delete_metadata },
  { "GET", "/servers/*/tags", fake_nova_get_tags },
  { "PUT", "/servers/*/tags", fake_nova_put_tags },
  { "DELETE", "/servers/*/tags", fake_nova_delete_tags },
  { "PUT", "/servers/*/tags/*", fake_nova_put_tag },
  { "DELETE", "/servers/*/tags/*", fake_nova_delete_tag },
};

/* Skips the project id that may follow the version; FALSE after an answer. */
static gboolean
skip_project (FakeRequest *request, const char **path)
{
  const char *end = strchrnul (*path + 1, '/');
  g_autofree char *id = g_strndup (*path + 1, (gsize) (end - *path - 1));

  if (!g_regex_match_simple ("^[0-9a-f]{32}$", id, 0, 0))
    return TRUE;
  if (g_strcmp0 (id, request->token->project_id) != 0)
    {
      fake_nova_fail (request, 400,
                      "Malformed request URL: URL's project_id '%s' doesn't match Context's "
                      "project_id '%s'",
                      id, request->token->project_id);
      return FALSE;
    }
  *path = end;
  return TRUE;
}

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);
  const char *path = request->path;
  gboolean is_old;

  if (*path == '\0' || g_str_equal (path, "/"))
    return reply_versions (request);
  is_old = g_str_has_prefix (path, "/v2/");
  if (!is_old && !g_str_equal (path, "/v2.1") && !g_str_has_prefix (path, "/v2.1/"))
    return reply_choices (request);

  fake_request_set_header (request, "X-Openstack-Request-Id", request_id);
  fake_request_set_header (request, "X-Compute-Request-Id", request_id);
  path += is_old ? strlen ("/v2") : strlen ("/v2.1");
  if (*path == '\0' || g_str_equal (path, "/"))
    {
      if (negotiate (request))
        reply_version (request);
      return;
    }
  if (fake_keystone_authenticate (request) == NULL)
    return fake_keystone_reply_unauthorized (request);
  if (!is_old && !negotiate (request))
    return;
  if (!skip_project (request, &path))
    return;
  if (*path == '\0' || fake_request_route (request, path, routes, G_N_ELEMENTS (routes))
                         != FAKE_ROUTE_FOUND)
    fake_nova_reply_no_route (request);
}

/* scripts and contents */

typedef struct
{
  char *name; /* glob (nullable) */
  char *zone; /* glob (nullable) */
  int times;
  char **states;
  int code;
  char *message;
} Script;

static void
script_free (gpointer data)
{
  Script *script = data;

  g_free (script->name);
  g_free (script->zone);
  g_strfreev (script->states);
  g_free (script->message);
  g_free (script);
}

void
fake_cloud_script_server (FakeCloud *self,
                          const char *name,
                          const char *zone,
                          int times,
                          const char *states,
                          int code,
                          const char *message)
{
  Script *script = g_new0 (Script, 1);

  g_return_if_fail (*states != '\0');
  script->name = g_strdup (name);
  script->zone = g_strdup (zone);
  script->times = times;
  script->states = g_strsplit (states, ",", -1);
  script->code = code;
  script->message = g_strdup (message);
  g_ptr_array_add (self->nova->scripts, script);
}

void
fake_nova_take_script (FakeCloud *cloud, FakeServer *server)
{
  for (guint i = 0; i < cloud->nova->scripts->len; i++)
    {
      Script *script = g_ptr_array_index (cloud->nova->scripts, i);

      if (script->times == 0
          || (script->name != NULL && !g_pattern_match_simple (script->name, server->name))
          || (script->zone != NULL && !g_pattern_match_simple (script->zone, server->zone)))
        continue;
      if (script->times > 0)
        script->times--;
      server->script = g_strdupv (script->states);
      server->script_code = script->code;
      server->script_message = g_strdup (script->message);
      return;
    }
}

static void
remove_server (FakeCloud *cloud, const char *kind, const char *id)
{
  fake_nova_finish_delete (cloud, id);
}

static void
create (FakeCloud *cloud)
{
  FakeNova *nova = g_new0 (FakeNova, 1);

  nova->links = g_hash_table_new (g_str_hash, g_str_equal);
  g_queue_init (&nova->servers);
  nova->scripts = g_ptr_array_new_with_free_func (script_free);
  cloud->nova = nova;
  fake_cloud_add_kind (cloud, "flavor", fake_nova_add_flavor, NULL);
  fake_cloud_add_kind (cloud, "zone", fake_nova_add_zone, NULL);
  fake_cloud_add_kind (cloud, "keypair", fake_nova_add_keypair, NULL);
  fake_cloud_add_kind (cloud, "server_group", NULL, NULL);
  fake_cloud_add_kind (cloud, "server", fake_nova_add_server, remove_server);
}

static void
destroy (FakeCloud *cloud)
{
  FakeNova *nova = g_steal_pointer (&cloud->nova);

  g_hash_table_unref (nova->links);
  g_queue_clear_full (&nova->servers, (GDestroyNotify) fake_server_free);
  g_ptr_array_unref (nova->scripts);
  g_free (nova);
}

static void
dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines)
{
  GList *l;

  for (l = cloud->nova->servers.head; l != NULL; l = l->next)
    {
      FakeServer *server = l->data;
      JsonObject *project = fake_cloud_find_object (cloud, "project", server->project_id);
      g_autofree char *tags = NULL;

      if (project_id != NULL && !g_str_equal (server->project_id, project_id))
        continue;
      g_ptr_array_add (server->tags, NULL);
      tags = g_strjoinv (",", (char **) server->tags->pdata);
      g_ptr_array_set_size (server->tags, (int) server->tags->len - 1);
      g_ptr_array_add (lines,
                       g_strdup_printf ("server %s/%s %s flavor=%s tags=[%s]",
                                        fake_json_get_string (project, "name"), server->name,
                                        server->status,
                                        fake_json_get_string (server->flavor, "name"), tags));
    }
  for (l = fake_store_get_first (fake_cloud_get_store (cloud, "server_group")); l != NULL;
       l = l->next)
    if (project_id == NULL
        || g_strcmp0 (fake_json_get_string (l->data, "project_id"), project_id) == 0)
      g_ptr_array_add (lines, g_strdup_printf ("server_group %s policy=%s",
                                               fake_json_get_string (l->data, "name"),
                                               fake_json_get_string (l->data, "policy")));
}

const FakeService fake_nova_service = {
  .type = "compute",
  .prefix = "/compute",
  .create = create,
  .destroy = destroy,
  .handle = handle,
  .dump = dump,
};
