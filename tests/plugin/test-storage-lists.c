/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "services/os-object-store.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Containers of many files: listing and removing them. */

#define MANY 25001

/* FALSE where there is no fake to fill a container. */
static gboolean
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       guint            n)
{
  g_autofree char *json = NULL;

  if (provider_fixture_needs_fake (fixture))
    return FALSE;
  storage_place_init (place, fixture, NULL, NULL);
  storage_save_well (fixture, place->storage, "first", "x");
  json = g_strdup_printf ("{'project': 'demo', 'container': '%s', 'prefix': 'n', 'count': %u}",
                          place->bucket, n - 1);
  fake_cloud_add (fixture->fake, "objects", json);
  return TRUE;
}

static void
assert_listed (ProviderFixture *fixture,
               StoragePlace    *place,
               guint            n)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = storage_list (fixture, place->storage, "", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, n);
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (strcmp (names[i - 1], names[i]), <, 0);
}

static void
test_all_names_come (ProviderFixture *fixture,
                     gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, MANY))
    return;
  assert_listed (fixture, &place, MANY);
  /* Three pages, and an empty one. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "/object-store/v1/*"), ==, 4);
}

/* How long a page is, is not ours to say. */
static void
test_small_pages (ProviderFixture *fixture,
                  gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, 1001))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 7);
  assert_listed (fixture, &place, 1001);
}

static void
test_last_page_is_full (ProviderFixture *fixture,
                        gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, 14))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 7);
  assert_listed (fixture, &place, 14);
}

/* How many requests were being answered at the same time. */
static guint
get_at_once (ProviderFixture *fixture)
{
  guint at_once = 0;

  for (guint i = 0; i < fake_log_get_entries (fixture->fake)->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (fake_log_get_entries (fixture->fake), i);

      at_once = MAX (at_once, entry->in_flight + 1);
    }
  return at_once;
}

static void
test_all_are_removed (ProviderFixture *fixture,
                      gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, MANY))
    return;
  fake_cloud_set (fixture->fake, "latency", 20);
  storage_remove_all_well (fixture, place.storage);
  storage_assert_names (fixture, place.storage, "", "");
  /* By their names, a thousand at a time, and the container. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "/object-store/v1/AUTH_*"), >=, 26);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 1);
  g_assert_cmpuint (get_at_once (fixture), >=, 2);
  g_assert_cmpuint (get_at_once (fixture), <=, 4);
}

static void
test_all_are_removed_one_by_one (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, 501))
    return;
  fake_cloud_set (fixture->fake, "swift-has-bulk", 0);
  fake_cloud_set (fixture->fake, "latency", 2);
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 502);
  g_assert_cmpuint (get_at_once (fixture), >=, 2);
  g_assert_cmpuint (get_at_once (fixture), <=, 32);
}

/* Guards */

static void
test_list_that_does_not_go_on (ProviderFixture *fixture,
                               gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  FakeRule rule = {
    .method = "GET", .times = -1, .action = FAKE_FAIL, .status = 200,
    .body = "[{\"name\": \"a\"}, {\"name\": \"b\"}]",
  };
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, 2))
    return;
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  names = storage_list (fixture, place.storage, "", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 2);
}

/* The page is not sorted, and so always has a name behind the marker. */
static void
test_removal_that_does_not_go_on (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  FakeRule rule = {
    .method = "GET", .times = -1, .action = FAKE_FAIL, .status = 200,
    .body = "[{\"name\": \"c\"}, {\"name\": \"a\"}, {\"name\": \"b\"}]",
  };
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, 2))
    return;
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  g_assert_false (storage_remove_all (fixture, place.storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, "does not go on"));
  g_assert_nonnull (strstr (error->message, place.bucket));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", path), ==, 2);
}

/* A page may begin with what the one before ended with. */
static void
test_marker_that_comes_again (ProviderFixture *fixture,
                              gconstpointer    data)
{
  static const char *const bodies[] = {
    "[{\"name\": \"a\"}, {\"name\": \"b\"}]", "[{\"name\": \"b\"}, {\"name\": \"c\"}]", "[]",
  };
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, 2))
    return;
  path = g_strconcat ("*/", place.bucket, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      FakeRule rule = {
        .method = "GET", .path = path, .action = FAKE_FAIL, .status = 200, .body = bodies[i],
      };

      fake_cloud_add_rule (fixture->fake, &rule);
    }
  storage_assert_names (fixture, place.storage, "", "a|b|c");
}

static void
test_page_that_is_cut (ProviderFixture *fixture,
                       gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  FakeRule rule = { .method = "GET", .times = -1, .action = FAKE_CUT };
  g_auto(GStrv) names = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;

  if (!begin (&place, fixture, 1001))
    return;
  path = g_strconcat ("*/", place.bucket, NULL);
  rule.path = path;
  fake_cloud_add_rule (fixture->fake, &rule);
  names = storage_list (fixture, place.storage, "", &error);
  g_assert_nonnull (error);
  g_assert_null (names);
}

