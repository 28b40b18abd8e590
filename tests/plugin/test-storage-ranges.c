/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "result.h"
#include "storage-fixture.h"
#include "transport/os-download.h"
#include "values/welkin-error.h"

/* Files that are read in two ranges, and what is done where a server does otherwise. */

#define NAME "x/z"
#define PATH "*/" NAME
#define SIZE (2 * OS_DOWNLOAD_FIRST_PIECE + 17)

static void
save (ProviderFixture *fixture,
      StoragePlace    *place,
      GBytes          *bytes)
{
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr(GError) error = NULL;

  welkin_storage_put_async (place->storage, NAME, stream, (goffset) g_bytes_get_size (bytes), 0,
                            NULL, provider_fixture_done_cb, fixture);
  welkin_storage_put_finish (place->storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
}

/* kind: of storage. A file of so many bytes in it; NULL where there is no fake to look at. */
static GBytes *
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       const char      *kind,
       gsize            size)
{
  GBytes *bytes;

  if (!storage_place_init_kind (place, fixture, kind))
    return NULL;
  bytes = storage_make_data (size, 1);
  save (fixture, place, bytes);
  fake_log_clear (fixture->fake);
  return bytes;
}

static const FakeLogEntry *
get_request (ProviderFixture *fixture,
             guint            index)
{
  GPtrArray *entries = fake_log_get_entries (fixture->fake);

  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);

      if (g_str_equal (entry->method, "GET") && g_str_has_suffix (entry->path, "/" NAME)
          && index-- == 0)
        return entry;
    }
  g_assert_not_reached ();
}

/* has_condition: that it is still the same thing */
static void
assert_range (ProviderFixture *fixture,
              guint            index,
              const char      *range,
              gboolean         has_condition)
{
  const FakeLogEntry *request = get_request (fixture, index);
  const char *condition = fake_log_entry_get_header (request, "If-Match");

  g_assert_cmpstr (fake_log_entry_get_header (request, "Range"), ==, range);
  g_assert_cmpint (condition != NULL, ==, has_condition);
  if (condition != NULL)
    g_assert_true (g_regex_match_simple ("^\"[0-9a-f]{32}\"$", condition, 0, 0));
}

static void
assert_bytes (GBytes       *bytes,
              GBytes       *expected,
              const GError *error)
{
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, expected));
}

static void
assert_read (ProviderFixture *fixture,
             StoragePlace    *place,
             GBytes          *expected,
             guint            n_requests)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = storage_load (fixture, place->storage, NAME, 0, &error);

  assert_bytes (bytes, expected, error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", PATH), ==, n_requests);
  assert_range (fixture, 0, OS_DOWNLOAD_FIRST_RANGE, FALSE);
}

static void
assert_not_read (ProviderFixture *fixture,
                 StoragePlace    *place,
                 const char      *message,
                 guint            n_requests)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = storage_load (fixture, place->storage, NAME, 0, &error);

  g_assert_null (bytes);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, message));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", PATH), ==, n_requests);
}

static void
test_file_goes_in_as_many_ranges_as_it_needs (ProviderFixture *fixture,
                                              gconstpointer    kind)
{
  static const struct
  {
    gsize size;
    guint n_requests;
  } sizes[] = {
    { 1, 1 },
    { OS_DOWNLOAD_FIRST_PIECE - 1, 1 },
    { OS_DOWNLOAD_FIRST_PIECE, 1 },
    { OS_DOWNLOAD_FIRST_PIECE + 1, 2 },
    { SIZE, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GBytes) bytes = begin (&place, fixture, kind, sizes[i].size);

      if (bytes == NULL)
        return;
      assert_read (fixture, &place, bytes, sizes[i].n_requests);
      if (sizes[i].n_requests > 1)
        assert_range (fixture, 1, "bytes=1048576-", TRUE);
    }
}

/* It has no ranges. */
static void
test_empty_file_is_asked_for_whole (ProviderFixture *fixture,
                                    gconstpointer    kind)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, 0);

  if (bytes == NULL)
    return;
  assert_read (fixture, &place, bytes, 2);
  assert_range (fixture, 1, NULL, FALSE);
}

