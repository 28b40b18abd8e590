/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environments-file.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/yaml.h"
#include "values/welkin-error.h"

#define FILE_NAME "environments.yaml"
#define CURRENT_NAME "current-environment"
#define WRITE_FLAGS (G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE)

struct _WelkinEnvironmentsFile
{
  char        *path;
  WelkinValue *map;          /* (owned) all of the file; may be unset */
  WelkinValue *environments; /* (unowned) (nullable) */
  const char  *default_name; /* (unowned) (nullable) */
};

void
welkin_environments_file_free (WelkinEnvironmentsFile *self)
{
  g_free (self->path);
  g_clear_pointer (&self->map, welkin_value_unref);
  g_free (self);
}

static gboolean
set_value_error (WelkinValue *value,
                 const char  *message,
                 GError     **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, "%s: %s",
               welkin_value_get_origin (value), message);
  return FALSE;
}

static char *
build_path (WelkinSurroundings *surroundings,
            const char         *name,
            GError            **error)
{
  g_autofree char *directory = NULL;

  directory = welkin_surroundings_get_config_directory (surroundings, error);
  return directory != NULL ? g_build_filename (directory, name, NULL) : NULL;
}

char *
welkin_environments_file_build_path (WelkinSurroundings *surroundings,
                                     GError            **error)
{
  return build_path (surroundings, FILE_NAME, error);
}