/* Deleting in bulk: the status is 200 whatever happens. */

static void
answer_bulk (ProviderFixture *fixture,
             const char      *body)
{
  FakeRule rule = {
    .method = "POST", .path = "/object-store/v1/AUTH_*", .action = FAKE_FAIL, .status = 200,
    .body = body,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_what_bulk_leaves_is_deleted_alone (ProviderFixture *fixture,
                                        gconstpointer    data)
{
  static const char *const answers[] = {
    "", "[]", "nonsense", "{}", "{\"Response Status\": \"400 Bad Request\"}",
    "{\"Errors\": 7}", "{\"Errors\": [7]}", "{\"Errors\": [[7, {}], [\"/x\"]]}",
    "{\"Errors\": [[\"/other/n000000\", \"409 Conflict\"]], \"Number Deleted\": 3}",
    "{\"Errors\": [[\"/%s/of-nobody\", \"409 Conflict\"]], \"Number Deleted\": 3}",
    "{\"Errors\": [[\"/%s/first\", \"409\"], [\"/%s/first\", \"409\"]], \"Number Deleted\": 2}",
    "{\"Errors\": {}, \"Number Deleted\": \"x\", \"Number Not Found\": []}",
  };

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GString) body = g_string_new (answers[i]);

      begin (&place, fixture, 4);
      g_string_replace (body, "%s", place.bucket, 0);
      fake_log_clear (fixture->fake);
      answer_bulk (fixture, body->str);
      storage_remove_all_well (fixture, place.storage);
      g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 4 + 1);
    }
}

/* Of an answer that says what became of each, only what failed is tried again. */
static void
test_what_bulk_says_is_believed (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autofree char *answer = NULL;

  if (!begin (&place, fixture, 4))
    return;
  answer = g_strdup_printf ("\r\n\r\n {\"Response Status\": \"400 Bad Request\","
                            " \"Number Deleted\": 2, \"Number Not Found\": 1,"
                            " \"Errors\": [[\"/%s/n%%30%%30000%%31\", \"409 Conflict\"]]}",
                            place.bucket);
  fake_log_clear (fixture->fake);
  answer_bulk (fixture, answer);
  storage_remove_all_well (fixture, place.storage);
  /* That one, and the container, which turns out not to be empty yet. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/n000001"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*/n00000?"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "/object-store/v1/AUTH_*"), ==, 2);
  storage_assert_names (fixture, place.storage, "", "");
}

/* It is refused name by name, and no status says so. */
static void
test_bad_token_in_a_bulk_answer (ProviderFixture *fixture,
                                 gconstpointer    data)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(OsObjectStore) store = NULL;
  g_autoptr(OsObjectStoreInfo) info = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, 3))
    return;
  g_ptr_array_add (names, (gpointer) "n000000");
  g_ptr_array_add (names, (gpointer) "n000001");
  store = os_object_store_new (place.client);
  os_object_store_load_info_async (store, NULL, provider_fixture_done_cb, fixture);
  info = os_object_store_load_info_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);

  fake_cloud_expire_tokens (fixture->fake);
  fake_log_clear (fixture->fake);
  os_object_store_delete_objects_async (store, place.bucket, names, NULL, provider_fixture_done_cb,
                                        fixture);
  os_object_store_delete_objects_finish (store, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "*/auth/tokens"), ==, 1);
  g_assert_cmpuint (fake_log_count (fixture->fake, "POST", "/object-store/v1/AUTH_*"), ==, 2);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 0);
  storage_assert_names (fixture, place.storage, "", "first");
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

  add ("/cases/G45/all-names-come", test_all_names_come);
  add ("/cases/G45/small-pages", test_small_pages);
  add ("/cases/G45/last-page-is-full", test_last_page_is_full);
  add ("/cases/G45/all-are-removed", test_all_are_removed);
  add ("/cases/G45/removed-one-by-one", test_all_are_removed_one_by_one);
  add ("/swift/list/does-not-go-on", test_list_that_does_not_go_on);
  add ("/swift/list/removal-does-not-go-on", test_removal_that_does_not_go_on);
  add ("/swift/list/marker-comes-again", test_marker_that_comes_again);
  add ("/swift/list/page-is-cut", test_page_that_is_cut);
  add ("/swift/bulk/what-is-left-is-deleted-alone", test_what_bulk_leaves_is_deleted_alone);
  add ("/swift/bulk/what-it-says-is-believed", test_what_bulk_says_is_believed);
  add ("/swift/bulk/bad-token", test_bad_token_in_a_bulk_answer);

  return provider_fixture_run ();
}
