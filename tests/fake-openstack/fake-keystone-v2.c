/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity v2.0, as upstream had it until Queens, and key pairs as HP's cloud took them. */

#include "fake-keystone.h"

/* The endpoints of one service: of each region, the URLs of all interfaces. */
static void
append_endpoints (FakeCloud *cloud, const char *type, const char *project_id, GString *out)
{
  static const char *const interfaces[] = { "public", "internal", "admin" };
  const char *separator = "";

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "endpoint")); l != NULL;
       l = l->next)
    {
      const char *only = fake_json_get_string (l->data, "interface");
      g_autoptr (GString) url = g_string_new (fake_json_get_string (l->data, "url"));

      if (!g_str_equal (fake_json_get_string (l->data, "type"), type))
        continue;
      g_string_replace (url, "$(project_id)", project_id, 0);
      fake_json_append (out, "%r{'region': %s, 'id': %s", separator,
                        fake_json_get_string (l->data, "region"),
                        fake_json_get_string (l->data, "id"));
      for (guint i = 0; i < G_N_ELEMENTS (interfaces); i++)
        if (only == NULL || g_str_equal (only, interfaces[i]))
          fake_json_append (out, ", '%rURL': %s", interfaces[i], url->str);
      g_string_append_c (out, '}');
      separator = ", ";
    }
}

static char *
make_catalog (FakeCloud *cloud, const char *project_id)
{
  GString *out = g_string_new ("[");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "endpoint"));
       l != NULL && project_id != NULL; l = l->next)
    {
      const char *type = fake_json_get_string (l->data, "type");

      if (!fake_keystone_shows_type (cloud, type) || !g_hash_table_add (seen, (gpointer) type))
        continue;
      fake_json_append (out, "%r{'type': %s, 'name': %s, 'endpoints_links': [], 'endpoints': [",
                        g_hash_table_size (seen) > 1 ? ", " : "", type,
                        fake_json_get_string (l->data, "name"));
      append_endpoints (cloud, type, project_id, out);
      g_string_append (out, "]}");
    }
  g_string_append_c (out, ']');
  return g_string_free (out, FALSE);
}

static void
reply_token (FakeRequest *request, const FakeToken *token)
{
  g_autofree char *expires = fake_time_text (token->expires_us, FALSE);
  g_autofree char *catalog = make_catalog (request->cloud, token->project_id);
  g_autofree char *tenant =
    token->project_id != NULL
      ? fake_json (", 'tenant': {'id': %s, 'name': %s, 'description': null, 'enabled': true}",
                   token->project_id, token->project_name)
      : g_strdup ("");

  fake_request_reply_json (
    request, 200,
    fake_json ("{'access': {'token': {'id': %s, 'expires': %s%r},"
               " 'user': {'id': %s, 'name': %s, 'username': %s, 'roles_links': [], 'roles': %r},"
               " 'serviceCatalog': %r, 'metadata': {'is_admin': 0}}}",
               token->id, expires, tenant, token->user_id, token->user_name, token->user_name,
               token->roles != NULL ? token->roles : "[]", catalog));
}

/* Only of the default domain: v2.0 knows of no other. */
static JsonObject *
find_user (FakeCloud *cloud, const char *name, const char *password)
{
  JsonObject *user = name != NULL ? fake_cloud_find_object (cloud, "user", name) : NULL;

  if (user == NULL || g_strcmp0 (fake_json_get_string (user, "domain_id"), "default") != 0
      || g_strcmp0 (fake_json_get_string (user, "password"), password) != 0)
    return NULL;
  return user;
}

static JsonObject *
find_user_of_keys (FakeCloud *cloud, const char *access, const char *secret)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "ec2-key")); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "access"), access) == 0
        && g_strcmp0 (fake_json_get_string (l->data, "secret"), secret) == 0)
      return fake_cloud_find_object (cloud, "user", fake_json_get_string (l->data, "user_id"));
  return NULL;
}

void
fake_keystone_post_token_v2 (FakeRequest *request)
{
  JsonObject *auth = fake_request_get_body_object (request, "auth");
  JsonObject *password = fake_json_get_object (auth, "passwordCredentials");
  JsonObject *keys = fake_json_get_object (auth, "apiAccessKeyCredentials");
  const char *id = fake_json_get_string (auth, "tenantId");
  const char *name = fake_json_get_string (auth, "tenantName");
  FakeLogin login = { NULL };

  if (auth == NULL)
    return fake_keystone_fail_malformed (request, "auth", "request body");
  if (password == NULL && (keys == NULL || !request->cloud->settings.keystone_has_key_pair))
    return fake_keystone_fail_malformed (request, "passwordCredentials or token", "auth");
  if (password != NULL)
    login.user = find_user (request->cloud, fake_json_get_string (password, "username"),
                            fake_json_get_string (password, "password"));
  else
    login.user = find_user_of_keys (request->cloud, fake_json_get_string (keys, "accessKey"),
                                    fake_json_get_string (keys, "secretKey"));
  if (login.user == NULL)
    return fake_keystone_refuse (request);
  if (id != NULL || name != NULL)
    {
      login.project = fake_keystone_find_project (request->cloud, login.user, id, name);
      if (login.project == NULL)
        return fake_keystone_refuse (request);
    }
  reply_token (request, fake_keystone_make_token (request->cloud, &login, "password"));
}