static gboolean
check_kind (WelkinValue    *value,
            WelkinValueKind kind,
            const char     *message,
            GError        **error)
{
  if (value == NULL || welkin_value_get_kind (value) == kind ||
      welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return TRUE;
  return set_value_error (value, message, error);
}

static gboolean
check_file (WelkinEnvironmentsFile *self,
            GError                **error)
{
  WelkinValue *environments = welkin_value_lookup (self->map, "environments");
  WelkinValue *default_name = welkin_value_lookup (self->map, "default");
  g_autofree char *quoted = NULL;
  g_autofree char *message = NULL;

  if (!check_kind (self->map, WELKIN_VALUE_MAP, _("cannot parse: expected a mapping"), error) ||
      !check_kind (environments, WELKIN_VALUE_MAP,
                   _("environments: expected a mapping of names to attributes"), error) ||
      !check_kind (default_name, WELKIN_VALUE_TEXT,
                   _("default: expected the name of an environment"), error))
    return FALSE;

  self->environments = environments;
  self->default_name = default_name != NULL ? welkin_value_get_text (default_name) : NULL;
  if (self->default_name != NULL && *self->default_name == '\0')
    self->default_name = NULL;
  if (self->default_name == NULL || welkin_environments_file_has (self, self->default_name))
    return TRUE;

  quoted = wk_quote (self->default_name);
  message = g_strdup_printf (_("default environment %s does not exist"), quoted);
  return set_value_error (default_name, message, error);
}

WelkinEnvironmentsFile *
welkin_environments_file_parse (const char *text,
                                gsize       length,
                                const char *path,
                                GError    **error)
{
  g_autoptr(WelkinEnvironmentsFile) self = g_new0 (WelkinEnvironmentsFile, 1);

  self->path = g_strdup (path);
  self->map = wk_yaml_parse (text, (gssize) length, path, error);
  if (self->map == NULL || !check_file (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

static gboolean
read_contents (const char *path,
               char      **contents,
               gsize      *length,
               GError    **error)
{
  g_autoptr(GError) local_error = NULL;

  if (g_file_get_contents (path, contents, length, &local_error))
    return TRUE;
  if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ENVIRONS_FILE,
                 _("there is no file \"%s\": make one with \"welkin init\""), path);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static void
check_permissions (const char *path,
                   GPtrArray  *warnings)
{
  GStatBuf status;

  if (g_stat (path, &status) == 0 && (status.st_mode & 077) != 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf (_("%s: its permissions (%04o) let others read or change it, "
                                        "and it may hold secrets: run \"chmod 600\" on it"),
                                      path, (guint) status.st_mode & 07777));
}

/* Other keys are ignored, but may be slips of the pen. */
static void
warn_of_keys (WelkinEnvironmentsFile *self,
              GPtrArray              *warnings)
{
  const char *const known[] = { "default", "environments", NULL };
  gboolean is_map = welkin_value_get_kind (self->map) == WELKIN_VALUE_MAP;
  guint n_keys = is_map ? welkin_value_get_length (self->map) : 0;

  for (guint i = 0; i < n_keys; i++)
    {
      const char *key = welkin_value_get_key (self->map, i);
      const char *origin = welkin_value_get_origin (welkin_value_lookup (self->map, key));
      g_autofree char *quoted = wk_quote (key);

      if (!g_strv_contains (known, key))
        g_ptr_array_add (warnings, g_strdup_printf (_("%s: unknown key %s"), origin, quoted));
    }
}

WelkinEnvironmentsFile *
welkin_environments_file_load (WelkinSurroundings *surroundings,
                               GPtrArray          *warnings,
                               GError            **error)
{
  g_autofree char *path = welkin_environments_file_build_path (surroundings, error);
  g_autofree char *contents = NULL;
  WelkinEnvironmentsFile *self = NULL;
  gsize length = 0;

  if (path == NULL || !read_contents (path, &contents, &length, error))
    return NULL;
  check_permissions (path, warnings);
  self = welkin_environments_file_parse (contents, length, path, error);
  if (self != NULL)
    warn_of_keys (self, warnings);
  return self;
}

const char *
welkin_environments_file_get_path (WelkinEnvironmentsFile *self)
{
  return self->path;
}

static guint
count_environments (WelkinEnvironmentsFile *self)
{
  return self->environments != NULL ? welkin_value_get_length (self->environments) : 0;
}

static int
compare_strings (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
welkin_environments_file_list_names (WelkinEnvironmentsFile *self)
{
  guint n_names = count_environments (self);
  char **names = g_new0 (char *, n_names + 1);

  for (guint i = 0; i < n_names; i++)
    names[i] = g_strdup (welkin_value_get_key (self->environments, i));
  qsort (names, n_names, sizeof *names, compare_strings);
  return names;
}

gboolean
welkin_environments_file_has (WelkinEnvironmentsFile *self,
                              const char             *name)
{
  return self->environments != NULL && welkin_value_lookup (self->environments, name) != NULL;
}

char *
welkin_environments_file_get_default (WelkinEnvironmentsFile *self)
{
  if (self->default_name != NULL)
    return g_strdup (self->default_name);
  if (count_environments (self) == 1)
    return g_strdup (welkin_value_get_key (self->environments, 0));
  return NULL;
}

static gboolean
set_entry_error (WelkinValue *value,
                 const char  *format,
                 const char  *name,
                 GError     **error)
{
  g_autofree char *quoted = wk_quote (name);
  g_autofree char *message = g_strdup_printf (format, quoted);

  return set_value_error (value, message, error);
}

WelkinConfig *
welkin_environments_file_get_attributes (WelkinEnvironmentsFile *self,
                                         const char             *name,
                                         GError                **error)
{
  WelkinValue *entry = NULL;
  WelkinValue *type = NULL;
  const char *type_text = NULL;
  g_autoptr(WelkinConfig) attributes = NULL;

  if (!welkin_environments_file_has (self, name))
    {
      g_autofree char *quoted = wk_quote (name);

      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("environment %s not found in file \"%s\""), quoted, self->path);
      return NULL;
    }

  entry = welkin_value_lookup (self->environments, name);
  if (welkin_value_get_kind (entry) != WELKIN_VALUE_MAP &&
      welkin_value_get_kind (entry) != WELKIN_VALUE_UNSET)
    {
      set_entry_error (entry,
                       _("environment %s: expected a mapping of attributes: they have to be "
                         "indented deeper than its name"), name, error);
      return NULL;
    }
  if (welkin_value_get_kind (entry) == WELKIN_VALUE_UNSET)
    {
      set_entry_error (entry,
                       _("environment %s has no type: its attributes have to be indented deeper "
                         "than its name"), name, error);
      return NULL;
    }
  type = welkin_value_lookup (entry, "type");
  type_text = type != NULL ? welkin_value_get_text (type) : NULL;
  if (type_text == NULL || *type_text == '\0')
    {
      set_entry_error (type != NULL ? type : entry, _("environment %s has no type"), name, error);
      return NULL;
    }

  attributes = welkin_config_new_from_value (entry);
  return welkin_config_with_text (attributes, "name", name, welkin_value_get_origin (entry));
}

static gboolean
ensure_directory (const char *path,
                  GPtrArray  *warnings,
                  GError    **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  GStatBuf status;

  if (g_stat (directory, &status) == 0)
    {
      if (warnings != NULL && (status.st_mode & 07777) != 0700)
        g_ptr_array_add (warnings,
                         g_strdup_printf (_("directory \"%s\" has permissions %04o: 0700 keeps its "
                                            "files to yourself"),
                                          directory, (guint) status.st_mode & 07777));
      return TRUE;
    }
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      int code = errno;

      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code),
                   _("cannot make directory \"%s\": %s"), directory, g_strerror (code));
      return FALSE;
    }
  return TRUE;
}

/* A file that cannot be read may hold what somebody needs: it is not for us to
 * replace. */
static gboolean
check_replaceable (const char *path,
                   gboolean    replace,
                   GError    **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = NULL;
  g_autofree char *contents = NULL;
  gsize length = 0;

  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  if (!replace)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("file \"%s\" already exists"), path);
      return FALSE;
    }
  if (!g_file_get_contents (path, &contents, &length, error))
    return FALSE;
  file = welkin_environments_file_parse (contents, length, path, error);
  return file != NULL;
}

