/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "storage-fixture.h"

#include "services/os-object-store.h"
#include "values/welkin-error.h"

static void
test_files_from_first_to_last (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) none = NULL;
  g_autoptr(WkHttpResponse) container = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  storage_assert_names (fixture, place.storage, "", "");
  storage_remove (fixture, place.storage, "provider-state");
  storage_remove_all_well (fixture, place.storage);

  storage_save_well (fixture, place.storage, "tools/b", "two");
  storage_save_well (fixture, place.storage, "tools/a", "one");
  storage_save_well (fixture, place.storage, "provider-state", "");
  storage_assert_contents (fixture, place.storage, "tools/a", "one");
  storage_assert_contents (fixture, place.storage, "provider-state", "");
  storage_save_well (fixture, place.storage, "tools/a", "three");
  storage_assert_contents (fixture, place.storage, "tools/a", "three");
  storage_assert_names (fixture, place.storage, "tools/", "tools/a|tools/b");

  container = storage_head_container (fixture, &place, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wk_http_response_get_header (container, "x-container-meta-welkin-env"), ==,
                   fixture->uuid);
  g_assert_null (wk_http_response_get_header (container, "X-Container-Read"));

  storage_remove (fixture, place.storage, "tools/a");
  storage_remove (fixture, place.storage, "tools/a");
  none = storage_load (fixture, place.storage, "tools/a", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);

  storage_remove_all_well (fixture, place.storage);
  g_clear_pointer (&container, wk_http_response_unref);
  container = storage_head_container (fixture, &place, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);

  /* What made the container once makes it again. */
  storage_save_well (fixture, place.storage, "x", "y");
  storage_assert_contents (fixture, place.storage, "x", "y");
  storage_remove_all_well (fixture, place.storage);
}

