/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "metadata/metadata-names.h"
#include "metadata/simplestreams-products.h"
#include "metadata/simplestreams-search.h"
#include "metadata/welkin-data-sources.h"
#include "result.h"
#include "values/welkin-error.h"

/* Mirrors, which are there for what is downloaded: a source names lists of them, and a list those
 * for a cloud. */

#define CONTENT_ID "com.ubuntu.juju:released:tools"
#define DATATYPE "content-download"
#define PRODUCT "com.ubuntu.juju:24.04:amd64"

typedef struct
{
  Home               *home;
  GPtrArray          *sources;
  WelkinStreamsFound *found;
  GAsyncResult       *result;
} Fixture;

static char *
make_products (const char *name)
{
  return g_strdup_printf ("{\"format\":\"products:1.0\",\"products\":{\"" PRODUCT "\":{"
                          "\"versions\":{\"1\":{\"items\":{\"%s\":{\"size\":7,\"path\":\"a.tgz\"}}}"
                          "}}}}", name);
}

static void
write_mirrors (Fixture    *fixture,
               const char *base,
               const char *region)
{
  g_autofree char *text =
    g_strdup_printf ("{\"format\":\"mirrors:1.0\",\"mirrors\":{\"" CONTENT_ID "\":["
                     "{\"mirror\":\"http://127.0.0.1:1/\",\"path\":\"p.json\"},"
                     "{\"mirror\":\"%s\",\"path\":\"copy.json\",\"clouds\":[{\"region\":\"%s\","
                     "\"endpoint\":\"http://id.cloud.test/\"}]}]}}", base, region);

  home_write (fixture->home, "source/streams/v1/list.json", text);
}

static void
fixture_begin (Fixture *fixture)
{
  g_autofree char *products = make_products ("of-the-source");
  g_autofree char *copy = make_products ("of-the-mirror");
  g_autofree char *mirror = NULL;
  g_autofree char *mirror_uri = NULL;
  g_autofree char *path = NULL;
  WelkinDataSource *source;

  fixture->home = home_new ("WELKIN_TIME_SCALE=50");
  home_write (fixture->home, "source/streams/v1/index.json",
              "{\"format\":\"index:1.0\",\"index\":{\"" CONTENT_ID "\":{\"datatype\":\"" DATATYPE
              "\",\"path\":\"p.json\",\"products\":[\"" PRODUCT "\"]}}}");
  home_write (fixture->home, "source/streams/v1/mirrors.json",
              "{\"mirrors\":{\"" CONTENT_ID "\":[{\"datatype\":\"other\",\"path\":\"no.json\"},"
              "{\"datatype\":\"" DATATYPE "\",\"path\":\"streams/v1/list.json\"}]}}");
  home_write (fixture->home, "source/p.json", products);
  home_write (fixture->home, "mirror/copy.json", copy);
  mirror = home_get_path (fixture->home, "mirror");
  mirror_uri = g_filename_to_uri (mirror, NULL, NULL);
  write_mirrors (fixture, mirror_uri, "R1");

  path = home_get_path (fixture->home, "source");
  source = welkin_data_source_new_for_location (path, "the source", WELKIN_DATA_SOURCE_NONE,
                                                fixture->home->surroundings, NULL);
  fixture->sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (fixture->sources, source);
}

static void
fixture_end (Fixture *fixture)
{
  g_clear_pointer (&fixture->found, welkin_streams_found_free);
  g_clear_object (&fixture->result);
  g_ptr_array_unref (fixture->sources);
  home_free (fixture->home);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_end)

static GPtrArray *
collect_all (GPtrArray                *items,
             const WelkinStreamsQuery *query)
{
  return g_ptr_array_ref (items);
}

/* content_id: (nullable) what may come from a mirror */
static void
search (Fixture    *fixture,
        const char *content_id,
        const char *region)
{
  static const char *const ids[] = { PRODUCT, NULL };
  const char *contents[] = { "another", content_id, NULL };
  g_autoptr(WelkinStreamsQuery) query = welkin_streams_query_new (DATATYPE, collect_all);
  g_autoptr(GError) error = NULL;

  query->follows_mirrors = content_id != NULL;
  query->content_ids = content_id != NULL ? g_strdupv ((char **) contents) : NULL;
  query->product_ids = g_strdupv ((char **) ids);
  welkin_cloud_spec_free (query->cloud);
  query->cloud = welkin_cloud_spec_new (region, "http://id.cloud.test");
  query->surroundings = welkin_surroundings_ref (fixture->home->surroundings);
  welkin_streams_search_async (fixture->sources, query, NULL, result_cb, &fixture->result);
  result_wait (&fixture->result);
  fixture->found = welkin_streams_search_finish (fixture->result, &error);
  g_assert_no_error (error);
}

