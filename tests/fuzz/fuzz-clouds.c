/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz-driver.h"
#include "transport/os-cloud-entry.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"

/* The input is a clouds.yaml; behind these lines, a secure.yaml and a clouds-public.yaml. */
#define SECURE "\n#secure\n"
#define PUBLIC "\n#public\n"

static const char *const files[] = { "clouds.yaml", "secure.yaml", "clouds-public.yaml" };

static char *directory;

/* In memory where that can be had: a disk would be most of the time. */
static char *
make_directory (void)
{
  g_autofree char *path = g_strdup ("/dev/shm/welkin-fuzz-XXXXXX");

  if (g_mkdtemp (path) != NULL)
    return g_steal_pointer (&path);
  return g_dir_make_tmp ("welkin-fuzz-XXXXXX", NULL);
}

static char *
get_path (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

static void
remove_directory (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_path (files[i]);

      g_unlink (path);
    }
  g_rmdir (directory);
  g_free (directory);
}

static void
drop_cb (const char     *domain,
         GLogLevelFlags  level,
         const char     *message,
         gpointer        user_data)
{
}

static void
write_file (const char   *name,
            const guint8 *data,
            gsize         size)
{
  g_autofree char *path = get_path (name);
  FILE *file = g_fopen (path, "we");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (data, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Each file has what is before the line that begins the next one. */
static void
write_files (const guint8 *data,
             gsize         size)
{
  static const char *const ends[] = { SECURE, PUBLIC, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      const guint8 *end = ends[i] != NULL ? memmem (data, size, ends[i], strlen (ends[i])) : NULL;
      gsize length = end != NULL ? (gsize) (end - data) : size;

      write_file (files[i], data, length);
      data += end != NULL ? length + strlen (ends[i]) : length;
      size -= end != NULL ? length + strlen (ends[i]) : length;
    }
}

/* What is made of one cloud holds what the next layer expects of it. */
static void
check_cloud (const char         *name,
             WelkinSurroundings *surroundings)
{
  static const char *const paths[] = { "ca-certificates", "client-cert", "client-key" };
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) named = welkin_config_with_text (config, "cloud", name, "--cloud");
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) effective = os_clouds_fill (named, surroundings, &error);
  g_autoptr(OsCredentials) credentials = NULL;
  g_autofree char *who = NULL;

  g_assert_true ((effective == NULL) == (error != NULL));
  if (effective == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      const char *path = welkin_config_get_string (effective, paths[i]);

      g_assert_true (*path == '\0' || g_path_is_absolute (path)
                     || g_str_has_prefix (path, "-----BEGIN"));
    }
  credentials = os_credentials_new (effective, NULL);
  if (credentials != NULL)
    who = os_credentials_describe (credentials);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static const char *const variables[] = { "HOME=/nowhere", NULL };
  g_autoptr(WelkinSurroundings) surroundings = NULL;
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(OsCloudFiles) loaded = NULL;
  g_auto(GStrv) names = NULL;

  if (directory == NULL)
    {
      directory = make_directory ();
      atexit (remove_directory);
      g_log_set_default_handler (drop_cb, NULL);
    }
  write_files (data, size);
  surroundings = welkin_surroundings_new (variables, directory);
  loaded = os_cloud_files_load (surroundings, notices);
  names = os_cloud_files_list (loaded);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto(GStrv) regions = os_cloud_entry_list_regions (loaded, names[i], surroundings, NULL);

      if (*names[i] != '\0')
        check_cloud (names[i], surroundings);
    }
  return 0;
}
