/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "storage-fixture.h"

/* Names of files: each stays what it is, on the way out and on the way back. */

static const char *const six[] = {
  "my%20file.txt", "my file.txt", "100%", "a#b", "a?b", "c %1",
};

/* Each file holds its own name. */
static void
save_all (ProviderFixture *fixture,
          StoragePlace    *place,
          GPtrArray       *names)
{
  for (guint i = 0; i < names->len; i++)
    storage_save_well (fixture, place->storage, g_ptr_array_index (names, i),
                       g_ptr_array_index (names, i));
}

static void
assert_all (ProviderFixture *fixture,
            StoragePlace    *place,
            GPtrArray       *names)
{
  for (guint i = 0; i < names->len; i++)
    storage_assert_contents (fixture, place->storage, g_ptr_array_index (names, i),
                             g_ptr_array_index (names, i));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
assert_listed (ProviderFixture *fixture,
               StoragePlace    *place,
               GPtrArray       *names)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) listed = storage_list (fixture, place->storage, "", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (listed), ==, names->len);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_assert_cmpstr (listed[i], ==, g_ptr_array_index (names, i));
}

static void
assert_urls (ProviderFixture *fixture,
             StoragePlace    *place,
             GPtrArray       *names)
{
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autoptr(GError) error = NULL;
      g_autofree char *uri = storage_get_uri (fixture, place->storage, name, NULL, &error);
      g_autoptr(GBytes) body = NULL;

      g_assert_no_error (error);
      g_assert_cmpuint (storage_fetch (fixture, uri, &body), ==, 200);
      g_assert_cmpmem (g_bytes_get_data (body, NULL), g_bytes_get_size (body), name,
                       strlen (name));
    }
}

static GPtrArray *
list_six (void)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (six); i++)
    g_ptr_array_add (names, (gpointer) six[i]);
  return names;
}

static void
test_six_names_are_six_files (ProviderFixture *fixture,
                              gconstpointer    data)
{
  g_autoptr(GPtrArray) names = list_six ();
  g_auto(StoragePlace) place = { NULL };

  storage_place_init (&place, fixture, NULL, "c %1");
  save_all (fixture, &place, names);
  assert_listed (fixture, &place, names);
  assert_all (fixture, &place, names);
  assert_urls (fixture, &place, names);
  storage_remove (fixture, place.storage, "my%20file.txt");
  storage_assert_contents (fixture, place.storage, "my file.txt", "my file.txt");
  storage_remove_all_well (fixture, place.storage);
}

/* Every name is where a page ends, and the next one begins behind it. */
static void
test_each_name_is_a_marker (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autoptr(GPtrArray) names = list_six ();
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 1);
  storage_place_init (&place, fixture, NULL, "c %1");
  save_all (fixture, &place, names);
  assert_listed (fixture, &place, names);
}

static void
test_prefixes_are_names_too (ProviderFixture *fixture,
                             gconstpointer    data)
{
  g_autoptr(GPtrArray) names = list_six ();
  g_auto(StoragePlace) place = { NULL };

  storage_place_init (&place, fixture, NULL, NULL);
  save_all (fixture, &place, names);
  storage_assert_names (fixture, place.storage, "my%20", "my%20file.txt");
  storage_assert_names (fixture, place.storage, "my ", "my file.txt");
  storage_assert_names (fixture, place.storage, "a?", "a?b");
  storage_assert_names (fixture, place.storage, "a&b=c", "");
  storage_remove_all_well (fixture, place.storage);
}

/* All together by a list of names, and one by one by a URL each. */
static void
test_names_are_removed_as_they_are (ProviderFixture *fixture,
                                    gconstpointer    data)
{
  g_autoptr(GPtrArray) names = list_six ();
  g_auto(StoragePlace) place = { NULL };
  g_auto(StoragePlace) again = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, "c %1");
  save_all (fixture, &place, names);
  storage_remove_all_well (fixture, place.storage);
  /* None was left to be removed alone; what went then was the container. */
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 1);

  fake_cloud_set (fixture->fake, "swift-has-bulk", 0);
  storage_place_init (&again, fixture, NULL, "c %1");
  save_all (fixture, &again, names);
  storage_remove_all_well (fixture, again.storage);
  storage_assert_names (fixture, again.storage, "", "");
}

