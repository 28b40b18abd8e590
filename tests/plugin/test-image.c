/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "services/os-image-service.h"
#include "values/welkin-error.h"

static GPtrArray *
list_images (ProviderFixture *fixture,
             OsImageService  *service,
             const char      *distro,
             const char      *version)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *images;

  os_image_service_list_images_async (service, distro, version, NULL, provider_fixture_done_cb,
                                      fixture);
  images = os_image_service_list_images_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return images;
}

static GPtrArray *
find_image (ProviderFixture *fixture,
            OsImageService  *service,
            const char      *id)
{
  g_autoptr(GError) error = NULL;
  GPtrArray *images;

  os_image_service_find_image_async (service, id, NULL, provider_fixture_done_cb, fixture);
  images = os_image_service_find_image_finish (service, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return images;
}

static void
test_images_are_chosen_by_their_properties (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsImageService) service = os_image_service_new (client);
  g_autoptr(GPtrArray) images = list_images (fixture, service, "debian", "12");
  g_autoptr(GPtrArray) none = list_images (fixture, service, "debian", "1");
  const OsImage *image;

  g_assert_cmpuint (images->len, ==, 1);
  image = g_ptr_array_index (images, 0);
  g_assert_cmpstr (image->status, ==, "active");
  g_assert_cmpstr (image->os_distro, ==, "debian");
  g_assert_cmpstr (image->os_version, ==, "12");
  g_assert_cmpstr (os_image_get_arch (image), ==, "amd64");
  g_assert_nonnull (image->created);
  g_assert_cmpuint (none->len, ==, 0);
}

static void
test_answers_are_kept (ProviderFixture *fixture,
                       gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsImageService) service = os_image_service_new (client);
  g_autoptr(GPtrArray) images = list_images (fixture, service, "ubuntu", NULL);
  g_autoptr(GPtrArray) again = list_images (fixture, service, "ubuntu", NULL);
  const OsImage *image = g_ptr_array_index (images, 0);
  g_autoptr(GPtrArray) one = find_image (fixture, service, image->id);
  g_autoptr(GPtrArray) one_again = find_image (fixture, service, image->id);

  g_assert_true (images == again);
  g_assert_true (one == one_again);
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_cmpstr (((OsImage *) g_ptr_array_index (one, 0))->name, ==, image->name);
}

static void
test_unknown_image_is_none (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(OsImageService) service = os_image_service_new (client);
  g_autoptr(GPtrArray) images =
    find_image (fixture, service, "00000000-0000-0000-0000-000000000000");

  g_assert_cmpuint (images->len, ==, 0);
}

static void
test_architectures (void)
{
  static const char *const pairs[][2] = {
    { "x86_64", "amd64" }, { "aarch64", "arm64" }, { "armv7l", "armhf" }, { "i686", "i386" },
    { "ppc64le", "ppc64el" }, { "s390x", "s390x" }, { "riscv64", "riscv64" },
  };
  OsImage silent = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      OsImage image = { .architecture = (char *) pairs[i][0] };

      g_assert_cmpstr (os_image_get_arch (&image), ==, pairs[i][1]);
      g_assert_cmpstr (os_image_get_architecture_of (pairs[i][1]), ==, pairs[i][0]);
    }
  g_assert_null (os_image_get_arch (&silent));
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

  add ("/glance/images-are-chosen-by-their-properties",
       test_images_are_chosen_by_their_properties);
  add ("/glance/answers-are-kept", test_answers_are_kept);
  add ("/glance/unknown-image-is-none", test_unknown_image_is_none);
  g_test_add_func ("/glance/architectures", test_architectures);

  return provider_fixture_run ();
}
