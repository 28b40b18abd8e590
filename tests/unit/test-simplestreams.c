/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "home.h"
#include "http-peer.h"
#include "metadata/cloud-spec.h"
#include "metadata/welkin-data-sources.h"
#include "metadata/welkin-image-lookup.h"
#include "result.h"
#include "values/welkin-error.h"

#define ENDPOINT "https://id.cloud.test:5000/v3"
#define INDEX "images/streams/v1/index"
#define PRODUCTS "images/streams/v1/com.ubuntu.cloud:released:openstack"

/* A place to look in, and what came of it. */
typedef struct
{
  Home              *home; /* a copy of the published tree is in its "images" */
  GPtrArray         *sources;
  GAsyncResult      *result;
  WelkinImageLookup *lookup;
} Fixture;

static char *
get_data_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "simplestreams", name, NULL);
}

static void
copy_file (Home       *home,
           const char *name)
{
  g_autofree char *path = get_data_path (name);
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  home_write (home, name, text);
}

/* key: of signatures, by the name of its file; NULL for none */
static Home *
make_home (const char *key)
{
  g_autofree char *path = key != NULL ? get_data_path (key) : NULL;
  g_autofree char *variable = path != NULL ? g_strconcat ("WELKIN_IMAGE_KEY=", path, NULL) : NULL;

  return home_new (variable);
}

static void
fixture_begin (Fixture    *fixture,
               const char *key)
{
  static const char *const files[] = { INDEX ".json", INDEX ".sjson", PRODUCTS ".json",
                                       PRODUCTS ".sjson" };

  fixture->home = make_home (key);
  fixture->sources = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    copy_file (fixture->home, files[i]);
}

static void
fixture_end (Fixture *fixture)
{
  g_clear_pointer (&fixture->lookup, welkin_image_lookup_unref);
  g_clear_object (&fixture->result);
  g_ptr_array_unref (fixture->sources);
  home_free (fixture->home);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_end)

static void
add_source (Fixture               *fixture,
            const char            *location,
            const char            *description,
            WelkinDataSourceFlags  flags)
{
  g_autoptr(GError) error = NULL;
  WelkinDataSource *source;

  source = welkin_data_source_new_for_location (location, description, flags,
                                                fixture->home->surroundings, &error);
  g_assert_no_error (error);
  g_ptr_array_add (fixture->sources, source);
}

static void
add_directory (Fixture               *fixture,
               WelkinDataSourceFlags  flags)
{
  g_autofree char *path = home_get_path (fixture->home, "images");

  add_source (fixture, path, "the copy", flags);
}

static void
look_up (Fixture    *fixture,
         const char *series,
         const char *arch,
         const char *region,
         const char *endpoint)
{
  const char *arches[] = { arch, NULL };
  g_autoptr(GError) error = NULL;

  g_clear_pointer (&fixture->lookup, welkin_image_lookup_unref);
  g_clear_object (&fixture->result);
  welkin_image_lookup_async (fixture->sources, series, arch != NULL ? arches : NULL, NULL, region,
                             endpoint, fixture->home->surroundings, NULL, result_cb,
                             &fixture->result);
  result_wait (&fixture->result);
  fixture->lookup = welkin_image_lookup_finish (fixture->result, &error);
  g_assert_no_error (error);
}

/* ids: with a space between, as in "one two" */
static void
assert_found (Fixture    *fixture,
              const char *ids)
{
  GPtrArray *images = welkin_image_lookup_get_images (fixture->lookup);
  g_autoptr(GString) found = g_string_new (NULL);

  for (guint i = 0; i < images->len; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? " " : "",
                            welkin_image_get_id (g_ptr_array_index (images, i)));
  g_assert_cmpstr (found->str, ==, ids);
}

static void
assert_explained (Fixture    *fixture,
                  const char *text)
{
  const char *explanation = welkin_image_lookup_get_explanation (fixture->lookup);

  if (strstr (explanation, text) == NULL)
    g_error ("\"%s\" does not hold \"%s\"", explanation, text);
}

