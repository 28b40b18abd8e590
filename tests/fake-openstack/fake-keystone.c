/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: accounts, routing, the version documents, what there is beside logins. */

#include "fake-keystone.h"

#define VERSION                                                                                   \
  "{'id': 'v3.14', 'status': 'stable', 'updated': '2020-04-07T00:00:00Z',"                        \
  " 'links': [{'rel': 'self', 'href': '%r/v3/'}],"                                                \
  " 'media-types': [{'base': 'application/json',"                                                 \
  " 'type': 'application/vnd.openstack.identity-v3+json'}]}"

#define VERSION_TWO                                                                               \
  "{'links': [{'rel': 'self', 'href': '%r/v2.0/'}], 'id': 'v2.0', 'status': %s,"                  \
  " 'updated': '2014-04-17T00:00:00Z', 'media-types': [{'base': 'application/json',"              \
  " 'type': 'application/vnd.openstack.identity-v2.0+json'}]}"

#define UNAUTHORIZED "The request you have made requires authentication."
#define NOT_FOUND_HTML                                                                            \
  "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"           \
  "<p>The requested URL was not found on the server. If you entered the URL manually please "     \
  "check your spelling and try again.</p>\n"

/* where the service is, without a version (transfer full) */
static char *
get_base (FakeCloud *cloud)
{
  return g_strconcat (cloud->url, fake_keystone_service.prefix, NULL);
}

gint64
fake_keystone_get_time (FakeCloud *cloud)
{
  return g_get_real_time () + (gint64) cloud->settings.clock_skew * G_USEC_PER_SEC;
}

/* errors */

void
fake_keystone_fail (FakeRequest *request, guint status, const char *message, const char *extra)
{
  const char *title = soup_status_get_phrase (status);
  g_autofree char *uri = NULL;

  if (status == 401)
    {
      uri = g_strdup_printf ("Keystone uri=\"%s\"", request->cloud->auth_url);
      fake_request_set_header (request, "WWW-Authenticate", uri);
    }
  fake_request_reply_json (request, status,
                           fake_json ("{'error':{'code':%d,%r'message':%s,'title':%s}}", status,
                                      extra != NULL ? extra : "", message, title));
}

void
fake_keystone_fail_malformed (FakeRequest *request, const char *what, const char *where)
{
  g_autofree char *message =
    g_strdup_printf ("Expecting to find %s in %s. The server could not comply with the request "
                     "since it is either malformed or otherwise incorrect. The client is assumed "
                     "to be in error.",
                     what, where);

  fake_keystone_fail (request, 400, message, NULL);
}

void
fake_keystone_reply_unauthorized (FakeRequest *request)
{
  g_autofree char *uri = g_strdup_printf ("Keystone uri=\"%s\"", request->cloud->auth_url);

  fake_request_set_header (request, "WWW-Authenticate", uri);
  fake_request_reply_json (request, 401,
                           fake_json ("{'error': {'code': 401, 'title': 'Unauthorized',"
                                      " 'message': %s}}",
                                      UNAUTHORIZED));
}

void
fake_keystone_refuse (FakeRequest *request)
{
  fake_keystone_fail (request, 401, UNAUTHORIZED, NULL);
}

/* contents */

static JsonObject *
add_domain (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  g_autofree char *id = g_strdup (fake_json_get_string (content, "id"));

  if (name == NULL)
    return NULL;
  if (id == NULL)
    id = fake_hex_id ();
  return fake_store_add (fake_cloud_get_store (cloud, "domain"),
                         fake_json_object_new ("{'id': %s, 'name': %s}", id, name));
}

/* FALSE if the domain that is named is not there. */
static gboolean
take_domain (FakeCloud *cloud, JsonObject *object, JsonObject *content)
{
  const char *domain = fake_json_get_string (content, "domain");

  domain = domain != NULL ? fake_cloud_find (cloud, "domain", domain) : "default";
  if (domain != NULL)
    json_object_set_string_member (object, "domain_id", domain);
  return domain != NULL;
}

static JsonObject *
add_project (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  g_autofree char *id = g_strdup (fake_json_get_string (content, "id"));
  JsonObject *project;

  if (name == NULL)
    return NULL;
  if (id == NULL)
    id = fake_hex_id ();
  project = fake_json_object_new ("{'id': %s, 'name': %s}", id, name);
  if (!take_domain (cloud, project, content))
    {
      json_object_unref (project);
      return NULL;
    }
  fake_store_add (fake_cloud_get_store (cloud, "project"), project);
  fake_neutron_ensure_default_group (cloud, id);
  return project;
}

