/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include <environments/welkin-file-storage.h>

#include "os-storage-auto.h"
#include "os-storage-none.h"
#include "os-storage-s3.h"
#include "os-storage-swift.h"
#include "os-storage.h"
#include "storage-fixture.h"
#include "values/welkin-error.h"

/* Which kind of storage an environment gets. */

typedef struct
{
  ProviderFixture provider;
  char           *home;     /* (owned) */
  OsClient       *client;   /* (owned) (nullable) */
  WelkinStorage  *storage;  /* (owned) (nullable) */
  char           *directory; /* (owned) where files on this machine would be */
} KindFixture;

static void
set_up (KindFixture   *fixture,
        gconstpointer  data)
{
  char **variables;

  provider_fixture_set_up (&fixture->provider, data);
  fixture->home = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_assert_nonnull (fixture->home);
  fixture->directory =
    g_build_filename (fixture->home, fixture->provider.uuid, "storage", NULL);
  if (fixture->provider.fake != NULL)
    variables = fake_cloud_dup_environment (fixture->provider.fake, "demo", "demo");
  else
    variables = g_get_environ ();
  variables = g_environ_setenv (variables, "WELKIN_HOME", fixture->home, TRUE);
  welkin_surroundings_unref (fixture->provider.surroundings);
  fixture->provider.surroundings = welkin_surroundings_new ((const char *const *) variables, "/");
  g_strfreev (variables);
}

static void
close_storage (KindFixture *fixture)
{
  g_clear_object (&fixture->storage);
  g_clear_object (&fixture->client);
}

static void
tear_down (KindFixture   *fixture,
           gconstpointer  data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);

  close_storage (fixture);
  g_rmdir (parent);
  g_assert_cmpint (g_rmdir (fixture->home), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->home);
  provider_fixture_tear_down (&fixture->provider, data);
}

/* kind: of attribute storage; type: of the provider */
static void
open_storage (KindFixture *fixture,
              const char  *kind,
              const char  *type)
{
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (&fixture->provider, "storage", kind, "type", type, NULL);
  g_autoptr(GError) error = NULL;

  close_storage (fixture);
  fixture->client = os_client_new (config, fixture->provider.surroundings, NULL, &error);
  g_assert_no_error (error);
  fixture->storage = os_storage_new (fixture->client, config, fixture->provider.surroundings);
}

static void
test_each_kind_is_to_be_had (KindFixture   *fixture,
                             gconstpointer  data)
{
  open_storage (fixture, "swift", "openstack");
  g_assert_true (OS_IS_STORAGE_SWIFT (fixture->storage));
  open_storage (fixture, "s3", "openstack");
  g_assert_true (OS_IS_STORAGE_S3 (fixture->storage));
  open_storage (fixture, "local", "openstack");
  g_assert_true (WELKIN_IS_FILE_STORAGE (fixture->storage));
  open_storage (fixture, "none", "openstack");
  g_assert_true (OS_IS_STORAGE_NONE (fixture->storage));
  open_storage (fixture, "auto", "openstack");
  g_assert_true (OS_IS_STORAGE_AUTO (fixture->storage));
  /* The provider's other name is for those who have S3 only. */
  open_storage (fixture, "auto", "openstack_s3");
  g_assert_true (OS_IS_STORAGE_S3 (fixture->storage));
  open_storage (fixture, "swift", "openstack_s3");
  g_assert_true (OS_IS_STORAGE_SWIFT (fixture->storage));
}

static void
use_storage (KindFixture *fixture)
{
  ProviderFixture *provider = &fixture->provider;

  storage_save_well (provider, fixture->storage, "tools/a", "one");
  storage_assert_contents (provider, fixture->storage, "tools/a", "one");
  storage_assert_names (provider, fixture->storage, "", "tools/a");
  storage_remove (provider, fixture->storage, "tools/a");
  storage_assert_names (provider, fixture->storage, "", "");
  storage_save_well (provider, fixture->storage, "x", "y");
}

