/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "values/welkin-surroundings.h"

/* A home directory of a test's own, with surroundings that lead there. */
typedef struct
{
  char               *path;
  WelkinSurroundings *surroundings;
} Home;

/* variable: one more "NAME=value", or NULL */
static inline Home *
home_new (const char *variable)
{
  Home *home = g_new0 (Home, 1);
  g_autofree char *home_variable = NULL;
  /* An agent that is installed on this machine plays no part. */
  const char *variables[] = { NULL, "WELKIN_PUBLIC_IMAGES=none", "WELKIN_AGENT_DIR=/nonexistent",
                              variable, NULL };

  home->path = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_assert_nonnull (home->path);
  home_variable = g_strconcat ("HOME=", home->path, NULL);
  variables[0] = home_variable;
  home->surroundings = welkin_surroundings_new (variables, "/");
  return home;
}

static inline int
home_remove_cb (const char        *path,
                const struct stat *status,
                int                kind,
                struct FTW        *walk)
{
  return remove (path) == 0 || errno == ENOENT ? 0 : -1;
}

static inline void
home_free (Home *home)
{
  /* What a child that was just killed has started may still write there. */
  for (guint i = 0; i < 250 && g_file_test (home->path, G_FILE_TEST_EXISTS); i++)
    {
      if (nftw (home->path, home_remove_cb, 16, FTW_DEPTH | FTW_PHYS) != 0)
        g_usleep (20000);
    }
  g_assert_false (g_file_test (home->path, G_FILE_TEST_EXISTS));
  welkin_surroundings_unref (home->surroundings);
  g_free (home->path);
  g_free (home);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Home, home_free)

/* (transfer full) */
static inline char *
home_get_path (Home       *home,
               const char *name)
{
  return g_build_filename (home->path, name, NULL);
}

/* Writes a file, for its user alone, and the directories that it is in. */
static inline void
home_write (Home       *home,
            const char *name,
            const char *text)
{
  g_autofree char *path = home_get_path (home, name);
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error);
  g_assert_no_error (error);
}

/* (transfer full): NULL when there is no such file */
static inline char *
home_read (Home       *home,
           const char *name)
{
  g_autofree char *path = home_get_path (home, name);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

static inline guint
home_get_mode (Home       *home,
               const char *name)
{
  g_autofree char *path = home_get_path (home, name);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_mode & 07777;
}
