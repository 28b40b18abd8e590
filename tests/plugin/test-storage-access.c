/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "services/os-object-store.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Who may read the environment's files, on swift and on what is not quite swift. */

static void
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       const char      *access,
       const char      *bucket)
{
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (fixture, "storage-access", access, "control-bucket",
                                  bucket != NULL ? bucket : "", NULL);

  storage_place_init_for (place, fixture, config);
}

static char *
get_header (ProviderFixture *fixture,
            StoragePlace    *place,
            const char      *name)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WkHttpResponse) container = storage_head_container (fixture, place, &error);

  g_assert_no_error (error);
  return g_strdup (wk_http_response_get_header (container, name));
}

static char *
get_public_uri (ProviderFixture *fixture,
                StoragePlace    *place,
                const char      *name)
{
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GError) error = NULL;
  char *uri;

  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "*everybody*public-read*");
  uri = storage_get_uri (fixture, place->storage, name, &expires, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_null (expires);
  return uri;
}

static void
assert_no_uri (ProviderFixture *fixture,
               StoragePlace    *place,
               WelkinError      code,
               const char      *words)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = storage_get_uri (fixture, place->storage, "x", NULL, &error);

  g_assert_error (error, WELKIN_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, words));
}

static void
assert_readable (ProviderFixture *fixture,
                 const char      *uri,
                 const char      *text)
{
  g_autoptr(GBytes) body = NULL;

  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
  g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), text, strlen (text));
}

static void
test_private_files_have_no_url (ProviderFixture *fixture,
                                gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *key = NULL;
  g_autofree char *rule = NULL;

  begin (&place, fixture, "private", NULL);
  storage_save_well (fixture, place.storage, "x", "y");
  assert_no_uri (fixture, &place, WELKIN_ERROR_NOT_SUPPORTED, "private");
  key = get_header (fixture, &place, "X-Container-Meta-Temp-URL-Key");
  rule = get_header (fixture, &place, "X-Container-Read");
  g_assert_null (key);
  g_assert_null (rule);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_public_files_have_plain_urls (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *uri = NULL;
  g_autofree char *again = NULL;
  g_autofree char *list = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;

  begin (&place, fixture, "public-read", NULL);
  storage_save_well (fixture, place.storage, "tools/a b", "y");
  uri = get_public_uri (fixture, &place, "tools/a b");
  g_assert_null (strchr (uri, '?'));
  assert_readable (fixture, uri, "y");
  /* The warning comes once. */
  again = storage_get_uri (fixture, place.storage, "tools/a b", NULL, &error);
  g_assert_no_error (error);

  /* Whoever does not know the name does not learn it. */
  list = g_strndup (uri, (gsize) (strstr (uri, "/tools/") - uri));
  g_assert_cmpuint (storage_fetch (fixture, list, &body), ==, 401);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_public_files_become_private_again (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  g_auto(StoragePlace) public = { NULL };
  g_auto(StoragePlace) private = { NULL };
  g_autofree char *uri = NULL;
  g_autoptr(GBytes) body = NULL;

  begin (&public, fixture, "public-read", NULL);
  storage_save_well (fixture, public.storage, "x", "y");
  uri = get_public_uri (fixture, &public, "x");
  begin (&private, fixture, "auto", public.bucket);
  storage_save_well (fixture, private.storage, "z", "y");
  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 401);
  storage_remove_all_well (fixture, private.storage);
}

/* The digests that an object store takes for temporary URLs. */

static void
answer_info (ProviderFixture *fixture,
             const char      *body)
{
  FakeRule rule = {
    .method = "GET", .path = "*/info", .action = FAKE_FAIL, .status = 200, .body = body,
  };

  fake_cloud_clear_rules (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_best_digest_is_taken (ProviderFixture *fixture,
                           gconstpointer    data)
{
  static const struct
  {
    const char *info;
    gsize       length; /* of the signature */
  } rows[] = {
    { "{\"tempurl\": {}}", 40 },
    { "{\"tempurl\": {\"allowed_digests\": [\"sha1\"]}}", 40 },
    { "{\"tempurl\": {\"allowed_digests\": [\"sha1\", \"sha256\", \"sha512\"]}}", 64 },
    { "{\"tempurl\": {\"allowed_digests\": [\"sha512\", \"sha1\"]}}", 128 },
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GError) error = NULL;
      g_autofree char *uri = NULL;
      const char *signature;

      begin (&place, fixture, "tempurl", NULL);
      answer_info (fixture, rows[i].info);
      storage_save_well (fixture, place.storage, "x", "y");
      uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
      g_assert_no_error (error);
      signature = strstr (uri, "temp_url_sig=") + strlen ("temp_url_sig=");
      g_assert_cmpuint (strcspn (signature, "&"), ==, rows[i].length);
      assert_readable (fixture, uri, "y");
    }
}

static void
test_no_digest_that_we_know (ProviderFixture *fixture,
                             gconstpointer    data)
{
  static const char *const infos[] = {
    "{}", "{\"tempurl\": {\"allowed_digests\": [\"md5\"]}}",
    "{\"tempurl\": {\"allowed_digests\": [7, {}, null]}}", "{\"tempurl\": 7}",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      g_auto(StoragePlace) place = { NULL };

      begin (&place, fixture, "auto", NULL);
      answer_info (fixture, infos[i]);
      assert_no_uri (fixture, &place, WELKIN_ERROR_NOT_SUPPORTED, "storage-access");
    }
}

/* radosgw */

static gboolean
begin_radosgw (StoragePlace    *place,
               ProviderFixture *fixture,
               const char      *access,
               int              ways)
{
  if (provider_fixture_needs_fake (fixture))
    return FALSE;
  fake_cloud_set (fixture->fake, "swift-is-radosgw", ways);
  begin (place, fixture, access, NULL);
  return TRUE;
}

static void
test_rule_goes_in_a_request_of_its_own (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *uri = NULL;
  g_autofree char *rule = NULL;

  if (!begin_radosgw (&place, fixture, "public-read", 1))
    return;
  storage_save_well (fixture, place.storage, "x", "y");
  uri = get_public_uri (fixture, &place, "x");
  assert_readable (fixture, uri, "y");
  rule = get_header (fixture, &place, "X-Container-Read");
  g_assert_cmpstr (rule, ==, ".r:*");
}

static void
test_rule_that_is_not_kept_is_told (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin_radosgw (&place, fixture, "public-read", 2))
    return;
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "public-read"));
  g_assert_nonnull (strstr (error->message, place.bucket));
}

