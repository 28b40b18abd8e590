/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "os-storage-s3-private.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Files in S3. The fake checks each signature by the request that it got. */

#define ACCESS "0123456789abcdef0123456789abcdef"
#define SECRET "fedcba9876543210fedcba9876543210"

/* FALSE where there is no fake: a real cloud has no S3 in its catalog. */
static gboolean
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       const char      *uuid,
       const char      *bucket)
{
  g_autoptr(WelkinConfig) config = NULL;

  if (provider_fixture_needs_fake (fixture))
    return FALSE;
  config = provider_fixture_make_config (fixture, "storage", "s3", "uuid",
                                         uuid != NULL ? uuid : fixture->uuid, "control-bucket",
                                         bucket != NULL ? bucket : "", NULL);
  storage_place_init_for (place, fixture, config);
  return TRUE;
}

static void
add_keys (ProviderFixture *fixture)
{
  fake_cloud_add (fixture->fake, "ec2-key",
                  "{'access': '" ACCESS "', 'secret': '" SECRET "', 'user': 'demo',"
                  " 'project': 'demo'}");
}

static void
test_files_from_first_to_last (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) none = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  before = fake_cloud_dump_inventory (fixture->fake, NULL);
  storage_assert_names (fixture, place.storage, "", "");
  storage_remove (fixture, place.storage, "provider-state");
  storage_remove_all_well (fixture, place.storage);

  storage_save_well (fixture, place.storage, "tools/b", "two");
  storage_save_well (fixture, place.storage, "tools/a", "one");
  storage_save_well (fixture, place.storage, "provider-state", "");
  storage_save_well (fixture, place.storage, "tools/a", "three");
  storage_assert_contents (fixture, place.storage, "tools/a", "three");
  storage_assert_contents (fixture, place.storage, "provider-state", "");
  storage_assert_names (fixture, place.storage, "tools/", "tools/a|tools/b");
  storage_assert_names (fixture, place.storage, "", "provider-state|tools/a|tools/b");

  storage_remove (fixture, place.storage, "tools/a");
  storage_remove (fixture, place.storage, "tools/a");
  none = storage_load (fixture, place.storage, "tools/a", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "key does not exist"));
  storage_remove_all_well (fixture, place.storage);
  after = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_cmpstr (after, ==, before);
}

/* Keys */

static void
test_keys_are_made_once (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_auto(StoragePlace) first = { NULL };
  g_auto(StoragePlace) second = { NULL };

  if (!begin (&first, fixture, NULL, NULL))
    return;
  storage_save_well (fixture, first.storage, "x", "y");
  begin (&second, fixture, NULL, first.bucket);
  storage_assert_contents (fixture, second.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "*/credentials/OS-EC2"), ==, 1);
}

static void
test_keys_of_another_project_are_not_taken (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_add (fixture->fake, "ec2-key",
                  "{'access': '" ACCESS "', 'secret': '" SECRET "', 'user': 'demo',"
                  " 'project': 'other'}");
  storage_save_well (fixture, place.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "*/credentials/OS-EC2"), ==, 1);
}

static void
begin_with_keys (StoragePlace    *place,
                 ProviderFixture *fixture,
                 const char      *secret)
{
  g_autofree char *url = g_strconcat (fake_cloud_get_url (fixture->fake), "/s3/", NULL);
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (fixture, "storage", "s3", "s3-url", url, "access-key", ACCESS,
                                  "secret-key", secret, "auth-mode", "userpass", "username",
                                  "demo", "password", "secret", NULL);

  storage_place_init_for (place, fixture, config);
}

static void
test_with_url_and_keys_nobody_logs_in (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  add_keys (fixture);
  begin_with_keys (&place, fixture, SECRET);
  storage_save_well (fixture, place.storage, "x", "y");
  storage_assert_contents (fixture, place.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, NULL, "/identity/*"), ==, 0);
}

static void
test_wrong_keys (ProviderFixture *fixture,
                 gconstpointer    data)
{
  static const char *const secrets[] = { SECRET, "wrong" };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_auto(GStrv) names = NULL;
      g_autoptr(GError) error = NULL;

      if (i > 0)
        add_keys (fixture);
      begin_with_keys (&place, fixture, secrets[i]);
      welkin_storage_list_async (place.storage, "", NULL, provider_fixture_done_cb, fixture);
      names = welkin_storage_list_finish (place.storage, provider_fixture_wait (fixture), &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
      g_assert_cmpstr (welkin_error_get_service (error), ==, "s3");
      g_assert_null (strstr (error->message, secrets[i]));
    }
}