static void
expect_warning (const char *pattern)
{
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, pattern);
}

/* Changes a file of the copy. */
static void
replace_text (Fixture    *fixture,
              const char *name,
              const char *former,
              const char *latter)
{
  g_autofree char *text = home_read (fixture->home, name);
  g_autoptr(GString) changed = g_string_new (text);

  g_assert_cmpuint (g_string_replace (changed, former, latter, 0), >, 0);
  home_write (fixture->home, name, changed->str);
}

/* What is published. */

static void
test_the_newest_image_of_each_kind_is_found (void)
{
  g_auto(Fixture) fixture = { NULL };
  WelkinImage *image;

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "noble-new noble-lxd-old 4711");

  image = g_ptr_array_index (welkin_image_lookup_get_images (fixture.lookup), 0);
  g_assert_cmpstr (welkin_image_get_series (image), ==, "noble");
  g_assert_cmpstr (welkin_image_get_arch (image), ==, "amd64");
  g_assert_cmpstr (welkin_image_get_virt_type (image), ==, "kvm");
  g_assert_cmpstr (welkin_image_get_region (image), ==, "RegionOne");
  g_assert_cmpstr (welkin_image_get_endpoint (image), ==, ENDPOINT);
}

static void
test_it_is_told_where_images_were_found (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;
  WelkinResolveInfo *info;

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "noble", "arm64", "RegionOne", ENDPOINT);
  path = home_get_path (fixture.home, INDEX ".json");
  uri = g_filename_to_uri (path, NULL, NULL);
  info = welkin_image_lookup_get_info (fixture.lookup);
  g_assert_cmpstr (welkin_resolve_info_get_source (info), ==, "the copy");
  g_assert_cmpstr (welkin_resolve_info_get_index_uri (info), ==, uri);
  g_assert_null (welkin_resolve_info_get_mirror_uri (info));
  g_assert_false (welkin_resolve_info_is_signed (info));
}

/* What an item does not say, its version or its product does; an alias overrides what it says. */
static void
test_levels_and_aliases_complete_an_item (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "jammy-one");
  look_up (&fixture, "jammy", NULL, "RegionTwo", ENDPOINT);
  assert_found (&fixture, "jammy-two");
  look_up (&fixture, "noble", NULL, "RegionTwo", ENDPOINT);
  assert_found (&fixture, "noble-two");
  look_up (&fixture, "noble", NULL, "overridden", NULL);
  assert_found (&fixture, "");
  assert_explained (&fixture, "index file has no data for cloud");
}

/* What an item says itself decides, and not what an alias has made of it. */
static void
test_aliases_in_a_circle_hold_once (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, NULL);
  replace_text (&fixture, PRODUCTS ".json", "\"_aliases\": {",
                "\"_aliases\": {\"region\": {\"RegionOne\": {\"region\": \"RegionTwo\"},"
                " \"RegionTwo\": {\"region\": \"RegionOne\", \"crsn\": \"one\"}}, ");
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  /* What comes from its version is no more than that. */
  assert_found (&fixture, "jammy-one");
  replace_text (&fixture, PRODUCTS ".json", "\"jammy-one\"",
                "\"jammy-one\", \"region\": \"RegionOne\"");
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "jammy-two");
  look_up (&fixture, "jammy", NULL, "RegionTwo", ENDPOINT);
  assert_found (&fixture, "jammy-one");
}

#define MANY 60000