static void
test_rule_that_is_refused_is_told (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  FakeRule rule = {
    .method = "POST", .times = -1, .action = FAKE_FAIL, .status = 403,
    .body = "<html><h1>Forbidden</h1><p>No public containers here.</p></html>",
  };
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin_radosgw (&place, fixture, "public-read", 1))
    return;
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_nonnull (strstr (error->message, "No public containers here"));
}

static void
test_lists_are_asked_for_as_json (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin_radosgw (&place, fixture, "private", 1))
    return;
  storage_save_well (fixture, place.storage, "b", "x");
  storage_save_well (fixture, place.storage, "a", "x");
  storage_assert_names (fixture, place.storage, "", "a|b");
  /* Nothing, and with no body. */
  storage_assert_names (fixture, place.storage, "c", "");
  storage_remove_all_well (fixture, place.storage);
}

static void
hide_account (ProviderFixture *fixture)
{
  static const FakeRule head = {
    .method = "HEAD", .path = "/object-store/v1/AUTH_????????????????????????????????",
    .times = -1, .action = FAKE_FAIL, .status = 403, .body = "",
  };
  static const FakeRule get = {
    .method = "GET", .path = "/object-store/v1/AUTH_????????????????????????????????",
    .times = -1, .action = FAKE_FAIL, .status = 403, .body = "",
  };

  fake_cloud_add_rule (fixture->fake, &head);
  fake_cloud_add_rule (fixture->fake, &get);
}

static void
test_account_need_not_be_seen (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  const char *account = "/object-store/v1/AUTH_????????????????????????????????";

  if (!begin_radosgw (&place, fixture, "auto", 1))
    return;
  hide_account (fixture);
  storage_save_well (fixture, place.storage, "x", "y");
  storage_assert_contents (fixture, place.storage, "x", "y");
  storage_assert_names (fixture, place.storage, "", "x");
  storage_remove (fixture, place.storage, "x");
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "HEAD", account), ==, 0);

  /* Temporary URLs would need its key. */
  assert_no_uri (fixture, &place, WELKIN_ERROR_FORBIDDEN, "temporary URLs");
}