static void
test_keys_that_identity_does_not_give (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  static const FakeRule rule = {
    .path = "*/credentials/OS-EC2", .times = -1, .action = FAKE_FAIL, .status = 403,
    .body = "{\"error\": {\"code\": 403, \"title\": \"Forbidden\", \"message\":"
            " \"Delegated tokens cannot access credentials directly.\"}}",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_nonnull (strstr (error->message, "access-key"));
  g_assert_nonnull (strstr (error->message, "Delegated tokens"));
}

static void
test_cloud_without_s3 (ProviderFixture *fixture,
                       gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_remove (fixture->fake, "endpoint", "s3");
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "s3-url"));
}

/* What the server knows better */

static void
test_region_is_corrected (ProviderFixture *fixture,
                          gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) again = { NULL };
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_set (fixture->fake, "s3-is-region-one", 1);
  storage_assert_names (fixture, place.storage, "", "");
  storage_save_well (fixture, place.storage, "x", "y");
  uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);

  /* The first request of another is a HEAD, and the answer to that tells no region. */
  if (begin (&again, fixture, NULL, place.bucket))
    storage_save_well (fixture, again.storage, "x", "z");
  storage_assert_contents (fixture, place.storage, "x", "z");
}

static void
count_lists_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  guint *lists = user_data;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = welkin_storage_list_finish (WELKIN_STORAGE (source), result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (names);
  (*lists)++;
}

/* Of requests that begin together, the later ones are told what the first was told. */
static void
test_region_is_corrected_for_each (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  guint lists = 0;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_set (fixture->fake, "s3-is-region-one", 1);
  for (int i = 0; i < 3; i++)
    welkin_storage_list_async (place.storage, "", NULL, count_lists_cb, &lists);
  while (lists < 3)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_clock_is_corrected (ProviderFixture *fixture,
                         gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_set (fixture->fake, "clock-skew", 3600);
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE, "*pair of EC2 keys*");
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "*60 minutes apart*");
  storage_assert_names (fixture, place.storage, "", "");
  g_test_assert_expected_messages ();
  storage_save_well (fixture, place.storage, "x", "y");
  uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
}

/* Names */

static const char *const odd_names[] = {
  "my%20file.txt", "my file.txt", "100%", "a#b", "a?b", "c %1", "a+b", "a&b=c", "<x>", "\"q\"", "'",
  "a;b", "ü/é", "日本語", "\xf0\x9f\x90\xa7", "tab\there", "line\nbreak", "bell\ahere",
  "carriage\rreturn", "~", "a\\b", "...", ".hidden", "\x7f", "%", "%2F", "{}", "a:b@c", "$!*(),",
};

