/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: the pairs of EC2 keys of a user. */

#include "fake-keystone.h"

/* FALSE after an answer. */
static gboolean
check_user (FakeRequest *request)
{
  const FakeToken *token = fake_keystone_authenticate (request);

  if (token == NULL)
    {
      fake_keystone_refuse (request);
      return FALSE;
    }
  if (token->is_delegated)
    {
      fake_keystone_fail (request, 403, "Delegated tokens cannot access credentials directly.",
                          NULL);
      return FALSE;
    }
  if (!g_str_equal (token->user_id, g_ptr_array_index (request->args, 0)))
    {
      fake_keystone_fail (request, 403,
                          "You are not authorized to perform the requested action:"
                          " identity:ec2_list_credentials.",
                          NULL);
      return FALSE;
    }
  return TRUE;
}

static void
append_key (GString *out, JsonObject *key, const char *separator)
{
  fake_json_append (out, "%r{'user_id': %s, 'tenant_id': %s, 'access': %s, 'secret': %s,"
                         " 'trust_id': null}",
                    separator, fake_json_get_string (key, "user_id"),
                    fake_json_get_string (key, "project_id"), fake_json_get_string (key, "access"),
                    fake_json_get_string (key, "secret"));
}

void
fake_keystone_list_keys (FakeRequest *request)
{
  GString *out = g_string_new ("{\"credentials\": [");
  const char *separator = "";

  if (!check_user (request))
    {
      g_string_free (out, TRUE);
      return;
    }
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "ec2-key"));
       l != NULL; l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "user_id"), request->token->user_id) == 0)
      {
        append_key (out, l->data, separator);
        separator = ", ";
      }
  g_string_append (out, "], \"links\": {\"next\": null, \"previous\": null}}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}
