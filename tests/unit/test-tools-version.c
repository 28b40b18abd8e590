/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <glib/gstdio.h>
#include <string.h>

#include "metadata/tools-version.h"
#include "values/welkin-error.h"

static WelkinToolsVersion
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinToolsVersion version;

  g_assert_true (welkin_tools_version_parse (text, &version, &error));
  g_assert_no_error (error);
  return version;
}

static void
test_versions_are_read_and_written (void)
{
  static const char *const texts[][2] = {
    { "0.0.0", "0.0.0" },
    { "1.2.3", "1.2.3" },
    { "1.2.3.0", "1.2.3" },
    { "01.2.3", "1.2.3" },
    { "10.234.3456.64", "10.234.3456.64" },
    { "999999999.1.1", "999999999.1.1" },
    { "1.21-alpha3", "1.21-alpha3" },
    { "1.21-beta2.4", "1.21-beta2.4" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      WelkinToolsVersion version = parse (texts[i][0]);
      g_autofree char *text = welkin_tools_version_format (&version);

      g_assert_cmpstr (text, ==, texts[i][1]);
    }
}

static void
test_other_texts_are_refused (void)
{
  static const char *const texts[] = {
    "",       "1",        "1.2",       "1234567890.2.1", "0.2..1",       "1.2.3.",  "1.2.3.4.5",
    "1.2.x",  "-1.2.3",   " 1.2.3",    "1.2.3 ",         "1.21-3",       "1.2-A3",  "1.2-alpha",
    "1.2-a1.", "1.2.-a1", "1.2.3-a",   "+1.2.3",         "1.2.3.1234567890",
    "1.2-abcdefghijklmnopqrstuvwxyzabcdef1",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *expected = g_strdup_printf ("invalid version \"%s\"", texts[i]);
      g_autoptr(GError) error = NULL;
      WelkinToolsVersion version;

      g_assert_false (welkin_tools_version_parse (texts[i], &version, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_cmpstr (error->message, ==, expected);
    }
}

static void
test_binary_versions_are_split (void)
{
  static const struct
  {
    const char *text;
    const char *number;
    const char *series;
    const char *arch;
  } binaries[] = {
    { "1.2.3-noble-amd64", "1.2.3", "noble", "amd64" },
    { "1.21-alpha3.4-noble-arm64", "1.21-alpha3.4", "noble", "arm64" },
  };
  static const char *const bad[] = { "", "1.2.3", "1.2.3-noble", "1.2.3--amd64", "1.2.3-noble-",
                                     "1.2-noble-amd64", "noble-amd64", "-noble-amd64",
                                     "1.2.3-a-b-c" };

  for (gsize i = 0; i < G_N_ELEMENTS (binaries); i++)
    {
      g_autofree char *series = NULL;
      g_autofree char *arch = NULL;
      g_autofree char *number = NULL;
      g_autoptr(GError) error = NULL;
      WelkinToolsVersion version;

      g_assert_true (welkin_tools_binary_parse (binaries[i].text, &version, &series, &arch,
                                                &error));
      number = welkin_tools_version_format (&version);
      g_assert_cmpstr (number, ==, binaries[i].number);
      g_assert_cmpstr (series, ==, binaries[i].series);
      g_assert_cmpstr (arch, ==, binaries[i].arch);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *series = NULL;
      g_autofree char *arch = NULL;
      g_autoptr(GError) error = NULL;
      WelkinToolsVersion version;

      g_assert_false (welkin_tools_binary_parse (bad[i], &version, &series, &arch, &error));
      g_assert_nonnull (strstr (error->message, "invalid binary version \""));
    }
}

static void
test_they_have_an_order (void)
{
  static const char *const ascending[] = {
    "0.0.0",       "0.9.99",      "1.0.0",    "1.21-alpha1", "1.21-alpha1.1", "1.21-alpha2",
    "1.21-beta1",  "1.21-rc9",    "1.21.0",   "1.21.0.1",    "1.21.1",        "1.21.10",
    "1.22-alpha1", "2.0.0",       "10.0.0",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (ascending); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (ascending); j++)
      {
        WelkinToolsVersion a = parse (ascending[i]);
        WelkinToolsVersion b = parse (ascending[j]);
        int order = welkin_tools_version_compare (&a, &b);

        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > j) - (i < j));
      }
}

static WelkinToolsVersion
make_random (void)
{
  WelkinToolsVersion version = { 0 };

  version.major = (guint) g_test_rand_int_range (0, 4);
  version.minor = (guint) g_test_rand_int_range (0, 4);
  version.patch = (guint) g_test_rand_int_range (0, 1000000000);
  version.build = (guint) g_test_rand_int_range (0, 3);
  if (g_test_rand_bit ())
    for (int i = g_test_rand_int_range (0, WELKIN_TOOLS_MAX_TAG); i >= 0; i--)
      version.tag[i] = (char) g_test_rand_int_range ('a', 'z' + 1);
  return version;
}

static void
test_any_version_survives_a_round (void)
{
  for (guint i = 0; i < 5000; i++)
    {
      WelkinToolsVersion version = make_random ();
      g_autofree char *text = welkin_tools_version_format (&version);
      WelkinToolsVersion again = parse (text);

      g_assert_cmpint (welkin_tools_version_compare (&version, &again), ==, 0);
    }
}

static void
test_the_order_is_one (void)
{
  for (guint i = 0; i < 5000; i++)
    {
      WelkinToolsVersion a = make_random ();
      WelkinToolsVersion b = make_random ();
      WelkinToolsVersion c = make_random ();
      int ab = welkin_tools_version_compare (&a, &b);
      int ba = welkin_tools_version_compare (&b, &a);
      int bc = welkin_tools_version_compare (&b, &c);

      g_assert_true ((ab > 0) == (ba < 0) && (ab == 0) == (ba == 0));
      if (ab <= 0 && bc <= 0)
        g_assert_cmpint (welkin_tools_version_compare (&a, &c), <=, 0);
    }
}

static void
test_development_shows (void)
{
  static const struct
  {
    const char *text;
    gboolean    is_development;
  } versions[] = {
    { "1.2.3", FALSE }, { "1.3.0", FALSE }, { "1.2.3.1", TRUE }, { "1.2-rc1", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      WelkinToolsVersion version = parse (versions[i].text);

      g_assert_cmpint (welkin_tools_version_is_development (&version), ==,
                       versions[i].is_development);
    }
}

static void
test_the_beginning_of_a_version_is_read (void)
{
  static const char *const bad[][2] = {
    { "", "invalid major.minor version number" },
    { "x.1", "invalid major version number" },
    { "1.x", "invalid minor version number" },
    { "1.", "invalid minor version number" },
    { "1.2.3", "invalid major.minor version number" },
  };
  int major;
  int minor;

  g_assert_true (welkin_tools_version_parse_major_minor ("2", &major, &minor, NULL));
  g_assert_cmpint (major, ==, 2);
  g_assert_cmpint (minor, ==, -1);
  g_assert_true (welkin_tools_version_parse_major_minor ("1.18", &major, &minor, NULL));
  g_assert_cmpint (major, ==, 1);
  g_assert_cmpint (minor, ==, 18);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (welkin_tools_version_parse_major_minor (bad[i][0], &major, &minor, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, bad[i][1]));
    }
}

static void
test_a_file_forces_the_version_of_the_host (void)
{
  g_autofree char *directory = g_dir_make_tmp ("welkin-tools-XXXXXX", NULL);
  g_autofree char *executable = g_build_filename (directory, "welkin", NULL);
  g_autofree char *path = g_build_filename (directory, "FORCE-VERSION", NULL);
  g_autofree char *text = NULL;
  WelkinToolsVersion built;
  WelkinToolsVersion version;

  welkin_tools_version_get_host (executable, &built);
  g_assert_true (g_file_set_contents (path, " 4.5.6.7\n", -1, NULL));
  welkin_tools_version_get_host (executable, &version);
  text = welkin_tools_version_format (&version);
  g_assert_cmpstr (text, ==, "4.5.6.7");

  g_assert_true (g_file_set_contents (path, "nonsense", -1, NULL));
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, "*FORCE-VERSION*invalid version*nonsense*");
  welkin_tools_version_get_host (executable, &version);
  g_test_assert_expected_messages ();
  g_assert_cmpint (welkin_tools_version_compare (&version, &built), ==, 0);
  g_unlink (path);
  g_rmdir (directory);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tools-version/read-and-written", test_versions_are_read_and_written);
  g_test_add_func ("/tools-version/other-texts-are-refused", test_other_texts_are_refused);
  g_test_add_func ("/tools-version/binary-versions-are-split", test_binary_versions_are_split);
  g_test_add_func ("/tools-version/they-have-an-order", test_they_have_an_order);
  g_test_add_func ("/tools-version/any-survives-a-round", test_any_version_survives_a_round);
  g_test_add_func ("/tools-version/the-order-is-one", test_the_order_is_one);
  g_test_add_func ("/tools-version/development-shows", test_development_shows);
  g_test_add_func ("/tools-version/beginnings-are-read", test_the_beginning_of_a_version_is_read);
  g_test_add_func ("/tools-version/a-file-forces-the-host's",
                   test_a_file_forces_the_version_of_the_host);
  return g_test_run ();
}
