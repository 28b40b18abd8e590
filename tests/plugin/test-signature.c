/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "transport/os-signature.h"

/* The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and
 * sigv4-query-string-auth.html. */

#define ACCESS "AKIAIOSFODNN7EXAMPLE"
#define SECRET "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
#define HOST "examplebucket.s3.amazonaws.com"
#define DATE "20130524T000000Z"
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static const struct
{
  const char *name;
  const char *method;
  const char *uri;
  const char *headers[12];
  const char *hash;
  const char *signature;
} rows[] = {
  { "get-object",
    "GET",
    "https://" HOST "/test.txt",
    { "host", HOST, "range", "bytes=0-9", "x-amz-content-sha256", EMPTY, "x-amz-date", DATE },
    EMPTY,
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41" },
  { "put-object",
    "PUT",
    "https://" HOST "/test%24file.text",
    { "date", "Fri, 24 May 2013 00:00:00 GMT", "host", HOST, "x-amz-content-sha256",
      "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072", "x-amz-date", DATE,
      "x-amz-storage-class", "REDUCED_REDUNDANCY" },
    "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd" },
  { "get-bucket-lifecycle",
    "GET",
    "https://" HOST "/?lifecycle=",
    { "host", HOST, "x-amz-content-sha256", EMPTY, "x-amz-date", DATE },
    EMPTY,
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543" },
  /* The order of the query is not that in which it is signed. */
  { "list-objects",
    "GET",
    "https://" HOST "?prefix=J&max-keys=2",
    { "host", HOST, "x-amz-content-sha256", EMPTY, "x-amz-date", DATE },
    EMPTY,
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7" },
};

static OsSigner
make_signer (GDateTime *time)
{
  return (OsSigner) { ACCESS, SECRET, "us-east-1", "s3", time };
}

static GDateTime *
make_time (void)
{
  return g_date_time_new_utc (2013, 5, 24, 0, 0, 0);
}

static void
test_headers (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr(GDateTime) time = make_time ();
  OsSigner signer = make_signer (time);
  g_autofree char *authorization =
    os_signer_authorize (&signer, rows[i].method, rows[i].uri, rows[i].headers, rows[i].hash);
  g_autofree char *signature = g_strconcat (", Signature=", rows[i].signature, NULL);

  g_assert_true (g_str_has_prefix (authorization,
                                   "AWS4-HMAC-SHA256 Credential=" ACCESS
                                   "/20130524/us-east-1/s3/aws4_request, SignedHeaders="));
  g_assert_true (g_str_has_suffix (authorization, signature));
}

static void
test_url (void)
{
  g_autoptr(GDateTime) time = make_time ();
  OsSigner signer = make_signer (time);
  g_autofree char *uri = os_signer_presign (&signer, "https://" HOST "/test.txt", 86400);

  g_assert_cmpstr (
    uri, ==,
    "https://" HOST "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" ACCESS
    "%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=" DATE "&X-Amz-Expires=86400"
    "&X-Amz-SignedHeaders=host&X-Amz-Signature="
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
}

static void
test_host (void)
{
  static const struct
  {
    const char *uri;
    const char *host;
  } hosts[] = {
    { "http://127.0.0.1:8080/x", "127.0.0.1:8080" },
    { "http://s3.test:80/x", "s3.test" },
    { "https://s3.test:443", "s3.test" },
    { "https://s3.test:80/", "s3.test:80" },
    { "https://S3.Test/", "s3.test" },
    { "http://[2001:db8::1]:8080/x?y", "[2001:db8::1]:8080" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      g_autofree char *host = os_signature_get_host (hosts[i].uri);

      g_assert_cmpstr (host, ==, hosts[i].host);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/signature/headers/", rows[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_headers);
    }
  g_test_add_func ("/signature/url", test_url);
  g_test_add_func ("/signature/host", test_host);

  return g_test_run ();
}