static void
test_swift_comes_first (KindFixture   *fixture,
                        gconstpointer  data)
{
  g_autofree char *uri = NULL;
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GError) error = NULL;

  open_storage (fixture, "auto", "openstack");
  use_storage (fixture);
  uri = storage_get_uri (&fixture->provider, fixture->storage, "x", &expires, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (uri, "temp_url_sig"));
  g_assert_nonnull (expires);
  storage_remove_all_well (&fixture->provider, fixture->storage);
  g_assert_false (g_file_test (fixture->directory, G_FILE_TEST_EXISTS));
  if (fixture->provider.fake == NULL)
    return;
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, NULL, "/object-store/*"), >, 0);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, NULL, "/s3/*"), ==, 0);
}

static void
test_without_an_object_store_files_stay_here (KindFixture   *fixture,
                                              gconstpointer  data)
{
  g_autofree char *uri = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  fake_cloud_remove (fixture->provider.fake, "endpoint", "swift");
  open_storage (fixture, "auto", "openstack");
  use_storage (fixture);
  g_assert_true (g_file_test (fixture->directory, G_FILE_TEST_IS_DIR));
  uri = storage_get_uri (&fixture->provider, fixture->storage, "x", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);

  /* What was chosen stays, even when the cloud has one later. */
  fake_cloud_add (fixture->provider.fake, "endpoint",
                  "{'type': 'object-store', 'name': 'swift',"
                  " 'url': '$(cloud)/object-store/v1/AUTH_$(project_id)'}");
  open_storage (fixture, "auto", "openstack");
  storage_assert_contents (&fixture->provider, fixture->storage, "x", "y");
  storage_remove_all_well (&fixture->provider, fixture->storage);
  g_assert_false (g_file_test (fixture->directory, G_FILE_TEST_EXISTS));
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  guint *n_left = user_data;
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = welkin_storage_list_finish (WELKIN_STORAGE (source), result, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 0);
  (*n_left)--;
}

static void
test_first_calls_at_once_choose_once (KindFixture   *fixture,
                                      gconstpointer  data)
{
  guint n_left = 3;

  open_storage (fixture, "auto", "openstack");
  for (guint i = n_left; i > 0; i--)
    welkin_storage_list_async (fixture->storage, "", NULL, listed_cb, &n_left);
  while (n_left > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_login_that_fails_is_told (KindFixture   *fixture,
                               gconstpointer  data)
{
  static const FakeRule rule = {
    .path = "/identity/*", .times = -1, .action = FAKE_FAIL, .status = 401,
  };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  fake_cloud_add_rule (fixture->provider.fake, &rule);
  open_storage (fixture, "auto", "openstack");
  g_assert_false (storage_save (&fixture->provider, fixture->storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
  /* That the cloud is out of reach chooses nothing. */
  g_assert_false (g_file_test (fixture->directory, G_FILE_TEST_EXISTS));
}

static void
test_none_supports_nothing (KindFixture   *fixture,
                            gconstpointer  data)
{
  ProviderFixture *provider = &fixture->provider;
  g_autoptr(GBytes) bytes = NULL;
  g_autofree char *uri = NULL;
  g_autoptr(GError) error = NULL;

  open_storage (fixture, "none", "openstack");
  g_assert_false (storage_save (provider, fixture->storage, "x", "y", 0, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "attribute storage is \"none\""));
  g_clear_error (&error);
  bytes = storage_load (provider, fixture->storage, "x", 0, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "attribute storage is \"none\""));
  g_clear_error (&error);
  uri = storage_get_uri (provider, fixture->storage, "x", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "attribute storage is \"none\""));
  g_clear_error (&error);
  g_assert_false (storage_remove_all (provider, fixture->storage, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "attribute storage is \"none\""));
}

static void
add (const char *path,
     void      (*test) (KindFixture *, gconstpointer))
{
  g_test_add (path, KindFixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/storage/kinds/each-is-to-be-had", test_each_kind_is_to_be_had);
  add ("/storage/kinds/swift-comes-first", test_swift_comes_first);
  add ("/storage/kinds/without-an-object-store", test_without_an_object_store_files_stay_here);
  add ("/storage/kinds/first-calls-at-once", test_first_calls_at_once_choose_once);
  add ("/storage/kinds/login-that-fails", test_login_that_fails_is_told);
  add ("/storage/kinds/none", test_none_supports_nothing);

  return provider_fixture_run ();
}
