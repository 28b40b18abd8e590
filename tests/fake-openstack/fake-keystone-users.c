/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: what users make for themselves, to log in with. */

#include "fake-keystone.h"

/* The token of the user that the path is about, or NULL after an answer. */
static const FakeToken *
get_own_token (FakeRequest *request)
{
  const FakeToken *token = fake_keystone_authenticate (request);

  if (token == NULL)
    fake_keystone_refuse (request);
  else if (!g_str_equal (token->user_id, g_ptr_array_index (request->args, 0)))
    {
      fake_keystone_fail (request, 403,
                          "You are not authorized to perform the requested action: "
                          "identity:create_application_credential.",
                          NULL);
      return NULL;
    }
  return token;
}

void
fake_keystone_post_credential (FakeRequest *request)
{
  JsonObject *asked = fake_request_get_body_object (request, "application_credential");
  const FakeToken *token = get_own_token (request);
  const char *name = fake_json_get_string (asked, "name");
  const char *given = fake_json_get_string (asked, "secret");
  g_autofree char *secret = given != NULL ? g_strdup (given) : fake_hex_id ();
  g_autoptr (JsonObject) content = NULL;
  JsonObject *made;

  if (token == NULL)
    return;
  if (name == NULL)
    return fake_keystone_fail (request, 400, "'name' is a required property", NULL);
  content = fake_json_object_new ("{'name': %s, 'secret': %s, 'user': %s, 'project': %s}", name,
                                  secret, token->user_id, token->project_id);
  made = fake_cloud_try_add (request->cloud, "credential", content);
  fake_request_reply_json (
    request, 201,
    fake_json ("{'application_credential': {'id': %s, 'name': %s, 'secret': %s, 'description':"
               " null, 'project_id': %s, 'roles': %r, 'expires_at': null, 'unrestricted': false,"
               " 'system': null}}",
               fake_json_get_string (made, "id"), name, secret, token->project_id, token->roles));
}

void
fake_keystone_delete_credential (FakeRequest *request)
{
  if (get_own_token (request) == NULL)
    return;
  if (!fake_cloud_try_remove (request->cloud, "credential", g_ptr_array_index (request->args, 1)))
    return fake_keystone_fail (request, 404, "Could not find Application Credential.", NULL);
  fake_request_reply (request, 204, NULL, NULL);
}

void
fake_keystone_post_ec2_key (FakeRequest *request)
{
  const FakeToken *token = get_own_token (request);
  g_autofree char *access = fake_hex_id ();
  g_autofree char *secret = fake_hex_id ();
  g_autoptr (JsonObject) content = NULL;

  if (token == NULL)
    return;
  content = fake_json_object_new ("{'access': %s, 'secret': %s, 'user': %s, 'project': %s}",
                                  access, secret, token->user_id, token->project_id);
  fake_cloud_try_add (request->cloud, "ec2-key", content);
  fake_request_reply_json (request, 201,
                           fake_json ("{'credential': {'access': %s, 'secret': %s, 'user_id': %s,"
                                      " 'tenant_id': %s, 'trust_id': null}}",
                                      access, secret, token->user_id, token->project_id));
}

void
fake_keystone_delete_ec2_key (FakeRequest *request)
{
  if (get_own_token (request) == NULL)
    return;
  if (!fake_cloud_try_remove (request->cloud, "ec2-key", g_ptr_array_index (request->args, 1)))
    return fake_keystone_fail (request, 404, "Could not find credential.", NULL);
  fake_request_reply (request, 204, NULL, NULL);
}
