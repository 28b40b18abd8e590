/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: logins to v3. */

#include "fake-keystone.h"

/* Names of all kinds match in any case, as on MariaDB. */
static gboolean
is_same_name (const char *a, const char *b)
{
  return a != NULL && b != NULL && g_ascii_strcasecmp (a, b) == 0;
}

static gboolean
is_domain (FakeCloud *cloud, JsonObject *asked, const char *domain_id)
{
  const char *id = fake_json_get_string (asked, "id");
  JsonObject *domain = fake_cloud_find_object (cloud, "domain", domain_id);

  if (id != NULL)
    return g_str_equal (id, domain_id);
  return is_same_name (fake_json_get_string (asked, "name"), fake_json_get_string (domain, "name"));
}

/* A user or a project by id, or by name and domain. FALSE after an answer; *@found may stay
 * NULL. */
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

      fake_keystone_fail (request, 400, message, NULL);
      return FALSE;
    }
  if (domain == NULL)
    {
      fake_keystone_fail_malformed (request, "domain", kind);
      return FALSE;
    }
  for (GList *l = fake_store_get_first (store); l != NULL && *found == NULL; l = l->next)
    if (is_same_name (fake_json_get_string (l->data, "name"), name)
        && is_domain (request->cloud, domain, fake_json_get_string (l->data, "domain_id")))
      *found = l->data;
  return TRUE;
}

JsonObject *
fake_keystone_find_project (FakeCloud *cloud, JsonObject *user, const char *id, const char *name)
{
  JsonObject *roles = fake_json_get_object (user, "roles");

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "project")); l != NULL;
       l = l->next)
    {
      const char *project_id = fake_json_get_string (l->data, "id");
      gboolean is_same = id != NULL
                           ? g_str_equal (project_id, id)
                           : is_same_name (fake_json_get_string (l->data, "name"), name)
                               && g_str_equal (fake_json_get_string (l->data, "domain_id"),
                                               "default");

      if (is_same && fake_json_get_array (roles, project_id) != NULL)
        return l->data;
    }
  return NULL;
}

static gboolean
log_in_by_password (FakeRequest *request, JsonObject *method, FakeLogin *login)
{
  JsonObject *user = fake_json_get_object (method, "user");

  if (user == NULL)
    {
      fake_keystone_fail_malformed (request, "user", "password");
      return FALSE;
    }
  if (!find_named (request, user, "user", &login->user))
    return FALSE;
  if (login->user == NULL
      || g_strcmp0 (fake_json_get_string (user, "password"),
                    fake_json_get_string (login->user, "password")) != 0)
    {
      fake_keystone_refuse (request);
      return FALSE;
    }
  return TRUE;
}

static gboolean
log_in_by_token (FakeRequest *request, JsonObject *method, FakeLogin *login)
{
  login->old_token = fake_keystone_get_token (request->cloud, fake_json_get_string (method, "id"));
  if (login->old_token == NULL)
    {
      fake_keystone_fail (request, 404, "Could not recognize Fernet token", NULL);
      return FALSE;
    }
  if (login->old_token->is_delegated)
    {
      fake_keystone_fail (request, 403,
                          "You are not authorized to perform the requested action: "
                          "Using a delegated token to create another token is not allowed..",
                          NULL);
      return FALSE;
    }
  login->user = fake_cloud_find_object (request->cloud, "user", login->old_token->user_id);
  return TRUE;
}

static gboolean
log_in_by_credential (FakeRequest *request, JsonObject *method, FakeLogin *login)
{
  const char *id = fake_json_get_string (method, "id");
  const char *name = fake_json_get_string (method, "name");
  JsonObject *user = fake_json_get_object (method, "user");
  FakeStore *store = fake_cloud_get_store (request->cloud, "credential");
  JsonObject *found = fake_store_get (store, id);

  if (id == NULL && user == NULL)
    {
      fake_keystone_fail_malformed (request, "user", "application credential");
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

      fake_keystone_fail (request, 404, message, NULL);
      return FALSE;
    }
  if (found == NULL
      || g_strcmp0 (fake_json_get_string (method, "secret"),
                    fake_json_get_string (found, "secret")) != 0)
    {
      fake_keystone_refuse (request);
      return FALSE;
    }
  login->credential = found;
  login->user =
    fake_cloud_find_object (request->cloud, "user", fake_json_get_string (found, "user_id"));
  login->project =
    fake_cloud_find_object (request->cloud, "project", fake_json_get_string (found, "project_id"));
  return TRUE;
}