/* What a publisher writes costs no more than what it is long. */
static void
test_many_aliases_of_many_items_take_little_time (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GString) aliases = g_string_new ("\"_aliases\": {");
  g_autoptr(GString) items = g_string_new ("\"items\": {");
  g_autoptr(GTimer) timer = NULL;

  fixture_begin (&fixture, NULL);
  /* Each item has one, and all of them have the last one together. */
  for (guint i = 0; i < MANY; i++)
    {
      g_string_append_printf (aliases,
                              "\"virt\": {\"%u\": {\"arch\": \"amd64\"}},"
                              "\"crsn\": {\"all\": {\"region\": \"R%u\"}},", i, i);
      g_string_append_printf (items, "\"n%u\": {\"id\": \"i%u\", \"crsn\": \"all\","
                              " \"virt\": \"%u\"},", i, i, i);
    }
  replace_text (&fixture, PRODUCTS ".json", "\"_aliases\": {", aliases->str);
  replace_text (&fixture, PRODUCTS ".json", "\"items\": {\"one\": {\"id\": \"arm-of",
                g_string_append (items, "\"one\": {\"id\": \"arm-of")->str);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  timer = g_timer_new ();
  look_up (&fixture, "precise", "armhf", NULL, NULL);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 5.0);
  g_assert_cmpuint (welkin_image_lookup_get_images (fixture.lookup)->len, ==, MANY + 1);
  g_assert_cmpstr (welkin_image_get_region (welkin_image_lookup_get_images (fixture.lookup)
                                              ->pdata[0]),
                   ==, "R59999");
}

static void
test_any_cloud_is_meant_when_none_is_named (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "jammy", NULL, NULL, NULL);
  assert_found (&fixture, "jammy-one jammy-two");
}

static void
test_names_of_2014_are_understood (void)
{
  g_auto(Fixture) fixture = { NULL };
  WelkinImage *image;

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "precise", "armhf", "RegionOne", ENDPOINT);
  assert_found (&fixture, "arm-of-2014");
  image = g_ptr_array_index (welkin_image_lookup_get_images (fixture.lookup), 0);
  g_assert_cmpstr (welkin_image_get_arch (image), ==, "armhf");
  look_up (&fixture, "precise", "arm", "RegionOne", ENDPOINT);
  assert_found (&fixture, "arm-of-2014");
}

static void
test_an_unknown_series_is_refused (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GError) error = NULL;

  fixture_begin (&fixture, NULL);
  welkin_image_lookup_async (fixture.sources, "warty", NULL, NULL, NULL, NULL,
                             fixture.home->surroundings, NULL, result_cb, &fixture.result);
  result_wait (&fixture.result);
  g_assert_null (welkin_image_lookup_finish (fixture.result, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

/* The newer index comes first where there is one. */
static void
test_the_second_index_is_preferred (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *text = NULL;

  fixture_begin (&fixture, NULL);
  text = home_read (fixture.home, INDEX ".json");
  home_write (fixture.home, INDEX "2.json", text);
  replace_text (&fixture, INDEX ".json", "image-ids", "something-else");
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "jammy-one");
}

/* What makes no sense. */

static const struct
{
  const char *file;
  const char *former;
  const char *latter;
  const char *explanation;
} damages[] = {
  { INDEX, "index:1.0", "index:9", "unexpected index file format \"index:9\", expected \"index:1.0"
                                   "\"" },
  { INDEX, "\"image-ids\"", "\"other\"", "index file missing \"image-ids\" data" },
  { INDEX, "24.04:a", "24.05:a", "index file has no data for product name(s) com.ubuntu.cloud" },
  { INDEX, "{", "[", "cannot unmarshal JSON metadata at URL \"file://" },
  { INDEX, "streams/v1/com", "../../etc/com", "leads out of the source" },
  { INDEX, "streams/v1/com", "/etc/com", "leads out of the source" },
  { INDEX, "streams/v1/com", "streams/v1/org", "cannot read product data: file \"" },
  { PRODUCTS, "products:1.0", "products:9", "unexpected products file format \"products:9\"" },
  { PRODUCTS, "4711", "[4711]", "the field \"id\" of an item is a list" },
  { PRODUCTS, "\"24.04\"", "{}", "the field \"version\" of an item is a list" },
  { PRODUCTS, "_aliases", "_al\"ases", "cannot unmarshal JSON metadata at URL \"file://" },
  { PRODUCTS, "24.04:a", "24.05:a", "index has no matching records: of 0 items" },
  { INDEX, "streams/v1/com.ubuntu.cloud:released:openstack.json", "streams/v1/index.json",
    "unexpected products file format \"index:1.0\"" },
  { PRODUCTS, "RegionOne", "RegionThree", "index has no matching records: of 5 items" },
};

/* That there is nothing for us is nothing to warn of. */
static gboolean
is_warned_of (const char *explanation)
{
  return !g_str_has_prefix (explanation, "index ");
}

static void
test_damaged_metadata_is_told_of (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *name = g_strconcat (damages[i].file, ".json", NULL);

  fixture_begin (&fixture, NULL);
  replace_text (&fixture, name, damages[i].former, damages[i].latter);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  if (is_warned_of (damages[i].explanation))
    expect_warning ("metadata of the copy cannot be used: *");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
  assert_explained (&fixture, damages[i].explanation);
}

/* Signatures. */

static void
test_signed_metadata_are_verified (gconstpointer key)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, key);
  replace_text (&fixture, PRODUCTS ".json", "noble-new", "unsigned");
  add_directory (&fixture, WELKIN_DATA_SOURCE_REQUIRE_SIGNED);
  look_up (&fixture, "noble", "amd64", "RegionOne", ENDPOINT);
  assert_found (&fixture, "noble-new noble-lxd-old");
  g_assert_true (welkin_resolve_info_is_signed (welkin_image_lookup_get_info (fixture.lookup)));
}

