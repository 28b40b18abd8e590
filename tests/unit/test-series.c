/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/series-private.h"

#include <glib/gstdio.h>

#include "values/welkin-error.h"

typedef struct
{
  const char *series;
  const char *os_distro;
  const char *os_version;
} Vector;

static void
test_known (void)
{
  const Vector vectors[] = {
    { "precise", "ubuntu", "12.04" }, { "trusty", "ubuntu", "14.04" },
    { "noble", "ubuntu", "24.04" },   { "wheezy", "debian", "7" },
    { "bookworm", "debian", "12" },   { "trixie", "debian", "13" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *os_distro = NULL;
      g_autofree char *os_version = NULL;
      g_autoptr(GError) error = NULL;

      g_assert_true (welkin_series_lookup (vectors[i].series, &os_distro, &os_version, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (os_distro, ==, vectors[i].os_distro);
      g_assert_cmpstr (os_version, ==, vectors[i].os_version);
    }
}

static void
test_unknown (void)
{
  const char *const names[] = { "", "Noble", "noble ", "lucid", "sid", "../noble", "12.04" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *start = g_strdup_printf ("invalid series \"%s\": ", names[i]);
      g_autoptr(GError) error = NULL;

      g_assert_false (welkin_series_lookup (names[i], NULL, NULL, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, start));
    }
}

static void
test_older (void)
{
  g_assert_true (welkin_series_is_older ("jammy", "noble"));
  g_assert_true (welkin_series_is_older ("stretch", "bookworm"));
  g_assert_false (welkin_series_is_older ("noble", "jammy"));
  g_assert_false (welkin_series_is_older ("noble", "noble"));
  g_assert_false (welkin_series_is_older ("bookworm", "noble"));
  g_assert_false (welkin_series_is_older ("warty2", "noble"));
}

static void
test_files (void)
{
  const char *const ubuntu = "version,codename,series,created\n"
                             "10.04 LTS,Lucid Lynx,lucid,2009-10-29\n"
                             "12.04 LTS,Precise Pangolin,precise,2011-10-13\n"
                             "short,line\n"
                             "\n"
                             "30.04 LTS,Zealous Zebra,zealous,2029-10-29,2030-04-29\n";
  const char *const debian = "7,Wheezy,wheezy,2011-02-06\n"
                             "20,Later,later,2039-01-01\n"
                             ",Sid,sid,1993-08-16\n";
  g_autofree char *directory = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_autofree char *ubuntu_path = g_build_filename (directory, "ubuntu.csv", NULL);
  g_autofree char *debian_path = g_build_filename (directory, "debian.csv", NULL);
  g_autofree char *distro = NULL;
  g_autofree char *version = NULL;

  g_assert_true (g_file_set_contents (ubuntu_path, ubuntu, -1, NULL));
  g_assert_true (g_file_set_contents (debian_path, debian, -1, NULL));

  g_assert_true (welkin_series_lookup_in (directory, "zealous", &distro, &version, NULL));
  g_assert_cmpstr (distro, ==, "ubuntu");
  g_assert_cmpstr (version, ==, "30.04");
  g_clear_pointer (&distro, g_free);
  g_clear_pointer (&version, g_free);
  g_assert_true (welkin_series_lookup_in (directory, "later", &distro, &version, NULL));
  g_assert_cmpstr (distro, ==, "debian");
  g_assert_cmpstr (version, ==, "20");
  g_assert_false (welkin_series_lookup_in (directory, "lucid", NULL, NULL, NULL));
  g_assert_false (welkin_series_lookup_in (directory, "sid", NULL, NULL, NULL));

  g_assert_cmpint (g_unlink (ubuntu_path), ==, 0);
  g_assert_cmpint (g_unlink (debian_path), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/series/known-ones-have-distribution-and-version", test_known);
  g_test_add_func ("/series/unknown-ones-are-named-in-the-error", test_unknown);
  g_test_add_func ("/series/older-ones-are-of-the-same-distribution", test_older);
  g_test_add_func ("/series/newer-ones-come-from-distro-info", test_files);
  return g_test_run ();
}
