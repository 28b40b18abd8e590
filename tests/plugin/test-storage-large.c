/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "os-storage-swift-private.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Large files: what goes in segments, and what is left of them whatever happens. */

/* Of an object, as the fake says in its /info: two segments and a bit make a large file. */
#define MAX_SIZE (2 << 20)
#define LARGE (2 * MAX_SIZE + 17)

#define SEGMENTS "*/.segments/*"

static gboolean
put_bytes (ProviderFixture     *fixture,
           WelkinStorage       *storage,
           const char          *name,
           GBytes              *bytes,
           WelkinStorageFlags   flags,
           GError             **error)
{
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);

  return storage_put (fixture, storage, name, stream, (goffset) g_bytes_get_size (bytes), flags,
                      NULL, error);
}

static void
put_well (ProviderFixture *fixture,
          WelkinStorage   *storage,
          const char      *name,
          GBytes          *bytes)
{
  g_autoptr(GError) error = NULL;

  put_bytes (fixture, storage, name, bytes, 0, &error);
  g_assert_no_error (error);
}

static void
assert_data (ProviderFixture *fixture,
             WelkinStorage   *storage,
             const char      *name,
             GBytes          *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = storage_load (fixture, storage, name, 0, &error);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* FALSE where there is no fake to tell what it takes. */
static gboolean
begin (StoragePlace    *place,
       ProviderFixture *fixture)
{
  if (provider_fixture_needs_fake (fixture))
    return FALSE;
  fake_cloud_set (fixture->fake, "swift-max-file-size", MAX_SIZE);
  storage_place_init (place, fixture, NULL, NULL);
  return TRUE;
}

static void
test_large_file_goes_in_segments (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 1);
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "tools/large", bytes);
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 3);
  g_assert_cmpuint (storage_count_objects (fixture, ""), ==, 4);
  storage_assert_names (fixture, place.storage, "", "tools/large");
  assert_data (fixture, place.storage, "tools/large", bytes);
}

static void
test_stream_that_cannot_go_back (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 2);
  g_autoptr(GInputStream) stream = storage_make_one_way (bytes);
  static const FakeRule rule = {
    .method = "PUT", .path = SEGMENTS, .action = FAKE_FAIL, .status = 503,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  /* A segment of it can go out again all the same. */
  fake_cloud_add_rule (fixture->fake, &rule);
  storage_put (fixture, place.storage, "large", stream, LARGE, 0, NULL, &error);
  g_assert_no_error (error);
  assert_data (fixture, place.storage, "large", bytes);
}

static void
test_whoever_may_read_it_may_read_its_segments (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 3);
  g_autoptr(WelkinConfig) config = NULL;
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) public = { NULL };
  g_autofree char *temporary = NULL;
  g_autofree char *plain = NULL;
  g_autoptr(GBytes) by_signature = NULL;
  g_autoptr(GBytes) by_rule = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  temporary = storage_get_uri (fixture, place.storage, "large", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (storage_fetch (fixture, temporary, &by_signature), ==, 200);
  g_assert_true (g_bytes_equal (by_signature, bytes));

  config = provider_fixture_make_config (fixture, "control-bucket", place.bucket, "storage-access",
                                         "public-read", NULL);
  storage_place_init_for (&public, fixture, config);
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "*everybody*public-read*");
  plain = storage_get_uri (fixture, public.storage, "large", NULL, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpuint (storage_fetch (fixture, plain, &by_rule), ==, 200);
  g_assert_true (g_bytes_equal (by_rule, bytes));
}

static void
test_what_is_replaced_leaves_no_segments (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_autoptr(GBytes) first = storage_make_data (LARGE, 4);
  g_autoptr(GBytes) second = storage_make_data (LARGE + MAX_SIZE, 5);
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) later = { NULL };

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", first);
  put_well (fixture, place.storage, "other", first);
  put_well (fixture, place.storage, "large", second);
  assert_data (fixture, place.storage, "large", second);
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 4 + 3);

  /* Another run, which has not put anything large itself, knows of it as well. */
  storage_place_init (&later, fixture, NULL, place.bucket);
  storage_save_well (fixture, later.storage, "large", "small");
  storage_assert_contents (fixture, later.storage, "large", "small");
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 3);
  assert_data (fixture, later.storage, "other", first);

  storage_remove (fixture, later.storage, "other");
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 0);
  storage_assert_names (fixture, later.storage, "", "large");
  put_well (fixture, later.storage, "large", first);
  storage_remove_all_well (fixture, later.storage);
  g_assert_cmpuint (storage_count_objects (fixture, ""), ==, 0);
}

