/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "provider-fixture.h"

#include "contracts/welkin-storage.h"
#include "os-storage-swift.h"
#include "services/os-object-store.h"
#include "values/welkin-error.h"

/* An environment's storage on a client of its own. */
typedef struct
{
  OsClient      *client;
  WelkinStorage *storage;
  char          *bucket;
} Place;

static void
place_clear (Place *place)
{
  g_clear_object (&place->storage);
  g_clear_object (&place->client);
  g_clear_pointer (&place->bucket, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* uuid: of the environment, NULL for the fixture's; bucket: NULL for a new one */
static void
place_init (Place           *place,
            ProviderFixture *fixture,
            const char      *uuid,
            const char      *bucket)
{
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (fixture, "uuid", uuid != NULL ? uuid : fixture->uuid,
                                  "control-bucket", bucket != NULL ? bucket : "", NULL);
  g_autoptr(GError) error = NULL;

  place->client = os_client_new (config, fixture->surroundings, NULL, &error);
  g_assert_no_error (error);
  place->storage = os_storage_swift_new (place->client, config);
  place->bucket = g_strdup (welkin_config_get_string (config, "control-bucket"));
}

static gboolean
save (ProviderFixture     *fixture,
      WelkinStorage       *storage,
      const char          *name,
      const char          *text,
      WelkinStorageFlags   flags,
      GError             **error)
{
  g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));

  welkin_storage_save_async (storage, name, bytes, flags, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_save_finish (storage, provider_fixture_wait (fixture), error);
}

static void
save_well (ProviderFixture *fixture,
           WelkinStorage   *storage,
           const char      *name,
           const char      *text)
{
  g_autoptr(GError) error = NULL;

  save (fixture, storage, name, text, 0, &error);
  g_assert_no_error (error);
}

static GBytes *
load (ProviderFixture     *fixture,
      WelkinStorage       *storage,
      const char          *name,
      WelkinStorageFlags   flags,
      GError             **error)
{
  welkin_storage_load_async (storage, name, flags, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_load_finish (storage, provider_fixture_wait (fixture), error);
}

static void
assert_contents (ProviderFixture *fixture,
                 WelkinStorage   *storage,
                 const char      *name,
                 const char      *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = load (fixture, storage, name, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text, strlen (text));
}

static void
assert_names (ProviderFixture *fixture,
              WelkinStorage   *storage,
              const char      *prefix,
              const char      *expected)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = NULL;
  g_autofree char *joined = NULL;

  welkin_storage_list_async (storage, prefix, NULL, provider_fixture_done_cb, fixture);
  names = welkin_storage_list_finish (storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  joined = g_strjoinv ("|", names);
  g_assert_cmpstr (joined, ==, expected);
}

static gboolean
try_to_remove_one (ProviderFixture  *fixture,
                   WelkinStorage    *storage,
                   const char       *name,
                   GError          **error)
{
  welkin_storage_remove_async (storage, name, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_remove_finish (storage, provider_fixture_wait (fixture), error);
}

static void
remove_one (ProviderFixture *fixture,
            WelkinStorage   *storage,
            const char      *name)
{
  g_autoptr(GError) error = NULL;

  try_to_remove_one (fixture, storage, name, &error);
  g_assert_no_error (error);
}

static gboolean
remove_all (ProviderFixture  *fixture,
            WelkinStorage    *storage,
            GError          **error)
{
  welkin_storage_remove_all_async (storage, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_remove_all_finish (storage, provider_fixture_wait (fixture), error);
}

static void
remove_all_well (ProviderFixture *fixture,
                 WelkinStorage   *storage)
{
  g_autoptr(GError) error = NULL;

  remove_all (fixture, storage, &error);
  g_assert_no_error (error);
}

static WkHttpResponse *
head_container (ProviderFixture  *fixture,
                Place            *place,
                GError          **error)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);

  os_object_store_head_container_async (store, place->bucket, NULL, provider_fixture_done_cb,
                                        fixture);
  return os_object_store_head_container_finish (store, provider_fixture_wait (fixture), error);
}

static void
test_files_from_first_to_last (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) none = NULL;
  g_autoptr(WkHttpResponse) container = NULL;

  place_init (&place, fixture, NULL, NULL);
  assert_names (fixture, place.storage, "", "");
  remove_one (fixture, place.storage, "provider-state");
  remove_all_well (fixture, place.storage);

  save_well (fixture, place.storage, "tools/b", "two");
  save_well (fixture, place.storage, "tools/a", "one");
  save_well (fixture, place.storage, "provider-state", "");
  assert_contents (fixture, place.storage, "tools/a", "one");
  assert_contents (fixture, place.storage, "provider-state", "");
  save_well (fixture, place.storage, "tools/a", "three");
  assert_contents (fixture, place.storage, "tools/a", "three");
  assert_names (fixture, place.storage, "tools/", "tools/a|tools/b");

  container = head_container (fixture, &place, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (wk_http_response_get_header (container, "x-container-meta-welkin-env"), ==,
                   fixture->uuid);
  g_assert_null (wk_http_response_get_header (container, "X-Container-Read"));

  remove_one (fixture, place.storage, "tools/a");
  remove_one (fixture, place.storage, "tools/a");
  none = load (fixture, place.storage, "tools/a", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);

  remove_all_well (fixture, place.storage);
  g_clear_pointer (&container, wk_http_response_unref);
  container = head_container (fixture, &place, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);

  /* What made the container once makes it again. */
  save_well (fixture, place.storage, "x", "y");
  assert_contents (fixture, place.storage, "x", "y");
  remove_all_well (fixture, place.storage);
}

static void
test_odd_names_stay_distinct (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const char *const names[] = {
    "100%", "a#b", "a?b", "a&b=c+d", "my file.txt", "my%20file.txt", "ü/é",
  };
  g_auto(Place) place = { NULL };

  place_init (&place, fixture, NULL, "welkin test%1");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    save_well (fixture, place.storage, names[i], names[i]);
  assert_names (fixture, place.storage, "", "100%|a#b|a&b=c+d|a?b|my file.txt|my%20file.txt|ü/é");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_contents (fixture, place.storage, names[i], names[i]);
  remove_all_well (fixture, place.storage);
}

static void
test_impossible_names_are_refused (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_autofree char *long_name = g_strnfill (1025, 'x');
  const char *names[] = { "", "/", "a//b", "../x", "a/.", "a/", long_name, "\xff" };
  g_auto(Place) place = { NULL };

  place_init (&place, fixture, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (save (fixture, place.storage, names[i], "x", 0, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_taken_name_is_not_replaced (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;

  place_init (&place, fixture, NULL, NULL);
  save (fixture, place.storage, "provider-state", "mine", WELKIN_STORAGE_NO_REPLACE, &error);
  g_assert_no_error (error);
  g_assert_false (save (fixture, place.storage, "provider-state", "theirs",
                        WELKIN_STORAGE_NO_REPLACE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_nonnull (strstr (error->message, "provider-state already"));
  assert_contents (fixture, place.storage, "provider-state", "mine");
  remove_all_well (fixture, place.storage);
}

static void
test_lost_answer_is_no_taken_name (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  static const FakeRule rule = {
    .method = "PUT", .path = "*/provider-state", .action = FAKE_DROP_AFTER,
  };
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  /* The first is executed, the second is refused, and what is there is ours. */
  save (fixture, place.storage, "provider-state", "mine", WELKIN_STORAGE_NO_REPLACE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/provider-state"), ==, 2);
}

static void
test_container_of_another_is_left_alone (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_auto(Place) ours = { NULL };
  g_auto(Place) theirs = { NULL };
  g_autofree char *other = g_uuid_string_random ();
  g_autoptr(GError) error = NULL;

  place_init (&ours, fixture, NULL, NULL);
  save_well (fixture, ours.storage, "x", "ours");
  place_init (&theirs, fixture, other, ours.bucket);
  g_assert_false (save (fixture, theirs.storage, "x", "theirs", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, ours.bucket));
  g_clear_error (&error);
  g_assert_false (remove_all (fixture, theirs.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  assert_contents (fixture, ours.storage, "x", "ours");
  remove_all_well (fixture, ours.storage);
}

/* As a user makes one by hand, who has never heard of us. */
static void
make_container (ProviderFixture *fixture,
                Place           *place)
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
             Place           *place,
             const char      *name,
             const char      *text)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);
  g_autoptr(GInputStream) stream =
    g_memory_input_stream_new_from_data (text, (gssize) strlen (text), NULL);
  g_autofree char *md5 = g_compute_checksum_for_string (G_CHECKSUM_MD5, text, -1);
  g_autoptr(GError) error = NULL;

  os_object_store_put_object_async (store, place->bucket, name, stream, (goffset) strlen (text),
                                    md5, TRUE, NULL, provider_fixture_done_cb, fixture);
  os_object_store_put_object_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

static void
remove_by_hand (ProviderFixture *fixture,
                Place           *place,
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
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;

  place_init (&place, fixture, NULL, NULL);
  make_container (fixture, &place);
  put_by_hand (fixture, &place, "holiday.jpg", "sun");
  g_assert_false (save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_clear_error (&error);

  /* Neither a mark by now, nor that we were told to remove all, makes it ours. */
  g_assert_false (remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  g_clear_error (&error);
  g_assert_false (try_to_remove_one (fixture, place.storage, "holiday.jpg", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  assert_contents (fixture, place.storage, "holiday.jpg", "sun");
  assert_names (fixture, place.storage, "", "holiday.jpg");
  remove_by_hand (fixture, &place, "holiday.jpg");
}

static void
test_empty_container_without_a_mark (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;

  place_init (&place, fixture, NULL, NULL);
  make_container (fixture, &place);
  g_assert_false (remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);

  /* To be used is another thing: an earlier run may have made it and come no further. */
  save_well (fixture, place.storage, "x", "ours");
  remove_all_well (fixture, place.storage);
  assert_names (fixture, place.storage, "", "");
}

static void
test_container_that_cannot_be_marked_is_not_left (ProviderFixture *fixture,
                                                  gconstpointer    data)
{
  g_auto(Place) place = { NULL };
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
  place_init (&place, fixture, NULL, NULL);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  before = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_false (save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_cmpuint (welkin_error_get_status (error), ==, 400);
  after = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_assert_cmpstr (after, ==, before);
}

/* Two environments that find that there is none, and make it both. */
static void
test_container_made_by_another_meanwhile (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(Place) ours = { NULL };
  g_auto(Place) theirs = { NULL };
  g_autofree char *other = g_uuid_string_random ();
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = { .method = "HEAD", .action = FAKE_FAIL, .status = 404 };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&theirs, fixture, other, NULL);
  save_well (fixture, theirs.storage, "x", "theirs");
  place_init (&ours, fixture, NULL, theirs.bucket);
  path = g_strconcat ("*/", ours.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (save (fixture, ours.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  assert_contents (fixture, theirs.storage, "x", "theirs");
  remove_all_well (fixture, theirs.storage);
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
  g_auto(Place) place = { NULL };
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "HEAD", .skip = 1, .action = FAKE_FAIL, .status = 204, .headers = headers,
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (save (fixture, place.storage, "x", "ours", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
  assert_names (fixture, place.storage, "", "");
}

static void
test_object_store_that_keeps_no_mark (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  static const char *const headers[] = { "X-Container-Object-Count: 0", NULL };
  g_auto(Place) place = { NULL };
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule rule = {
    .method = "HEAD", .times = -1, .action = FAKE_FAIL, .status = 204, .headers = headers,
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  make_container (fixture, &place);
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (save (fixture, place.storage, "x", "ours", 0, &error));
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
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "provider-state", "x");
  fake_cloud_add_rule (fixture->fake, &rule);
  bytes = load (fixture, place.storage, "provider-state", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  bytes = load (fixture, place.storage, "provider-state", WELKIN_STORAGE_EXPECT_SOON, &error);
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
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &up);
  save_well (fixture, place.storage, "x", "y");
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "*/x"), ==, 2);

  fake_cloud_add_rule (fixture->fake, &down);
  bytes = load (fixture, place.storage, "x", 0, &error);
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
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (save (fixture, place.storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_nonnull (strstr (error->message, "HTTP 403"));
}

static void
test_vanished_container_is_made_again (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_auto(Place) other = { NULL };

  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "x", "y");
  place_init (&other, fixture, NULL, place.bucket);
  remove_all_well (fixture, other.storage);
  save_well (fixture, place.storage, "x", "z");
  assert_contents (fixture, place.storage, "x", "z");
  remove_all_well (fixture, place.storage);
}

static void
test_short_stream_stores_nothing (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("short", 5, NULL);
  g_autoptr(GError) error = NULL;

  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "x", "before");
  welkin_storage_put_async (place.storage, "x", stream, 50, 0, NULL, provider_fixture_done_cb,
                            fixture);
  g_assert_false (welkin_storage_put_finish (place.storage, provider_fixture_wait (fixture),
                                             &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  assert_contents (fixture, place.storage, "x", "before");
  remove_all_well (fixture, place.storage);
}

static void
test_long_file_goes_through_a_file (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  const gsize size = 3 * 1024 * 1024 + 17;
  g_auto(Place) place = { NULL };
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GBytes) back = NULL;
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < size; i++)
    text[i] = 'a' + i % 25;
  text[size] = '\0';
  bytes = g_bytes_new (text, size);
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "long", text);
  back = load (fixture, place.storage, "long", 0, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (back, bytes));
  remove_all_well (fixture, place.storage);
}

static void
test_streams_are_read_without_a_thread (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GError) error = NULL;

  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "x", "y");
  welkin_storage_get_async (place.storage, "x", 0, NULL, provider_fixture_done_cb, fixture);
  stream = welkin_storage_get_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  /* Otherwise GIO would read it in a thread, which libsoup does not allow. */
  g_assert_true (G_IS_POLLABLE_INPUT_STREAM (stream));
  g_assert_true (g_pollable_input_stream_can_poll (G_POLLABLE_INPUT_STREAM (stream)));
  g_clear_object (&stream);
  remove_all_well (fixture, place.storage);
}

static void
test_everything_goes_in_pages (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GString) expected = g_string_new (NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 7);
  place_init (&place, fixture, NULL, NULL);
  for (guint i = 0; i < 25; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%02u", i);

      save_well (fixture, place.storage, name, "x");
      g_string_append_printf (expected, "%s%s", i > 0 ? "|" : "", name);
    }
  assert_names (fixture, place.storage, "", expected->str);
  remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/f??"), ==, 0);
}

static void
test_without_bulk_each_is_deleted (ProviderFixture *fixture,
                                   gconstpointer    data)
{
  g_auto(Place) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-has-bulk", 0);
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "f1", "x");
  save_well (fixture, place.storage, "f2", "x");
  remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/f?"), ==, 2);
  assert_names (fixture, place.storage, "", "");
}

static void
test_container_that_is_not_empty_yet (ProviderFixture *fixture,
                                      gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autofree char *path = NULL;
  FakeRule rule = {
    .method = "DELETE", .times = 2, .action = FAKE_FAIL, .status = 409,
    .body = "<html><h1>Conflict</h1></html>",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "x", "y");
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", path), ==, 3);
}

/* Temporary URLs */

static char *
get_uri (ProviderFixture  *fixture,
         WelkinStorage    *storage,
         const char       *name,
         GDateTime       **expires,
         GError          **error)
{
  welkin_storage_get_uri_async (storage, name, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_get_uri_finish (storage, provider_fixture_wait (fixture), expires, error);
}

static guint
fetch (ProviderFixture  *fixture,
       const char       *uri,
       GBytes          **body)
{
  g_autoptr(SoupSession) session = soup_session_new ();
  g_autoptr(SoupMessage) message = soup_message_new ("GET", uri);
  g_autoptr(GError) error = NULL;

  soup_session_send_and_read_async (session, message, G_PRIORITY_DEFAULT, NULL,
                                    provider_fixture_done_cb, fixture);
  *body = soup_session_send_and_read_finish (session, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return soup_message_get_status (message);
}

static void
test_url_reads_one_file_without_a_token (ProviderFixture *fixture,
                                         gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *uri = NULL;
  g_autofree char *plain = NULL;
  g_autoptr(GBytes) body = NULL;
  g_autoptr(GBytes) refused = NULL;

  place_init (&place, fixture, NULL, NULL);
  /* It need not be there yet. */
  uri = get_uri (fixture, place.storage, "tools/a b.tgz", &expires, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_date_time_difference (expires, now), >, 9 * 365 * G_TIME_SPAN_DAY);

  save_well (fixture, place.storage, "tools/a b.tgz", "tools");
  g_assert_cmpuint (fetch (fixture, uri, &body), ==, 200);
  g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), "tools", 5);

  plain = g_strndup (uri, strcspn (uri, "?"));
  g_assert_cmpuint (fetch (fixture, plain, &refused), ==, 401);
  remove_all_well (fixture, place.storage);
}

static void
test_two_urls_share_a_key (ProviderFixture *fixture,
                           gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_auto(Place) again = { NULL };
  g_autoptr(GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr(GBytes) body = NULL;

  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "x", "y");
  first = get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_no_error (error);
  place_init (&again, fixture, NULL, place.bucket);
  second = get_uri (fixture, again.storage, "x", NULL, &error);
  g_assert_no_error (error);
  /* A new key would have revoked the first. */
  g_assert_cmpuint (fetch (fixture, first, &body), ==, 200);
  remove_all_well (fixture, place.storage);
}

static void
test_no_url_where_there_can_be_none (ProviderFixture *fixture,
                                     gconstpointer    data)
{
  g_auto(Place) place = { NULL };
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-has-tempurl", 0);
  place_init (&place, fixture, NULL, NULL);
  uri = get_uri (fixture, place.storage, "x", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

/* The refused token has used the stream up. */
static void
test_file_is_sent_again_with_a_new_token (ProviderFixture *fixture,
                                          gconstpointer    data)
{
  g_auto(Place) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "a", "first");
  fake_cloud_expire_tokens (fixture->fake);
  save_well (fixture, place.storage, "a", "second");
  assert_contents (fixture, place.storage, "a", "second");
  remove_all_well (fixture, place.storage);
}

static void
test_removed_container_is_made_before_the_next_file (ProviderFixture *fixture,
                                                     gconstpointer    data)
{
  g_auto(Place) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  place_init (&place, fixture, NULL, NULL);
  save_well (fixture, place.storage, "a", "first");
  remove_all_well (fixture, place.storage);
  fake_log_clear (fixture->fake);
  save_well (fixture, place.storage, "a", "second");
  g_assert_cmpuint (fake_log_count (fixture->fake, "PUT", "/object-store/v1/*/a"), ==, 1);
  remove_all_well (fixture, place.storage);
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
  add ("/swift/not-ours-to-write", test_storage_that_we_may_not_write);
  add ("/swift/vanished-container-is-made-again", test_vanished_container_is_made_again);
  add ("/swift/removed-container-is-made-before-the-next-file",
       test_removed_container_is_made_before_the_next_file);
  add ("/swift/file-is-sent-again-with-a-new-token", test_file_is_sent_again_with_a_new_token);
  add ("/swift/short-stream-stores-nothing", test_short_stream_stores_nothing);
  add ("/swift/long-file-goes-through-a-file", test_long_file_goes_through_a_file);
  add ("/swift/streams-are-read-without-a-thread", test_streams_are_read_without_a_thread);
  add ("/swift/everything-goes-in-pages", test_everything_goes_in_pages);
  add ("/swift/without-bulk-each-is-deleted", test_without_bulk_each_is_deleted);
  add ("/swift/container-not-empty-yet", test_container_that_is_not_empty_yet);
  add ("/swift/url/reads-one-file-without-a-token", test_url_reads_one_file_without_a_token);
  add ("/swift/url/two-share-a-key", test_two_urls_share_a_key);
  add ("/swift/url/none-where-there-can-be-none", test_no_url_where_there_can_be_none);

  return provider_fixture_run ();
}