static JsonObject *
add_user (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  const char *project = fake_json_get_string (content, "default_project");
  JsonObject *roles = fake_json_get_object (content, "roles");
  g_autofree char *id = g_strdup (fake_json_get_string (content, "id"));
  g_autoptr (JsonObject) own_roles = json_object_new ();
  JsonObject *user;
  JsonObjectIter iter;
  const char *project_name;
  JsonNode *list;

  if (name == NULL || fake_json_get_string (content, "password") == NULL)
    return NULL;
  if (id == NULL)
    id = fake_hex_id ();
  if (roles != NULL)
    {
      json_object_iter_init_ordered (&iter, roles);
      while (json_object_iter_next_ordered (&iter, &project_name, &list))
        {
          const char *project_id = fake_cloud_find (cloud, "project", project_name);

          if (project_id == NULL)
            return NULL;
          json_object_set_member (own_roles, project_id, json_node_copy (list));
        }
    }
  user = fake_json_object_new ("{'id': %s, 'name': %s, 'password': %s, 'roles': %o,"
                               " 'default_project_id': %s}",
                               id, name, fake_json_get_string (content, "password"), own_roles,
                               project != NULL ? fake_cloud_find (cloud, "project", project)
                                               : NULL);
  if (!take_domain (cloud, user, content))
    {
      json_object_unref (user);
      return NULL;
    }
  return fake_store_add (fake_cloud_get_store (cloud, "user"), user);
}

static JsonObject *
add_credential (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  const char *secret = fake_json_get_string (content, "secret");
  const char *user = fake_json_get_string (content, "user");
  const char *project = fake_json_get_string (content, "project");
  g_autofree char *id = fake_hex_id ();

  user = user != NULL ? fake_cloud_find (cloud, "user", user) : NULL;
  project = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  if (name == NULL || secret == NULL || user == NULL || project == NULL)
    return NULL;
  return fake_store_add (
    fake_cloud_get_store (cloud, "credential"),
    fake_json_object_new ("{'id': %s, 'name': %s, 'secret': %s, 'user_id': %s, 'project_id': %s,"
                          " 'unrestricted': %b}",
                          id, name, secret, user, project,
                          fake_json_get_bool (content, "unrestricted", FALSE)));
}

static JsonObject *
add_ec2_key (FakeCloud *cloud, JsonObject *content)
{
  const char *access = fake_json_get_string (content, "access");
  const char *secret = fake_json_get_string (content, "secret");
  const char *user = fake_json_get_string (content, "user");
  const char *project = fake_json_get_string (content, "project");

  user = user != NULL ? fake_cloud_find (cloud, "user", user) : NULL;
  project = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  if (access == NULL || secret == NULL || user == NULL || project == NULL)
    return NULL;
  return fake_store_add (fake_cloud_get_store (cloud, "ec2-key"),
                         fake_json_object_new ("{'id': %s, 'access': %s, 'secret': %s,"
                                               " 'user_id': %s, 'project_id': %s}",
                                               access, access, secret, user, project));
}

static JsonObject *
add_trust (FakeCloud *cloud, JsonObject *content)
{
  const char *trustor = fake_json_get_string (content, "trustor");
  const char *trustee = fake_json_get_string (content, "trustee");
  const char *project = fake_json_get_string (content, "project");
  g_autofree char *id = fake_hex_id ();

  trustor = trustor != NULL ? fake_cloud_find (cloud, "user", trustor) : NULL;
  trustee = trustee != NULL ? fake_cloud_find (cloud, "user", trustee) : NULL;
  project = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  if (trustor == NULL || trustee == NULL || project == NULL)
    return NULL;
  return fake_store_add (fake_cloud_get_store (cloud, "trust"),
                         fake_json_object_new ("{'id': %s, 'trustor': %s, 'trustee': %s,"
                                               " 'project_id': %s}",
                                               id, trustor, trustee, project));
}

