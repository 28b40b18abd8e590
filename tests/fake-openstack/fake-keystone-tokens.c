/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: what a token is, and the catalog in it. */

#include "fake-keystone.h"

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
  g_free (token->roles);
  g_free (token->audit_ids);
  g_free (token->methods);
  g_free (token);
}

FakeToken *
fake_keystone_get_token (FakeCloud *cloud, const char *id)
{
  FakeToken *token = id != NULL ? g_hash_table_lookup (cloud->tokens, id) : NULL;

  return token != NULL && token->expires_us > fake_keystone_get_time (cloud) ? token
                                                                            : NULL;
}

const FakeToken *
fake_keystone_authenticate (FakeRequest *request)
{
  const char *id = fake_request_get_header (request, "X-Auth-Token");

  if (id == NULL)
    id = fake_request_get_header (request, "X-Storage-Token");
  request->token = fake_keystone_get_token (request->cloud, id);
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

gboolean
fake_keystone_shows_type (FakeCloud *cloud, const char *type)
{
  return !cloud->settings.nova_network || !g_str_equal (type, "network");
}

char *
fake_keystone_make_catalog (FakeCloud *cloud, const char *project_id)
{
  static const char *const interfaces[] = { "public", "internal", "admin" };
  GString *out = g_string_new ("[");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  FakeStore *store = fake_cloud_get_store (cloud, "endpoint");

  for (GList *first = fake_store_get_first (store); first != NULL; first = first->next)
    {
      const char *type = fake_json_get_string (first->data, "type");
      const char *separator = "";

      if (!fake_keystone_shows_type (cloud, type) || !g_hash_table_add (seen, (gpointer) type))
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
      g_autofree char *catalog = fake_keystone_make_catalog (cloud, token->project_id);

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

static char *
make_domain (FakeCloud *cloud, JsonObject *object)
{
  const char *id = fake_json_get_string (object, "domain_id");
  JsonObject *domain = fake_cloud_find_object (cloud, "domain", id);

  return fake_json ("{'id': %s, 'name': %s}", id, fake_json_get_string (domain, "name"));
}

static void
append_project (FakeCloud *cloud, const FakeLogin *login, FakeToken *token, GString *head)
{
  g_autofree char *domain = make_domain (cloud, login->project);

  token->project_id = g_strdup (fake_json_get_string (login->project, "id"));
  token->project_name = g_strdup (fake_json_get_string (login->project, "name"));
  token->roles = make_roles (fake_json_get_array (fake_json_get_object (login->user, "roles"),
                                                  token->project_id),
                             &token->is_admin);
  fake_json_append (head,
                    ", 'project': {'domain': %r, 'id': %s, 'name': %s}, 'is_domain': false,"
                    " 'roles': %r",
                    domain, token->project_id, token->project_name, token->roles);
}

FakeToken *
fake_keystone_make_token (FakeCloud *cloud, const FakeLogin *login, const char *method)
{
  FakeToken *token = g_new0 (FakeToken, 1);
  gint64 now = fake_keystone_get_time (cloud);
  g_autofree char *issued = fake_time_text (now, TRUE);
  g_autofree char *expires = NULL;
  g_autofree char *audit = fake_hex_id ();
  g_autofree char *domain = NULL;
  GString *head = g_string_new (NULL);

  token->id = new_token_id ();
  token->expires_us = now + (gint64) cloud->settings.token_life * G_USEC_PER_SEC;
  token->is_delegated = login->credential != NULL || login->trust != NULL;
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

  domain = make_domain (cloud, login->user);
  fake_json_append (head,
                    "'methods': [%r], 'user': {'domain': %r, 'id': %s, 'name': %s,"
                    " 'password_expires_at': null}, 'audit_ids': [%r], 'expires_at': %s,"
                    " 'issued_at': %s",
                    token->methods, domain, token->user_id, token->user_name, token->audit_ids,
                    expires, issued);
  if (login->project != NULL)
    append_project (cloud, login, token, head);
  if (login->credential != NULL)
    fake_json_append (head,
                      ", 'application_credential': {'id': %s, 'name': %s, 'restricted': %b}",
                      fake_json_get_string (login->credential, "id"),
                      fake_json_get_string (login->credential, "name"),
                      !fake_json_get_bool (login->credential, "unrestricted", FALSE));
  if (login->trust != NULL)
    fake_json_append (head,
                      ", 'OS-TRUST:trust': {'id': %s, 'impersonation': true,"
                      " 'trustor_user': {'id': %s}, 'trustee_user': {'id': %s}}",
                      fake_json_get_string (login->trust, "id"),
                      fake_json_get_string (login->trust, "trustor"),
                      fake_json_get_string (login->trust, "trustee"));
  token->head = g_string_free (head, FALSE);
  g_hash_table_insert (cloud->tokens, token->id, token);
  return token;
}

void
fake_keystone_reply_token (FakeRequest *request, guint status, const FakeToken *token)
{
  gboolean with_catalog = fake_request_get_parameter (request, "nocatalog") == NULL;

  fake_request_set_header (request, "X-Subject-Token", token->id);
  fake_request_reply_json (request, status, make_token_body (request->cloud, token, with_catalog));
}

void
fake_keystone_create_tokens (FakeCloud *cloud)
{
  cloud->tokens = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, token_free);
}
