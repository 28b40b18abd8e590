/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Identity: a token for what a pair of EC2 keys has signed (version 4). */

#include "fake-keystone.h"

/* So much older than now may a signature be. */
#define TTL_SECONDS (15 * 60)

static void
compute_hmac (const char *key, gsize key_size, const char *text, guint8 digest[32])
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, (const guchar *) key, key_size);
  gsize size = 32;

  g_hmac_update (hmac, (const guchar *) text, (gssize) strlen (text));
  g_hmac_get_digest (hmac, digest, &size);
}

/* The value of NAME=VALUE in a comma separated Authorization header (transfer full). */
static char *
get_part (const char *authorization, const char *name)
{
  g_auto (GStrv) parts = g_strsplit_set (authorization, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], name) && parts[i][strlen (name)] == '=')
      return g_strdup (parts[i] + strlen (name) + 1);
  return NULL;
}

/* Names of headers match in any case. */
static const char *
get_header (JsonObject *headers, const char *name)
{
  JsonObjectIter iter;
  const char *member;
  JsonNode *value;

  json_object_iter_init (&iter, headers);
  while (json_object_iter_next (&iter, &member, &value))
    if (g_ascii_strcasecmp (member, name) == 0)
      return fake_json_get_string (headers, member);
  return NULL;
}

static char *
make_canonical_request (JsonObject *credentials, JsonObject *headers, const char *signed_headers)
{
  GString *out = g_string_new (NULL);
  g_auto (GStrv) names = g_strsplit (signed_headers, ";", -1);

  g_string_append_printf (out, "%s\n%s\n\n", fake_json_get_string (credentials, "verb"),
                          fake_json_get_string (credentials, "path"));
  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (out, "%s:%s\n", names[i], get_header (headers, names[i]));
  g_string_append_printf (out, "\n%s\n%s", signed_headers,
                          fake_json_get_string (credentials, "body_hash"));
  return g_string_free (out, FALSE);
}

/* As keystone computes it, to be compared with the one that was sent (transfer full). */
static char *
compute_signature (JsonObject *credentials, JsonObject *headers, const char *secret)
{
  const char *authorization = get_header (headers, "Authorization");
  g_autofree char *credential = get_part (authorization, "Credential");
  g_autofree char *signed_headers = get_part (authorization, "SignedHeaders");
  g_autofree char *key = g_strconcat ("AWS4", secret, NULL);
  g_autofree char *canonical = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) scope = NULL;
  GString *signature = g_string_new (NULL);
  guint8 digest[32];

  if (credential == NULL || signed_headers == NULL)
    return g_string_free (signature, FALSE);
  scope = g_strsplit (credential, "/", -1);
  if (g_strv_length (scope) != 5)
    return g_string_free (signature, FALSE);
  canonical = make_canonical_request (credentials, headers, signed_headers);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  text = g_strdup_printf ("AWS4-HMAC-SHA256\n%s\n%s/%s/%s/%s\n%s",
                          get_header (headers, "X-Amz-Date"), scope[1], scope[2], scope[3],
                          scope[4], hash);
  compute_hmac (key, strlen (key), scope[1], digest);
  for (guint i = 2; i < 5; i++)
    compute_hmac ((const char *) digest, sizeof digest, scope[i], digest);
  compute_hmac ((const char *) digest, sizeof digest, text, digest);
  for (guint i = 0; i < sizeof digest; i++)
    g_string_append_printf (signature, "%02x", digest[i]);
  return g_string_free (signature, FALSE);
}

/* Only the past is checked. */
static gboolean
is_too_old (FakeCloud *cloud, JsonObject *headers)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time =
    g_date_time_new_from_iso8601 (get_header (headers, "X-Amz-Date"), utc);

  return time == NULL
         || g_date_time_to_unix (time) + TTL_SECONDS
              < fake_keystone_get_time (cloud) / G_USEC_PER_SEC;
}

static JsonObject *
find_key (FakeCloud *cloud, const char *access)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "ec2-key")); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "access"), access) == 0)
      return l->data;
  return NULL;
}

static gboolean
is_allowed (FakeRequest *request)
{
  const FakeToken *token = fake_keystone_authenticate (request);

  if (request->cloud->settings.keystone_has_ec2)
    return TRUE;
  if (token == NULL)
    fake_keystone_refuse (request);
  else if (!token->is_admin)
    fake_keystone_fail (request, 403,
                        "You are not authorized to perform the requested action: "
                        "identity:ec2tokens_validate.",
                        NULL);
  return token != NULL && token->is_admin;
}

void
fake_keystone_post_ec2 (FakeRequest *request)
{
  JsonObject *credentials = fake_request_get_body_object (request, "credentials");
  JsonObject *headers;
  JsonObject *key;
  g_autofree char *signature = NULL;
  FakeLogin login = { NULL };

  if (credentials == NULL)
    credentials = fake_request_get_body_object (request, "ec2Credentials");
  if (!is_allowed (request))
    return;
  if (credentials == NULL)
    return fake_keystone_refuse (request);
  headers = fake_json_get_object (credentials, "headers");
  if (headers == NULL || !json_object_has_member (credentials, "params")
      || !json_object_has_member (credentials, "body_hash")
      || get_header (headers, "Authorization") == NULL)
    return fake_request_reply (request, 500, "text/plain", "Internal Server Error");
  key = find_key (request->cloud, fake_json_get_string (credentials, "access"));
  if (key == NULL)
    return fake_keystone_fail (request, 404, "Could not find credential: 2c26b46b68ffc68f.", NULL);
  signature = compute_signature (credentials, headers, fake_json_get_string (key, "secret"));
  if (g_strcmp0 (signature, fake_json_get_string (credentials, "signature")) != 0
      || is_too_old (request->cloud, headers))
    return fake_keystone_refuse (request);

  login.user =
    fake_cloud_find_object (request->cloud, "user", fake_json_get_string (key, "user_id"));
  login.project =
    fake_cloud_find_object (request->cloud, "project", fake_json_get_string (key, "project_id"));
  fake_keystone_reply_token (request, 200,
                             fake_keystone_make_token (request->cloud, &login, "ec2credential"));
}