static void
test_taken_name_costs_no_upload (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 6);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  storage_save_well (fixture, place.storage, "large", "small");
  g_assert_false (put_bytes (fixture, place.storage, "large", bytes, WELKIN_STORAGE_NO_REPLACE,
                             &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS), ==, 0);
  storage_assert_contents (fixture, place.storage, "large", "small");
  g_clear_error (&error);

  put_bytes (fixture, place.storage, "free", bytes, WELKIN_STORAGE_NO_REPLACE, &error);
  g_assert_no_error (error);
  assert_data (fixture, place.storage, "free", bytes);
}

/* Somebody else was quicker, while the segments were on their way. */
static void
test_name_that_is_taken_meanwhile (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "HEAD", .path = "*/large", .action = FAKE_FAIL, .status = 404,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 7);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  storage_save_well (fixture, place.storage, "large", "theirs");
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put_bytes (fixture, place.storage, "large", bytes, WELKIN_STORAGE_NO_REPLACE,
                             &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  storage_assert_contents (fixture, place.storage, "large", "theirs");
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 0);
}

static void
test_damaged_segment_goes_out_again (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  static const char *const headers[] = { "Etag: 00000000000000000000000000000000", NULL };
  static const FakeRule once = {
    .method = "PUT", .path = SEGMENTS "1", .action = FAKE_FAIL, .status = 201, .headers = headers,
  };
  static const FakeRule always = {
    .method = "PUT", .path = SEGMENTS "2", .times = -1, .action = FAKE_FAIL, .status = 201,
    .headers = headers,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 8);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &once);
  put_well (fixture, place.storage, "large", bytes);
  assert_data (fixture, place.storage, "large", bytes);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS "1"), ==, 2);

  fake_cloud_add_rule (fixture->fake, &always);
  g_assert_false (put_bytes (fixture, place.storage, "other", bytes, 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "checksum"));
  storage_assert_names (fixture, place.storage, "", "large");
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 3);
}

static void
test_upload_that_fails_leaves_what_was_before (ProviderFixture *fixture,
                                               gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = SEGMENTS "2", .times = -1, .action = FAKE_FAIL, .status = 507,
    .body = "no room",
  };
  g_autoptr(GBytes) before = storage_make_data (LARGE, 9);
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 10);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", before);
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put_bytes (fixture, place.storage, "large", bytes, 0, &error));
  g_assert_cmpuint (welkin_error_get_status (error), ==, 507);
  assert_data (fixture, place.storage, "large", before);
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 3);
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_cancelled_upload_leaves_nothing (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = SEGMENTS "1", .action = FAKE_HANG,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 11);
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_timeout_add (300, cancel_cb, cancellable);
  g_assert_false (storage_put (fixture, place.storage, "large", stream, LARGE, 0, cancellable,
                               &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", SEGMENTS), ==, 3);
  g_assert_cmpuint (storage_count_objects (fixture, ""), ==, 0);
}

static void
test_lost_answer_to_the_manifest (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const FakeRule lost = {
    .method = "PUT", .path = "*/large", .times = -1, .action = FAKE_DROP_AFTER,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 12);
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &lost);
  put_well (fixture, place.storage, "large", bytes);
  assert_data (fixture, place.storage, "large", bytes);
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 3);
}