/* The file to write when the path is a link, which stays one: only a file
 * beside it. */
static char *
follow_link (const char *path,
             GError    **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *real_directory = realpath (directory, NULL);
  g_autofree char *target = NULL;
  g_autofree char *target_directory = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return g_strdup (path);

  target = realpath (path, NULL);
  target_directory = target != NULL ? g_path_get_dirname (target) : NULL;
  if (target != NULL && g_strcmp0 (target_directory, real_directory) == 0)
    return g_steal_pointer (&target);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("file \"%s\" is a link that leads out of its directory: change the file that it "
                 "leads to yourself"), path);
  return NULL;
}

char *
welkin_environments_file_write (WelkinSurroundings *surroundings,
                                const char         *text,
                                gboolean            replace,
                                GPtrArray          *warnings,
                                GError            **error)
{
  g_autofree char *path = welkin_environments_file_build_path (surroundings, error);
  g_autofree char *target = NULL;

  if (path == NULL || !ensure_directory (path, warnings, error) ||
      !check_replaceable (path, replace, error))
    return NULL;
  target = follow_link (path, error);
  if (target == NULL ||
      !g_file_set_contents_full (target, text, -1, WRITE_FLAGS, 0600, error))
    return NULL;
  return g_steal_pointer (&path);
}

char *
welkin_environments_file_read_current (WelkinSurroundings *surroundings)
{
  g_autofree char *path = build_path (surroundings, CURRENT_NAME, NULL);
  g_autofree char *contents = NULL;

  if (path == NULL || !g_file_get_contents (path, &contents, NULL, NULL))
    return NULL;
  g_strstrip (contents);
  return *contents != '\0' ? g_steal_pointer (&contents) : NULL;
}

gboolean
welkin_environments_file_write_current (WelkinSurroundings *surroundings,
                                        const char         *name,
                                        GError            **error)
{
  g_autofree char *path = build_path (surroundings, CURRENT_NAME, error);
  g_autofree char *line = g_strconcat (name, "\n", NULL);

  if (path == NULL || !ensure_directory (path, NULL, error))
    return FALSE;
  return g_file_set_contents_full (path, line, -1, WRITE_FLAGS, 0644, error);
}
