/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Who may do what in the object store: owners, readers by ACL, temporary URLs. */

#include "fake-swift.h"

static gboolean
is_read (FakeRequest *request)
{
  return g_str_equal (request->method, "GET") || g_str_equal (request->method, "HEAD");
}

static gboolean
is_owner (FakeRequest *request, const FakeSwiftPath *path)
{
  return request->token != NULL && request->token->project_id != NULL
         && g_str_has_prefix (path->account, "AUTH_")
         && g_str_equal (path->account + strlen ("AUTH_"), request->token->project_id);
}

static gboolean
acl_allows (FakeRequest *request, const FakeSwiftPath *path)
{
  FakeAccount *account = fake_swift_get_account (request->cloud, path->account);
  FakeContainer *container =
    path->container != NULL ? fake_swift_get_container (account, path->container) : NULL;
  const char *acl =
    container != NULL ? g_hash_table_lookup (container->metadata, "X-Container-Read") : NULL;
  g_auto (GStrv) parts = g_strsplit (acl != NULL ? acl : "", ",", -1);

  if (!is_read (request))
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  return g_strv_contains ((const char *const *) parts, ".r:*")
         && (path->object != NULL || g_strv_contains ((const char *const *) parts, ".rlistings"));
}

/* temporary URLs */

static char *
sign (GChecksumType digest, const char *key, const char *text)
{
  return g_compute_hmac_for_string (digest, (const guint8 *) key, strlen (key), text, -1);
}

/* A signature is hex, of a length that tells its digest, or "sha512:" and base64. */
static gboolean
is_signature (const char *given, const char *key, const char *text)
{
  static const struct
  {
    gsize length;
    GChecksumType digest;
    const char *name;
  } digests[] = {
    { 40, G_CHECKSUM_SHA1, "sha1:" },
    { 64, G_CHECKSUM_SHA256, "sha256:" },
    { 128, G_CHECKSUM_SHA512, "sha512:" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (digests); i++)
    {
      g_autofree char *hex = sign (digests[i].digest, key, text);

      if (strlen (given) == digests[i].length && g_str_equal (given, hex))
        return TRUE;
      if (g_str_has_prefix (given, digests[i].name))
        {
          g_autofree char *standard = g_strdup (given + strlen (digests[i].name));
          g_autofree guchar *bytes = NULL;
          GString *shown = g_string_new (NULL);
          gboolean is_same;
          gsize size;

          g_strdelimit (standard, "-", '+');
          g_strdelimit (standard, "_", '/');
          bytes = g_base64_decode (standard, &size);
          for (gsize j = 0; j < size; j++)
            g_string_append_printf (shown, "%02x", bytes[j]);
          is_same = g_str_equal (shown->str, hex);
          g_string_free (shown, TRUE);
          if (is_same)
            return TRUE;
        }
    }
  return FALSE;
}

static gboolean
is_signed_by (FakeRequest *request,
              GHashTable *metadata,
              const char *kind,
              const char *given,
              const char *text)
{
  static const char *const endings[] = { "", "-2" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("X-%s-Meta-Temp-Url-Key%s", kind, endings[i]);
      const char *key = g_hash_table_lookup (metadata, name);

      if (key != NULL && is_signature (given, key, text))
        return TRUE;
    }
  return FALSE;
}

/* What was signed: a GET also allows HEAD, and so do PUT and POST. */
static gboolean
check_signature (FakeRequest *request,
                 const FakeSwiftPath *path,
                 const char *given,
                 guint64 expires)
{
  static const char *const for_head[] = { "HEAD", "GET", "PUT", "POST" };
  FakeAccount *account = fake_swift_get_account (request->cloud, path->account);
  FakeContainer *container = fake_swift_get_container (account, path->container);
  gboolean is_head = g_str_equal (request->method, "HEAD");

  for (guint i = 0; i < (is_head ? G_N_ELEMENTS (for_head) : 1); i++)
    {
      g_autofree char *text =
        g_strdup_printf ("%s\n%" G_GUINT64_FORMAT "\n/v1/%s/%s/%s",
                         is_head ? for_head[i] : request->method, expires, path->account,
                         path->container, path->object);

      if (is_signed_by (request, account->metadata, "Account", given, text)
          || (container != NULL
              && is_signed_by (request, container->metadata, "Container", given, text)))
        return TRUE;
    }
  return FALSE;
}

/* Does a temporary URL decide? Then *@is_allowed says how. */
static gboolean
has_temporary_url (FakeRequest *request, const FakeSwiftPath *path, gboolean *is_allowed)
{
  const char *given = fake_request_get_parameter (request, "temp_url_sig");
  const char *expires_text = fake_request_get_parameter (request, "temp_url_expires");
  guint64 expires;

  if (!request->cloud->settings.swift_has_tempurl || (given == NULL && expires_text == NULL))
    return FALSE;
  *is_allowed = given != NULL && expires_text != NULL && path->object != NULL
                && g_ascii_string_to_unsigned (expires_text, 10, 0, G_MAXINT64, &expires, NULL)
                && expires > (guint64) (g_get_real_time () / G_USEC_PER_SEC)
                && check_signature (request, path, given, expires);
  return TRUE;
}

static void
reply_unauthorized (FakeRequest *request, const FakeSwiftPath *path)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (request->message);
  g_autofree char *realm = g_strdup_printf ("Swift realm=\"%s\"", path->account);
  g_autofree char *uri = g_strdup_printf ("Keystone uri=\"%s\"", request->cloud->auth_url);

  soup_message_headers_append (headers, "Www-Authenticate", realm);
  soup_message_headers_append (headers, "WWW-Authenticate", uri);
  fake_swift_reply_status (request, 401);
}

gboolean
fake_swift_may_read (FakeRequest *request, const FakeSwiftPath *path)
{
  return is_owner (request, path) || acl_allows (request, path);
}

gboolean
fake_swift_authorize (FakeRequest *request, const FakeSwiftPath *path)
{
  gboolean is_allowed = FALSE;

  if (has_temporary_url (request, path, &is_allowed))
    {
      if (!is_allowed)
        {
          fake_request_set_header (request, "Www-Authenticate", "Swift realm=\"unknown\"");
          fake_request_reply (request, 401, "text/html; charset=UTF-8",
                              "401 Unauthorized: Temp URL invalid\n");
        }
      return is_allowed;
    }
  if (fake_swift_may_read (request, path))
    return TRUE;
  if (request->token != NULL)
    fake_swift_reply_status (request, 403);
  else
    reply_unauthorized (request, path);
  return FALSE;
}