/* Then it may be there, and without its segments it would be worth nothing. */
static void
test_manifest_that_nobody_knows_of (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  static const FakeRule lost = {
    .method = "PUT", .path = "*/large", .times = -1, .action = FAKE_DROP_AFTER,
  };
  static const FakeRule silent = {
    .method = "HEAD", .path = "*/large", .skip = 1, .times = -1, .action = FAKE_FAIL, .status = 503,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 13);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &lost);
  fake_cloud_add_rule (fixture->fake, &silent);
  g_assert_false (put_bytes (fixture, place.storage, "large", bytes, 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  fake_cloud_clear_rules (fixture->fake);
  assert_data (fixture, place.storage, "large", bytes);
}

static void
test_manifest_that_is_refused (ProviderFixture *fixture,
                               gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/large", .action = FAKE_FAIL, .status = 400, .body = "Bad",
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 14);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put_bytes (fixture, place.storage, "large", bytes, 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (storage_count_objects (fixture, ""), ==, 0);
}

/* As a process leaves them that was killed. */
static void
leave_segment (ProviderFixture *fixture,
               StoragePlace    *place,
               const char      *name,
               const char      *upload)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autofree char *prefix = os_segments_prefix (name);
  g_autofree char *segment = g_strdup_printf ("%s%s/00000000", prefix, upload);
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("x", 1, NULL);
  g_autoptr(OsBody) body = os_body_new (stream, 1, NULL);
  g_autoptr(GError) error = NULL;

  os_object_store_put_object_async (store, place->bucket, segment, body, NULL, TRUE, NULL,
                                    provider_fixture_done_cb, fixture);
  os_object_store_put_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
test_old_segments_of_nobody_are_swept (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *old = g_strdup_printf ("%" G_GINT64_FORMAT "-0000abcd", now - 25 * 60 * 60);
  g_autofree char *young = g_strdup_printf ("%" G_GINT64_FORMAT "-0000abcd", now - 60 * 60);
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 15);
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  leave_segment (fixture, &place, "large", old);
  leave_segment (fixture, &place, "large", young);
  leave_segment (fixture, &place, "other", old);
  put_well (fixture, place.storage, "large", bytes);
  g_assert_cmpuint (storage_count_objects (fixture, old), ==, 1);
  g_assert_cmpuint (storage_count_objects (fixture, young), ==, 1);
  assert_data (fixture, place.storage, "large", bytes);

  /* Whoever removes the file wants nothing of it to be left. */
  storage_remove (fixture, place.storage, "large");
  g_assert_cmpuint (storage_count_objects (fixture, young), ==, 0);
  g_assert_cmpuint (storage_count_objects (fixture, "/.segments/"), ==, 1);
}

static void
test_names_of_segments_are_not_to_be_had (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  g_assert_false (storage_save (fixture, place.storage, ".segments/x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

/* Reading */

static char *
get_etag (ProviderFixture *fixture,
          StoragePlace    *place,
          const char      *name)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  os_object_store_head_object_async (store, place->bucket, name, NULL, provider_fixture_done_cb,
                                     fixture);
  response = os_object_store_head_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return g_strdup (wk_http_response_get_header (response, "Etag"));
}

static void
test_damage_in_a_segment_is_noticed (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 16);
  g_autofree char *damaged = g_strnfill (LARGE, 'x');
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) loaded = NULL;
  g_autofree char *etag = NULL;
  g_autofree char *header = NULL;
  const char *headers[] = { "X-Static-Large-Object: True", NULL, NULL };
  FakeRule rule = {
    .method = "GET", .path = "*/large", .skip = 2, .action = FAKE_FAIL, .status = 200,
    .body = damaged, .headers = headers,
  };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  etag = get_etag (fixture, &place, "large");
  header = g_strconcat ("Etag: ", etag, NULL);
  headers[1] = header;
  fake_cloud_add_rule (fixture->fake, &rule);
  loaded = storage_load (fixture, place.storage, "large", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "damaged"));
}

static void
test_large_file_that_is_cut_is_noticed (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 17);
  g_autofree char *damaged = g_strndup (g_bytes_get_data (bytes, NULL), 4);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) loaded = NULL;
  g_autofree char *etag = NULL;
  g_autofree char *header = NULL;
  const char *headers[] = { "X-Static-Large-Object: True", NULL, NULL };
  FakeRule rule = {
    .method = "GET", .path = "*/large", .skip = 2, .action = FAKE_FAIL, .status = 200,
    .body = damaged, .headers = headers,
  };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  etag = get_etag (fixture, &place, "large");
  header = g_strconcat ("Etag: ", etag, NULL);
  headers[1] = header;
  fake_cloud_add_rule (fixture->fake, &rule);
  loaded = storage_load (fixture, place.storage, "large", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
test_file_that_changes_meanwhile_is_read_again (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  static const FakeRule once = {
    .method = "GET", .path = "*/large", .skip = 1, .action = FAKE_FAIL, .status = 200, .body = "[]",
  };
  FakeRule ever = once;
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 18);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  fake_cloud_add_rule (fixture->fake, &once);
  assert_data (fixture, place.storage, "large", bytes);

  fake_cloud_clear_rules (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &once);
  ever.skip = 2;
  fake_cloud_add_rule (fixture->fake, &ever);
  loaded = storage_load (fixture, place.storage, "large", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
}

/* Made by something else, of pieces of objects: there is nothing to compare it with. */
static void
test_odd_manifest_is_read_unchecked (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "*/large", .skip = 1, .action = FAKE_FAIL, .status = 200,
    .body = "[{\"name\": \"/c/o\", \"bytes\": 10, \"hash\": \"x\", \"range\": \"1-3\"}]",
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 19);
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  put_well (fixture, place.storage, "large", bytes);
  fake_cloud_add_rule (fixture->fake, &rule);
  assert_data (fixture, place.storage, "large", bytes);
}

