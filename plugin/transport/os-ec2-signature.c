/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-ec2-signature.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define SIGNED_HEADERS "host;x-amz-date"
#define DIGEST_SIZE 32

typedef struct
{
  guint8 bytes[DIGEST_SIZE];
} Digest;

static Digest
compute_hmac (const void *key,
              gsize       key_size,
              const char *text)
{
  g_autoptr(GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, key, key_size);
  gsize size = DIGEST_SIZE;
  Digest digest;

  g_hmac_update (hmac, (const guchar *) text, strlen (text));
  g_hmac_get_digest (hmac, digest.bytes, &size);
  return digest;
}

/* The key for one day, region and service, from the secret: each step of the chain is the key of
 * the next one. */
static Digest
derive_key (const char *secret,
            const char *day,
            const char *region)
{
  g_autofree char *first = g_strconcat ("AWS4", secret, NULL);
  const char *const steps[] = { region, "ec2", "aws4_request" };
  Digest key = compute_hmac (first, strlen (first), day);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    key = compute_hmac (key.bytes, DIGEST_SIZE, steps[i]);
  return key;
}

static char *
sign (const Digest *key,
      const char   *text)
{
  Digest digest = compute_hmac (key->bytes, DIGEST_SIZE, text);
  GString *hex = g_string_sized_new (2 * DIGEST_SIZE);

  for (guint i = 0; i < DIGEST_SIZE; i++)
    g_string_append_printf (hex, "%02x", digest.bytes[i]);
  return g_string_free (hex, FALSE);
}

JsonObject *
os_ec2_sign (const char *access,
             const char *secret,
             const char *host,
             const char *region,
             GDateTime  *time)
{
  g_autoptr(GDateTime) utc = g_date_time_to_utc (time);
  g_autofree char *date = g_date_time_format (utc, "%Y%m%dT%H%M%SZ");
  g_autofree char *day = g_date_time_format (utc, "%Y%m%d");
  g_autofree char *scope = g_strdup_printf ("%s/%s/ec2/aws4_request", day, region);
  g_autofree char *body_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
  g_autofree char *canonical = g_strdup_printf ("GET\n/\n\nhost:%s\nx-amz-date:%s\n\n"
                                                SIGNED_HEADERS "\n%s",
                                                host, date, body_hash);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *text = g_strdup_printf (ALGORITHM "\n%s\n%s\n%s", date, scope, hash);
  Digest key = derive_key (secret, day, region);
  g_autofree char *signature = sign (&key, text);
  g_autofree char *authorization = g_strdup_printf (ALGORITHM " Credential=%s/%s, SignedHeaders="
                                                    SIGNED_HEADERS ", Signature=%s",
                                                    access, scope, signature);
  JsonObject *headers = json_object_new ();
  JsonObject *self = json_object_new ();

  json_object_set_string_member (headers, "Host", host);
  json_object_set_string_member (headers, "X-Amz-Date", date);
  json_object_set_string_member (headers, "Authorization", authorization);
  json_object_set_string_member (self, "access", access);
  json_object_set_string_member (self, "host", host);
  json_object_set_string_member (self, "verb", "GET");
  json_object_set_string_member (self, "path", "/");
  json_object_set_object_member (self, "params", json_object_new ());
  json_object_set_object_member (self, "headers", headers);
  json_object_set_string_member (self, "body_hash", body_hash);
  json_object_set_string_member (self, "signature", signature);
  return self;
}
