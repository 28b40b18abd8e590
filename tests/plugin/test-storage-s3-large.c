/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "services/os-s3.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Large files in S3: what is put in parts, and what is left of them whatever happens. */

/* Two parts. */
#define LARGE ((16 << 20) + 17)

static gboolean
begin (StoragePlace    *place,
       ProviderFixture *fixture)
{
  if (!storage_place_init_kind (place, fixture, "s3"))
    return FALSE;
  storage_save_well (fixture, place->storage, "large", "before");
  return TRUE;
}

static gboolean
put (ProviderFixture     *fixture,
     StoragePlace        *place,
     const char          *name,
     GBytes              *bytes,
     WelkinStorageFlags   flags,
     GCancellable        *cancellable,
     GError             **error)
{
  g_autoptr(GInputStream) stream = storage_make_one_way (bytes);

  welkin_storage_put_async (place->storage, name, stream, LARGE, flags, cancellable,
                            provider_fixture_done_cb, fixture);
  return welkin_storage_put_finish (place->storage, provider_fixture_wait (fixture), error);
}

static GBytes *
read_all (ProviderFixture  *fixture,
          StoragePlace     *place,
          const char       *name,
          GError          **error)
{
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GByteArray) data = g_byte_array_new ();

  welkin_storage_get_async (place->storage, name, 0, NULL, provider_fixture_done_cb, fixture);
  stream = welkin_storage_get_finish (place->storage, provider_fixture_wait (fixture), error);
  while (stream != NULL)
    {
      g_autoptr(GBytes) piece = NULL;

      g_input_stream_read_bytes_async (stream, 1 << 20, G_PRIORITY_DEFAULT, NULL,
                                       provider_fixture_done_cb, fixture);
      piece = g_input_stream_read_bytes_finish (stream, provider_fixture_wait (fixture), error);
      if (piece == NULL)
        return NULL;
      if (g_bytes_get_size (piece) == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&data));
      g_byte_array_append (data, g_bytes_get_data (piece, NULL), (guint) g_bytes_get_size (piece));
    }
  return NULL;
}

static void
assert_data (ProviderFixture *fixture,
             StoragePlace    *place,
             const char      *name,
             GBytes          *expected)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = read_all (fixture, place, name, &error);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

/* Nothing but what was before, and no part of anything. */
static void
assert_unchanged (ProviderFixture *fixture,
                  StoragePlace    *place)
{
  g_autofree char *inventory = fake_cloud_dump_inventory (fixture->fake, NULL);

  g_assert_null (strstr (inventory, "upload "));
  storage_assert_contents (fixture, place->storage, "large", "before");
  storage_assert_names (fixture, place->storage, "", "large");
}

/* What can be read twice needs no parts, and the server sees to its checksum. */
static void
test_file_that_can_go_back_is_put_whole (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 3);
  g_autofree char *sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_auto(StoragePlace) place = { NULL };
  const FakeLogEntry *entry;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_log_clear (fixture->fake);
  welkin_storage_put_async (place.storage, "large", stream, LARGE, 0, NULL,
                            provider_fixture_done_cb, fixture);
  welkin_storage_put_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, NULL, "*/large"), ==, 1);
  entry = fake_log_find (fixture->fake, "PUT", "*/large");
  g_assert_cmpstr (fake_log_entry_get_header (entry, "x-amz-content-sha256"), ==, sha256);
  assert_data (fixture, &place, "large", bytes);
}

static void
test_large_file_goes_in_parts (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 1);
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *inventory = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put (fixture, &place, "large", bytes, 0, NULL, &error);
  g_assert_no_error (error);
  assert_data (fixture, &place, "large", bytes);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/large"), ==, 1 + 2);
  inventory = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_null (strstr (inventory, "upload "));
  storage_remove_all_well (fixture, place.storage);
}

static void
test_taken_name_costs_no_upload (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 2);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  g_assert_false (put (fixture, &place, "large", bytes, WELKIN_STORAGE_NO_REPLACE, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "/s3/*"), ==, 0);
  assert_unchanged (fixture, &place);
}

static void
test_part_that_fails (ProviderFixture *fixture,
                      gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/large", .skip = 1, .times = -1, .action = FAKE_FAIL, .status = 403,
    .content_type = "application/xml",
    .body = "<Error><Code>QuotaExceeded</Code><Message>Upload exceeds quota.</Message></Error>",
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 3);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put (fixture, &place, "large", bytes, 0, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  assert_unchanged (fixture, &place);
}

static void
test_damaged_part_goes_out_again (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const char *const headers[] = { "ETag: \"00000000000000000000000000000000\"", NULL };
  static const FakeRule rule = {
    .method = "PUT", .path = "*/large", .action = FAKE_FAIL, .status = 200, .headers = headers,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 4);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  put (fixture, &place, "large", bytes, 0, NULL, &error);
  g_assert_no_error (error);
  assert_data (fixture, &place, "large", bytes);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/large"), ==, 1 + 3);
}

static gboolean
cancel_cb (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_cancelled_upload (ProviderFixture *fixture,
                       gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/large", .skip = 1, .action = FAKE_HANG,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 5);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_timeout_add (1500, cancel_cb, cancellable);
  g_assert_false (put (fixture, &place, "large", bytes, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_unchanged (fixture, &place);
}

/* The second POST is the end of it all. */

static void
test_lost_answer_at_the_end (ProviderFixture *fixture,
                             gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "POST", .path = "*/large", .skip = 1, .times = -1, .action = FAKE_DROP_AFTER,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 6);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  put (fixture, &place, "large", bytes, 0, NULL, &error);
  g_assert_no_error (error);
  assert_data (fixture, &place, "large", bytes);
}

static void
test_failure_that_is_told_as_a_success (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "POST", .path = "*/large", .skip = 1, .action = FAKE_FAIL, .status = 200,
    .content_type = "application/xml",
    .body = "\n\n<?xml version='1.0'?>\n<Error><Code>InternalError</Code>"
            "<Message>We encountered an internal error.</Message></Error>",
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 7);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put (fixture, &place, "large", bytes, 0, NULL, &error));
  g_assert_nonnull (strstr (error->message, "internal error"));
  assert_unchanged (fixture, &place);
}