/* Not even the unsigned ones are then believed, whoever the source is. */
static void
test_a_bad_signature_is_refused (gconstpointer name)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, "key.asc");
  replace_text (&fixture, name, "RegionTwo", "RegionToo");
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  expect_warning ("metadata of the copy cannot be used: *the signature is bad*");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
  assert_explained (&fixture, "the signature is bad, so somebody has changed the text");
}

static void
test_a_text_without_signature_is_not_signed (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, "key.asc");
  replace_text (&fixture, INDEX ".sjson", "BEGIN PGP SIGNED MESSAGE", "BEGIN NOTHING");
  add_directory (&fixture, WELKIN_DATA_SOURCE_REQUIRE_SIGNED);
  expect_warning ("*no PGP signature embedded in plain text data*");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
}

/* A cloud may well sign with a key of its own, which says nothing to us. */
static void
test_an_unknown_key_leaves_what_is_not_signed (void)
{
  static const char other_key[] =
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n"
    "mDMEZjQ1BRYJKwYBBAHaRw8BAQdA6W0hhnyzCw6pVRVgYHr2FvYbrZzKPIbBlG8y\n"
    "=AAAA\n-----END PGP PUBLIC KEY BLOCK-----\n";
  g_auto(Fixture) fixture = { NULL };
  g_autofree char *variable = NULL;
  g_autofree char *path = NULL;
  const char *variables[] = { NULL, NULL };

  fixture_begin (&fixture, NULL);
  home_write (fixture.home, "other.asc", other_key);
  path = home_get_path (fixture.home, "other.asc");
  variables[0] = variable = g_strconcat ("WELKIN_IMAGE_KEY=", path, NULL);
  welkin_surroundings_unref (fixture.home->surroundings);
  fixture.home->surroundings = welkin_surroundings_new (variables, "/");
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "jammy-one");
  g_assert_false (welkin_resolve_info_is_signed (welkin_image_lookup_get_info (fixture.lookup)));
}

static void
test_a_file_without_key_verifies_nothing (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, "images/streams/v1/index.json");
  add_directory (&fixture, WELKIN_DATA_SOURCE_REQUIRE_SIGNED);
  expect_warning ("*failed to parse public key: file * holds none");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
}

static void
test_who_must_be_signed_is_not_read_without_a_key (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_REQUIRE_SIGNED);
  expect_warning ("metadata of the copy cannot be used: it must be signed, *");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
  assert_explained (&fixture, "the copy: it must be signed, and there is no key");
}

/* By HTTP. */