typedef struct
{
  int         status;
  int         times;
  const char *headers[4];
} Answer;

/* To the first request but skip ones. */
static void
answer (ProviderFixture *fixture,
        const Answer    *answer,
        int              skip)
{
  const FakeRule rule = {
    .method = "GET", .path = PATH, .skip = skip, .times = answer->times, .action = FAKE_FAIL,
    .status = answer->status, .body = answer->status == 204 ? NULL : "other",
    .headers = answer->headers,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_server_without_ranges_is_read_at_once (ProviderFixture *fixture,
                                            gconstpointer    kind)
{
  static const Answer whole = { 200, 1, { "ETag: \"795f3202b17cb6bc3d4b771d8c6c9eaf\"" } };
  g_autoptr(GBytes) other = g_bytes_new_static ("other", strlen ("other"));
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

  if (bytes == NULL)
    return;
  answer (fixture, &whole, 0);
  assert_read (fixture, &place, other, 1);
}

static void
test_odd_piece_is_not_taken (ProviderFixture *fixture,
                             gconstpointer    kind)
{
  static const Answer answers[] = {
    { 206, 1, { "ETag: \"e\"" } },
    { 206, 1, { "Content-Range: bytes 0-4/10" } },
    { 206, 1, { "ETag: \"e\"", "Content-Range: bytes 0-4/*" } },
    { 206, 1, { "ETag: \"e\"", "Content-Range: bytes 5-9/10" } },
    { 204, 1, { "ETag: \"e\"" } },
    { 416, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

      if (bytes == NULL)
        return;
      answer (fixture, &answers[i], 0);
      assert_read (fixture, &place, bytes, 2);
      assert_range (fixture, 1, NULL, FALSE);
    }
}

static void
test_odd_rest_is_not_taken (ProviderFixture *fixture,
                            gconstpointer    kind)
{
  static const Answer answers[] = {
    { 412, 1 },
    { 200, 1 },
    { 416, 1 },
    { 404, 1 },
    { 206, 1 },
    { 206, 1, { "Content-Range: bytes 0-4/2097169" } },
    { 500, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);
      guint times = (guint) answers[i].times;

      if (bytes == NULL)
        return;
      answer (fixture, &answers[i], 1);
      assert_read (fixture, &place, bytes, times + 2);
      assert_range (fixture, times, "bytes=1048576-", TRUE);
      assert_range (fixture, times + 1, NULL, FALSE);
    }
}

/* That is no matter of ranges. */
static void
test_refused_reader_does_not_ask_for_all (ProviderFixture *fixture,
                                          gconstpointer    kind)
{
  static const Answer refusal = { 403, -1 };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (bytes == NULL)
    return;
  answer (fixture, &refusal, 0);
  loaded = storage_load (fixture, place.storage, NAME, 0, &error);
  g_assert_null (loaded);
  g_assert_cmpuint (welkin_error_get_status (error), ==, 403);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", PATH), ==, 1);
}

/* It is one range then, as asked for. */
static void
test_smaller_piece_is_gone_on_with (ProviderFixture *fixture,
                                    gconstpointer    kind)
{
  g_autoptr(GBytes) text = g_bytes_new_static ("other thing", strlen ("other thing"));
  g_autofree char *md5 = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, text);
  g_autofree char *etag = g_strdup_printf ("ETag: \"%s\"", md5);
  const Answer piece = { 206, 1, { etag, "Content-Range: bytes 0-4/11" } };
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

  if (bytes == NULL)
    return;
  save (fixture, &place, text);
  answer (fixture, &piece, 0);
  assert_read (fixture, &place, text, 2);
  assert_range (fixture, 1, "bytes=5-", TRUE);
}

static void
test_part_of_what_is_asked_for_whole_is_refused (ProviderFixture *fixture,
                                                 gconstpointer    kind)
{
  static const Answer refusal = { 416, 1 };
  static const Answer answers[] = {
    { 206, 1, { "ETag: \"e\"" } },
    { 206, 1, { "ETag: \"e\"", "Content-Range: bytes 5-9/10" } },
    { 206, 1, { "Content-Range: bytes 0-4/10" } },
    { 204, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

      if (bytes == NULL)
        return;
      answer (fixture, &refusal, 0);
      answer (fixture, &answers[i], 0);
      assert_not_read (fixture, &place, ": the answer is only a part of what was asked for", 2);
    }
}

static void
cut (ProviderFixture *fixture,
     int              skip)
{
  const FakeRule rule = { .method = "GET", .path = PATH, .skip = skip, .action = FAKE_CUT };

  fake_cloud_add_rule (fixture->fake, &rule);
}

/* In the middle of the piece, and of the rest. */
static void
test_range_that_is_cut_is_read_on (ProviderFixture *fixture,
                                   gconstpointer    kind)
{
  static const char *const ranges[] = { "bytes=524288-", "bytes=1572872-" };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_auto(StoragePlace) place = { NULL };
      g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

      if (bytes == NULL)
        return;
      cut (fixture, (int) i);
      assert_read (fixture, &place, bytes, i + 2);
      assert_range (fixture, i + 1, ranges[i], TRUE);
    }
}

static void
damage (ProviderFixture *fixture,
        int              skip)
{
  static const char *const headers[] = { "Content-Range: bytes 1048576-2097168/2097169", NULL };
  g_autofree char *damaged = g_strnfill (SIZE - OS_DOWNLOAD_FIRST_PIECE, 'x');
  const FakeRule rule = {
    .method = "GET", .path = PATH, .skip = skip, .action = FAKE_FAIL, .status = 206,
    .body = damaged, .headers = headers,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_damaged_rest_is_noticed (ProviderFixture *fixture,
                              gconstpointer    kind)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);

  if (bytes == NULL)
    return;
  damage (fixture, 1);
  assert_not_read (fixture, &place, "the data arrived damaged", 2);
}

/* The answer with the piece, which is of this moment, is on its way for a while. skip: the requests
 * before it */
static void
begin_load (ProviderFixture *fixture,
            StoragePlace    *place,
            guint            skip,
            GAsyncResult   **result)
{
  const FakeRule rule = {
    .method = "GET", .path = PATH, .skip = (int) skip, .action = FAKE_ANSWER, .delay_ms = 600,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
  welkin_storage_load_async (place->storage, NAME, 0, NULL, result_cb, result);
  while (fake_log_count (fixture->fake, "GET", PATH) <= skip)
    g_main_context_iteration (NULL, TRUE);
}

/* What was there and what is there now are never joined. */
static void
test_file_that_is_replaced_is_read_anew (ProviderFixture *fixture,
                                         gconstpointer    kind)
{
  g_autoptr(GBytes) replaced = storage_make_data (SIZE, 2);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (bytes == NULL)
    return;
  begin_load (fixture, &place, 0, &result);
  save (fixture, &place, replaced);
  g_assert_null (result);
  loaded = welkin_storage_load_finish (place.storage, result_wait (&result), &error);
  assert_bytes (loaded, replaced, error);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", PATH), ==, 3);
  assert_range (fixture, 1, "bytes=1048576-", TRUE);
  assert_range (fixture, 2, NULL, FALSE);
}

/* The rest goes out with the token of the piece. */
static void
test_token_that_expires_in_between (ProviderFixture *fixture,
                                    gconstpointer    kind)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (bytes == NULL)
    return;
  begin_load (fixture, &place, 0, &result);
  fake_cloud_expire_tokens (fixture->fake);
  loaded = welkin_storage_load_finish (place.storage, result_wait (&result), &error);
  assert_bytes (loaded, bytes, error);
  g_assert_cmpuint (get_request (fixture, 1)->status, ==, 401);
  assert_range (fixture, 3, NULL, FALSE);
}

static void
test_reader_gives_up_between_the_ranges (ProviderFixture *fixture,
                                         gconstpointer    kind)
{
  static const FakeRule rule = { .method = "GET", .path = PATH, .skip = 1, .action = FAKE_HANG };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin (&place, fixture, kind, SIZE);
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (bytes == NULL)
    return;
  fake_cloud_add_rule (fixture->fake, &rule);
  welkin_storage_load_async (place.storage, NAME, 0, cancellable, provider_fixture_done_cb,
                             fixture);
  while (fake_log_count (fixture->fake, "GET", PATH) < 2)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  loaded = welkin_storage_load_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_null (loaded);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", PATH), ==, 2);
}

/* Of parts */

/* As begin(), of more bytes than an object may have. */
static GBytes *
begin_large (StoragePlace    *place,
             ProviderFixture *fixture)
{
  if (fixture->fake != NULL)
    fake_cloud_set (fixture->fake, "swift-max-file-size", OS_DOWNLOAD_FIRST_PIECE);
  return begin (place, fixture, "swift", SIZE);
}

/* The first look tells that there are parts, and the list of these what they are. */
static void
test_large_file_goes_in_two_ranges (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin_large (&place, fixture);

  if (bytes == NULL)
    return;
  assert_read (fixture, &place, bytes, 4);
  assert_range (fixture, 1, NULL, FALSE);
  assert_range (fixture, 2, OS_DOWNLOAD_FIRST_RANGE, FALSE);
  assert_range (fixture, 3, "bytes=1048576-", TRUE);
}

static void
test_damaged_segment_behind_the_piece (ProviderFixture *fixture,
                                       gconstpointer    data)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin_large (&place, fixture);

  if (bytes == NULL)
    return;
  damage (fixture, 3);
  assert_not_read (fixture, &place, "the data arrived damaged", 4);
}

/* What is there now is of other parts. */
static void
test_large_file_that_is_replaced_is_read_anew (ProviderFixture *fixture,
                                               gconstpointer    data)
{
  g_autoptr(GBytes) replaced = storage_make_data (2 * SIZE, 2);
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = begin_large (&place, fixture);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GBytes) loaded = NULL;
  g_autoptr(GError) error = NULL;

  if (bytes == NULL)
    return;
  begin_load (fixture, &place, 2, &result);
  save (fixture, &place, replaced);
  g_assert_null (result);
  loaded = welkin_storage_load_finish (place.storage, result_wait (&result), &error);
  assert_bytes (loaded, replaced, error);
}

