/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: the version documents, tokens of v3, the catalog. */

#include "fake-neutron.h"

#define VERSION                                                                                   \
  "{'id': 'v3.14', 'status': 'stable', 'updated': '2020-04-07T00:00:00Z',"                        \
  " 'links': [{'rel': 'self', 'href': '%r/v3/'}],"                                                \
  " 'media-types': [{'base': 'application/json',"                                                 \
  " 'type': 'application/vnd.openstack.identity-v3+json'}]}"

#define UNAUTHORIZED "The request you have made requires authentication."
#define NOT_FOUND_HTML                                                                            \
  "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"           \
  "<p>The requested URL was not found on the server. If you entered the URL manually please "     \
  "check your spelling and try again.</p>\n"

static char *
get_base_url (FakeCloud *cloud)
{
  return g_strconcat (cloud->url, fake_keystone_service.prefix, NULL);
}

/* errors */

static void
reply_error (FakeRequest *request, guint status, const char *message, const char *extra)
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

static void
reply_malformed (FakeRequest *request, const char *what, const char *where)
{
  g_autofree char *message =
    g_strdup_printf ("Expecting to find %s in %s. The server could not comply with the request "
                     "since it is either malformed or otherwise incorrect. The client is assumed "
                     "to be in error.",
                     what, where);

  reply_error (request, 400, message, NULL);
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

/* contents */

static void
take_domain (JsonObject *object, JsonObject *content)
{
  const char *domain = fake_json_get_string (content, "domain");

  json_object_set_string_member (object, "domain_id", domain != NULL ? domain : "default");
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
  take_domain (project, content);
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
  take_domain (user, content);
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

static void
token_free (gpointer data)
{
  FakeToken *token = data;

  g_free (token->id);
  g_free (token->user_id);
  g_free (token->user_name);
  g_free (token->project_id);
  g_free (token->project_name);
  g_free (token->head);
  g_free (token->audit_ids);
  g_free (token->methods);
  g_free (token);
}

static FakeToken *
get_token (FakeCloud *cloud, const char *id)
{
  FakeToken *token = id != NULL ? g_hash_table_lookup (cloud->tokens, id) : NULL;

  return token != NULL && token->expires_us > g_get_real_time () ? token : NULL;
}

const FakeToken *
fake_keystone_authenticate (FakeRequest *request)
{
  const char *id = fake_request_get_header (request, "X-Auth-Token");

  if (id == NULL)
    id = fake_request_get_header (request, "X-Storage-Token");
  request->token = get_token (request->cloud, id);
  return request->token;
}

void
fake_cloud_expire_tokens (FakeCloud *self)
{
  g_hash_table_remove_all (self->tokens);
}

static char *
new_token_id (void)
{
  GString *id = g_string_new ("gAAAAAB");

  while (id->len < 183)
    {
      g_autofree char *part = fake_hex_id ();

      g_string_append (id, part);
    }
  g_string_truncate (id, 183);
  return g_string_free (id, FALSE);
}

static char *
make_catalog (FakeCloud *cloud, const char *project_id)
{
  static const char *const interfaces[] = { "public", "internal", "admin" };
  GString *out = g_string_new ("[");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  FakeStore *store = fake_cloud_get_store (cloud, "endpoint");

  for (GList *first = fake_store_get_first (store); first != NULL; first = first->next)
    {
      const char *type = fake_json_get_string (first->data, "type");
      const char *separator = "";

      if (!g_hash_table_add (seen, (gpointer) type))
        continue;
      g_string_append (out, g_hash_table_size (seen) > 1 ? ", " : "");
      g_string_append (out, "{\"endpoints\": [");
      for (GList *l = first; l != NULL; l = l->next)
        {
          const char *only = fake_json_get_string (l->data, "interface");
          const char *region = fake_json_get_string (l->data, "region");
          g_autoptr (GString) url = g_string_new (fake_json_get_string (l->data, "url"));

          if (!g_str_equal (fake_json_get_string (l->data, "type"), type))
            continue;
          g_string_replace (url, "$(project_id)", project_id, 0);
          for (guint i = 0; i < G_N_ELEMENTS (interfaces); i++)
            {
              g_autofree char *id = fake_hex_id ();

              if (only != NULL && !g_str_equal (only, interfaces[i]))
                continue;
              fake_json_append (out, "%r{'id': %s, 'interface': %s, 'region_id': %s, 'url': %s,"
                                     " 'region': %s}",
                                separator, id, interfaces[i], region, url->str, region);
              separator = ", ";
            }
        }
      fake_json_append (out, "], 'id': %s, 'type': %s, 'name': %s}",
                        fake_json_get_string (first->data, "id"), type,
                        fake_json_get_string (first->data, "name"));
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

static char *
make_token_body (FakeCloud *cloud, const FakeToken *token, gboolean with_catalog)
{
  GString *out = g_string_new (NULL);

  fake_json_append (out, "{'token': {%r", token->head);
  if (with_catalog && token->project_id != NULL)
    {
      g_autofree char *catalog = make_catalog (cloud, token->project_id);

      fake_json_append (out, ", 'catalog': %r", catalog);
    }
  g_string_append (out, "}}");
  return g_string_free (out, FALSE);
}

static char *
make_roles (JsonArray *roles, gboolean *is_admin)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < json_array_get_length (roles); i++)
    {
      const char *name = json_array_get_string_element (roles, i);
      g_autofree char *id = g_compute_checksum_for_string (G_CHECKSUM_MD5, name, -1);

      if (g_str_equal (name, "admin"))
        *is_admin = TRUE;
      fake_json_append (out, "%r{'id': %s, 'name': %s}", i > 0 ? ", " : "", id, name);
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

/* What a login has found out. */
typedef struct
{
  JsonObject *user;
  JsonObject *project;        /* (nullable) */
  JsonObject *credential;     /* (nullable) */
  const FakeToken *old_token; /* (nullable) */
} Login;

static FakeToken *
make_token (FakeCloud *cloud, const Login *login, const char *method)
{
  FakeToken *token = g_new0 (FakeToken, 1);
  gint64 now = g_get_real_time ();
  g_autofree char *issued = fake_time_text (now, TRUE);
  g_autofree char *expires = NULL;
  g_autofree char *audit = fake_hex_id ();
  GString *head = g_string_new (NULL);

  token->id = new_token_id ();
  token->expires_us = now + (gint64) cloud->settings.token_life * G_USEC_PER_SEC;
  token->is_delegated = login->credential != NULL;
  token->methods = g_strdup_printf ("\"%s\"", method);
  token->audit_ids = g_strdup_printf ("\"%.22s\"", audit);
  if (login->old_token != NULL)
    {
      token->expires_us = login->old_token->expires_us;
      g_free (token->methods);
      token->methods = g_strdup_printf ("%s, \"token\"", login->old_token->methods);
      g_free (token->audit_ids);
      token->audit_ids = g_strdup_printf ("\"%.22s\", %s", audit, login->old_token->audit_ids);
    }
  token->user_id = g_strdup (fake_json_get_string (login->user, "id"));
  token->user_name = g_strdup (fake_json_get_string (login->user, "name"));
  expires = fake_time_text (token->expires_us, TRUE);

  fake_json_append (head,
                    "'methods': [%r], 'user': {'domain': {'id': 'default', 'name': 'Default'},"
                    " 'id': %s, 'name': %s, 'password_expires_at': null}, 'audit_ids': [%r],"
                    " 'expires_at': %s, 'issued_at': %s",
                    token->methods, token->user_id, token->user_name, token->audit_ids, expires,
                    issued);
  if (login->project != NULL)
    {
      g_autofree char *roles = NULL;

      token->project_id = g_strdup (fake_json_get_string (login->project, "id"));
      token->project_name = g_strdup (fake_json_get_string (login->project, "name"));
      roles = make_roles (fake_json_get_array (fake_json_get_object (login->user, "roles"),
                                               token->project_id),
                          &token->is_admin);
      fake_json_append (head,
                        ", 'project': {'domain': {'id': 'default', 'name': 'Default'}, 'id': %s,"
                        " 'name': %s}, 'is_domain': false, 'roles': %r",
                        token->project_id, token->project_name, roles);
    }
  if (login->credential != NULL)
    fake_json_append (head,
                      ", 'application_credential': {'id': %s, 'name': %s, 'restricted': %b}",
                      fake_json_get_string (login->credential, "id"),
                      fake_json_get_string (login->credential, "name"),
                      !fake_json_get_bool (login->credential, "unrestricted", FALSE));
  token->head = g_string_free (head, FALSE);
  g_hash_table_insert (cloud->tokens, token->id, token);
  return token;
}

/* login */

/* Names of all kinds match in any case, as on MariaDB. */
static gboolean
is_same_name (const char *a, const char *b)
{
  return a != NULL && b != NULL && g_ascii_strcasecmp (a, b) == 0;
}

static gboolean
is_domain (JsonObject *domain, const char *domain_id)
{
  const char *id = fake_json_get_string (domain, "id");
  const char *name = fake_json_get_string (domain, "name");

  return id != NULL ? g_str_equal (id, domain_id) : is_same_name (name, domain_id);
}

/* By id, or by name and domain. FALSE after an answer; *@found may stay NULL. */
static gboolean
find_named (FakeRequest *request, JsonObject *asked, const char *kind, JsonObject **found)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, kind);
  const char *id = fake_json_get_string (asked, "id");
  const char *name = fake_json_get_string (asked, "name");
  JsonObject *domain = fake_json_get_object (asked, "domain");

  if (id != NULL)
    {
      *found = fake_store_get (store, id);
      return TRUE;
    }
  if (name == NULL)
    {
      g_autofree char *message =
        g_strdup_printf ("Invalid input for field identity/password/%s: "
                         "id or name must be present.",
                         kind);

      reply_error (request, 400, message, NULL);
      return FALSE;
    }
  if (domain == NULL)
    {
      reply_malformed (request, "domain", kind);
      return FALSE;
    }
  for (GList *l = fake_store_get_first (store); l != NULL && *found == NULL; l = l->next)
    if (is_same_name (fake_json_get_string (l->data, "name"), name)
        && is_domain (domain, fake_json_get_string (l->data, "domain_id")))
      *found = l->data;
  return TRUE;
}

static gboolean
log_in_by_password (FakeRequest *request, JsonObject *method, Login *login)
{
  JsonObject *user = fake_json_get_object (method, "user");

  if (user == NULL)
    {
      reply_malformed (request, "user", "password");
      return FALSE;
    }
  if (!find_named (request, user, "user", &login->user))
    return FALSE;
  if (login->user == NULL
      || g_strcmp0 (fake_json_get_string (user, "password"),
                    fake_json_get_string (login->user, "password")) != 0)
    {
      reply_error (request, 401, UNAUTHORIZED, NULL);
      return FALSE;
    }
  return TRUE;
}

static gboolean
log_in_by_token (FakeRequest *request, JsonObject *method, Login *login)
{
  login->old_token = get_token (request->cloud, fake_json_get_string (method, "id"));
  if (login->old_token == NULL)
    {
      reply_error (request, 404, "Could not recognize Fernet token", NULL);
      return FALSE;
    }
  if (login->old_token->is_delegated)
    {
      reply_error (request, 403,
                   "You are not authorized to perform the requested action: "
                   "Using a delegated token to create another token is not allowed..",
                   NULL);
      return FALSE;
    }
  login->user = fake_cloud_find_object (request->cloud, "user", login->old_token->user_id);
  return TRUE;
}

static gboolean
log_in_by_credential (FakeRequest *request, JsonObject *method, Login *login)
{
  const char *id = fake_json_get_string (method, "id");
  const char *name = fake_json_get_string (method, "name");
  JsonObject *user = fake_json_get_object (method, "user");
  FakeStore *store = fake_cloud_get_store (request->cloud, "credential");
  JsonObject *found = fake_store_get (store, id);

  if (id == NULL && user == NULL)
    {
      reply_malformed (request, "user", "application credential");
      return FALSE;
    }
  if (id == NULL && !find_named (request, user, "user", &login->user))
    return FALSE;
  for (GList *l = fake_store_get_first (store); l != NULL && id == NULL; l = l->next)
    if (login->user != NULL && g_strcmp0 (fake_json_get_string (l->data, "name"), name) == 0
        && g_strcmp0 (fake_json_get_string (l->data, "user_id"),
                      fake_json_get_string (login->user, "id")) == 0)
      found = l->data;
  if (found == NULL && id != NULL)
    {
      g_autofree char *message =
        g_strdup_printf ("Could not find Application Credential: %s.", id);

      reply_error (request, 404, message, NULL);
      return FALSE;
    }
  if (found == NULL
      || g_strcmp0 (fake_json_get_string (method, "secret"),
                    fake_json_get_string (found, "secret")) != 0)
    {
      reply_error (request, 401, UNAUTHORIZED, NULL);
      return FALSE;
    }
  login->credential = found;
  login->user =
    fake_cloud_find_object (request->cloud, "user", fake_json_get_string (found, "user_id"));
  login->project =
    fake_cloud_find_object (request->cloud, "project", fake_json_get_string (found, "project_id"));
  return TRUE;
}

/* The project asked for, or the user's own; a role in it is wanted. */
static gboolean
take_scope (FakeRequest *request, JsonObject *auth, Login *login)
{
  JsonNode *scope = json_object_get_member (auth, "scope");
  JsonObject *asked = NULL;
  const char *project_id;

  if (login->credential != NULL && scope != NULL)
    {
      reply_error (request, 401,
                   "Error authenticating with application credential: "
                   "Application credentials cannot request a scope.",
                   "\"identity\":{},");
      return FALSE;
    }
  if (login->credential != NULL || (scope != NULL && fake_json_node_is_string (scope)))
    return TRUE;

  if (scope != NULL && JSON_NODE_HOLDS_OBJECT (scope))
    asked = fake_json_get_object (json_node_get_object (scope), "project");
  if (asked == NULL)
    {
      login->project =
        fake_cloud_find_object (request->cloud, "project",
                                fake_json_get_string (login->user, "default_project_id"));
      return TRUE;
    }
  if (!find_named (request, asked, "project", &login->project))
    return FALSE;
  project_id = login->project != NULL ? fake_json_get_string (login->project, "id") : NULL;
  if (project_id == NULL
      || fake_json_get_array (fake_json_get_object (login->user, "roles"), project_id) == NULL)
    {
      reply_error (request, 401, UNAUTHORIZED, NULL);
      return FALSE;
    }
  return TRUE;
}

static const struct
{
  const char *name;
  gboolean (*log_in) (FakeRequest *request, JsonObject *method, Login *login);
} methods[] = {
  { "password", log_in_by_password },
  { "token", log_in_by_token },
  { "application_credential", log_in_by_credential },
};

static void
reply_token (FakeRequest *request, guint status, const FakeToken *token)
{
  gboolean with_catalog = fake_request_get_parameter (request, "nocatalog") == NULL;

  fake_request_set_header (request, "X-Subject-Token", token->id);
  fake_request_reply_json (request, status, make_token_body (request->cloud, token, with_catalog));
}

static void
post_token (FakeRequest *request)
{
  JsonObject *auth = fake_request_get_body_object (request, "auth");
  JsonObject *identity = fake_json_get_object (auth, "identity");
  JsonArray *names = fake_json_get_array (identity, "methods");
  JsonNode *first = names != NULL && json_array_get_length (names) > 0
                      ? json_array_get_element (names, 0) : NULL;
  const char *name = first != NULL && fake_json_node_is_string (first)
                       ? json_node_get_string (first) : NULL;
  Login login = { NULL };

  if (fake_request_get_json (request) == NULL)
    return reply_malformed (request, "valid JSON", "request body");
  if (auth == NULL)
    return reply_malformed (request, "auth", "request body");
  if (identity == NULL)
    return reply_error (request, 400, "'identity' is a required property", NULL);
  if (name == NULL)
    return reply_error (request, 400,
                        "Invalid input for field 'identity': 'methods' is a required property",
                        NULL);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      JsonObject *method = fake_json_get_object (identity, name);

      if (!g_str_equal (methods[i].name, name))
        continue;
      if (method == NULL)
        return reply_malformed (request, name, "identity");
      if (!methods[i].log_in (request, method, &login) || !take_scope (request, auth, &login))
        return;
      return reply_token (request, 201, make_token (request->cloud, &login, name));
    }
  reply_error (request, 401, "Attempted to authenticate with an unsupported method.",
               "\"identity\":{\"methods\":[\"external\",\"password\",\"token\",\"oauth1\","
               "\"mapped\",\"application_credential\"]},");
}

/* The token that the request is about; answers if it may not be asked for. */
static FakeToken *
get_subject_token (FakeRequest *request)
{
  FakeToken *token;

  if (fake_keystone_authenticate (request) == NULL)
    {
      reply_error (request, 401, UNAUTHORIZED, NULL);
      return NULL;
    }
  token = get_token (request->cloud, fake_request_get_header (request, "X-Subject-Token"));
  if (token == NULL)
    reply_error (request, 404, "Could not recognize Fernet token", NULL);
  return token;
}

static void
get_token_cb (FakeRequest *request)
{
  FakeToken *token = get_subject_token (request);

  if (token != NULL)
    reply_token (request, 200, token);
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
    return reply_error (request, 401, UNAUTHORIZED, NULL);
  if (token->project_id == NULL)
    return reply_error (request, 403,
                        "You are not authorized to perform the requested action.", NULL);
  catalog = make_catalog (request->cloud, token->project_id);
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
    return reply_error (request, 401, UNAUTHORIZED, NULL);
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

static void
get_versions (FakeRequest *request)
{
  g_autofree char *base = get_base_url (request->cloud);
  g_autofree char *location = g_strconcat (base, "/v3/", NULL);

  fake_request_set_header (request, "Location", location);
  fake_request_reply_json (request, 300,
                           fake_json ("{'versions': {'values': [" VERSION "]}}", base));
}

static void
get_version (FakeRequest *request)
{
  g_autofree char *base = get_base_url (request->cloud);

  fake_request_reply_json (request, 200, fake_json ("{'version': " VERSION "}", base));
}

static const FakeRoute routes[] = {
  { "GET", "", get_versions },
  { "GET", "/", get_versions },
  { "GET", "/v3", get_version },
  { "GET", "/v3/", get_version },
  { "POST", "/v3/auth/tokens", post_token },
  { "GET", "/v3/auth/tokens", get_token_cb },
  { "HEAD", "/v3/auth/tokens", get_token_cb },
  { "DELETE", "/v3/auth/tokens", delete_token },
  { "GET", "/v3/auth/catalog", get_catalog },
  { "GET", "/v3/auth/projects", get_projects },
};

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);

  fake_request_set_header (request, "Vary", "X-Auth-Token");
  fake_request_set_header (request, "X-Openstack-Request-Id", request_id);
  switch (fake_request_route (request, request->path, routes, G_N_ELEMENTS (routes)))
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
  cloud->tokens = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, token_free);
  fake_cloud_add_kind (cloud, "project", add_project, NULL);
  fake_cloud_add_kind (cloud, "user", add_user, NULL);
  fake_cloud_add_kind (cloud, "credential", add_credential, NULL);
  fake_cloud_add_kind (cloud, "endpoint", add_endpoint, NULL);
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