static gboolean
answer_with_file (HttpPeer              *peer,
                  const HttpPeerRequest *request,
                  GOutputStream         *output,
                  gpointer               data)
{
  g_autofree char *name = g_uri_unescape_string (request->target, NULL);
  g_autofree char *path = g_build_filename (data, name, NULL);
  g_autofree char *text = NULL;
  g_autofree char *answer = NULL;
  gsize length;

  if (g_file_get_contents (path, &text, &length, NULL))
    answer = g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Length: %" G_GSIZE_FORMAT "\r\n\r\n%s",
                              length, text);
  else
    answer = g_strdup ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  return g_output_stream_write_all (output, answer, strlen (answer), NULL, NULL, NULL);
}

static void
test_metadata_are_read_by_http (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(HttpPeer) peer = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *index_uri = NULL;
  WelkinResolveInfo *info;

  fixture_begin (&fixture, "key.asc");
  peer = http_peer_new (answer_with_file, fixture.home->path, NULL);
  uri = http_peer_get_uri (peer, "/images/");
  index_uri = http_peer_get_uri (peer, "/" INDEX ".sjson");
  add_source (&fixture, uri, "by http", WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "noble-new noble-lxd-old 4711");

  info = welkin_image_lookup_get_info (fixture.lookup);
  g_assert_true (welkin_resolve_info_is_signed (info));
  g_assert_cmpstr (welkin_resolve_info_get_index_uri (info), ==, index_uri);
  g_assert_cmpuint (http_peer_get_n_requests (peer), ==, 3);
}

static const struct
{
  const char *answer;
  const char *explanation;
} answers[] = {
  { "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", "(HTTP 401)" },
  { "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "(HTTP 403)" },
  { "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "streams/v1/index.json not found (HTTP 404)" },
  { "HTTP/1.1 418 No\r\nContent-Length: 0\r\n\r\n",
    "cannot read index data: cannot access URL http://127.0.0.1:" },
  { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "cannot unmarshal JSON metadata at URL \"http" },
  { "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<html>no</html>",
    "cannot read index data: " },
  { "HTTP/1.1 302 Go\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\n\r\n",
    "cannot read index data: " },
  { "!HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{", "cannot read index data: " },
};

static void
test_bad_answers_are_told_of (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *texts[] = { answers[i].answer, NULL };
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(HttpPeer) peer = http_peer_new_with_answers (texts);
  g_autofree char *uri = http_peer_get_uri (peer, "/images");

  fixture.home = home_new ("WELKIN_TIME_SCALE=50");
  fixture.sources = g_ptr_array_new_with_free_func (g_object_unref);
  add_source (&fixture, uri, "by http", WELKIN_DATA_SOURCE_NONE);
  if (i > 2)
    expect_warning ("metadata of by http cannot be used: *");
  look_up (&fixture, "noble", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
  assert_explained (&fixture, answers[i].explanation);
}

static const char *const bad_locations[] = { "", "ftp://a.test/", "https://", "http:///path",
                                             "://", "http://[::1" };

static void
test_a_place_that_is_none_is_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_locations); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinDataSource) source = NULL;

      source = welkin_data_source_new_for_location (bad_locations[i], "a place",
                                                    WELKIN_DATA_SOURCE_NONE, NULL, &error);
      g_assert_null (source);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "invalid"));
    }
}

static void
test_a_proxy_that_is_no_url_is_refused_unshown (void)
{
  g_autoptr(Home) home = home_new ("https_proxy=http://user:canary@[::1");
  g_autoptr(WelkinDataSource) local = NULL;
  g_autoptr(WelkinDataSource) remote = NULL;
  g_autoptr(GError) error = NULL;

  local = welkin_data_source_new_for_location (home->path, "a place", WELKIN_DATA_SOURCE_NONE,
                                               home->surroundings, &error);
  g_assert_no_error (error);
  g_assert_nonnull (local);

  remote = welkin_data_source_new_for_location ("https://a.test/images", "a place",
                                                WELKIN_DATA_SOURCE_NONE, home->surroundings,
                                                &error);
  g_assert_null (remote);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_true (g_str_has_prefix (error->message, "https_proxy: "));
  g_assert_null (strstr (error->message, "canary"));
}