int
main (int    argc,
      char **argv)
{
  static const char *const kinds[] = { "swift", "s3" };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      storage_add_test ("/storage/ranges", kinds[i], "sizes",
                        test_file_goes_in_as_many_ranges_as_it_needs);
      storage_add_test ("/storage/ranges", kinds[i], "empty", test_empty_file_is_asked_for_whole);
      storage_add_test ("/storage/ranges", kinds[i], "none",
                        test_server_without_ranges_is_read_at_once);
      storage_add_test ("/storage/ranges", kinds[i], "odd-piece", test_odd_piece_is_not_taken);
      storage_add_test ("/storage/ranges", kinds[i], "odd-rest", test_odd_rest_is_not_taken);
      storage_add_test ("/storage/ranges", kinds[i], "refused",
                        test_refused_reader_does_not_ask_for_all);
      storage_add_test ("/storage/ranges", kinds[i], "smaller-piece",
                        test_smaller_piece_is_gone_on_with);
      storage_add_test ("/storage/ranges", kinds[i], "odd-whole",
                        test_part_of_what_is_asked_for_whole_is_refused);
      storage_add_test ("/storage/ranges", kinds[i], "cut", test_range_that_is_cut_is_read_on);
      storage_add_test ("/storage/ranges", kinds[i], "damaged-rest", test_damaged_rest_is_noticed);
      storage_add_test ("/storage/ranges", kinds[i], "replaced",
                        test_file_that_is_replaced_is_read_anew);
      storage_add_test ("/storage/ranges", kinds[i], "cancelled",
                        test_reader_gives_up_between_the_ranges);
    }
  storage_add_test ("/storage/ranges", "swift", "expired-token",
                    test_token_that_expires_in_between);
  storage_add_test ("/storage/ranges", "swift", "large", test_large_file_goes_in_two_ranges);
  storage_add_test ("/storage/ranges", "swift", "large-damaged",
                    test_damaged_segment_behind_the_piece);
  storage_add_test ("/storage/ranges", "swift", "large-replaced",
                    test_large_file_that_is_replaced_is_read_anew);

  return provider_fixture_run ();
}
