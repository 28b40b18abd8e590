/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cloud-files-fixture.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "values/welkin-error.h"

void
cloud_files_fixture_set_up (CloudFilesFixture *fixture,
                            gconstpointer      data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *home = NULL;
  g_autofree char *system = NULL;
  g_autofree char *work = NULL;

  fixture->directory = g_dir_make_tmp ("welkin-clouds-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  home = cloud_files_fixture_path (fixture, "home");
  system = cloud_files_fixture_path (fixture, "system");
  work = cloud_files_fixture_path (fixture, "here");
  g_assert_cmpint (g_mkdir (work, 0700), ==, 0);
  cloud_files_fixture_set (fixture, "HOME", home);
  cloud_files_fixture_set (fixture, "XDG_CONFIG_DIRS", system);
}

static void
remove_tree (const char *path)
{
  g_autoptr(GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

void
cloud_files_fixture_tear_down (CloudFilesFixture *fixture,
                               gconstpointer      data)
{
  remove_tree (fixture->directory);
  g_free (fixture->directory);
  g_hash_table_unref (fixture->variables);
}

void
cloud_files_fixture_set (CloudFilesFixture *fixture,
                         const char        *variable,
                         const char        *value)
{
  g_hash_table_replace (fixture->variables, g_strdup (variable), g_strdup (value));
}

char *
cloud_files_fixture_path (CloudFilesFixture *fixture,
                          const char        *name)
{
  return g_build_filename (fixture->directory, name, NULL);
}

void
cloud_files_fixture_write (CloudFilesFixture *fixture,
                           const char        *name,
                           const char        *text)
{
  g_autofree char *path = cloud_files_fixture_path (fixture, name);
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  /* Not written to the disk at once, so that many may be written. */
  g_unlink (path);
  g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

WelkinSurroundings *
cloud_files_fixture_make_surroundings (CloudFilesFixture *fixture)
{
  g_autofree char *work = cloud_files_fixture_path (fixture, "here");
  g_auto(GStrv) variables = g_new0 (char *, 1);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  g_hash_table_iter_init (&iter, fixture->variables);
  while (g_hash_table_iter_next (&iter, &name, &value))
    variables = g_environ_setenv (variables, name, value, TRUE);
  return welkin_surroundings_new ((const char *const *) variables, work);
}

static WelkinConfig *
make_config (va_list attributes)
{
  WelkinConfig *config = welkin_config_new ();
  const char *key;

  while ((key = va_arg (attributes, const char *)) != NULL)
    {
      g_autoptr(WelkinConfig) former = config;

      config = welkin_config_with_text (former, key, va_arg (attributes, const char *), "file:7");
    }
  return config;
}

WelkinConfig *
cloud_files_fixture_fill (CloudFilesFixture *fixture,
                          ...)
{
  g_autoptr(WelkinSurroundings) surroundings = cloud_files_fixture_make_surroundings (fixture);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;
  WelkinConfig *effective;
  va_list attributes;

  va_start (attributes, fixture);
  config = make_config (attributes);
  va_end (attributes);
  effective = os_clouds_fill (config, surroundings, &error);
  g_assert_no_error (error);
  return effective;
}

/* The text with the directory of the test in place of "@/". */
static char *
expand (CloudFilesFixture *fixture,
        const char        *text)
{
  g_autofree char *directory = g_strconcat (fixture->directory, "/", NULL);
  GString *expanded = g_string_new (text);

  g_string_replace (expanded, "@/", directory, 0);
  return g_string_free (expanded, FALSE);
}

void
cloud_files_fixture_assert_origin (WelkinConfig *effective,
                                   const char   *attribute,
                                   const char   *expected,
                                   const char   *origin)
{
  g_assert_cmpstr (welkin_config_get_string (effective, attribute), ==, expected);
  g_assert_cmpstr (welkin_value_get_origin (welkin_config_lookup (effective, attribute)), ==,
                   origin);
}

void
cloud_files_fixture_assert (CloudFilesFixture *fixture,
                            WelkinConfig      *effective,
                            const char        *attribute,
                            const char        *expected,
                            const char        *file,
                            guint              line)
{
  g_autofree char *text = expand (fixture, expected);
  g_autofree char *origin = NULL;

  if (file == NULL)
    {
      g_assert_cmpstr (welkin_config_get_string (effective, attribute), ==, text);
      return;
    }
  origin = g_strdup_printf ("%s/%s:%u", fixture->directory, file, line);
  cloud_files_fixture_assert_origin (effective, attribute, text, origin);
}

void
cloud_files_fixture_assert_refused (CloudFilesFixture *fixture,
                                    const char        *message,
                                    ...)
{
  g_autoptr(WelkinSurroundings) surroundings = cloud_files_fixture_make_surroundings (fixture);
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(OsCredentials) credentials = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *expected = expand (fixture, message);
  va_list attributes;

  va_start (attributes, message);
  config = make_config (attributes);
  va_end (attributes);
  effective = os_clouds_fill (config, surroundings, &error);
  if (effective != NULL)
    credentials = os_credentials_new (effective, &error);
  g_assert_null (credentials);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_null (strstr (error->message, CANARY));
}

void
cloud_files_fixture_assert_notices (CloudFilesFixture *fixture,
                                    ...)
{
  g_autoptr(WelkinSurroundings) surroundings = cloud_files_fixture_make_surroundings (fixture);
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_auto(GStrv) notices = os_clouds_list_notices (config, surroundings);
  guint n_notices = 0;
  const char *text;
  va_list texts;

  va_start (texts, fixture);
  while ((text = va_arg (texts, const char *)) != NULL)
    {
      g_autofree char *expected = expand (fixture, text);

      g_assert_cmpstr (notices[n_notices], ==, expected);
      n_notices++;
    }
  va_end (texts);
  g_assert_cmpstr (notices[n_notices], ==, NULL);
  for (guint i = 0; notices[i] != NULL; i++)
    g_assert_null (strstr (notices[i], CANARY));
}
