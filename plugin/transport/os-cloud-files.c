/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-cloud-files.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/yaml.h"
#include "values/welkin-error.h"

#define PROGRAM "openstack"
#define MAX_BYTES (16 * 1024 * 1024)

/* Reading one */

static void
note (OsCloudFiles *self,
      char         *text)
{
  g_ptr_array_add (self->notices, text);
}

/* Whoever owns the file decides where our passwords go. */
static gboolean
check_file (const struct stat *status,
            const char        *path,
            GError           **error)
{
  if (!S_ISREG (status->st_mode))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("%s is not a file"), path);
      return FALSE;
    }
  if (status->st_uid != 0 && status->st_uid != geteuid ())
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("%s belongs to another user, so it is not trusted"), path);
      return FALSE;
    }
  if (status->st_size > MAX_BYTES)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("%s is too large"), path);
      return FALSE;
    }
  return TRUE;
}

/* Not more than the limit, though the file may grow meanwhile. */
static char *
read_all (int      fd,
          gsize   *length,
          GError **error)
{
  g_autoptr(GString) text = g_string_new (NULL);
  char buffer[16 * 1024];

  while (text->len <= MAX_BYTES)
    {
      gssize n_read = read (fd, buffer, sizeof buffer);

      if (n_read < 0 && errno == EINTR)
        continue;
      if (n_read < 0)
        {
          g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                               g_strerror (errno));
          return NULL;
        }
      if (n_read == 0)
        break;
      g_string_append_len (text, buffer, n_read);
    }
  *length = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
read_hexadecimal (const char *text,
                  guint      *number)
{
  *number = 0;
  for (guint i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return FALSE;
      *number = *number * 16 + g_ascii_xdigit_value (text[i]);
    }
  return TRUE;
}

/* JSON is YAML but for one thing: what lies beyond 16 bits it writes as two escapes. text is
 * terminated by zero. */
static char *
join_surrogates (const char *text,
                 gsize      *length)
{
  GString *joined = g_string_sized_new (*length);
  guint high;
  guint low;

  for (gsize i = 0; i < *length;)
    {
      const char *place = text + i;
      gboolean is_pair = g_str_has_prefix (place, "\\u") && read_hexadecimal (place + 2, &high)
                         && g_str_has_prefix (place + 6, "\\u")
                         && read_hexadecimal (place + 8, &low)
                         && high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
      gsize n_taken = is_pair ? 12 : *place == '\\' && i + 1 < *length ? 2 : 1;

      if (is_pair)
        g_string_append_unichar (joined, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
      else
        g_string_append_len (joined, place, n_taken);
      i += n_taken;
    }
  *length = joined->len;
  return g_string_free (joined, FALSE);
}

static WelkinValue *
parse (const char *path,
       char       *text,
       gsize       length,
       GError    **error)
{
  g_autofree char *owned = text;
  g_autofree char *joined = NULL;

  if (!g_str_has_suffix (path, ".json"))
    return wk_yaml_parse (text, length, path, error);
  joined = join_surrogates (text, &length);
  return wk_yaml_parse (joined, length, path, error);
}

static gboolean
is_secret_key (const char *key)
{
  return g_str_has_suffix (key, "password") || g_str_has_suffix (key, "secret")
         || g_str_has_suffix (key, "token");
}

static gboolean
holds_secret (WelkinValue *value)
{
  for (guint i = 0; i < welkin_value_get_length (value); i++)
    {
      WelkinValue *item = welkin_value_get_item (value, i);
      const char *text = welkin_value_get_text (item);

      if (welkin_value_get_kind (value) == WELKIN_VALUE_MAP && text != NULL && *text != '\0'
          && is_secret_key (welkin_value_get_key (value, i)))
        return TRUE;
      if (holds_secret (item))
        return TRUE;
    }
  return FALSE;
}

/* NULL without an error when there is no such file. */
static WelkinValue *
read_file (OsCloudFiles *self,
           const char   *path,
           GError      **error)
{
  /* A pipe of that name must not make us wait. */
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
  g_autoptr(WelkinValue) document = NULL;
  struct stat status;
  char *text = NULL;
  gsize length;

  if (fd == -1)
    {
      if (errno != ENOENT && errno != ENOTDIR)
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("cannot read %s: %s"),
                     path, g_strerror (errno));
      return NULL;
    }
  if (fstat (fd, &status) == 0 && check_file (&status, path, error))
    {
      text = read_all (fd, &length, error);
      if (text == NULL)
        g_prefix_error (error, _("cannot read %s: "), path);
    }
  close (fd);
  if (text == NULL)
    return NULL;
  document = parse (path, text, length, error);
  if (document != NULL && (status.st_mode & (S_IRGRP | S_IROTH)) != 0 && holds_secret (document))
    note (self,
          g_strdup_printf (_("%s holds secrets, and others may read it: chmod go= it"), path));
  return g_steal_pointer (&document);
}

/* Finding them */

