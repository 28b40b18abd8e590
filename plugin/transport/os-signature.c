/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/uri.h"
#include "transport/os-signature.h"

/* https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */

#define ALGORITHM "AWS4-HMAC-SHA256"
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

  g_hmac_update (hmac, (const guchar *) text, (gssize) strlen (text));
  g_hmac_get_digest (hmac, digest.bytes, &size);
  return digest;
}

static char *
format_day (const OsSigner *self)
{
  return g_date_time_format (self->time, "%Y%m%d");
}

char *
os_signer_format_time (const OsSigner *self)
{
  return g_date_time_format (self->time, "%Y%m%dT%H%M%SZ");
}

/* What the key is good for. */
static char *
make_scope (const OsSigner *self)
{
  g_autofree char *day = format_day (self);

  return g_strdup_printf ("%s/%s/%s/aws4_request", day, self->region, self->service);
}

/* Each step of the chain is the key of the next one. */
static char *
sign (const OsSigner *self,
      const char     *text)
{
  g_autofree char *first = g_strconcat ("AWS4", self->secret, NULL);
  g_autofree char *day = format_day (self);
  const char *const steps[] = { self->region, self->service, "aws4_request", text };
  Digest digest = compute_hmac (first, strlen (first), day);
  GString *hex = g_string_sized_new (2 * DIGEST_SIZE);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    digest = compute_hmac (digest.bytes, DIGEST_SIZE, steps[i]);
  for (guint i = 0; i < DIGEST_SIZE; i++)
    g_string_append_printf (hex, "%02x", digest.bytes[i]);
  return g_string_free (hex, FALSE);
}

char *
os_signature_get_host (const char *uri)
{
  g_autofree char *origin = wk_uri_get_origin (uri);

  g_return_val_if_fail (origin != NULL, NULL);
  return g_strdup (strstr (origin, "://") + strlen ("://"));
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The parts of the query, sorted; "" when there is none. (transfer full) */
static char *
sort_query (const char *uri)
{
  const char *query = strchr (uri, '?');
  g_auto(GStrv) parts = NULL;

  if (query == NULL)
    return g_strdup ("");
  parts = g_strsplit (query + 1, "&", -1);
  qsort (parts, g_strv_length (parts), sizeof (char *), compare_texts);
  return g_strjoinv ("&", parts);
}

/* From behind the host to the query. (transfer full) */
static char *
dup_path (const char *uri)
{
  const char *host = strstr (uri, "://") + strlen ("://");
  gsize begin = strcspn (host, "/?");
  gsize length = strcspn (host + begin, "?");

  return length > 0 ? g_strndup (host + begin, length) : g_strdup ("/");
}

static char *
join_names (const char *const *headers)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; headers[i] != NULL; i += 2)
    g_string_append_printf (names, "%s%s", i > 0 ? ";" : "", headers[i]);
  return g_string_free (names, FALSE);
}

char *
os_signer_sign (const OsSigner     *self,
                const char         *method,
                const char         *uri,
                const char *const  *headers,
                const char         *payload_hash)
{
  g_autofree char *path = dup_path (uri);
  g_autofree char *query = sort_query (uri);
  g_autofree char *names = join_names (headers);
  g_autofree char *time = os_signer_format_time (self);
  g_autofree char *scope = make_scope (self);
  g_autoptr(GString) request = g_string_new (NULL);
  g_autofree char *hash = NULL;
  g_autofree char *text = NULL;

  g_string_append_printf (request, "%s\n%s\n%s\n", method, path, query);
  for (guint i = 0; headers[i] != NULL; i += 2)
    g_string_append_printf (request, "%s:%s\n", headers[i], headers[i + 1]);
  g_string_append_printf (request, "\n%s\n%s", names, payload_hash);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, request->str, (gssize) request->len);
  text = g_strdup_printf (ALGORITHM "\n%s\n%s\n%s", time, scope, hash);
  return sign (self, text);
}

char *
os_signer_authorize (const OsSigner     *self,
                     const char         *method,
                     const char         *uri,
                     const char *const  *headers,
                     const char         *payload_hash)
{
  g_autofree char *scope = make_scope (self);
  g_autofree char *names = join_names (headers);
  g_autofree char *signature = os_signer_sign (self, method, uri, headers, payload_hash);

  return g_strdup_printf (ALGORITHM " Credential=%s/%s, SignedHeaders=%s, Signature=%s",
                          self->access, scope, names, signature);
}

char *
os_signer_presign (const OsSigner *self,
                   const char     *uri,
                   guint           seconds)
{
  g_autofree char *host = os_signature_get_host (uri);
  const char *const headers[] = { "host", host, NULL };
  g_autofree char *scope = make_scope (self);
  g_autofree char *credential = g_strconcat (self->access, "/", scope, NULL);
  g_autofree char *time = os_signer_format_time (self);
  g_autofree char *life = g_strdup_printf ("%u", seconds);
  g_autofree char *unsigned_uri =
    wk_uri_add_query (uri, "X-Amz-Algorithm", ALGORITHM, "X-Amz-Credential", credential,
                      "X-Amz-Date", time, "X-Amz-Expires", life, "X-Amz-SignedHeaders", "host",
                      NULL);
  g_autofree char *signature =
    os_signer_sign (self, "GET", unsigned_uri, headers, OS_UNSIGNED_PAYLOAD);

  return wk_uri_add_query (unsigned_uri, "X-Amz-Signature", signature, NULL);
}
