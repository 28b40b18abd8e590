/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The login before there was an identity service: two headers there, some headers back. */

#include "fake-keystone.h"

void
fake_keystone_get_token_v1 (FakeRequest *request)
{
  const char *name = fake_request_get_header (request, "X-Auth-User");
  const char *key = fake_request_get_header (request, "X-Auth-Key");
  FakeCloud *cloud = request->cloud;
  FakeLogin login = { NULL };
  const FakeToken *token;
  g_autofree char *storage = NULL;
  g_autofree char *compute = NULL;

  login.user = name != NULL ? fake_cloud_find_object (cloud, "user", name) : NULL;
  if (login.user == NULL || g_strcmp0 (fake_json_get_string (login.user, "password"), key) != 0)
    return fake_request_reply (request, 401, "text/html; charset=UTF-8",
                               "<html><h1>Unauthorized</h1><p>This server could not verify that "
                               "you are authorized to access the document you requested.</p>"
                               "</html>");
  login.project =
    fake_cloud_find_object (cloud, "project",
                            fake_json_get_string (login.user, "default_project_id"));
  token = fake_keystone_make_token (cloud, &login, "password");
  storage = g_strdup_printf ("%s/object-store/v1/AUTH_%s", cloud->url, token->project_id);
  compute = g_strdup_printf ("%s/compute/v2/%s", cloud->url, token->project_id);
  fake_request_set_header (request, "X-Auth-Token", token->id);
  fake_request_set_header (request, "X-Storage-Url", storage);
  fake_request_set_header (request, "X-Server-Management-Url", compute);
  fake_request_reply (request, 204, NULL, NULL);
}
