/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "home.h"
#include "metadata/tools-copy.h"
#include "metadata/tools-pack.h"

/* What goes wrong while an archive of agent binaries is written. */

#define SIZE ((gsize) 1024 * 1024)

typedef struct
{
  Home      *home;
  GPtrArray *members; /* (owned) of WelkinToolsMember */
  char      *archive; /* (owned) its path */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autofree char *random = g_malloc0 (SIZE + 1);
  g_autofree char *copy = NULL;
  g_autofree char *directory = NULL;
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < SIZE; i++)
    random[i] = (char) g_test_rand_int_range (1, 128);
  fixture->home = home_new (NULL);
  home_write (fixture->home, "agent/welkin-agent", "a program");
  home_write (fixture->home, "agent/settings", random);
  directory = home_get_path (fixture->home, "agent");
  copy = home_get_path (fixture->home, "copy");
  fixture->members = welkin_tools_copy_directory (directory, NULL, -1, copy, NULL, &error);
  g_assert_no_error (error);
  fixture->archive = home_get_path (fixture->home, "tools.tgz");
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_free (fixture->archive);
  g_ptr_array_unref (fixture->members);
  home_free (fixture->home);
}

/* It must fail. (transfer full): why */
static GError *
fail_to_pack (Fixture      *fixture,
              GCancellable *cancellable)
{
  g_autofree char *copy = home_get_path (fixture->home, "copy");
  g_autofree char *sha256 = NULL;
  GError *error = NULL;
  gint64 size;

  g_assert_false (welkin_tools_pack (copy, fixture->members, fixture->archive, &sha256, &size,
                                     cancellable, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, fixture->archive));
  return error;
}

static void
test_a_file_that_is_gone_is_told_of (Fixture      *fixture,
                                     gconstpointer data)
{
  g_autofree char *path = home_get_path (fixture->home, "copy/settings");
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (g_unlink (path), ==, 0);
  error = fail_to_pack (fixture, NULL);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
}

/* As on a disk that is full. */
static void
test_an_archive_that_does_not_fit_is_told_of (Fixture      *fixture,
                                              gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  struct rlimit before;
  struct rlimit little;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  little = before;
  little.rlim_cur = 100000;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &little), ==, 0);
  error = fail_to_pack (fixture, NULL);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
}

static void
test_one_that_is_there_already_stays (Fixture      *fixture,
                                      gconstpointer data)
{
  g_autofree char *found = NULL;
  g_autoptr(GError) error = NULL;

  home_write (fixture->home, "tools.tgz", "somebody's");
  error = fail_to_pack (fixture, NULL);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST);
  found = home_read (fixture->home, "tools.tgz");
  g_assert_cmpstr (found, ==, "somebody's");
}

static void
test_packing_can_be_cancelled (Fixture      *fixture,
                               gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  error = fail_to_pack (fixture, cancellable);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
add_test (const char *path,
          void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/tools/pack/a-file-that-is-gone-is-told-of", test_a_file_that_is_gone_is_told_of);
  add_test ("/tools/pack/an-archive-that-does-not-fit-is-told-of",
            test_an_archive_that_does_not_fit_is_told_of);
  add_test ("/tools/pack/one-that-is-there-already-stays", test_one_that_is_there_already_stays);
  add_test ("/tools/pack/can-be-cancelled", test_packing_can_be_cancelled);

  return g_test_run ();
}