static void
test_upload_without_a_name (ProviderFixture *fixture,
                            gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "POST", .path = "*/large", .action = FAKE_FAIL, .status = 200, .body = "<x/>",
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 8);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (put (fixture, &place, "large", bytes, 0, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  assert_unchanged (fixture, &place);
}

/* As a process leaves it that was killed. */
static void
test_uploads_of_nobody_go_with_the_rest (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  static const FakeRule part = {
    .method = "PUT", .path = "*/large", .skip = 1, .times = -1, .action = FAKE_FAIL, .status = 400,
  };
  static const FakeRule abort = {
    .method = "DELETE", .path = "*/large", .action = FAKE_FAIL, .status = 400,
  };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 9);
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &part);
  fake_cloud_add_rule (fixture->fake, &abort);
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING, "parts of large are left*");
  g_assert_false (put (fixture, &place, "large", bytes, 0, NULL, &error));
  g_test_assert_expected_messages ();
  before = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_nonnull (strstr (before, "upload "));

  storage_remove_all_well (fixture, place.storage);
  after = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_null (strstr (after, "upload "));
  g_assert_null (strstr (after, place.bucket));
}

/* The second page brings one more, and the third nothing that is new. */
static void
test_ended_uploads_that_stay_in_the_list (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  static const char one[] = "<ListMultipartUploadsResult><Upload><Key>a</Key>"
                            "<UploadId>1</UploadId></Upload></ListMultipartUploadsResult>";
  static const char two[] = "<ListMultipartUploadsResult><Upload><Key>a</Key>"
                            "<UploadId>1</UploadId></Upload><Upload><Key>b</Key>"
                            "<UploadId>1</UploadId></Upload></ListMultipartUploadsResult>";
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;
  FakeRule rule = {
    .method = "GET", .action = FAKE_FAIL, .status = 200, .content_type = "application/xml",
    .body = one,
  };
  g_autoptr(OsS3) s3 = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  path = g_strconcat ("/s3/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  rule.body = two;
  rule.times = -1;
  fake_cloud_add_rule (fixture->fake, &rule);
  s3 = os_s3_new (place.client, NULL, "us-east-1", NULL, NULL);
  fake_log_clear (fixture->fake);
  os_s3_abort_uploads_async (s3, place.bucket, NULL, provider_fixture_done_cb, fixture);
  g_assert_false (os_s3_abort_uploads_finish (s3, provider_fixture_wait (fixture), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 3);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/b"), ==, 1);
}

static void
test_damage_in_a_part_is_noticed (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 10);
  g_autofree char *damaged = g_strnfill (LARGE, 'x');
  static const char *const headers[] = {
    "ETag: \"00000000000000000000000000000000-2\"", "x-amz-meta-welkin-part-size: 16777216", NULL,
  };
  FakeRule rule = {
    .method = "GET", .path = "*/large", .action = FAKE_FAIL, .status = 200, .body = damaged,
    .headers = headers,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  loaded = read_all (fixture, &place, "large", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
test_damage_behind_the_first_piece_is_noticed (ProviderFixture *fixture,
                                               gconstpointer    data)
{
  static const char *const headers[] = { "Content-Range: bytes 1048576-16777232/16777233", NULL };
  g_autoptr(GBytes) bytes = storage_make_data (LARGE, 11);
  g_autofree char *damaged = g_strnfill (LARGE - (1 << 20), 'x');
  const FakeRule rule = {
    .method = "GET", .path = "*/large", .skip = 1, .action = FAKE_FAIL, .status = 206,
    .body = damaged, .headers = headers,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture))
    return;
  put (fixture, &place, "large", bytes, 0, NULL, &error);
  g_assert_no_error (error);
  fake_cloud_add_rule (fixture->fake, &rule);
  fake_log_clear (fixture->fake);
  loaded = read_all (fixture, &place, "large", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "damaged"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "*/large"), ==, 2);
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

  add ("/s3/large/whole", test_file_that_can_go_back_is_put_whole);
  add ("/s3/large/goes-in-parts", test_large_file_goes_in_parts);
  add ("/s3/large/taken-name-costs-no-upload", test_taken_name_costs_no_upload);
  add ("/s3/large/part-fails", test_part_that_fails);
  add ("/s3/large/damaged-part-goes-out-again", test_damaged_part_goes_out_again);
  add ("/s3/large/cancelled", test_cancelled_upload);
  add ("/s3/large/lost-answer-at-the-end", test_lost_answer_at_the_end);
  add ("/s3/large/failure-told-as-a-success", test_failure_that_is_told_as_a_success);
  add ("/s3/large/upload-without-a-name", test_upload_without_a_name);
  add ("/s3/large/uploads-of-nobody", test_uploads_of_nobody_go_with_the_rest);
  add ("/s3/large/ended-uploads-that-stay", test_ended_uploads_that_stay_in_the_list);
  add ("/s3/large/read/damage-in-a-part", test_damage_in_a_part_is_noticed);
  add ("/s3/large/read/damage-behind-the-first-piece",
       test_damage_behind_the_first_piece_is_noticed);

  return provider_fixture_run ();
}
