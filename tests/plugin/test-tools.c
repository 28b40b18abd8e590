/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "environ-fixture.h"
#include "environments/welkin-file-storage.h"
#include "metadata/welkin-tools-metadata.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Tools that machines of an environment fetch. */

#define ARCHIVE "tools/releases/welkin-0.1.0-noble-amd64.tgz"

typedef struct
{
  EnvironFixture environ;
  char          *directory; /* (owned) where tools are published */
  GBytes        *archive;   /* (owned) that is there */
} Fixture;

/* A tar of an empty file, in gzip. */
static GBytes *
make_archive (void)
{
  static const char header[2 * 512] = { [0] = 'f', [257] = 'u', 's', 't', 'a', 'r' };
  g_autoptr(GConverter) gzip =
    G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
  char packed[1024];
  gsize n_read;
  gsize n_written;
  g_autoptr(GError) error = NULL;

  g_converter_convert (gzip, header, sizeof header, packed, sizeof packed,
                       G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_read, ==, sizeof header);
  return g_bytes_new (packed, n_written);
}

static void
publish (Fixture *fixture)
{
  ProviderFixture *provider = &fixture->environ.provider;
  g_autoptr(WelkinStorage) tree = NULL;
  g_auto(GStrv) written = NULL;
  g_autoptr(GError) error = NULL;

  tree = welkin_file_storage_new (fixture->directory, &error);
  g_assert_no_error (error);
  welkin_storage_save_async (tree, ARCHIVE, fixture->archive, WELKIN_STORAGE_NONE, NULL,
                             provider_fixture_done_cb, provider);
  welkin_storage_save_finish (tree, provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  welkin_tools_generate_async (tree, NULL, NULL, WELKIN_TOOLS_NONE, NULL, NULL,
                               provider_fixture_done_cb, provider);
  written = welkin_tools_generate_finish (provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  environ_fixture_set_up (&fixture->environ, data);
  fixture->directory = g_dir_make_tmp ("welkin-tools-XXXXXX", NULL);
  fixture->archive = make_archive ();
  publish (fixture);
}

static void
remove_tree (Fixture *fixture)
{
  static const char *const paths[] = {
    ARCHIVE, "tools/streams/v1/index.json", "tools/streams/v1/org.welkin:released:tools.json",
    "tools/streams/v1", "tools/streams", "tools/releases", "tools", ".tmp", "",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *path = g_build_filename (fixture->directory, paths[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  ProviderFixture *provider = &fixture->environ.provider;
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ.environ);

  storage_remove_all_well (provider, storage);
  remove_tree (fixture);
  g_bytes_unref (fixture->archive);
  g_free (fixture->directory);
  environ_fixture_tear_down (&fixture->environ, data);
}

/* directory, version: nullable */
static GPtrArray *
find (Fixture    *fixture,
      const char *version,
      const char *directory,
      GError    **error)
{
  ProviderFixture *provider = &fixture->environ.provider;
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new ();

  welkin_environ_find_tools_async (fixture->environ.environ, "noble", constraints, version,
                                   directory, NULL, NULL, provider_fixture_done_cb, provider);
  return welkin_environ_find_tools_finish (fixture->environ.environ,
                                           provider_fixture_wait (provider), error);
}

/* As a machine does it, without a token. */
static void
assert_can_be_fetched (Fixture   *fixture,
                       GPtrArray *found)
{
  g_autofree char *sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, fixture->archive);
  WelkinTools *tools;
  g_autoptr(GBytes) body = NULL;

  g_assert_cmpuint (found->len, ==, 1);
  tools = g_ptr_array_index (found, 0);
  g_assert_cmpstr (welkin_tools_get_version (tools), ==, "0.1.0");
  g_assert_cmpstr (welkin_tools_get_sha256 (tools), ==, sha256);
  g_assert_cmpint (welkin_tools_get_size (tools), ==, (gint64) g_bytes_get_size (fixture->archive));
  g_assert_true (g_str_has_prefix (welkin_tools_get_uri (tools), "http"));
  g_assert_cmpuint (storage_fetch (&fixture->environ.provider, welkin_tools_get_uri (tools),
                                   &body),
                    ==, 200);
  g_assert_true (g_bytes_equal (body, fixture->archive));
}

static void
test_machines_fetch_what_lies_in_the_storage (Fixture      *fixture,
                                              gconstpointer data)
{
  ProviderFixture *provider = &fixture->environ.provider;
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ.environ);
  g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr(GPtrArray) found = NULL;
  g_auto(GStrv) copied = NULL;
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (sources, welkin_tools_source_new (fixture->directory, "tree",
                                                     WELKIN_DATA_SOURCE_NONE, NULL, &error));
  g_assert_no_error (error);
  welkin_tools_sync_async (sources, storage, NULL, NULL, WELKIN_TOOLS_NONE, NULL, NULL, NULL,
                           provider_fixture_done_cb, provider);
  copied = welkin_tools_sync_finish (provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (copied[0], ==, ARCHIVE);
  found = find (fixture, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_can_be_fetched (fixture, found);
}

static void
test_machines_fetch_what_lay_in_a_directory (Fixture      *fixture,
                                             gconstpointer data)
{
  g_autoptr(GPtrArray) found = NULL;
  g_autoptr(GError) error = NULL;

  found = find (fixture, "0.1.0", fixture->directory, &error);
  g_assert_no_error (error);
  assert_can_be_fetched (fixture, found);
}

static void
test_what_is_not_there_is_told (Fixture      *fixture,
                                gconstpointer data)
{
  g_autoptr(GPtrArray) found = NULL;
  g_autoptr(GError) error = NULL;

  found = find (fixture, "0.1.3", fixture->directory, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS);
  g_assert_null (found);
  g_assert_nonnull (strstr (error->message, "cloud storage: "));
  g_assert_nonnull (strstr (error->message, "local metadata directory: "));
}

static void
add (const char *path,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/tools/machines-fetch-what-lies-in-the-storage",
       test_machines_fetch_what_lies_in_the_storage);
  add ("/tools/machines-fetch-what-lay-in-a-directory",
       test_machines_fetch_what_lay_in_a_directory);
  add ("/tools/what-is-not-there-is-told", test_what_is_not_there_is_told);

  return provider_fixture_run ();
}
