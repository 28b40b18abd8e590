/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * Signatures of version 4, computed from what came over the wire: in a header, or in the query.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html
 */

#include "fake-s3.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define MAX_SKEW_SECONDS (15 * 60)
#define MAX_LIFE_SECONDS 604800

/* What a request says of its signature. */
typedef struct
{
  gboolean is_presigned;
  char *credential;
  char *signed_headers;
  char *signature;
  char *date;
  char **scope; /* access, day, region, service, "aws4_request" */
} Claim;

static void
claim_clear (Claim *claim)
{
  g_free (claim->credential);
  g_free (claim->signed_headers);
  g_free (claim->signature);
  g_free (claim->date);
  g_strfreev (claim->scope);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Claim, claim_clear)

static char *
get_part (const char *authorization, const char *name)
{
  g_auto (GStrv) parts = g_strsplit_set (authorization, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (parts[i], name) && parts[i][strlen (name)] == '=')
      return g_strdup (parts[i] + strlen (name) + 1);
  return NULL;
}

static gboolean
read_claim (FakeRequest *request, Claim *claim)
{
  const char *authorization = fake_request_get_header (request, "Authorization");

  if (authorization != NULL && g_str_has_prefix (authorization, ALGORITHM " "))
    {
      claim->credential = get_part (authorization, "Credential");
      claim->signed_headers = get_part (authorization, "SignedHeaders");
      claim->signature = get_part (authorization, "Signature");
      claim->date = g_strdup (fake_request_get_header (request, "X-Amz-Date"));
    }
  else if (g_strcmp0 (fake_request_get_parameter (request, "X-Amz-Algorithm"), ALGORITHM) == 0)
    {
      claim->is_presigned = TRUE;
      claim->credential = g_strdup (fake_request_get_parameter (request, "X-Amz-Credential"));
      claim->signed_headers =
        g_strdup (fake_request_get_parameter (request, "X-Amz-SignedHeaders"));
      claim->signature = g_strdup (fake_request_get_parameter (request, "X-Amz-Signature"));
      claim->date = g_strdup (fake_request_get_parameter (request, "X-Amz-Date"));
    }
  if (claim->credential == NULL || claim->signed_headers == NULL || claim->signature == NULL
      || claim->date == NULL)
    return FALSE;
  claim->scope = g_strsplit (claim->credential, "/", -1);
  return g_strv_length (claim->scope) == 5;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The parameters as they came, sorted, without the signature (transfer full). */
static char *
make_canonical_query (FakeRequest *request)
{
  const char *query = g_uri_get_query (soup_server_message_get_uri (request->message));
  g_auto (GStrv) pairs = g_strsplit (query != NULL ? query : "", "&", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; pairs[i] != NULL; i++)
    if (*pairs[i] != '\0' && !g_str_has_prefix (pairs[i], "X-Amz-Signature="))
      g_ptr_array_add (kept, strchr (pairs[i], '=') != NULL ? g_strdup (pairs[i])
                                                            : g_strconcat (pairs[i], "=", NULL));
  g_ptr_array_sort (kept, compare_texts);
  g_ptr_array_add (kept, NULL);
  return g_strjoinv ("&", (char **) kept->pdata);
}

static char *
make_canonical_request (FakeRequest *request, const Claim *claim)
{
  g_auto (GStrv) names = g_strsplit (claim->signed_headers, ";", -1);
  g_autofree char *query = make_canonical_query (request);
  const char *hash = claim->is_presigned
                       ? "UNSIGNED-PAYLOAD"
                       : fake_request_get_header (request, "X-Amz-Content-Sha256");
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s\n%s\n%s\n", request->method,
                          g_uri_get_path (soup_server_message_get_uri (request->message)), query);
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *value = fake_request_get_header (request, names[i]);

      g_string_append_printf (out, "%s:%s\n", names[i], value != NULL ? value : "");
    }
  g_string_append_printf (out, "\n%s\n%s", claim->signed_headers, hash != NULL ? hash : "");
  return g_string_free (out, FALSE);
}

static void
compute_hmac (const void *key, gsize key_size, const char *text, guint8 digest[32])
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, key, key_size);
  gsize size = 32;

  g_hmac_update (hmac, (const guchar *) text, (gssize) strlen (text));
  g_hmac_get_digest (hmac, digest, &size);
}