/* What the trustor lets the trustee do in his name. */
static gboolean
take_trust (FakeRequest *request, const char *id, FakeLogin *login)
{
  JsonObject *trust = fake_store_get (fake_cloud_get_store (request->cloud, "trust"), id);

  if (trust == NULL
      || g_strcmp0 (fake_json_get_string (trust, "trustee"),
                    fake_json_get_string (login->user, "id")) != 0)
    {
      fake_keystone_fail (request, trust == NULL ? 404 : 403, "Could not find trust.", NULL);
      return FALSE;
    }
  login->trust = trust;
  login->user =
    fake_cloud_find_object (request->cloud, "user", fake_json_get_string (trust, "trustor"));
  login->project =
    fake_cloud_find_object (request->cloud, "project", fake_json_get_string (trust, "project_id"));
  return TRUE;
}

/* The project asked for, or the user's own; a role in it is wanted. */
static gboolean
take_scope (FakeRequest *request, JsonObject *auth, FakeLogin *login)
{
  JsonNode *scope = json_object_get_member (auth, "scope");
  JsonObject *asked = NULL;
  JsonObject *trust = NULL;
  const char *project_id;

  if (login->credential != NULL && scope != NULL)
    {
      fake_keystone_fail (request, 401,
                          "Error authenticating with application credential: "
                          "Application credentials cannot request a scope.",
                          "\"identity\":{},");
      return FALSE;
    }
  if (login->credential != NULL || (scope != NULL && fake_json_node_is_string (scope)))
    return TRUE;

  if (scope != NULL && JSON_NODE_HOLDS_OBJECT (scope))
    {
      asked = fake_json_get_object (json_node_get_object (scope), "project");
      trust = fake_json_get_object (json_node_get_object (scope), "OS-TRUST:trust");
    }
  if (trust != NULL)
    return take_trust (request, fake_json_get_string (trust, "id"), login);
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
      fake_keystone_refuse (request);
      return FALSE;
    }
  return TRUE;
}

static const struct
{
  const char *name;
  gboolean (*log_in) (FakeRequest *request, JsonObject *method, FakeLogin *login);
} methods[] = {
  { "password", log_in_by_password },
  { "token", log_in_by_token },
  { "application_credential", log_in_by_credential },
};

void
fake_keystone_post_token (FakeRequest *request)
{
  JsonObject *auth = fake_request_get_body_object (request, "auth");
  JsonObject *identity = fake_json_get_object (auth, "identity");
  JsonArray *names = fake_json_get_array (identity, "methods");
  JsonNode *first = names != NULL && json_array_get_length (names) > 0
                      ? json_array_get_element (names, 0) : NULL;
  const char *name = first != NULL && fake_json_node_is_string (first)
                       ? json_node_get_string (first) : NULL;
  FakeLogin login = { NULL };

  if (fake_request_get_json (request) == NULL)
    return fake_keystone_fail_malformed (request, "valid JSON", "request body");
  if (auth == NULL)
    return fake_keystone_fail_malformed (request, "auth", "request body");
  if (identity == NULL)
    return fake_keystone_fail (request, 400, "'identity' is a required property", NULL);
  if (name == NULL)
    return fake_keystone_fail (request, 400,
                        "Invalid input for field 'identity': 'methods' is a required property",
                        NULL);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      JsonObject *method = fake_json_get_object (identity, name);

      if (!g_str_equal (methods[i].name, name))
        continue;
      if (method == NULL)
        return fake_keystone_fail_malformed (request, name, "identity");
      if (!methods[i].log_in (request, method, &login) || !take_scope (request, auth, &login))
        return;
      return fake_keystone_reply_token (request, 201,
                                        fake_keystone_make_token (request->cloud, &login, name));
    }
  fake_keystone_fail (request, 401, "Attempted to authenticate with an unsupported method.",
                      "\"identity\":{\"methods\":[\"external\",\"password\",\"token\",\"oauth1\","
                      "\"mapped\",\"application_credential\"]},");
}
