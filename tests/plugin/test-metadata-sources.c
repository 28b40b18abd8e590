/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "contracts/welkin-optional.h"
#include "environ-fixture.h"
#include "metadata/welkin-image-lookup.h"

/* An environment, and a server of metadata that its cloud knows of. */
typedef struct
{
  EnvironFixture environ;
  SoupServer    *server;   /* (owned) */
  GHashTable    *files;    /* (owned) path to its text */
  guint          n_requests;
  guint          n_tokens; /* requests that came with one */
} Fixture;

static void
serve (SoupServer        *server,
       SoupServerMessage *message,
       const char        *path,
       GHashTable        *query,
       gpointer           user_data)
{
  Fixture *fixture = user_data;
  const char *text = g_hash_table_lookup (fixture->files, path);
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);

  fixture->n_requests++;
  if (soup_message_headers_get_one (headers, "X-Auth-Token") != NULL)
    fixture->n_tokens++;
  soup_server_message_set_status (message, text != NULL ? 200 : 404, NULL);
  if (text != NULL)
    soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text,
                                      strlen (text));
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  environ_fixture_set_up (&fixture->environ, data);
  fixture->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  fixture->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (fixture->server, NULL, serve, fixture, NULL);
  soup_server_listen_local (fixture->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  environ_fixture_tear_down (&fixture->environ, data);
  g_object_unref (fixture->server);
  g_hash_table_unref (fixture->files);
}

/* (transfer full) */
static char *
get_uri (Fixture    *fixture,
         const char *path)
{
  g_autoslist(GUri) uris = soup_server_get_uris (fixture->server);
  g_autofree char *uri = g_uri_to_string (uris->data);

  return g_strconcat (uri, path, NULL);
}

static char *
make_index (Fixture *fixture)
{
  return g_strdup_printf (
    "{\"format\":\"index:1.0\",\"index\":{\"a\":{\"datatype\":\"image-ids\",\"path\":\"p.json\","
    "\"clouds\":[{\"region\":\"RegionOne\",\"endpoint\":\"%s/\"}],"
    "\"products\":[\"com.ubuntu.cloud:server:24.04:amd64\"]}}}",
    fake_cloud_get_auth_url (fixture->environ.provider.fake));
}

static char *
make_products (const char *id)
{
  return g_strdup_printf (
    "{\"format\":\"products:1.0\",\"products\":{\"com.ubuntu.cloud:server:24.04:amd64\":{"
    "\"arch\":\"amd64\",\"version\":\"24.04\",\"region\":\"RegionOne\",\"versions\":{\"1\":{"
    "\"items\":{\"i\":{\"id\":\"%s\"}}}}}}}",
    id);
}

/* Serves metadata with one image below a path. */
static void
publish (Fixture    *fixture,
         const char *path,
         const char *id)
{
  g_hash_table_insert (fixture->files, g_strconcat (path, "/streams/v1/index.json", NULL),
                       make_index (fixture));
  g_hash_table_insert (fixture->files, g_strconcat (path, "/p.json", NULL), make_products (id));
}

static void
save (Fixture       *fixture,
      WelkinStorage *storage,
      const char    *name,
      char          *text)
{
  ProviderFixture *provider = &fixture->environ.provider;
  g_autoptr(GBytes) bytes = g_bytes_new_take (text, strlen (text));
  g_autoptr(GError) error = NULL;

  welkin_storage_save_async (storage, name, bytes, WELKIN_STORAGE_NONE, NULL,
                             provider_fixture_done_cb, provider);
  welkin_storage_save_finish (storage, provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
}

/* The same in the environment's own storage. */
static void
store (Fixture    *fixture,
       const char *id)
{
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ.environ);

  save (fixture, storage, "images/streams/v1/index.json", make_index (fixture));
  save (fixture, storage, "images/p.json", make_products (id));
}

static void
add_to_catalog (Fixture    *fixture,
                const char *uri)
{
  g_autofree char *endpoint =
    g_strdup_printf ("{'type': 'product-streams', 'name': 'streams', 'url': '%s'}", uri);

  fake_cloud_add (fixture->environ.provider.fake, "endpoint", endpoint);
}

