/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The fake's object store. */

#include "fake-client.h"

static char *
get_path (FakeClient *client, const char *rest)
{
  return g_strdup_printf ("/object-store/v1/AUTH_%s%s", client->project_id, rest);
}

static void
ask (FakeClient *client, const char *method, const char *rest, const char *body, const char *header)
{
  g_autofree char *path = get_path (client, rest);

  fake_client_send (client, method, path, body, header, NULL);
}

static void
put (FakeClient *client, const char *rest, const char *body)
{
  ask (client, "PUT", rest, body, body == NULL ? "Content-Length: 0" : NULL);
  g_assert_cmpuint (client->status, >=, 201);
  g_assert_cmpuint (client->status, <=, 202);
}

static void
test_objects_come_back_as_they_were (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put (client, "/c", NULL);
  fake_client_assert_status (client, 201);
  put (client, "/c", NULL);
  fake_client_assert_status (client, 202);
  put (client, "/c/a%20b/%C3%A9%2B", "hello");
  g_assert_cmpstr (fake_client_get_header (client, "Etag"), ==,
                   "5d41402abc4b2a76b9719d911017c592");
  ask (client, "GET", "/c/a%20b/%C3%A9%2B", NULL, NULL);
  g_assert_cmpstr (client->text, ==, "hello");
  ask (client, "HEAD", "/c/a%20b/%C3%A9%2B", NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (fake_client_get_header (client, "Content-Length"), ==, "5");
  ask (client, "GET", "/c?format=json", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "0.name"), ==, "a b/é+");
  ask (client, "DELETE", "/c", NULL, NULL);
  fake_client_assert_status (client, 409);
  ask (client, "DELETE", "/c/a%20b/%C3%A9%2B", NULL, NULL);
  fake_client_assert_status (client, 204);
  ask (client, "DELETE", "/c", NULL, NULL);
  fake_client_assert_status (client, 204);
  ask (client, "GET", "/c?format=json", NULL, NULL);
  fake_client_assert_status (client, 404);
}

static void
test_wrong_checksum_is_refused (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put (client, "/c", NULL);
  ask (client, "PUT", "/c/o", "hello", "ETag: 00000000000000000000000000000000");
  fake_client_assert_status (client, 422);
  ask (client, "PUT", "/c/o", "hello", "ETag: \"5d41402abc4b2a76b9719d911017c592\"");
  fake_client_assert_status (client, 201);
  ask (client, "PUT", "/none/o", "hello", NULL);
  fake_client_assert_status (client, 404);
}

static void
test_listings_come_in_pages (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *marker = g_strdup ("");
  guint pages = 0;
  int found = 0, n;

  put (client, "/c", NULL);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("/c/d/%u", i);

      put (client, name, "x");
    }
  put (client, "/c/zz", "x");
  fake_cloud_set (client->cloud, "swift-max-limit", 2);
  do
    {
      g_autofree char *rest =
        g_strdup_printf ("/c?format=json&prefix=d/&marker=%s", marker);
      g_autofree char *last = NULL;

      ask (client, "GET", rest, NULL, NULL);
      fake_client_assert_status (client, 200);
      n = (int) json_array_get_length (json_node_get_array (client->json));
      found += n;
      pages++;
      last = g_strdup_printf ("%d.name", n - 1);
      g_free (marker);
      marker = g_strdup (n > 0 ? fake_client_get (client, last) : NULL);
    }
  while (n > 0);
  g_assert_cmpint (found, ==, 5);
  g_assert_cmpuint (pages, ==, 4);
  ask (client, "GET", "/c?format=json&limit=3", NULL, NULL);
  fake_client_assert_status (client, 412);
  ask (client, "GET", "/c?marker=zz", NULL, "Accept: text/plain");
  fake_client_assert_status (client, 204);
}