/* Field cases. */

static void
add_dead_sources (Fixture    *fixture,
                  const char *site)
{
  add_source (fixture, "http://127.0.0.1:1/streams", "keystone catalog", WELKIN_DATA_SOURCE_NONE);
  add_source (fixture, site, "default cloud images", WELKIN_DATA_SOURCE_NONE);
}

/* One dead metadata source. */
static void
test_g48_a_dead_source_does_not_veto_a_good_one (void)
{
  static const char *const nothing[] = { "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", NULL };
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(HttpPeer) peer = http_peer_new_with_answers (nothing);
  g_autofree char *site = http_peer_get_uri (peer, "/releases");

  fixture_begin (&fixture, NULL);
  welkin_surroundings_unref (fixture.home->surroundings);
  fixture.home->surroundings =
    welkin_surroundings_new ((const char *const[]) { "WELKIN_TIME_SCALE=50", NULL }, "/");

  /* The good one first: the others are not even asked. */
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  add_dead_sources (&fixture, site);
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  assert_found (&fixture, "jammy-one");
  g_assert_cmpuint (http_peer_get_n_requests (peer), ==, 0);

  /* The good one last. */
  g_ptr_array_set_size (fixture.sources, 0);
  add_dead_sources (&fixture, site);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  expect_warning ("metadata of keystone catalog cannot be used: *http://127.0.0.1:1/streams*");
  look_up (&fixture, "jammy", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "jammy-one");
}

static void
test_g48_without_a_match_every_source_is_listed (void)
{
  static const char *const nothing[] = { "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", NULL };
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(HttpPeer) peer = http_peer_new_with_answers (nothing);
  g_autofree char *site = http_peer_get_uri (peer, "/releases");
  g_autofree char *site_says = g_strdup_printf ("default cloud images: %s/streams/v1/index.json "
                                                "not found (HTTP 404)", site);

  fixture_begin (&fixture, NULL);
  welkin_surroundings_unref (fixture.home->surroundings);
  fixture.home->surroundings =
    welkin_surroundings_new ((const char *const[]) { "WELKIN_TIME_SCALE=50", NULL }, "/");
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  add_dead_sources (&fixture, site);
  expect_warning ("metadata of keystone catalog cannot be used: *http://127.0.0.1:1/streams*");
  look_up (&fixture, "focal", NULL, "RegionOne", ENDPOINT);
  g_test_assert_expected_messages ();
  assert_found (&fixture, "");
  assert_explained (&fixture, "the copy: index file has no data for product name(s)");
  assert_explained (&fixture, "\nkeystone catalog: cannot read index data: GET http://127.0.0.1:1/"
                              "streams/streams/v1/index");
  assert_explained (&fixture, site_says);
}

/* Cloud pair compared letter by letter. */

static const struct
{
  const char *wanted;
  const char *offered;
  gboolean    is_same;
} endpoints[] = {
  { "http://id.cloud.test:5000/v2.0/", "http://id.cloud.test:5000/v2.0", TRUE },
  { "http://id.cloud.test:5000/v2.0", "http://id.cloud.test:5000/v2.0/", TRUE },
  { "HTTP://ID.Cloud.Test:5000/v2.0", "http://id.cloud.test:5000/v2.0", TRUE },
  { "http://id.cloud.test:80/v3", "http://id.cloud.test/v3", TRUE },
  { "http://id.cloud.test", "http://id.cloud.test:80/", TRUE },
  { "https://id.cloud.test/v3", "https://id.cloud.test:443/v3/", TRUE },
  { "https://id.cloud.test/v3", "http://id.cloud.test/v3", FALSE },
  { "http://id.cloud.test:443/v3", "http://id.cloud.test/v3", FALSE },
  { "https://id.cloud.test/v3", "https://id.cloud.test/V3", FALSE },
  { "https://id.cloud.test/v3", "https://id.cloud.test/v2.0", FALSE },
  { "https://id.cloud.test/v3", "https://id.other.test/v3", FALSE },
  { "local", "local/", TRUE },
  { "local", "Local", FALSE },
};