static void
test_odd_names_stay_distinct (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const char *const names[] = {
    "100%", "a#b", "a?b", "a&b=c+d", "my file.txt", "my%20file.txt", "ü/é",
  };
  g_auto(StoragePlace) place = { NULL };

  storage_place_init (&place, fixture, NULL, "welkin test%1");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    storage_save_well (fixture, place.storage, names[i], names[i]);
  storage_assert_names (fixture, place.storage, "",
                        "100%|a#b|a&b=c+d|a?b|my file.txt|my%20file.txt|ü/é");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    storage_assert_contents (fixture, place.storage, names[i], names[i]);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_impossible_names_are_refused (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_autofree char *long_name = g_strnfill (1025, 'x');
  const char *names[] = { "", "/", "a//b", "../x", "a/.", "a/", long_name, "\xff" };
  g_auto(StoragePlace) place = { NULL };

  storage_place_init (&place, fixture, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (storage_save (fixture, place.storage, names[i], "x", 0, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_taken_name_is_not_replaced (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  storage_save (fixture, place.storage, "provider-state", "mine", WELKIN_STORAGE_NO_REPLACE,
                &error);
  g_assert_no_error (error);
  g_assert_false (storage_save (fixture, place.storage, "provider-state", "theirs",
                                WELKIN_STORAGE_NO_REPLACE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_nonnull (strstr (error->message, "provider-state already"));
  storage_assert_contents (fixture, place.storage, "provider-state", "mine");
  storage_remove_all_well (fixture, place.storage);
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

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  /* The first is executed, the second is refused, and what is there is ours. */
  storage_save (fixture, place.storage, "provider-state", "mine", WELKIN_STORAGE_NO_REPLACE,
                &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/provider-state"), ==, 2);
}

static void
test_container_of_another_is_left_alone (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_auto(StoragePlace) ours = { NULL };
  g_auto(StoragePlace) theirs = { NULL };
  g_autofree char *other = g_uuid_string_random ();
  g_autoptr(GError) error = NULL;

  storage_place_init (&ours, fixture, NULL, NULL);
  storage_save_well (fixture, ours.storage, "x", "ours");
  storage_place_init (&theirs, fixture, other, ours.bucket);
  g_assert_false (storage_save (fixture, theirs.storage, "x", "theirs", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, ours.bucket));
  g_clear_error (&error);
  g_assert_false (storage_remove_all (fixture, theirs.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_contents (fixture, ours.storage, "x", "ours");
  storage_remove_all_well (fixture, ours.storage);
}

/* As a user makes one by hand, who has never heard of us. */
static void
make_container (ProviderFixture *fixture,
                StoragePlace           *place)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autoptr(GError) error = NULL;
  gboolean is_new;

  os_object_store_create_container_async (store, place->bucket, NULL, provider_fixture_done_cb,
                                          fixture);
  os_object_store_create_container_finish (store, provider_fixture_wait (fixture), &is_new, &error);
  g_assert_no_error (error);
  g_assert_true (is_new);
}

static void
put_by_hand (ProviderFixture *fixture,
             StoragePlace           *place,
             const char      *name,
             const char      *text)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autoptr(GInputStream) stream =
    g_memory_input_stream_new_from_data (text, (gssize) strlen (text), NULL);
  g_autoptr(OsBody) body = os_body_new (stream, (goffset) strlen (text), NULL);
  g_autoptr(GError) error = NULL;

  os_object_store_put_object_async (store, place->bucket, name, body, NULL, TRUE, NULL,
                                    provider_fixture_done_cb, fixture);
  os_object_store_put_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
remove_by_hand (ProviderFixture *fixture,
                StoragePlace           *place,
                const char      *name)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autoptr(GError) error = NULL;

  os_object_store_delete_object_async (store, place->bucket, name, NULL, provider_fixture_done_cb,
                                       fixture);
  os_object_store_delete_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  os_object_store_delete_container_async (store, place->bucket, NULL, provider_fixture_done_cb,
                                          fixture);
  os_object_store_delete_container_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
test_container_without_a_mark_is_left_alone (ProviderFixture *fixture,
                                             gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  make_container (fixture, &place);
  put_by_hand (fixture, &place, "holiday.jpg", "sun");
  g_assert_false (storage_save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_clear_error (&error);

  /* Neither a mark by now, nor that we were told to remove all, makes it ours. */
  g_assert_false (storage_remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_clear_error (&error);
  g_assert_false (storage_try_to_remove (fixture, place.storage, "holiday.jpg", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_contents (fixture, place.storage, "holiday.jpg", "sun");
  storage_assert_names (fixture, place.storage, "", "holiday.jpg");
  remove_by_hand (fixture, &place, "holiday.jpg");
}

static void
test_empty_container_without_a_mark (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  /* An earlier run may have made it and come no further. */
  make_container (fixture, &place);
  storage_remove_all_well (fixture, place.storage);
  container = storage_head_container (fixture, &place, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);

  make_container (fixture, &place);
  storage_save_well (fixture, place.storage, "x", "ours");
  storage_remove_all_well (fixture, place.storage);
  storage_assert_names (fixture, place.storage, "", "");
}

static void
test_container_that_cannot_be_marked_is_not_left (ProviderFixture *fixture,
                                                  gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "POST", .action = FAKE_FAIL, .status = 400,
    .body = "<html><h1>Bad Request</h1></html>",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  before = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_false (storage_save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_cmpuint (welkin_error_get_status (error), ==, 400);
  after = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_cmpstr (after, ==, before);
}

/* Two environments that find that there is none, and make it both. */
static void
test_container_made_by_another_meanwhile (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(StoragePlace) ours = { NULL };
  g_auto(StoragePlace) theirs = { NULL };
  g_autofree char *other = g_uuid_string_random ();
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = { .method = "HEAD", .action = FAKE_FAIL, .status = 404 };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&theirs, fixture, other, NULL);
  storage_save_well (fixture, theirs.storage, "x", "theirs");
  storage_place_init (&ours, fixture, NULL, theirs.bucket);
  path = g_strconcat ("*/", ours.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, ours.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_contents (fixture, theirs.storage, "x", "theirs");
  storage_remove_all_well (fixture, theirs.storage);
}

/* The other's mark came after ours, and before we looked whether ours is there. */
static void
test_mark_that_another_overwrote (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  static const char *const headers[] = {
    "X-Container-Meta-Welkin-Env: 11111111-2222-4333-8444-555555555555",
    "X-Container-Object-Count: 0", NULL,
  };
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "HEAD", .skip = 1, .action = FAKE_FAIL, .status = 204, .headers = headers,
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  storage_assert_names (fixture, place.storage, "", "");
}

static void
test_object_store_that_keeps_no_mark (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const char *const headers[] = { "X-Container-Object-Count: 0", NULL };
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "HEAD", .times = -1, .action = FAKE_FAIL, .status = 204, .headers = headers,
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  make_container (fixture, &place);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
test_file_that_is_not_seen_yet_is_waited_for (ProviderFixture *fixture,
                                              gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "GET", .path = "*/provider-state", .times = 3, .action = FAKE_FAIL, .status = 404,
    .body = "<html><h1>Not Found</h1></html>",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "provider-state", "x");
  fake_cloud_add_rule (fixture->fake, &rule);
  bytes = storage_load (fixture, place.storage, "provider-state", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  bytes = storage_load (fixture, place.storage, "provider-state", WELKIN_STORAGE_EXPECT_SOON,
                        &error);
  g_assert_no_error (error);
  g_assert_nonnull (bytes);
}

static void
test_damage_on_the_way_is_noticed (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const char *const headers[] = { "Etag: 00000000000000000000000000000000", NULL };
  FakeRule down = {
    .method = "GET", .path = "*/x", .action = FAKE_FAIL, .status = 200, .body = "damaged",
    .headers = headers,
  };
  FakeRule up = {
    .method = "PUT", .path = "*/x", .action = FAKE_FAIL, .status = 422, .body = "checksum",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &up);
  storage_save_well (fixture, place.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/x"), ==, 2);

  fake_cloud_add_rule (fixture->fake, &down);
  bytes = storage_load (fixture, place.storage, "x", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_null (bytes);
}

static void
test_storage_that_we_may_not_write (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/x", .action = FAKE_FAIL, .status = 403,
    .body = "<html><h1>Forbidden</h1></html>",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_nonnull (strstr (error->message, "HTTP 403"));
}

static void
test_vanished_container_is_made_again (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) other = { NULL };

  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "x", "y");
  storage_place_init (&other, fixture, NULL, place.bucket);
  storage_remove_all_well (fixture, other.storage);
  storage_save_well (fixture, place.storage, "x", "z");
  storage_assert_contents (fixture, place.storage, "x", "z");
  storage_remove_all_well (fixture, place.storage);
}

static void
test_short_stream_stores_nothing (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("short", 5, NULL);
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "x", "before");
  welkin_storage_put_async (place.storage, "x", stream, 50, 0, NULL, provider_fixture_done_cb,
                            fixture);
  g_assert_false (welkin_storage_put_finish (place.storage, provider_fixture_wait (fixture),
                                             &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  storage_assert_contents (fixture, place.storage, "x", "before");
  storage_remove_all_well (fixture, place.storage);
}

static void
test_long_file_goes_through_a_file (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  const gsize size = 3 * 1024 * 1024 + 17;
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GBytes) back = NULL;
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < size; i++)
    text[i] = 'a' + i % 25;
  text[size] = '\0';
  bytes = g_bytes_new (text, size);
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "long", text);
  back = storage_load (fixture, place.storage, "long", 0, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (back, bytes));
  storage_remove_all_well (fixture, place.storage);
}

static void
assert_reads_by_itself (GInputStream *stream)
{
  GInputStreamClass *plain = g_type_class_peek (G_TYPE_INPUT_STREAM);

  g_assert_true (G_INPUT_STREAM_GET_CLASS (stream)->read_async != plain->read_async);
}

static void
test_streams_are_read_without_a_thread (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "x", "y");
  welkin_storage_get_async (place.storage, "x", 0, NULL, provider_fixture_done_cb, fixture);
  stream = welkin_storage_get_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  /* Otherwise GIO would read it in a thread, which libsoup does not allow. */
  assert_reads_by_itself (stream);
  assert_reads_by_itself (
    g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream)));
  g_clear_object (&stream);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_everything_goes_in_pages (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GString) expected = g_string_new (NULL);
  g_autofree char *container = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 7);
  storage_place_init (&place, fixture, NULL, NULL);
  for (guint i = 0; i < 25; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%02u", i);

      storage_save_well (fixture, place.storage, name, "x");
      g_string_append_printf (expected, "%s%s", i > 0 ? "|" : "", name);
    }
  storage_assert_names (fixture, place.storage, "", expected->str);
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/f??"), ==, 0);
  /* The container is asked to go when it is empty, and not until it is. */
  container = g_strconcat ("*/", place.bucket, NULL);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", container), ==, 1);
}

static void
test_without_bulk_each_is_deleted (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-has-bulk", 0);
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "f1", "x");
  storage_save_well (fixture, place.storage, "f2", "x");
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/f?"), ==, 2);
  storage_assert_names (fixture, place.storage, "", "");
}

static void
test_container_that_is_not_empty_yet (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;
  FakeRule rule = {
    .method = "DELETE", .times = 2, .action = FAKE_FAIL, .status = 409,
    .body = "<html><h1>Conflict</h1></html>",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "x", "y");
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", path), ==, 3);
}

/* Temporary URLs */

static void
test_url_reads_one_file_without_a_token (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *uri = NULL;
  g_autofree char *plain = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GBytes) refused = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  /* It need not be there yet. */
  uri = storage_get_uri (fixture, place.storage, "tools/a b.tgz", &expires, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_date_time_difference (expires, now), >, 9 * 365 * G_TIME_SPAN_DAY);

  storage_save_well (fixture, place.storage, "tools/a b.tgz", "tools");
  g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
  g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), "tools", 5);

  plain = g_strndup (uri, strcspn (uri, "?"));
  g_assert_cmpuint (storage_fetch (fixture, plain, &refused), ==, 401);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_two_urls_share_a_key (ProviderFixture *fixture,
                           gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) again = { NULL };
  g_autoptr(GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr(GBytes) body = NULL;

  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "x", "y");
  first = storage_get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_no_error (error);
  storage_place_init (&again, fixture, NULL, place.bucket);
  second = storage_get_uri (fixture, again.storage, "x", NULL, &error);
  g_assert_no_error (error);
  /* A new key would have revoked the first. */
  g_assert_cmpuint (storage_fetch (fixture, first, &body), ==, 200);
  storage_remove_all_well (fixture, place.storage);
}

static void
test_no_url_where_there_can_be_none (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-has-tempurl", 0);
  storage_place_init (&place, fixture, NULL, NULL);
  uri = storage_get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

/* The refused token has used the stream up. */
static void
test_file_is_sent_again_with_a_new_token (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "a", "first");
  fake_cloud_expire_tokens (fixture->fake);
  storage_save_well (fixture, place.storage, "a", "second");
  storage_assert_contents (fixture, place.storage, "a", "second");
  storage_remove_all_well (fixture, place.storage);
}

static void
test_removed_container_is_made_before_the_next_file (ProviderFixture *fixture,
                                                     gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  storage_save_well (fixture, place.storage, "a", "first");
  storage_remove_all_well (fixture, place.storage);
  fake_log_clear (fixture->fake);
  storage_save_well (fixture, place.storage, "a", "second");
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "/object-store/v1/*/a"), ==, 1);
  storage_remove_all_well (fixture, place.storage);
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

  add ("/swift/files-from-first-to-last", test_files_from_first_to_last);
  add ("/swift/odd-names-stay-distinct", test_odd_names_stay_distinct);
  add ("/swift/impossible-names-are-refused", test_impossible_names_are_refused);
  add ("/swift/taken-name-is-not-replaced", test_taken_name_is_not_replaced);
  add ("/swift/lost-answer-is-no-taken-name", test_lost_answer_is_no_taken_name);
  add ("/swift/container-of-another-is-left-alone", test_container_of_another_is_left_alone);
  add ("/swift/unmarked-container-is-left-alone", test_container_without_a_mark_is_left_alone);
  add ("/swift/empty-container-without-a-mark", test_empty_container_without_a_mark);
  add ("/swift/unmarkable-container-is-not-left", test_container_that_cannot_be_marked_is_not_left);
  add ("/swift/container-made-by-another-meanwhile", test_container_made_by_another_meanwhile);
  add ("/swift/mark-that-another-overwrote", test_mark_that_another_overwrote);
  add ("/swift/object-store-that-keeps-no-mark", test_object_store_that_keeps_no_mark);
  add ("/swift/not-seen-yet-is-waited-for", test_file_that_is_not_seen_yet_is_waited_for);
  add ("/swift/damage-on-the-way-is-noticed", test_damage_on_the_way_is_noticed);
  add ("/defects/45/not-ours-to-write", test_storage_that_we_may_not_write);
  add ("/swift/vanished-container-is-made-again", test_vanished_container_is_made_again);
  add ("/swift/removed-container-is-made-before-the-next-file",
       test_removed_container_is_made_before_the_next_file);
  add ("/swift/file-is-sent-again-with-a-new-token", test_file_is_sent_again_with_a_new_token);
  add ("/swift/short-stream-stores-nothing", test_short_stream_stores_nothing);
  add ("/swift/long-file-goes-through-a-file", test_long_file_goes_through_a_file);
  add ("/swift/streams-are-read-without-a-thread", test_streams_are_read_without_a_thread);
  add ("/defects/30/everything-goes-in-pages", test_everything_goes_in_pages);
  add ("/swift/without-bulk-each-is-deleted", test_without_bulk_each_is_deleted);
  add ("/swift/container-not-empty-yet", test_container_that_is_not_empty_yet);
  add ("/defects/29/url-reads-one-file-without-a-token", test_url_reads_one_file_without_a_token);
  add ("/swift/url/two-share-a-key", test_two_urls_share_a_key);
  add ("/swift/url/none-where-there-can-be-none", test_no_url_where_there_can_be_none);

  return provider_fixture_run ();
}