static void
assert_found (Fixture    *fixture,
              const char *name)
{
  const WelkinStreamsItem *item;

  g_assert_nonnull (fixture->found->records);
  g_assert_cmpuint (fixture->found->records->len, ==, 1);
  item = g_ptr_array_index (fixture->found->records, 0);
  g_assert_cmpstr (item->name, ==, name);
  g_assert_cmpstr (welkin_streams_item_get (item, WELKIN_STREAMS_SIZE), ==, "7");
}

static void
test_a_mirror_for_the_cloud_is_used (void)
{
  g_auto(Fixture) fixture = { NULL };
  const char *uri;
  g_autofree char *file = NULL;

  fixture_begin (&fixture);
  search (&fixture, CONTENT_ID, "R1");
  assert_found (&fixture, "of-the-mirror");
  uri = welkin_resolve_info_get_mirror_uri (fixture.found->info);
  g_assert_true (g_str_has_suffix (uri, "/mirror"));
  file = welkin_data_source_get_uri (fixture.found->source, "a.tgz");
  g_assert_true (g_str_has_suffix (file, "/mirror/a.tgz"));
}

/* One that names no cloud is none for us: it has refused connections since long. */
static void
test_a_mirror_for_another_cloud_is_not (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture);
  search (&fixture, CONTENT_ID, "R2");
  assert_found (&fixture, "of-the-source");
  g_assert_null (welkin_resolve_info_get_mirror_uri (fixture.found->info));
}

static void
test_mirrors_are_not_asked_for_what_has_none (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture);
  home_write (fixture.home, "source/streams/v1/mirrors.json", "broken");
  search (&fixture, NULL, "R1");
  assert_found (&fixture, "of-the-source");
}

static void
test_a_list_that_is_broken_means_no_mirror (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture);
  home_write (fixture.home, "source/streams/v1/list.json", "{\"format\":\"mirrors:9\"}");
  search (&fixture, CONTENT_ID, "R1");
  assert_found (&fixture, "of-the-source");
}

static void
test_a_place_that_is_none_means_no_mirror (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture);
  write_mirrors (&fixture, "gopher://mirror.test/", "R1");
  search (&fixture, CONTENT_ID, "R1");
  assert_found (&fixture, "of-the-source");
}

/* It is a copy: what it lacks, the source itself has. */
static void
test_a_mirror_without_its_files_is_passed_over (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *copy = NULL;
  g_autofree char *file = NULL;

  fixture_begin (&fixture);
  copy = home_get_path (fixture.home, "mirror/copy.json");
  g_assert_cmpint (g_unlink (copy), ==, 0);
  search (&fixture, CONTENT_ID, "R1");
  assert_found (&fixture, "of-the-source");
  g_assert_null (welkin_resolve_info_get_mirror_uri (fixture.found->info));
  file = welkin_data_source_get_uri (fixture.found->source, "a.tgz");
  g_assert_true (g_str_has_suffix (file, "/source/a.tgz"));
}

/* Who only points to mirrors need not have a copy of one's own. */
static void
test_a_source_may_have_nothing_but_mirrors (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture);
  home_write (fixture.home, "source/streams/v1/index.json",
              "{\"format\":\"index:1.0\",\"index\":{}}");
  search (&fixture, CONTENT_ID, "R1");
  assert_found (&fixture, "of-the-mirror");
}

static void
test_a_file_that_cannot_be_read_is_told (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *path = NULL;
  const WelkinStreamsFailure *failure;

  fixture_begin (&fixture);
  path = home_get_path (fixture.home, "source/streams/v1/mirrors.json");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("mirrors.json", path), ==, 0);
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, "*cannot load mirror metadata*");
  search (&fixture, CONTENT_ID, "R1");
  g_assert_null (fixture.found->records);
  failure = g_ptr_array_index (fixture.found->failures, 0);
  g_assert_nonnull (strstr (failure->error->message, "cannot load mirror metadata"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/mirrors/one-for-the-cloud-is-used", test_a_mirror_for_the_cloud_is_used);
  g_test_add_func ("/mirrors/one-for-another-cloud-is-not",
                   test_a_mirror_for_another_cloud_is_not);
  g_test_add_func ("/mirrors/are-not-asked-for-what-has-none",
                   test_mirrors_are_not_asked_for_what_has_none);
  g_test_add_func ("/mirrors/a-list-that-is-broken-means-none",
                   test_a_list_that_is_broken_means_no_mirror);
  g_test_add_func ("/mirrors/a-place-that-is-none-means-none",
                   test_a_place_that_is_none_means_no_mirror);
  g_test_add_func ("/mirrors/one-without-its-files-is-passed-over",
                   test_a_mirror_without_its_files_is_passed_over);
  g_test_add_func ("/mirrors/may-be-all-that-a-source-has",
                   test_a_source_may_have_nothing_but_mirrors);
  g_test_add_func ("/mirrors/a-file-that-cannot-be-read-is-told",
                   test_a_file_that_cannot_be_read_is_told);

  return g_test_run ();
}