static void
test_g49_the_endpoint_means_the_same_however_it_is_written (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endpoints); i++)
    {
      g_auto(Fixture) fixture = { NULL };

      g_test_message ("%s, %s", endpoints[i].wanted, endpoints[i].offered);
      fixture_begin (&fixture, NULL);
      replace_text (&fixture, INDEX ".json", ENDPOINT, endpoints[i].offered);
      add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
      look_up (&fixture, "jammy", NULL, "RegionOne", endpoints[i].wanted);
      assert_found (&fixture, endpoints[i].is_same ? "jammy-one" : "");
    }
}

/* The same URL with what makes no difference changed by chance. (transfer full) */
static char *
respell (const char *scheme,
         const char *host,
         const char *port,
         const char *path)
{
  GString *uri = g_string_new (NULL);
  gboolean is_default = g_str_equal (port, g_str_equal (scheme, "https") ? "443" : "80");

  g_string_append_printf (uri, "%s://%s", scheme, host);
  for (gsize i = 0; i < uri->len; i++)
    if (g_test_rand_bit ())
      uri->str[i] = g_ascii_toupper (uri->str[i]);
  if (!is_default || g_test_rand_bit ())
    g_string_append_printf (uri, ":%s", port);
  g_string_append (uri, path);
  for (int slashes = g_test_rand_int_range (0, 3); slashes > 0; slashes--)
    g_string_append_c (uri, '/');
  return g_string_free (uri, FALSE);
}

static void
test_g49_spellings_by_chance (void)
{
  static const char *const schemes[] = { "http", "https" };
  static const char *const hosts[] = { "id.cloud.test", "id-2.cloud.test", "192.0.2.7" };
  static const char *const ports[] = { "80", "443", "5000" };
  static const char *const paths[] = { "", "/v3", "/identity/v3", "/identity/V3" };

  for (guint i = 0; i < 2000; i++)
    {
      guint a[4], b[4];
      gboolean is_same = TRUE;
      g_autoptr(WelkinCloudSpec) wanted = NULL;
      g_autoptr(WelkinCloudSpec) offered = NULL;
      g_autofree char *one = NULL;
      g_autofree char *other = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (a); j++)
        {
          a[j] = (guint) g_test_rand_int () % (j == 0 ? 2 : j == 3 ? 4 : 3);
          /* Else they would hardly ever be the same. */
          b[j] = g_test_rand_int_range (0, 4) > 0 ? a[j]
                                                  : (guint) g_test_rand_int ()
                                                      % (j == 0 ? 2 : j == 3 ? 4 : 3);
          is_same = is_same && a[j] == b[j];
        }
      one = respell (schemes[a[0]], hosts[a[1]], ports[a[2]], paths[a[3]]);
      other = respell (schemes[b[0]], hosts[b[1]], ports[b[2]], paths[b[3]]);
      wanted = welkin_cloud_spec_new ("R1", one);
      offered = welkin_cloud_spec_new ("R1", other);
      g_test_message ("%s, %s", one, other);
      g_assert_cmpint (welkin_cloud_spec_matches (wanted, offered), ==, is_same);
      g_assert_cmpint (welkin_cloud_spec_matches (offered, wanted), ==, is_same);
    }
}