static void
test_names_stay_what_they_are (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_set (fixture->fake, "s3-max-keys", 4);
  for (guint i = 0; i < G_N_ELEMENTS (odd_names); i++)
    storage_save_well (fixture, place.storage, odd_names[i], odd_names[i]);
  welkin_storage_list_async (place.storage, "", NULL, provider_fixture_done_cb, fixture);
  names = welkin_storage_list_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, G_N_ELEMENTS (odd_names));
  for (guint i = 0; i < G_N_ELEMENTS (odd_names); i++)
    {
      g_autoptr(GBytes) body = NULL;
      g_autofree char *uri = NULL;

      g_assert_true (g_strv_contains ((const char *const *) names, odd_names[i]));
      storage_assert_contents (fixture, place.storage, odd_names[i], odd_names[i]);
      uri = storage_get_uri (fixture, place.storage, odd_names[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
    }
  storage_remove_all_well (fixture, place.storage);
  storage_assert_names (fixture, place.storage, "", "");
}

static void
test_mark_is_no_file (ProviderFixture *fixture,
                      gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  g_assert_false (storage_save (fixture, place.storage, OS_BUCKET_MARK, "x", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

/* Lists */

static void
fill (ProviderFixture *fixture,
      StoragePlace    *place,
      guint            n)
{
  g_autofree char *json =
    g_strdup_printf ("{'project': 'demo', 'container': '%s', 'prefix': 'n', 'count': %u}",
                     place->bucket, n);

  storage_save_well (fixture, place->storage, "first", "x");
  fake_cloud_add (fixture->fake, "objects", json);
}

static void
assert_listed (ProviderFixture *fixture,
               StoragePlace    *place,
               guint            n)
{
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;

  welkin_storage_list_async (place->storage, "", NULL, provider_fixture_done_cb, fixture);
  names = welkin_storage_list_finish (place->storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, n);
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (strcmp (names[i - 1], names[i]), <, 0);
}

static void
test_many_files (ProviderFixture *fixture,
                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fill (fixture, &place, 2500);
  assert_listed (fixture, &place, 2501);
  storage_remove_all_well (fixture, place.storage);
  storage_assert_names (fixture, place.storage, "", "");
  /* A thousand names at a time; the mark and the bucket by themselves. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*"), ==, 2);
}

static void
test_list_of_the_older_version (ProviderFixture *fixture,
                                gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_set (fixture->fake, "s3-has-v1-list", 1);
  fake_cloud_set (fixture->fake, "s3-max-keys", 7);
  fill (fixture, &place, 40);
  assert_listed (fixture, &place, 41);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_list_that_does_not_go_on (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  FakeRule rule = {
    .method = "GET", .times = -1, .action = FAKE_FAIL, .status = 200,
    .content_type = "application/xml",
    .body = "<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents>"
            "<NextContinuationToken>t</NextContinuationToken></ListBucketResult>",
  };
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  path = g_strconcat ("/s3/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  welkin_storage_list_async (place.storage, "", NULL, provider_fixture_done_cb, fixture);
  names = welkin_storage_list_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 2);
}

/* Each page leads to the other. */
static void
test_list_that_goes_back (ProviderFixture *fixture,
                          gconstpointer    data)
{
  static const char *const tokens[] = { "t", "u", "t", "u", "t" };
  g_auto(StoragePlace) place = { NULL };
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  path = g_strconcat ("/s3/", place.bucket, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      g_autofree char *body =
        g_strdup_printf ("<ListBucketResult><IsTruncated>true</IsTruncated>"
                         "<NextContinuationToken>%s</NextContinuationToken></ListBucketResult>",
                         tokens[i]);
      FakeRule rule = {
        .method = "GET", .path = path, .times = 1, .action = FAKE_FAIL, .status = 200,
        .content_type = "application/xml", .body = body,
      };

      fake_cloud_add_rule (fixture->fake, &rule);
    }
  welkin_storage_list_async (place.storage, "", NULL, provider_fixture_done_cb, fixture);
  names = welkin_storage_list_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_true (g_str_has_prefix (error->message, "GET http://"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 3);
}

static void
test_multiple_deletion_that_fails (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const char *const bodies[] = {
    "", "nonsense", "<Other/>",
    "<DeleteResult><Error><Key>n000001</Key><Code>InternalError</Code></Error></DeleteResult>",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      FakeRule rule = {
        .method = "POST", .path = "/s3/*", .action = FAKE_FAIL, .status = 200,
        .content_type = "application/xml", .body = bodies[i],
      };
      guint alone = i < 3 ? 4 : 1;

      begin (&place, fixture, NULL, NULL);
      fill (fixture, &place, 3);
      fake_log_clear (fixture->fake);
      fake_cloud_add_rule (fixture->fake, &rule);
      storage_remove_all_well (fixture, place.storage);
      g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "/s3/*/n*"), ==, MIN (alone, 3));
    }
}

/* Whose bucket it is */

static void
test_bucket_of_another_is_left_alone (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_auto(StoragePlace) ours = { NULL };
  g_auto(StoragePlace) theirs = { NULL };
  g_autofree char *other = g_uuid_string_random ();
  g_autoptr(GError) error = NULL;

  if (!begin (&ours, fixture, NULL, NULL))
    return;
  storage_save_well (fixture, ours.storage, "x", "ours");
  begin (&theirs, fixture, other, ours.bucket);
  g_assert_false (storage_save (fixture, theirs.storage, "x", "theirs", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_clear_error (&error);
  g_assert_false (storage_remove_all (fixture, theirs.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_clear_error (&error);
  g_assert_false (storage_try_to_remove (fixture, theirs.storage, "x", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_contents (fixture, ours.storage, "x", "ours");
}

static void
test_bucket_without_a_mark_is_left_alone (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(OsS3) s3 = NULL;
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("sun", 3, NULL);
  g_autoptr(OsBody) body = os_body_new (stream, 3, NULL);
  g_autofree char *md5 = g_compute_checksum_for_string (G_CHECKSUM_MD5, "sun", 3);
  g_autofree char *sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "sun", 3);
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  s3 = os_s3_new (place.client, NULL, "us-east-1", NULL, NULL);
  os_s3_create_bucket_async (s3, place.bucket, NULL, provider_fixture_done_cb, fixture);
  g_assert_true (os_s3_create_bucket_finish (s3, provider_fixture_wait (fixture), &error));
  /* Empty, it may be what an earlier run made. */
  storage_remove_all_well (fixture, place.storage);
  os_s3_put_object_async (s3, place.bucket, "holiday.jpg", body, md5, sha256, TRUE, NULL,
                          provider_fixture_done_cb, fixture);
  g_assert_true (os_s3_put_object_finish (s3, provider_fixture_wait (fixture), &error));

  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_clear_error (&error);
  g_assert_false (storage_remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_contents (fixture, place.storage, "holiday.jpg", "sun");
}

static void
test_bucket_that_cannot_be_marked_is_not_left (ProviderFixture *fixture,
                                               gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/" OS_BUCKET_MARK, .times = -1, .action = FAKE_FAIL, .status = 403,
    .content_type = "application/xml",
    .body = "<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  before = fake_cloud_dump_inventory (fixture->fake, NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE);
  after = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_cmpstr (after, ==, before);
}

static void
test_vanished_bucket_is_made_again (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) other = { NULL };

  if (!begin (&place, fixture, NULL, NULL))
    return;
  storage_save_well (fixture, place.storage, "x", "y");
  begin (&other, fixture, NULL, place.bucket);
  storage_remove_all_well (fixture, other.storage);
  storage_save_well (fixture, place.storage, "x", "z");
  storage_assert_contents (fixture, place.storage, "x", "z");
}

/* Writing */

static void
test_taken_name_is_not_replaced (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, NULL, NULL))
    return;
  for (int ignores = 0; ignores < 3; ignores++)
    {
      g_autofree char *name = g_strdup_printf ("state-%d", ignores);
      g_autoptr(GError) error = NULL;

      fake_cloud_set (fixture->fake, "s3-ignores-conditions", ignores);
      storage_save (fixture, place.storage, name, "mine", WELKIN_STORAGE_NO_REPLACE, &error);
      g_assert_no_error (error);
      g_assert_false (storage_save (fixture, place.storage, name, "theirs",
                                    WELKIN_STORAGE_NO_REPLACE, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
      storage_assert_contents (fixture, place.storage, name, "mine");
    }
}

static void
test_lost_answer_is_no_taken_name (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/provider-state", .action = FAKE_DROP_AFTER,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  storage_save (fixture, place.storage, "provider-state", "mine", WELKIN_STORAGE_NO_REPLACE,
                &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/provider-state"), ==, 2);
}

static void
test_damage_on_the_way_is_noticed (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const char *const headers[] = { "ETag: \"00000000000000000000000000000000\"", NULL };
  static const FakeRule up = {
    .method = "PUT", .path = "*/x", .action = FAKE_FAIL, .status = 400,
    .content_type = "application/xml",
    .body = "<Error><Code>BadDigest</Code><Message>Damaged.</Message></Error>",
  };
  static const FakeRule down = {
    .method = "GET", .path = "*/x", .action = FAKE_FAIL, .status = 200, .body = "damaged",
    .headers = headers,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  fake_cloud_add_rule (fixture->fake, &up);
  storage_save_well (fixture, place.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/x"), ==, 2);
  fake_cloud_add_rule (fixture->fake, &down);
  bytes = storage_load (fixture, place.storage, "x", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
test_file_that_is_not_seen_yet (ProviderFixture *fixture,
                                gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  storage_save_well (fixture, place.storage, "first", "x");
  fake_cloud_set (fixture->fake, "swift-missing-reads", 3);
  storage_save_well (fixture, place.storage, "x", "y");
  bytes = storage_load (fixture, place.storage, "x", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  bytes = storage_load (fixture, place.storage, "x", WELKIN_STORAGE_EXPECT_SOON, &error);
  g_assert_no_error (error);
}

/* URLs */

static void
test_url_is_good_for_a_week (ProviderFixture *fixture,
                             gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GDateTime) before = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GBytes) refusal = NULL;
  g_autoptr(GBytes) too_late = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *plain = NULL;
  GTimeSpan life;

  if (!begin (&place, fixture, NULL, NULL))
    return;
  uri = storage_get_uri (fixture, place.storage, "tools/a b", &expires, &error);
  g_assert_no_error (error);
  life = g_date_time_difference (expires, before);
  g_assert_cmpint (life, >=, 7 * G_TIME_SPAN_DAY);
  g_assert_cmpint (life, <, 7 * G_TIME_SPAN_DAY + G_TIME_SPAN_MINUTE);

  storage_save_well (fixture, place.storage, "tools/a b", "tools");
  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
  g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), "tools", 5);
  plain = g_strndup (uri, strcspn (uri, "?"));
  g_assert_cmpuint (storage_fetch (fixture, plain, &refusal), ==, 403);

  fake_cloud_set (fixture->fake, "clock-skew", 7 * 24 * 3600 + 60);
  g_assert_cmpuint (storage_fetch (fixture, uri, &too_late), ==, 403);
}

static void
test_no_url_where_there_can_be_none (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  static const char *const accesses[] = { "private", "public-read" };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (accesses); i++)
    {
      g_autoptr(WelkinConfig) config = provider_fixture_make_config (
        fixture, "storage", "s3", "storage-access", accesses[i], NULL);
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GError) error = NULL;
      g_autofree char *uri = NULL;

      storage_place_init_for (&place, fixture, config);
      uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, "storage-access"));
    }
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

  add ("/s3/files-from-first-to-last", test_files_from_first_to_last);
  add ("/s3/keys/made-once", test_keys_are_made_once);
  add ("/s3/keys/of-another-project", test_keys_of_another_project_are_not_taken);
  add ("/s3/keys/with-url-nobody-logs-in", test_with_url_and_keys_nobody_logs_in);
  add ("/s3/keys/wrong", test_wrong_keys);
  add ("/s3/keys/not-given", test_keys_that_identity_does_not_give);
  add ("/s3/cloud-without-s3", test_cloud_without_s3);
  add ("/s3/region-is-corrected", test_region_is_corrected);
  add ("/s3/region-is-corrected/for-each", test_region_is_corrected_for_each);
  add ("/s3/clock-is-corrected", test_clock_is_corrected);
  add ("/s3/names-stay-what-they-are", test_names_stay_what_they_are);
  add ("/s3/mark-is-no-file", test_mark_is_no_file);
  add ("/s3/list/many-files", test_many_files);
  add ("/s3/list/older-version", test_list_of_the_older_version);
  add ("/s3/list/does-not-go-on", test_list_that_does_not_go_on);
  add ("/s3/list/goes-back", test_list_that_goes_back);
  add ("/s3/multiple-deletion-fails", test_multiple_deletion_that_fails);
  add ("/s3/bucket/of-another", test_bucket_of_another_is_left_alone);
  add ("/s3/bucket/without-a-mark", test_bucket_without_a_mark_is_left_alone);
  add ("/s3/bucket/cannot-be-marked", test_bucket_that_cannot_be_marked_is_not_left);
  add ("/s3/bucket/vanished", test_vanished_bucket_is_made_again);
  add ("/s3/taken-name-is-not-replaced", test_taken_name_is_not_replaced);
  add ("/s3/lost-answer-is-no-taken-name", test_lost_answer_is_no_taken_name);
  add ("/s3/damage-on-the-way", test_damage_on_the_way_is_noticed);
  add ("/s3/not-seen-yet", test_file_that_is_not_seen_yet);
  add ("/s3/url/good-for-a-week", test_url_is_good_for_a_week);
  add ("/s3/url/none", test_no_url_where_there_can_be_none);

  return provider_fixture_run ();
}