static char **
list_candidates (OsCloudFiles       *self,
                 WelkinSurroundings *surroundings,
                 const char         *variable,
                 const char         *stem)
{
  static const char *const endings[] = { ".yaml", ".yml", ".json" };
  g_auto(GStrv) directories = welkin_surroundings_list_config_directories (surroundings, PROGRAM);
  const char *named = variable != NULL ? welkin_surroundings_get_variable (surroundings, variable)
                                       : NULL;
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *path = NULL;

  if (named != NULL)
    path = welkin_surroundings_resolve_path (surroundings, named, NULL, NULL);
  if (path != NULL)
    g_strv_builder_add (builder, path);
  if (named != NULL && (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS)))
    note (self, g_strdup_printf (_("%s: there is no %s"), variable, named));
  for (guint i = 0; i == 0 || directories[i - 1] != NULL; i++)
    {
      const char *directory = i == 0 ? welkin_surroundings_get_working_directory (surroundings)
                                     : directories[i - 1];

      for (guint j = 0; j < G_N_ELEMENTS (endings); j++)
        {
          g_autofree char *name = g_strconcat (stem, endings[j], NULL);
          g_autofree char *candidate = g_build_filename (directory, name, NULL);

          g_strv_builder_add (builder, candidate);
        }
    }
  return g_strv_builder_end (builder);
}

/* The map of entries in the document; an empty document has none. */
static WelkinValue *
find_entries (WelkinValue *document,
              const char  *path,
              const char  *key,
              GError     **error)
{
  WelkinValue *entries = welkin_value_lookup (document, key);
  WelkinValue *wrong = NULL;

  if (welkin_value_get_kind (document) != WELKIN_VALUE_MAP
      && welkin_value_get_kind (document) != WELKIN_VALUE_UNSET)
    wrong = document;
  else if (entries == NULL || welkin_value_get_kind (entries) == WELKIN_VALUE_UNSET)
    return welkin_value_new_map (NULL, NULL, 0, path);
  else if (welkin_value_get_kind (entries) != WELKIN_VALUE_MAP)
    wrong = entries;
  if (wrong == NULL)
    return welkin_value_ref (entries);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("%s: expected a map that has the key \"%s\", with names of clouds below it"),
               welkin_value_get_origin (wrong), key);
  return NULL;
}

static void
load (OsCloudFiles       *self,
      OsCloudFile        *file,
      WelkinSurroundings *surroundings,
      const char         *variable,
      const char         *stem,
      const char         *key)
{
  g_auto(GStrv) candidates = list_candidates (self, surroundings, variable, stem);

  for (guint i = 0; candidates[i] != NULL && file->entries == NULL; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinValue) document = read_file (self, candidates[i], &error);

      if (document != NULL)
        file->entries = find_entries (document, candidates[i], key, &error);
      if (file->entries != NULL)
        {
          file->path = g_strdup (candidates[i]);
          file->directory = g_path_get_dirname (candidates[i]);
        }
      if (error == NULL)
        continue;
      note (self, g_strdup (error->message));
      if (file == &self->clouds && self->failure == NULL)
        self->failure = g_steal_pointer (&error);
    }
  if (file->entries == NULL)
    file->entries = welkin_value_new_map (NULL, NULL, 0, NULL);
}

static char *
describe_places (WelkinSurroundings *surroundings)
{
  g_auto(GStrv) directories = welkin_surroundings_list_config_directories (surroundings, PROGRAM);
  g_autofree char *others = g_strjoinv (", ", directories);
  const char *here = welkin_surroundings_get_working_directory (surroundings);

  return *others != '\0' ? g_strconcat (here, ", ", others, NULL) : g_strdup (here);
}

OsCloudFiles *
os_cloud_files_load (WelkinSurroundings *surroundings,
                     GPtrArray          *notices)
{
  OsCloudFiles *self = g_new0 (OsCloudFiles, 1);

  self->notices = g_ptr_array_ref (notices);
  self->places = describe_places (surroundings);
  load (self, &self->clouds, surroundings, "OS_CLIENT_CONFIG_FILE", "clouds", "clouds");
  load (self, &self->secure, surroundings, "OS_CLIENT_SECURE_FILE", "secure", "clouds");
  load (self, &self->profiles, surroundings, NULL, "clouds-public", "public-clouds");
  /* What is left of a cloud whose entry cannot be read would only mislead. */
  if (self->clouds.path == NULL && self->failure != NULL)
    {
      welkin_value_unref (self->secure.entries);
      self->secure.entries = welkin_value_new_map (NULL, NULL, 0, NULL);
    }
  return self;
}

static void
file_clear (OsCloudFile *file)
{
  g_free (file->path);
  g_free (file->directory);
  welkin_value_unref (file->entries);
}

void
os_cloud_files_free (OsCloudFiles *self)
{
  file_clear (&self->clouds);
  file_clear (&self->secure);
  file_clear (&self->profiles);
  g_ptr_array_unref (self->notices);
  g_clear_error (&self->failure);
  g_free (self->places);
  g_free (self);
}

gboolean
os_cloud_files_have (OsCloudFiles *self,
                     const char   *name)
{
  return welkin_value_lookup (self->clouds.entries, name) != NULL
         || welkin_value_lookup (self->secure.entries, name) != NULL;
}

char **
os_cloud_files_list (OsCloudFiles *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < welkin_value_get_length (self->clouds.entries); i++)
    g_strv_builder_add (builder, welkin_value_get_key (self->clouds.entries, i));
  for (guint i = 0; i < welkin_value_get_length (self->secure.entries); i++)
    {
      const char *name = welkin_value_get_key (self->secure.entries, i);

      if (welkin_value_lookup (self->clouds.entries, name) == NULL)
        g_strv_builder_add (builder, name);
    }
  return g_strv_builder_end (builder);
}