static void
test_g49_without_a_match_the_pairs_on_offer_are_shown (void)
{
  g_auto(Fixture) fixture = { NULL };

  fixture_begin (&fixture, NULL);
  add_directory (&fixture, WELKIN_DATA_SOURCE_NONE);
  look_up (&fixture, "noble", NULL, "RegionThree", ENDPOINT);
  assert_found (&fixture, "");
  assert_explained (&fixture, "index file has no data for cloud: wanted is region \"RegionThree\" "
                              "at \"" ENDPOINT "\", on offer are region \"RegionOne\" at "
                              "\"https://id.elsewhere.test:5000/v3\", region \"RegionOne\" at "
                              "\"" ENDPOINT "\", region \"RegionTwo\" at \"" ENDPOINT "\"");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/simplestreams/images/the-newest-of-each-kind-is-found",
                   test_the_newest_image_of_each_kind_is_found);
  g_test_add_func ("/simplestreams/images/it-is-told-where-they-were-found",
                   test_it_is_told_where_images_were_found);
  g_test_add_func ("/simplestreams/images/levels-and-aliases-complete-an-item",
                   test_levels_and_aliases_complete_an_item);
  g_test_add_func ("/simplestreams/images/aliases-in-a-circle-hold-once",
                   test_aliases_in_a_circle_hold_once);
  g_test_add_func ("/simplestreams/images/many-aliases-of-many-items-take-little-time",
                   test_many_aliases_of_many_items_take_little_time);
  g_test_add_func ("/simplestreams/images/any-cloud-is-meant-when-none-is-named",
                   test_any_cloud_is_meant_when_none_is_named);
  g_test_add_func ("/simplestreams/images/names-of-2014-are-understood",
                   test_names_of_2014_are_understood);
  g_test_add_func ("/simplestreams/images/an-unknown-series-is-refused",
                   test_an_unknown_series_is_refused);
  g_test_add_func ("/simplestreams/the-second-index-is-preferred",
                   test_the_second_index_is_preferred);
  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *name = g_strdup_printf ("/simplestreams/damage/%02" G_GSIZE_FORMAT, i);

      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_damaged_metadata_is_told_of);
    }

  g_test_add_data_func ("/simplestreams/signed/armoured-key", "key.asc",
                        test_signed_metadata_are_verified);
  g_test_add_data_func ("/simplestreams/signed/binary-key", "key.gpg",
                        test_signed_metadata_are_verified);
  g_test_add_data_func ("/simplestreams/signed/a-changed-index-is-refused", INDEX ".sjson",
                        test_a_bad_signature_is_refused);
  g_test_add_data_func ("/simplestreams/signed/changed-products-are-refused", PRODUCTS ".sjson",
                        test_a_bad_signature_is_refused);
  g_test_add_func ("/simplestreams/signed/a-text-without-signature-is-not",
                   test_a_text_without_signature_is_not_signed);
  g_test_add_func ("/simplestreams/signed/an-unknown-key-leaves-what-is-not-signed",
                   test_an_unknown_key_leaves_what_is_not_signed);
  g_test_add_func ("/simplestreams/signed/a-file-without-key-verifies-nothing",
                   test_a_file_without_key_verifies_nothing);
  g_test_add_func ("/simplestreams/signed/without-a-key-nothing-is-read",
                   test_who_must_be_signed_is_not_read_without_a_key);

  g_test_add_func ("/simplestreams/http/metadata-are-read", test_metadata_are_read_by_http);
  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *name = g_strdup_printf ("/simplestreams/http/bad-answer/%" G_GSIZE_FORMAT,
                                               i);

      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_bad_answers_are_told_of);
    }
  g_test_add_func ("/simplestreams/a-place-that-is-none-is-refused",
                   test_a_place_that_is_none_is_refused);
  g_test_add_func ("/simplestreams/a-proxy-that-is-no-url-is-refused-unshown",
                   test_a_proxy_that_is_no_url_is_refused_unshown);

  g_test_add_func ("/cases/G48/a-dead-source-does-not-veto-a-good-one",
                   test_g48_a_dead_source_does_not_veto_a_good_one);
  g_test_add_func ("/cases/G48/without-a-match-every-source-is-listed",
                   test_g48_without_a_match_every_source_is_listed);
  g_test_add_func ("/cases/G49/the-endpoint-means-the-same-however-it-is-written",
                   test_g49_the_endpoint_means_the_same_however_it_is_written);
  g_test_add_func ("/cases/G49/spellings-by-chance", test_g49_spellings_by_chance);
  g_test_add_func ("/cases/G49/without-a-match-the-pairs-on-offer-are-shown",
                   test_g49_without_a_match_the_pairs_on_offer_are_shown);

  return g_test_run ();
}
