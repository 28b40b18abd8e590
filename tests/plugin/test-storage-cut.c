/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Files whose connection is cut off while they are read. */

#define NAME "x/z"
#define SIZE 5000

/* kind: of storage. FALSE where there is no fake to cut anything. */
static gboolean
begin (StoragePlace    *place,
       ProviderFixture *fixture,
       const char      *kind)
{
  g_autofree char *text = g_strnfill (SIZE, 'x');

  if (!storage_place_init_kind (place, fixture, kind))
    return FALSE;
  storage_save_well (fixture, place->storage, NAME, text);
  return TRUE;
}

/* Cuts off so many answers; below 0: all. */
static void
cut (ProviderFixture *fixture,
     int              times)
{
  const FakeRule rule = {
    .method = "GET", .path = "*/" NAME, .times = times, .action = FAKE_CUT,
  };

  fake_cloud_clear_rules (fixture->fake);
  fake_cloud_add_rule (fixture->fake, &rule);
  fake_log_clear (fixture->fake);
}

static void
test_file_is_read_on (ProviderFixture *fixture,
                      gconstpointer    kind)
{
  g_autofree char *text = g_strnfill (SIZE, 'x');
  g_auto(StoragePlace) place = { NULL };

  if (!begin (&place, fixture, kind))
    return;
  for (guint times = 1; times <= 3; times++)
    {
      cut (fixture, (int) times);
      storage_assert_contents (fixture, place.storage, NAME, text);
      g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "*/" NAME), ==, times + 1);
    }
}

static void
test_file_that_is_always_cut_is_given_up (ProviderFixture *fixture,
                                          gconstpointer    kind)
{
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, kind))
    return;
  cut (fixture, -1);
  bytes = storage_load (fixture, place.storage, NAME, 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_true (g_str_has_prefix (error->message, "GET http://"));
  g_assert_true (g_str_has_suffix (error->message, "/" NAME ": the answer was cut off"));
  g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "*/" NAME), ==, 4);
}

/* What was read and what is there now are never joined. */
static void
test_file_that_was_replaced_is_not_read_on (ProviderFixture *fixture,
                                            gconstpointer    kind)
{
  g_autofree char *text = g_strnfill (SIZE, 'y');
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GBytes) first = NULL;
  g_autoptr(GBytes) second = NULL;
  g_autoptr(GError) error = NULL;

  if (!begin (&place, fixture, kind))
    return;
  cut (fixture, 1);
  welkin_storage_get_async (place.storage, NAME, 0, NULL, provider_fixture_done_cb, fixture);
  stream = welkin_storage_get_finish (place.storage, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  storage_save_well (fixture, place.storage, NAME, text);
  g_input_stream_read_bytes_async (stream, SIZE, G_PRIORITY_DEFAULT, NULL,
                                   provider_fixture_done_cb, fixture);
  first = g_input_stream_read_bytes_finish (stream, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (first), <=, SIZE / 2);
  g_input_stream_read_bytes_async (stream, SIZE, G_PRIORITY_DEFAULT, NULL,
                                   provider_fixture_done_cb, fixture);
  second = g_input_stream_read_bytes_finish (stream, provider_fixture_wait (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_true (g_str_has_suffix (error->message, ": the answer was cut off"));
}

int
main (int    argc,
      char **argv)
{
  static const char *const kinds[] = { "swift", "s3" };

  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      storage_add_test ("/storage/cut", kinds[i], "is-read-on", test_file_is_read_on);
      storage_add_test ("/storage/cut", kinds[i], "always",
                        test_file_that_is_always_cut_is_given_up);
      storage_add_test ("/storage/cut", kinds[i], "replaced",
                        test_file_that_was_replaced_is_not_read_on);
    }

  return provider_fixture_run ();
}
