/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

static void
test_a_cloud_is_what_it_was_made_of (void)
{
  static const char *const regions[] = { "r1", "r2", NULL };
  g_autoptr(WelkinCloud) cloud =
    welkin_cloud_new ("a", "file:3", "https://a.test/v3", regions,
                      WELKIN_CLOUD_HAS_SECRET | WELKIN_CLOUD_IS_DEFAULT, "broken");
  g_autoptr(WelkinCloud) same = welkin_cloud_ref (cloud);

  g_assert_cmpstr (welkin_cloud_get_name (same), ==, "a");
  g_assert_cmpstr (welkin_cloud_get_origin (same), ==, "file:3");
  g_assert_cmpstr (welkin_cloud_get_endpoint (same), ==, "https://a.test/v3");
  g_assert_true (g_strv_equal (welkin_cloud_get_regions (same), regions));
  g_assert_cmpint (welkin_cloud_get_flags (same), ==,
                   WELKIN_CLOUD_HAS_SECRET | WELKIN_CLOUD_IS_DEFAULT);
  g_assert_cmpstr (welkin_cloud_get_problem (same), ==, "broken");
}

static void
test_little_has_to_be_known (void)
{
  g_autoptr(WelkinCloud) cloud =
    welkin_cloud_new ("a", "file:3", NULL, NULL, WELKIN_CLOUD_NONE, NULL);

  g_assert_null (welkin_cloud_get_endpoint (cloud));
  g_assert_null (welkin_cloud_get_problem (cloud));
  g_assert_null (*welkin_cloud_get_regions (cloud));
  g_assert_cmpint (welkin_cloud_get_flags (cloud), ==, WELKIN_CLOUD_NONE);
}

/* A provider that implements nothing. */
typedef GObject Bare;
typedef GObjectClass BareClass;

static GType bare_get_type (void);

static void
bare_provider_init (WelkinProviderInterface *iface)
{
}

G_DEFINE_TYPE_WITH_CODE (Bare, bare, G_TYPE_OBJECT,
                         G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PROVIDER, bare_provider_init))

static void
bare_class_init (BareClass *class)
{
}

static void
bare_init (Bare *self)
{
}

static void
test_a_provider_need_not_know_any (void)
{
  g_autoptr(WelkinProvider) provider = g_object_new (bare_get_type (), NULL);
  g_autoptr(GPtrArray) clouds = welkin_provider_list_clouds (provider, NULL);

  g_assert_cmpuint (clouds->len, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cloud/is-what-it-was-made-of", test_a_cloud_is_what_it_was_made_of);
  g_test_add_func ("/cloud/little-has-to-be-known", test_little_has_to_be_known);
  g_test_add_func ("/cloud/a-provider-need-not-know-any", test_a_provider_need_not_know_any);
  return g_test_run ();
}