static JsonObject *
add_endpoint (FakeCloud *cloud, JsonObject *content)
{
  const char *type = fake_json_get_string (content, "type");
  const char *url = fake_json_get_string (content, "url");
  const char *name = fake_json_get_string (content, "name");
  const char *region = fake_json_get_string (content, "region");
  g_autofree char *id = fake_hex_id ();
  g_autoptr (GString) whole = g_string_new (url);

  if (type == NULL || url == NULL)
    return NULL;
  g_string_replace (whole, "$(cloud)", cloud->url, 0);
  return fake_store_add (
    fake_cloud_get_store (cloud, "endpoint"),
    fake_json_object_new ("{'id': %s, 'type': %s, 'name': %s, 'region': %s, 'interface': %s,"
                          " 'url': %s}",
                          id, type, name != NULL ? name : type,
                          region != NULL ? region : "RegionOne",
                          fake_json_get_string (content, "interface"), whole->str));
}

/* tokens */

/* The token that the request is about; answers if it may not be asked for. */
static FakeToken *
get_subject_token (FakeRequest *request)
{
  FakeToken *token;

  if (fake_keystone_authenticate (request) == NULL)
    {
      fake_keystone_refuse (request);
      return NULL;
    }
  token = fake_keystone_get_token (request->cloud,
                                   fake_request_get_header (request, "X-Subject-Token"));
  if (token == NULL)
    fake_keystone_fail (request, 404, "Could not recognize Fernet token", NULL);
  return token;
}

static void
get_token_cb (FakeRequest *request)
{
  FakeToken *token = get_subject_token (request);

  if (token != NULL)
    fake_keystone_reply_token (request, 200, token);
}

static void
delete_token (FakeRequest *request)
{
  FakeToken *token = get_subject_token (request);

  if (token == NULL)
    return;
  g_hash_table_remove (request->cloud->tokens, token->id);
  fake_request_reply (request, 204, NULL, NULL);
}

static void
get_catalog (FakeRequest *request)
{
  const FakeToken *token = fake_keystone_authenticate (request);
  g_autofree char *catalog = NULL;

  if (token == NULL)
    return fake_keystone_refuse (request);
  if (token->project_id == NULL)
    return fake_keystone_fail (request, 403,
                        "You are not authorized to perform the requested action.", NULL);
  catalog = fake_keystone_make_catalog (request->cloud, token->project_id);
  fake_request_reply_json (request, 200,
                           fake_json ("{'catalog': %r, 'links': {'self': '%r/auth/catalog'}}",
                                      catalog, request->cloud->auth_url));
}

static void
get_projects (FakeRequest *request)
{
  const FakeToken *token = fake_keystone_authenticate (request);
  GString *out;
  JsonObject *user, *roles;
  const char *separator = "";

  if (token == NULL)
    return fake_keystone_refuse (request);
  user = fake_cloud_find_object (request->cloud, "user", token->user_id);
  roles = fake_json_get_object (user, "roles");
  out = g_string_new ("{\"projects\": [");
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "project"));
       l != NULL; l = l->next)
    {
      const char *id = fake_json_get_string (l->data, "id");

      if (!json_object_has_member (roles, id))
        continue;
      fake_json_append (out, "%r{'id': %s, 'name': %s, 'domain_id': 'default', 'description': '',"
                             " 'enabled': true, 'parent_id': 'default', 'is_domain': false,"
                             " 'tags': [], 'options': {}, 'links': {'self': '%r/projects/%r'}}",
                        separator, id, fake_json_get_string (l->data, "name"),
                        request->cloud->auth_url, id);
      separator = ", ";
    }
  fake_json_append (out, "], 'links': {'next': null, 'self': '%r/auth/projects',"
                         " 'previous': null}}",
                    request->cloud->auth_url);
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* versions */

/* As of v3 and, if it is to be there, of v2.0, which upstream called stable, then deprecated. */
static void
get_versions (FakeRequest *request)
{
  FakeSettings *settings = &request->cloud->settings;
  g_autofree char *base = get_base (request->cloud);
  g_autofree char *location = g_strconcat (base, "/v3/", NULL);
  g_autofree char *three = fake_json (VERSION, base);
  g_autofree char *two = fake_json (VERSION_TWO, base, settings->keystone_has_v3 ? "deprecated"
                                                                                 : "stable");
  gboolean has_both = settings->keystone_has_v3 && settings->keystone_has_v2;

  if (settings->keystone_has_v3)
    fake_request_set_header (request, "Location", location);
  fake_request_reply_json (request, 300,
                           fake_json ("{'versions': {'values': [%r%r%r]}}",
                                      settings->keystone_has_v3 ? three : "", has_both ? ", " : "",
                                      settings->keystone_has_v2 ? two : ""));
}