static void
set_account_header (ProviderFixture *fixture,
                    StoragePlace    *place,
                    const char      *name,
                    const char      *value)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "POST", NULL);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  os_request_set_header (request, name, value);
  os_client_send_async (place->client, NULL, request, NULL, provider_fixture_done_cb, fixture);
  response = os_client_send_finish (NULL, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
test_account_has_the_key_where_containers_have_none (ProviderFixture *fixture,
                                                     gconstpointer    data)
{
  static const char *const names[] = {
    NULL, "X-Account-Meta-Temp-URL-Key", "X-Account-Meta-Temp-URL-Key-2",
  };
  const char *account_path = "/object-store/v1/AUTH_????????????????????????????????";

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(OsObjectStore) store = NULL;
      g_autoptr(WkHttpResponse) account = NULL;
      g_autoptr(GError) error = NULL;
      g_autofree char *uri = NULL;

      begin_radosgw (&place, fixture, "auto", 1);
      set_account_header (fixture, &place, "X-Account-Meta-Temp-URL-Key", "");
      if (names[i] != NULL)
        set_account_header (fixture, &place, names[i], "others use it");
      storage_save_well (fixture, place.storage, "x", "y");
      fake_log_clear (fixture->fake);
      uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
      g_assert_no_error (error);
      /* A key that is there is used, whichever of the two it is. */
      g_assert_cmpuint (fake_log_count (fixture->fake, "POST", account_path), ==,
                        names[i] == NULL ? 1 : 0);
      assert_readable (fixture, uri, "y");

      if (names[i] == NULL)
        continue;
      store = os_object_store_new (place.client);
      os_object_store_head_account_async (store, NULL, provider_fixture_done_cb, fixture);
      account = os_object_store_head_account_finish (store, provider_fixture_wait (fixture),
                                                     &error);
      g_assert_cmpstr (wk_http_response_get_header (account, names[i]), ==, "others use it");
    }
}

/* It does not say what it can do: a URL is tried before it is given away. */
static void
test_url_is_tried_where_nothing_is_known (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  static const FakeRule refusal = {
    .method = "HEAD", .path = "*/x", .times = -1, .action = FAKE_FAIL, .status = 401,
    .body = "<html><h1>Unauthorized</h1></html>", .content_type = "text/html",
  };
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) other = { NULL };
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;

  if (!begin_radosgw (&place, fixture, "auto", 1))
    return;
  fake_cloud_set (fixture->fake, "swift-has-info", 0);
  uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "HEAD", "*/x"), ==, 1);
  storage_save_well (fixture, place.storage, "x", "y");
  assert_readable (fixture, uri, "y");

  begin (&other, fixture, "auto", NULL);
  fake_cloud_add_rule (fixture->fake, &refusal);
  assert_no_uri (fixture, &other, WELKIN_ERROR_NOT_SUPPORTED, "temporary URLs");
}

/* Headers */

static void
test_headers_of_the_answer_are_given (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const char *const headers[] = {
    "eTAG: 0123456789abcdef0123456789abcdef", "x-OBJECT-meta-MTIME: 1365615113.252080",
    "LAST-modified: Wed, 10 Apr 2013 17:31:53 GMT", NULL,
  };
  static const FakeRule rule = {
    .method = "HEAD", .path = "*/x", .action = FAKE_FAIL, .status = 200, .headers = headers,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(OsObjectStore) store = NULL;
  g_autoptr(WkHttpResponse) object = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  begin (&place, fixture, "auto", NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  store = os_object_store_new (place.client);
  os_object_store_head_object_async (store, place.bucket, "x", NULL, provider_fixture_done_cb,
                                     fixture);
  object = os_object_store_head_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wk_http_response_get_header (object, "Etag"), ==,
                   "0123456789abcdef0123456789abcdef");
  g_assert_cmpstr (wk_http_response_get_header (object, "X-Object-Meta-Mtime"), ==,
                   "1365615113.252080");
  g_assert_cmpstr (wk_http_response_get_header (object, "last-modified"), ==,
                   "Wed, 10 Apr 2013 17:31:53 GMT");
  /* What we have sent is not what came back. */
  g_assert_null (wk_http_response_get_header (object, "X-Auth-Token"));
  g_assert_null (wk_http_response_get_header (object, "Accept"));
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/swift/access/private", test_private_files_have_no_url);
  add ("/swift/access/public", test_public_files_have_plain_urls);
  add ("/swift/access/public-becomes-private", test_public_files_become_private_again);
  add ("/swift/access/best-digest", test_best_digest_is_taken);
  add ("/swift/access/no-digest", test_no_digest_that_we_know);
  add ("/cases/G46/rule-in-a-request-of-its-own", test_rule_goes_in_a_request_of_its_own);
  add ("/cases/G46/rule-not-kept-is-told", test_rule_that_is_not_kept_is_told);
  add ("/cases/G46/rule-refused-is-told", test_rule_that_is_refused_is_told);
  add ("/cases/G46/lists-are-json", test_lists_are_asked_for_as_json);
  add ("/cases/G46/account-need-not-be-seen", test_account_need_not_be_seen);
  add ("/cases/G46/key-of-the-account", test_account_has_the_key_where_containers_have_none);
  add ("/cases/G46/url-is-tried", test_url_is_tried_where_nothing_is_known);
  add ("/cases/G47/headers-of-the-answer", test_headers_of_the_answer_are_given);

  return provider_fixture_run ();
}