static void
test_if_none_match_guards_only_what_has_ended (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = get_path (client, "/c/o");
  FakePending *first, *second;

  put (client, "/c", NULL);
  fake_cloud_set (client->cloud, "latency", 50);
  first = fake_client_start (client, "PUT", path, "one", "If-None-Match: *", NULL);
  second = fake_client_start (client, "PUT", path, "two", "If-None-Match: *", NULL);
  fake_client_wait (client, first);
  fake_client_assert_status (client, 201);
  fake_client_wait (client, second);
  fake_client_assert_status (client, 201);
  fake_client_send (client, "PUT", path, "three", "If-None-Match: *", NULL);
  fake_client_assert_status (client, 412);
}

static void
test_public_container_is_read_by_anybody (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put (client, "/c", NULL);
  put (client, "/c/o", "hello");
  ask (client, "POST", "/c", NULL, "X-Container-Read: .r:*");
  fake_client_assert_status (client, 204);
  ask (client, "GET", "/c/o", NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 200);
  ask (client, "GET", "/c", NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 401);
  ask (client, "POST", "/c", NULL, "X-Container-Read: ");
  ask (client, "PUT", "/c", NULL, "X-Container-Read: .r:*,.rlistings");
  ask (client, "GET", "/c", NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 200);
  ask (client, "DELETE", "/c/o", NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 401);
}

static char *
sign (FakeClient *client, GChecksumType digest, const char *object, gint64 expires)
{
  g_autofree char *text =
    g_strdup_printf ("GET\n%" G_GINT64_FORMAT "\n/v1/AUTH_%s/c/%s", expires, client->project_id,
                     object);

  return g_compute_hmac_for_string (digest, (const guint8 *) "key", 3, text, -1);
}

static void
test_temporary_urls_open_an_object (void)
{
  static const GChecksumType digests[] = { G_CHECKSUM_SHA1, G_CHECKSUM_SHA256, G_CHECKSUM_SHA512 };
  g_autoptr (FakeClient) client = fake_client_new ();
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  gint64 later = now + 3600;
  g_autofree char *old = sign (client, G_CHECKSUM_SHA256, "a b", now - 1);
  g_autofree char *old_rest = NULL;
  g_autofree char *encoded = sign (client, G_CHECKSUM_SHA256, "a%20b", later);
  g_autofree char *encoded_rest = NULL;

  put (client, "/c", NULL);
  put (client, "/c/a%20b", "hello");
  ask (client, "POST", "/c", NULL, "X-Container-Meta-Temp-URL-Key: key");
  for (guint i = 0; i < G_N_ELEMENTS (digests); i++)
    {
      g_autofree char *signature = sign (client, digests[i], "a b", later);
      g_autofree char *rest =
        g_strdup_printf ("/c/a%%20b?temp_url_sig=%s&temp_url_expires=%" G_GINT64_FORMAT, signature,
                         later);

      ask (client, "GET", rest, NULL, "X-Auth-Token: ");
      fake_client_assert_status (client, 200);
      ask (client, "HEAD", rest, NULL, "X-Auth-Token: ");
      fake_client_assert_status (client, 200);
      ask (client, "PUT", rest, "x", "X-Auth-Token: ");
      fake_client_assert_status (client, 401);
    }
  old_rest = g_strdup_printf ("/c/a%%20b?temp_url_sig=%s&temp_url_expires=%" G_GINT64_FORMAT, old,
                              now - 1);
  ask (client, "GET", old_rest, NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 401);
  encoded_rest = g_strdup_printf ("/c/a%%20b?temp_url_sig=%s&temp_url_expires=%" G_GINT64_FORMAT,
                                  encoded, later);
  ask (client, "GET", encoded_rest, NULL, "X-Auth-Token: ");
  fake_client_assert_status (client, 401);
}