/* surroundings: of the look-up, which are not those of the cloud */
static WelkinImageLookup *
find_images_in (Fixture            *fixture,
                WelkinSurroundings *surroundings)
{
  ProviderFixture *provider = &fixture->environ.provider;
  WelkinEnviron *environ = fixture->environ.environ;
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new ();
  g_autoptr(GError) error = NULL;
  WelkinImageLookup *lookup;

  welkin_environ_find_images_async (environ, "noble", constraints, NULL, surroundings, NULL,
                                    provider_fixture_done_cb, provider);
  lookup = welkin_environ_find_images_finish (environ, provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  return lookup;
}

static WelkinImageLookup *
find_images (Fixture *fixture)
{
  return find_images_in (fixture, fixture->environ.provider.surroundings);
}

/* source: as resolve info tells; NULL: nothing is found */
static void
assert_found (Fixture    *fixture,
              const char *id,
              const char *source)
{
  g_autoptr(WelkinImageLookup) lookup = find_images (fixture);
  GPtrArray *images = welkin_image_lookup_get_images (lookup);
  WelkinResolveInfo *info = welkin_image_lookup_get_info (lookup);

  g_assert_cmpuint (images->len, ==, id != NULL ? 1 : 0);
  if (id == NULL)
    return;
  g_assert_cmpstr (welkin_image_get_id (g_ptr_array_index (images, 0)), ==, id);
  g_assert_cmpstr (welkin_resolve_info_get_source (info), ==, source);
}

static void
test_the_catalog_need_not_name_one (Fixture      *fixture,
                                    gconstpointer data)
{
  ProviderFixture *provider = &fixture->environ.provider;
  WelkinImageSources *environ = WELKIN_IMAGE_SOURCES (fixture->environ.environ);
  g_autoptr(GPtrArray) sources = NULL;
  g_autoptr(GError) error = NULL;

  welkin_image_sources_get_async (environ, NULL, provider_fixture_done_cb, provider);
  sources = welkin_image_sources_get_finish (environ, provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  if (provider_fixture_needs_fake (provider))
    return;
  g_assert_cmpuint (sources->len, ==, 0);
  assert_found (fixture, NULL, NULL);
}

static void
test_what_the_catalog_names_is_read_without_a_token (Fixture      *fixture,
                                                     gconstpointer data)
{
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  uri = get_uri (fixture, "streams/");
  publish (fixture, "/streams", "from-catalog");
  add_to_catalog (fixture, uri);
  assert_found (fixture, "from-catalog", "keystone catalog");
  g_assert_cmpuint (fixture->n_requests, ==, 3);
  g_assert_cmpuint (fixture->n_tokens, ==, 0);
}

static void
test_the_environment_s_own_storage_comes_first (Fixture      *fixture,
                                                gconstpointer data)
{
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  uri = get_uri (fixture, "streams");
  publish (fixture, "/streams", "from-catalog");
  add_to_catalog (fixture, uri);
  store (fixture, "from-storage");
  assert_found (fixture, "from-storage", "cloud storage");
  g_assert_cmpuint (fixture->n_requests, ==, 0);
}

static void
test_an_attribute_comes_before_all (Fixture      *fixture,
                                    gconstpointer data)
{
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  uri = get_uri (fixture, "mine");
  publish (fixture, "/mine", "from-attribute");
  environ_fixture_reopen (&fixture->environ, "image-metadata-url", uri, NULL);
  store (fixture, "from-storage");
  assert_found (fixture, "from-attribute", "image-metadata-url");
}

static void
set_attribute (Fixture    *fixture,
               const char *key,
               const char *value)
{
  WelkinEnviron *environ = fixture->environ.environ;
  g_autoptr(WelkinConfig) config =
    welkin_config_with_text (welkin_environ_get_config (environ), key, value, NULL);
  g_autoptr(GError) error = NULL;

  welkin_environ_set_config (environ, config, &error);
  g_assert_no_error (error);
}

/* Neither the storage nor the places of the former one are remembered. */
static void
test_sources_are_those_of_the_newest_config (Fixture      *fixture,
                                             gconstpointer data)
{
  g_autofree char *uri = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  uri = get_uri (fixture, "streams");
  publish (fixture, "/streams", "from-catalog");
  add_to_catalog (fixture, uri);
  store (fixture, "from-storage");
  assert_found (fixture, "from-storage", "cloud storage");
  set_attribute (fixture, "storage", "none");
  assert_found (fixture, "from-catalog", "keystone catalog");
}

/* A cloud that lets nobody in is no cloud without sources. */
static void
test_failed_login_is_told (Fixture      *fixture,
                           gconstpointer data)
{
  ProviderFixture *provider = &fixture->environ.provider;
  WelkinImageSources *environ;
  g_autoptr(GPtrArray) sources = NULL;
  g_autoptr(GError) error = NULL;

  environ_fixture_reopen (&fixture->environ, "password", "wrong", NULL);
  environ = WELKIN_IMAGE_SOURCES (fixture->environ.environ);
  welkin_image_sources_get_async (environ, NULL, provider_fixture_done_cb, provider);
  sources = welkin_image_sources_get_finish (environ, provider_fixture_wait (provider), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  g_assert_null (sources);
}

/* key: (nullable) the file of the key of public images. (transfer full): the id, or NULL */
static char *
find_public (Fixture    *fixture,
             const char *key)
{
  g_autofree char *uri = get_uri (fixture, "public");
  g_autofree char *place = g_strconcat ("WELKIN_PUBLIC_IMAGES=", uri, NULL);
  g_autofree char *key_variable = key != NULL ? g_strconcat ("WELKIN_IMAGE_KEY=", key, NULL) : NULL;
  const char *variables[] = { place, key_variable, NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
  g_autoptr(WelkinImageLookup) lookup = find_images_in (fixture, surroundings);
  GPtrArray *images = welkin_image_lookup_get_images (lookup);

  g_assert_cmpstr (welkin_resolve_info_get_source (welkin_image_lookup_get_info (lookup)), ==,
                   "default cloud images");
  return images->len > 0 ? g_strdup (welkin_image_get_id (g_ptr_array_index (images, 0))) : NULL;
}

static void
test_public_images_come_last (Fixture      *fixture,
                              gconstpointer data)
{
  g_autofree char *found = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  publish (fixture, "/public/releases", "public");
  found = find_public (fixture, NULL);
  g_assert_cmpstr (found, ==, "public");
}

static void
test_public_images_are_of_the_stream (Fixture      *fixture,
                                      gconstpointer data)
{
  g_autofree char *found = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  publish (fixture, "/public/releases", "released");
  publish (fixture, "/public/daily", "daily");
  environ_fixture_reopen (&fixture->environ, "image-stream", "daily", NULL);
  found = find_public (fixture, NULL);
  g_assert_null (found);
  g_assert_cmpuint (fixture->n_requests, >, 0);
  for (gsize i = 0; i < 2; i++)
    {
      static const char *const names[] = { "/public/daily/streams/v1/index.json",
                                           "/public/daily/p.json" };
      g_autoptr(GString) text = g_string_new (g_hash_table_lookup (fixture->files, names[i]));

      g_string_replace (text, "com.ubuntu.cloud:", "com.ubuntu.cloud.daily:", 0);
      g_hash_table_insert (fixture->files, g_strdup (names[i]), g_strdup (text->str));
    }
  found = find_public (fixture, NULL);
  g_assert_cmpstr (found, ==, "daily");
}

/* Where there is a key, what is not signed with it is not believed. */
static void
test_public_images_must_be_signed (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autofree char *key = g_test_build_filename (G_TEST_DIST, "data", "simplestreams", "key.asc",
                                                NULL);
  g_autofree char *found = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  publish (fixture, "/public/releases", "public");
  found = find_public (fixture, key);
  g_assert_null (found);
}

static void
test_g48_a_dead_place_in_the_catalog_is_only_warned_of (Fixture      *fixture,
                                                        gconstpointer data)
{
  g_autoptr(WelkinImageLookup) lookup = NULL;

  if (provider_fixture_needs_fake (&fixture->environ.provider))
    return;
  add_to_catalog (fixture, "http://127.0.0.1:1/streams");
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING,
                         "metadata of keystone catalog cannot be used: *127.0.0.1:1/streams/*");
  lookup = find_images (fixture);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (welkin_image_lookup_get_images (lookup)->len, ==, 0);
  g_assert_nonnull (strstr (welkin_image_lookup_get_explanation (lookup), "cloud storage: "));
  g_assert_nonnull (strstr (welkin_image_lookup_get_explanation (lookup), "keystone catalog: "));
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

  add ("/metadata-sources/the-catalog-need-not-name-one", test_the_catalog_need_not_name_one);
  add ("/metadata-sources/what-the-catalog-names-is-read-without-a-token",
       test_what_the_catalog_names_is_read_without_a_token);
  add ("/metadata-sources/the-environment-s-own-storage-comes-first",
       test_the_environment_s_own_storage_comes_first);
  add ("/metadata-sources/an-attribute-comes-before-all", test_an_attribute_comes_before_all);
  add ("/metadata-sources/public-images-come-last", test_public_images_come_last);
  add ("/metadata-sources/public-images-are-of-the-stream", test_public_images_are_of_the_stream);
  add ("/metadata-sources/public-images-must-be-signed", test_public_images_must_be_signed);
  add ("/defects/27/sources-of-the-newest-config", test_sources_are_those_of_the_newest_config);
  add ("/defects/27/failed-login-is-told", test_failed_login_is_told);
  add ("/cases/G48/a-dead-place-in-the-catalog-is-only-warned-of",
       test_g48_a_dead_place_in_the_catalog_is_only_warned_of);

  return provider_fixture_run ();
}