/* Each byte that text can hold, between two letters, at the start and at the end. */
static GPtrArray *
list_names_of_all_bytes (void)
{
  static const char *const others[] = {
    "é", "e\xcc\x81", "ü/é", "日本語/ファイル", "\xf0\x9f\x90\xa7.tgz", "\xc2\xa0", "\xc2\x85",
    "\xef\xbf\xbd", "...", "..a", ".hidden", "a/.hidden/b", "a/...", "%", "%%", "%2", "%2F",
    "%2f", "a%2Fb", "a/b", "%00", "%25", "%2525", "+", " ", "a+b", "a b", "&", "=", "a&b=c",
    "a;b", "a\\b", "\"quoted\"", "'", "<x>", "{x}", "?format=xml", "#", "~", "-", "_", "*", "\n",
  };
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (int byte = 1; byte < 0x80; byte++)
    {
      if (byte == '/')
        continue;
      g_ptr_array_add (names, g_strdup_printf ("x%cy", byte));
      g_ptr_array_add (names, g_strdup_printf ("at-start/%cy", byte));
      g_ptr_array_add (names, g_strdup_printf ("at-end/x%c", byte));
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_ptr_array_add (names, g_strdup (others[i]));
  return names;
}

static void
test_every_byte_stays_what_it_is (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(GPtrArray) names = list_names_of_all_bytes ();
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_set (fixture->fake, "swift-max-limit", 7);
  storage_place_init (&place, fixture, NULL, NULL);
  save_all (fixture, &place, names);
  assert_listed (fixture, &place, names);
  assert_all (fixture, &place, names);
  assert_urls (fixture, &place, names);
  storage_remove_all_well (fixture, place.storage);
  g_assert_cmpuint (fake_log_count (fixture->fake, "DELETE", "*"), ==, 1);
}

/* Parts that mean something somewhere on the way, in any order. */
static char *
make_random_name (void)
{
  static const char *const pieces[] = {
    "%", "25", "2F", "20", "/", "/", ".", "..", "a", "b", " ", "+", "?", "#", "&", "=", "é", "日",
    "\xf0\x9f\x90\xa7", ":", ";", "@", "//", "\t", "\\", "\"",
  };
  GString *name = g_string_new ("r");

  for (int i = g_test_rand_int_range (1, 12); i > 0; i--)
    g_string_append (name, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
  return g_string_free (name, FALSE);
}

static gboolean
has_odd_part (const char *name)
{
  g_auto(GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_equal (parts[i], "") || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
      return TRUE;
  return FALSE;
}

/* Whatever a name is made of, it is either refused or kept apart from all others. */
static void
test_any_name_is_kept_or_refused (ProviderFixture *fixture,
                                  gconstpointer    data)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto(StoragePlace) place = { NULL };

  if (provider_fixture_needs_fake (fixture))
    return;
  storage_place_init (&place, fixture, NULL, NULL);
  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *name = make_random_name ();
      g_autoptr(GError) error = NULL;
      gboolean is_saved = storage_save (fixture, place.storage, name, name, 0, &error);

      g_assert_true (is_saved == !has_odd_part (name));
      if (!is_saved || g_hash_table_contains (known, name))
        continue;
      g_hash_table_add (known, name);
      g_ptr_array_add (names, g_steal_pointer (&name));
    }
  assert_listed (fixture, &place, names);
  assert_all (fixture, &place, names);
}

static void
test_longest_name (ProviderFixture *fixture,
                   gconstpointer    data)
{
  g_autofree char *ascii = g_strnfill (1024, 'x');
  /* Three bytes each, and nine when they are encoded. */
  g_autoptr(GString) wide = g_string_new ("x");
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  g_auto(StoragePlace) place = { NULL };

  for (guint i = 0; i < 341; i++)
    g_string_append (wide, "日");
  g_ptr_array_add (names, ascii);
  g_ptr_array_add (names, wide->str);
  storage_place_init (&place, fixture, NULL, NULL);
  save_all (fixture, &place, names);
  assert_listed (fixture, &place, names);
  assert_all (fixture, &place, names);
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

  add ("/cases/G44/six-names-are-six-files", test_six_names_are_six_files);
  add ("/cases/G44/each-name-is-a-marker", test_each_name_is_a_marker);
  add ("/cases/G44/prefixes-are-names-too", test_prefixes_are_names_too);
  add ("/cases/G44/removed-as-they-are", test_names_are_removed_as_they_are);
  add ("/cases/G44/every-byte", test_every_byte_stays_what_it_is);
  add ("/cases/G44/any-name-is-kept-or-refused", test_any_name_is_kept_or_refused);
  add ("/cases/G44/longest-name", test_longest_name);

  return provider_fixture_run ();
}