static gboolean
is_right_signature (FakeRequest *request, const Claim *claim, const char *secret)
{
  g_autofree char *canonical = make_canonical_request (request, claim);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *text =
    g_strdup_printf (ALGORITHM "\n%s\n%s\n%s", claim->date,
                     claim->credential + strlen (claim->scope[0]) + 1, hash);
  g_autofree char *first = g_strconcat ("AWS4", secret, NULL);
  g_autoptr (GString) shown = g_string_new (NULL);
  guint8 digest[32];

  compute_hmac (first, strlen (first), claim->scope[1], digest);
  for (guint i = 2; i < 5; i++)
    compute_hmac (digest, sizeof digest, claim->scope[i], digest);
  compute_hmac (digest, sizeof digest, text, digest);
  for (guint i = 0; i < sizeof digest; i++)
    g_string_append_printf (shown, "%02x", digest[i]);
  return g_str_equal (shown->str, claim->signature);
}

/* All that says what is asked for, and when, has to be under the signature. */
static gboolean
signs_enough (FakeRequest *request, const Claim *claim)
{
  g_auto (GStrv) names = g_strsplit (claim->signed_headers, ";", -1);
  SoupMessageHeadersIter iter;
  const char *name, *value;

  if (!g_strv_contains ((const char *const *) names, "host"))
    return FALSE;
  soup_message_headers_iter_init (&iter, fake_request_get_headers (request));
  while (soup_message_headers_iter_next (&iter, &name, &value))
    {
      g_autofree char *folded = g_ascii_strdown (name, -1);

      if (g_str_has_prefix (folded, "x-amz-")
          && !g_strv_contains ((const char *const *) names, folded))
        return FALSE;
    }
  return TRUE;
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

/* FALSE after an answer. */
static gboolean
check_time (FakeRequest *request, const Claim *claim)
{
  const char *life_text = fake_request_get_parameter (request, "X-Amz-Expires");
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (claim->date, utc);
  gint64 age;
  guint64 life = 0;

  if (date == NULL)
    {
      fake_s3_fail (request, 403, "AccessDenied", "AWS authentication requires a valid Date.", "");
      return FALSE;
    }
  age = fake_s3_get_time (request) / G_USEC_PER_SEC - g_date_time_to_unix (date);
  if (!claim->is_presigned)
    {
      if (ABS (age) <= MAX_SKEW_SECONDS)
        return TRUE;
      fake_s3_fail (request, 403, "RequestTimeTooSkewed",
                    "The difference between the request time and the current time is too large.",
                    "");
      return FALSE;
    }
  if (life_text == NULL || !g_ascii_string_to_unsigned (life_text, 10, 0, G_MAXINT64, &life, NULL)
      || life > MAX_LIFE_SECONDS)
    {
      fake_s3_fail (request, 400, "AuthorizationQueryParametersError",
                    "X-Amz-Expires must be less than a week (in seconds)", "");
      return FALSE;
    }
  if (age > (gint64) life)
    {
      fake_s3_fail (request, 403, "AccessDenied", "Request has expired", "");
      return FALSE;
    }
  return TRUE;
}

/* FALSE after an answer. */
static gboolean
check_region (FakeRequest *request, const Claim *claim)
{
  const char *region = request->cloud->settings.s3_is_region_one ? "RegionOne" : "us-east-1";
  g_autofree char *message = NULL;
  g_autofree char *extra = NULL;

  if (g_str_equal (claim->scope[2], region))
    return TRUE;
  message = g_strdup_printf ("The authorization header is malformed; the region '%s' is wrong;"
                             " expecting '%s'",
                             claim->scope[2], region);
  extra = g_strdup_printf ("<Region>%s</Region>", region);
  fake_s3_fail (request, 400,
                claim->is_presigned ? "AuthorizationQueryParametersError"
                                    : "AuthorizationHeaderMalformed",
                message, extra);
  return FALSE;
}

char *
fake_s3_authenticate (FakeRequest *request)
{
  g_auto (Claim) claim = { FALSE };
  JsonObject *key;

  if (!read_claim (request, &claim))
    {
      fake_s3_fail (request, 403, "AccessDenied", "Access Denied.", "");
      return NULL;
    }
  if (!check_region (request, &claim) || !check_time (request, &claim))
    return NULL;
  key = find_key (request->cloud, claim.scope[0]);
  if (key == NULL)
    {
      fake_s3_fail (request, 403, "InvalidAccessKeyId",
                    "The AWS Access Key Id you provided does not exist in our records.", "");
      return NULL;
    }
  /* A signature for GET is not one for HEAD. */
  if (!signs_enough (request, &claim)
      || !is_right_signature (request, &claim, fake_json_get_string (key, "secret")))
    {
      fake_s3_fail (request, 403, "SignatureDoesNotMatch",
                    "The request signature we calculated does not match the signature you"
                    " provided. Check your key and signing method.",
                    "");
      return NULL;
    }
  return g_strconcat ("AUTH_", fake_json_get_string (key, "project_id"), NULL);
}