/* Joined by a prefix of names: its etag is that of the etags of the pieces, and there is none where
 * they are more than one listing tells. */
static void
test_file_of_all_of_a_prefix_is_read_unchecked (ProviderFixture *fixture,
                                                gconstpointer    data)
{
  static const char *const headers[][3] = {
    { "X-Object-Manifest: c/joined/", "Etag: \"0123456789abcdef0123456789abcdef\"", NULL },
    { "X-Object-Manifest: c/joined/", NULL },
  };
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  storage_save_well (fixture, place.storage, "joined", "pieces");
  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      FakeRule rule = {
        .method = "GET", .path = "*/joined", .action = FAKE_FAIL, .status = 200, .body = "text",
        .headers = headers[i],
      };

      fake_cloud_add_rule (fixture->fake, &rule);
      storage_assert_contents (fixture, place.storage, "joined", "text");
    }
}

static void
test_manifest_in_the_words_of_radosgw (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 20);
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-is-radosgw", 1);
  put_well (fixture, place.storage, "large", bytes);
  assert_data (fixture, place.storage, "large", bytes);
}

/* Without large objects */

static void
test_object_store_without_large_objects (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(GBytes) large = storage_make_data (LARGE, 21);
  g_autoptr(GBytes) fits = storage_make_data (MAX_SIZE, 22);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-has-slo", 0);
  put_well (fixture, place.storage, "fits", fits);
  assert_data (fixture, place.storage, "fits", fits);
  g_assert_false (put_bytes (fixture, place.storage, "large", large, 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "too large"));
  storage_assert_names (fixture, place.storage, "", "fits");
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

  add ("/swift/large/goes-in-segments", test_large_file_goes_in_segments);
  add ("/swift/large/stream-that-cannot-go-back", test_stream_that_cannot_go_back);
  add ("/swift/large/whoever-may-read-it", test_whoever_may_read_it_may_read_its_segments);
  add ("/swift/large/replaced-leaves-no-segments", test_what_is_replaced_leaves_no_segments);
  add ("/swift/large/taken-name-costs-no-upload", test_taken_name_costs_no_upload);
  add ("/swift/large/name-taken-meanwhile", test_name_that_is_taken_meanwhile);
  add ("/swift/large/damaged-segment-goes-out-again", test_damaged_segment_goes_out_again);
  add ("/swift/large/fails-and-leaves-what-was-before",
       test_upload_that_fails_leaves_what_was_before);
  add ("/swift/large/cancelled-leaves-nothing", test_cancelled_upload_leaves_nothing);
  add ("/swift/large/lost-answer-to-the-manifest", test_lost_answer_to_the_manifest);
  add ("/swift/large/manifest-that-nobody-knows-of", test_manifest_that_nobody_knows_of);
  add ("/swift/large/manifest-refused", test_manifest_that_is_refused);
  add ("/swift/large/old-segments-are-swept", test_old_segments_of_nobody_are_swept);
  add ("/swift/large/names-of-segments", test_names_of_segments_are_not_to_be_had);
  add ("/swift/large/read/damage-in-a-segment", test_damage_in_a_segment_is_noticed);
  add ("/swift/large/read/cut", test_large_file_that_is_cut_is_noticed);
  add ("/swift/large/read/changes-meanwhile", test_file_that_changes_meanwhile_is_read_again);
  add ("/swift/large/read/odd-manifest", test_odd_manifest_is_read_unchecked);
  add ("/swift/large/read/all-of-a-prefix", test_file_of_all_of_a_prefix_is_read_unchecked);
  add ("/swift/large/read/words-of-radosgw", test_manifest_in_the_words_of_radosgw);
  add ("/swift/large/not-known-to-the-cloud", test_object_store_without_large_objects);

  return provider_fixture_run ();
}