static void
get_version (FakeRequest *request)
{
  g_autofree char *base = get_base (request->cloud);

  fake_request_reply_json (request, 200, fake_json ("{'version': " VERSION "}", base));
}

static const FakeRoute routes[] = {
  { "GET", "", get_versions },
  { "GET", "/", get_versions },
};

static const FakeRoute v1_routes[] = {
  { "GET", "/v1.0", fake_keystone_get_token_v1 },
};

static const FakeRoute v2_routes[] = {
  { "POST", "/v2.0/tokens", fake_keystone_post_token_v2 },
  { "POST", "/v2.0/ec2tokens", fake_keystone_post_ec2 },
};

static const FakeRoute v3_routes[] = {
  { "GET", "/v3", get_version },
  { "GET", "/v3/", get_version },
  { "POST", "/v3/auth/tokens", fake_keystone_post_token },
  { "GET", "/v3/auth/tokens", get_token_cb },
  { "HEAD", "/v3/auth/tokens", get_token_cb },
  { "DELETE", "/v3/auth/tokens", delete_token },
  { "GET", "/v3/auth/catalog", get_catalog },
  { "GET", "/v3/auth/projects", get_projects },
  { "POST", "/v3/ec2tokens", fake_keystone_post_ec2 },
  { "POST", "/v3/users/*/application_credentials", fake_keystone_post_credential },
  { "DELETE", "/v3/users/*/application_credentials/*", fake_keystone_delete_credential },
  { "POST", "/v3/users/*/credentials/OS-EC2", fake_keystone_post_ec2_key },
  { "DELETE", "/v3/users/*/credentials/OS-EC2/*", fake_keystone_delete_ec2_key },
  { "GET", "/v3/users/*/credentials/OS-EC2", fake_keystone_list_keys },
};

/* Versions that are not there are no different from any other path. */
static FakeRouteResult
route (FakeRequest *request)
{
  FakeSettings *settings = &request->cloud->settings;

  if (settings->keystone_has_v1 && g_str_has_prefix (request->path, "/v1.0"))
    return fake_request_route (request, request->path, v1_routes, G_N_ELEMENTS (v1_routes));
  if (settings->keystone_has_v2 && g_str_has_prefix (request->path, "/v2.0"))
    return fake_request_route (request, request->path, v2_routes, G_N_ELEMENTS (v2_routes));
  if (settings->keystone_has_v3 && g_str_has_prefix (request->path, "/v3"))
    return fake_request_route (request, request->path, v3_routes, G_N_ELEMENTS (v3_routes));
  return fake_request_route (request, request->path, routes, G_N_ELEMENTS (routes));
}

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);

  fake_request_set_header (request, "Vary", "X-Auth-Token");
  fake_request_set_header (request, "X-Openstack-Request-Id", request_id);
  switch (route (request))
    {
    case FAKE_ROUTE_NONE:
      fake_request_reply (request, 404, "text/html; charset=utf-8", NOT_FOUND_HTML);
      break;
    case FAKE_ROUTE_NO_METHOD:
      fake_request_reply_json (
        request, 405,
        fake_json ("{'message': 'The method is not allowed for the requested URL.'}\n"));
      break;
    case FAKE_ROUTE_FOUND:
    default:
      break;
    }
}

static void
create (FakeCloud *cloud)
{
  fake_keystone_create_tokens (cloud);
  fake_cloud_add_kind (cloud, "domain", add_domain, NULL);
  fake_cloud_add_kind (cloud, "project", add_project, NULL);
  fake_cloud_add_kind (cloud, "user", add_user, NULL);
  fake_cloud_add_kind (cloud, "credential", add_credential, NULL);
  fake_cloud_add_kind (cloud, "ec2-key", add_ec2_key, NULL);
  fake_cloud_add_kind (cloud, "trust", add_trust, NULL);
  fake_cloud_add_kind (cloud, "endpoint", add_endpoint, NULL);
  fake_cloud_add (cloud, "domain", "{'name': 'Default', 'id': 'default'}");
}

static void
destroy (FakeCloud *cloud)
{
  g_clear_pointer (&cloud->tokens, g_hash_table_unref);
}

const FakeService fake_keystone_service = {
  .type = "identity",
  .prefix = "/identity",
  .create = create,
  .destroy = destroy,
  .handle = handle,
};