static void
test_bulk_delete_counts (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = get_path (client, "?bulk-delete");

  put (client, "/c", NULL);
  put (client, "/c/a", "x");
  put (client, "/c/b", "x");
  fake_client_send (client, "POST", path, "/c/a\n/c/none\n/c\n", "Content-Type: text/plain", NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (client->text, ==,
                   "{\"Response Status\": \"400 Bad Request\", \"Response Body\": \"\","
                   " \"Number Deleted\": 1, \"Number Not Found\": 1,"
                   " \"Errors\": [[\"/c\", \"409 Conflict\"]]}");
  fake_client_send (client, "POST", path, "/c/b\n/c", "Content-Type: text/plain",
                    "X-Auth-Token: bad", NULL);
  fake_client_assert_status (client, 200);
  g_assert_nonnull (strstr (client->text, "401 Unauthorized"));
  fake_client_send (client, "POST", path, "/c/b\n/c", "Content-Type: text/plain", NULL);
  g_assert_cmpstr (fake_client_get (client, "Number Deleted"), ==, "2");
}

static void
test_large_object_is_its_segments (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  put (client, "/c", NULL);
  put (client, "/c/1", "hello ");
  put (client, "/c/2", "world");
  ask (client, "PUT", "/c/whole?multipart-manifest=put",
       "[{'path': '/c/1', 'size_bytes': 6}, {'path': '/c/2'}]", NULL);
  fake_client_assert_status (client, 201);
  ask (client, "GET", "/c/whole", NULL, NULL);
  g_assert_cmpstr (client->text, ==, "hello world");
  g_assert_cmpstr (fake_client_get_header (client, "X-Static-Large-Object"), ==, "True");
  ask (client, "PUT", "/c/bad?multipart-manifest=put", "[{'path': '/c/none'}]", NULL);
  fake_client_assert_status (client, 400);
  ask (client, "DELETE", "/c/1?multipart-manifest=delete", NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_nonnull (strstr (client->text, "Not an SLO manifest"));
  ask (client, "DELETE", "/c/whole?multipart-manifest=delete", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "Number Deleted"), ==, "3");
}

static void
test_info_says_what_is_there (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_send (client, "GET", "/info", NULL, "X-Auth-Token: ", NULL);
  fake_client_assert_status (client, 200);
  g_assert_nonnull (fake_client_get (client, "tempurl.allowed_digests"));
  fake_cloud_set (client->cloud, "swift-has-tempurl", 0);
  fake_client_send (client, "GET", "/info", NULL, NULL);
  g_assert_null (fake_client_get (client, "tempurl"));
  fake_cloud_set (client->cloud, "swift-has-info", 0);
  fake_client_send (client, "GET", "/info", NULL, NULL);
  fake_client_assert_status (client, 404);
}

static void
test_new_object_may_be_missing_at_first (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_set (client->cloud, "swift-missing-reads", 1);
  put (client, "/c", NULL);
  put (client, "/c/o", "hello");
  ask (client, "GET", "/c/o", NULL, NULL);
  fake_client_assert_status (client, 404);
  ask (client, "GET", "/c/o", NULL, NULL);
  fake_client_assert_status (client, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fake/object-store/objects-come-back-as-they-were",
                   test_objects_come_back_as_they_were);
  g_test_add_func ("/fake/object-store/wrong-checksum-is-refused", test_wrong_checksum_is_refused);
  g_test_add_func ("/fake/object-store/listings-come-in-pages", test_listings_come_in_pages);
  g_test_add_func ("/fake/object-store/if-none-match-guards-only-what-has-ended",
                   test_if_none_match_guards_only_what_has_ended);
  g_test_add_func ("/fake/object-store/public-container-is-read-by-anybody",
                   test_public_container_is_read_by_anybody);
  g_test_add_func ("/fake/object-store/temporary-urls-open-an-object",
                   test_temporary_urls_open_an_object);
  g_test_add_func ("/fake/object-store/bulk-delete-counts", test_bulk_delete_counts);
  g_test_add_func ("/fake/object-store/large-object-is-its-segments",
                   test_large_object_is_its_segments);
  g_test_add_func ("/fake/object-store/info-says-what-is-there", test_info_says_what_is_there);
  g_test_add_func ("/fake/object-store/new-object-may-be-missing-at-first",
                   test_new_object_may_be_missing_at_first);

  return g_test_run ();
}
