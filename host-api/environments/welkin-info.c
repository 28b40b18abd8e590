/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/welkin-info.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/yaml.h"
#include "environments/environment-config.h"
#include "environments/info-edit.h"
#include "environments/info-lock.h"
#include "values/welkin-error.h"

/* The version of the file. */
#define FORMAT 1
/* The lock of an edit is held for the milliseconds that one edit takes, and the
 * wait for it is in the way of the main loop: who holds it longer is stopped, or
 * the disk is stuck, and waiting would not help. */
#define LOCK_MILLISECONDS 50

/**
 * WelkinInfo:
 *
 * What is remembered of one environment between two runs.
 *
 * It lives in DATA_DIR/environments/NAME.yaml, readable by its user alone.
 * Several processes may edit the same file: an edit names what is to change,
 * and changes that in what the file holds at that moment. Keys that this
 * version does not know are kept.
 *
 * Since: 0.1
 */
struct _WelkinInfo
{
  GObject       parent_instance;

  char         *name;
  char         *path;
  char         *location;       /* file "PATH" */

  WelkinConfig *document;       /* (owned) all of the file, edits included */
  WelkinConfig *config;         /* (owned) (nullable) what is under bootstrap-config */
  gboolean      is_initialized;
  GPtrArray    *edits;          /* (owned) of Edit: since the last write */
};

typedef struct
{
  char        *key;
  char        *entry; /* (nullable) below the key */
  WelkinValue *value; /* (owned) (nullable): NULL removes */
} Edit;

G_DEFINE_FINAL_TYPE (WelkinInfo, welkin_info, G_TYPE_OBJECT)

static void
edit_free (Edit *edit)
{
  g_free (edit->key);
  g_free (edit->entry);
  g_clear_pointer (&edit->value, welkin_value_unref);
  g_free (edit);
}

static gboolean
set_errno_error (const char *format,
                 const char *path,
                 int         code,
                 GError    **error)
{
  g_autofree char *message = g_strdup_printf (format, path, g_strerror (code));

  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), message);
  return FALSE;
}

/* The directory of all infos, and the path of one file of this one in it. */
static char *
build_path (WelkinSurroundings *surroundings,
            const char         *name,
            const char         *suffix,
            GError            **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autofree char *directory = NULL;
  g_autofree char *file = g_strconcat (name, suffix, NULL);

  if (!welkin_environment_check_name (name, error))
    return NULL;
  if (surroundings == NULL)
    surroundings = own = welkin_surroundings_new_for_process ();
  directory = welkin_surroundings_get_data_directory (surroundings, error);
  if (directory == NULL)
    return NULL;
  return g_build_filename (directory, "environments", file, NULL);
}

static gboolean
make_parent_directory (const char *path,
                       GError    **error)
{
  g_autofree char *directory = g_path_get_dirname (path);

  if (g_mkdir_with_parents (directory, 0700) == 0)
    return TRUE;
  return set_errno_error (_("cannot make directory \"%s\": %s"), directory, errno, error);
}

static WelkinInfo *
info_new (const char *name,
          const char *path)
{
  WelkinInfo *self = g_object_new (WELKIN_TYPE_INFO, NULL);

  self->name = g_strdup (name);
  self->path = g_strdup (path);
  self->location = g_strdup_printf ("file \"%s\"", path);
  return self;
}

static void
set_document (WelkinInfo   *self,
              WelkinConfig *document)
{
  WelkinValue *config = welkin_config_lookup (document, "bootstrap-config");

  welkin_config_ref (document);
  welkin_config_unref (self->document);
  self->document = document;

  g_clear_pointer (&self->config, welkin_config_unref);
  if (config != NULL && welkin_value_get_kind (config) == WELKIN_VALUE_MAP)
    self->config = welkin_config_new_from_value (config);
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

static gboolean
check_document (WelkinValue *map,
                GError     **error)
{
  WelkinValue *format = welkin_value_lookup (map, "format");
  WelkinValue *config = welkin_value_lookup (map, "bootstrap-config");
  WelkinValue *machines = welkin_value_lookup (map, "machines");
  const char *text = format != NULL ? welkin_value_get_text (format) : NULL;

  if (welkin_value_get_kind (map) != WELKIN_VALUE_MAP)
    return set_value_error (map, _("cannot parse: expected a mapping"), error);
  if (format != NULL &&
      (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, FORMAT, NULL, NULL)))
    return set_value_error (format, _("the format of the file is not known: a newer version "
                                      "wrote it, or it is damaged"), error);
  if (config != NULL && welkin_value_get_kind (config) != WELKIN_VALUE_MAP)
    return set_value_error (config, _("bootstrap-config: expected map"), error);
  /* Machines that are passed over would be taken for left behind. */
  if (machines != NULL && welkin_value_get_kind (machines) != WELKIN_VALUE_MAP)
    return set_value_error (machines, _("machines: expected map"), error);
  return TRUE;
}

/* Reads the file into *document: NULL when nothing was written into it yet. */
static gboolean
read_document (WelkinInfo    *self,
               WelkinConfig **document,
               GError       **error)
{
  g_autofree char *contents = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(GError) local_error = NULL;
  gsize length = 0;

  *document = NULL;
  if (!g_file_get_contents (self->path, &contents, &length, &local_error))
    {
      if (!g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_propagate_error (error, g_steal_pointer (&local_error));
      else
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                     _("environment \"%s\" is not known here: there is no %s"), self->name,
                     self->location);
      return FALSE;
    }

  map = wk_yaml_parse (contents, (gssize) length, self->path, error);
  if (map == NULL)
    return FALSE;
  if (welkin_value_get_kind (map) == WELKIN_VALUE_UNSET)
    return TRUE;
  if (!check_document (map, error))
    return FALSE;
  *document = welkin_config_new_from_value (map);
  return TRUE;
}

/**
 * welkin_info_create:
 * @surroundings: (nullable): where to look; %NULL for those of the process
 * @name: the name of an environment
 * @error: return location for an error
 *
 * Begins to remember an environment: makes its file, which is empty at first.
 *
 * That there is one already is %WELKIN_ERROR_ALREADY_EXISTS, also when another
 * process makes it at the same time.
 *
 * Returns: (transfer full): the info, not initialized, or %NULL on error
 *
 * Since: 0.1
 */
WelkinInfo *
welkin_info_create (WelkinSurroundings *surroundings,
                    const char         *name,
                    GError            **error)
{
  g_autofree char *path = NULL;
  int fd = -1;

  g_return_val_if_fail (name != NULL, NULL);

  path = build_path (surroundings, name, ".yaml", error);
  if (path == NULL || !make_parent_directory (path, error))
    return NULL;

  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno == EEXIST)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("environment \"%s\" is already known here: there is file \"%s\""), name, path);
      return NULL;
    }
  if (fd < 0)
    {
      set_errno_error (_("cannot make file \"%s\": %s"), path, errno, error);
      return NULL;
    }
  close (fd);
  return info_new (name, path);
}

/**
 * welkin_info_load:
 * @surroundings: (nullable): where to look; %NULL for those of the process
 * @name: the name of an environment
 * @error: return location for an error
 *
 * Reads what is remembered of an environment.
 *
 * That nothing is, is %WELKIN_ERROR_NOT_FOUND. An empty file is no error, but
 * an info that is not initialized: somebody began to bootstrap the environment
 * and got no further.
 *
 * Returns: (transfer full): the info, or %NULL on error
 *
 * Since: 0.1
 */
WelkinInfo *
welkin_info_load (WelkinSurroundings *surroundings,
                  const char         *name,
                  GError            **error)
{
  g_autofree char *path = NULL;
  g_autoptr(WelkinInfo) self = NULL;
  g_autoptr(WelkinConfig) document = NULL;

  g_return_val_if_fail (name != NULL, NULL);

  path = build_path (surroundings, name, ".yaml", error);
  if (path == NULL)
    return NULL;
  self = info_new (name, path);
  if (!read_document (self, &document, error))
    return NULL;

  if (document != NULL)
    {
      set_document (self, document);
      self->is_initialized = TRUE;
    }
  return g_steal_pointer (&self);
}

/**
 * welkin_info_get_name:
 * @self: an info
 *
 * Gets the name of the environment.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const char *
welkin_info_get_name (WelkinInfo *self)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), NULL);

  return self->name;
}

/**
 * welkin_info_get_location:
 * @self: an info
 *
 * Tells where the info is kept, for messages.
 *
 * Returns: (transfer none): as in `file
 *   "/home/user/.local/share/welkin/environments/a.yaml"`
 *
 * Since: 0.1
 */
const char *
welkin_info_get_location (WelkinInfo *self)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), NULL);

  return self->location;
}

/**
 * welkin_info_get_initialized:
 * @self: an info
 *
 * Tells whether anything was ever written into the info.
 *
 * Returns: whether it was
 *
 * Since: 0.1
 */
gboolean
welkin_info_get_initialized (WelkinInfo *self)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), FALSE);

  return self->is_initialized;
}

/**
 * welkin_info_get_config:
 * @self: an info
 *
 * Gets the config that the environment was bootstrapped with.
 *
 * Returns: (transfer none) (nullable): the config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_info_get_config (WelkinInfo *self)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), NULL);

  return self->config;
}

/**
 * welkin_info_lookup:
 * @self: an info
 * @key: a key, as in "constraints" or "machines"
 *
 * Gets what is remembered under a key.
 *
 * Returns: (transfer none) (nullable): the value
 *
 * Since: 0.1
 */
WelkinValue *
welkin_info_lookup (WelkinInfo *self,
                    const char *key)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return welkin_config_lookup (self->document, key);
}

static WelkinConfig *
with_value (WelkinConfig *map,
            const char   *key,
            WelkinValue  *value)
{
  if (value == NULL)
    return welkin_config_without (map, key);
  return welkin_config_with (map, key, value);
}

static WelkinConfig *
apply_edit (const Edit   *edit,
            WelkinConfig *document)
{
  WelkinValue *old_map = welkin_config_lookup (document, edit->key);
  g_autoptr(WelkinConfig) old_entries = NULL;
  g_autoptr(WelkinConfig) entries = NULL;
  g_autoptr(WelkinValue) map = NULL;

  if (edit->entry == NULL)
    return with_value (document, edit->key, edit->value);

  if (old_map != NULL && welkin_value_get_kind (old_map) == WELKIN_VALUE_MAP)
    old_entries = welkin_config_new_from_value (old_map);
  else
    old_entries = welkin_config_new ();
  entries = with_value (old_entries, edit->entry, edit->value);
  map = welkin_config_to_value (entries);
  return welkin_config_with (document, edit->key, map);
}

static void
add_edit (WelkinInfo  *self,
          const char  *key,
          const char  *entry,
          WelkinValue *value)
{
  Edit *edit = g_new0 (Edit, 1);
  g_autoptr(WelkinConfig) document = NULL;

  edit->key = g_strdup (key);
  edit->entry = g_strdup (entry);
  edit->value = value != NULL ? welkin_value_ref (value) : NULL;
  g_ptr_array_add (self->edits, edit);

  document = apply_edit (edit, self->document);
  set_document (self, document);
}

/**
 * welkin_info_set_config:
 * @self: an info
 * @config: the config of the environment
 *
 * Sets the config that the environment was bootstrapped with, to be written
 * with [method@Info.write].
 *
 * Since: 0.1
 */
void
welkin_info_set_config (WelkinInfo   *self,
                        WelkinConfig *config)
{
  g_autoptr(WelkinValue) map = NULL;

  g_return_if_fail (WELKIN_IS_INFO (self));
  g_return_if_fail (config != NULL);

  map = welkin_config_to_value (config);
  add_edit (self, "bootstrap-config", NULL, map);
}

/**
 * welkin_info_set:
 * @self: an info
 * @key: a key, as in "constraints"
 * @value: (nullable): what to remember; %NULL to forget
 *
 * Sets what is remembered under a key, to be written with [method@Info.write].
 *
 * Since: 0.1
 */
void
welkin_info_set (WelkinInfo  *self,
                 const char  *key,
                 WelkinValue *value)
{
  g_return_if_fail (WELKIN_IS_INFO (self));
  g_return_if_fail (key != NULL);

  add_edit (self, key, NULL, value);
}

/**
 * welkin_info_set_entry:
 * @self: an info
 * @key: a key, as in "machines"
 * @entry: a key below it, as in "0"
 * @value: (nullable): what to remember; %NULL to forget
 *
 * Sets one entry of a mapping, to be written with [method@Info.write].
 *
 * The other entries stay what they are in the file when it is written.
 *
 * Since: 0.1
 */
void
welkin_info_set_entry (WelkinInfo  *self,
                       const char  *key,
                       const char  *entry,
                       WelkinValue *value)
{
  g_return_if_fail (WELKIN_IS_INFO (self));
  g_return_if_fail (key != NULL && entry != NULL);

  add_edit (self, key, entry, value);
}

/* A file beside that of the info, "NAME.SUFFIX". */
static char *
build_sibling_path (WelkinInfo *self,
                    const char *suffix)
{
  g_autofree char *directory = g_path_get_dirname (self->path);
  g_autofree char *file = g_strconcat (self->name, suffix, NULL);

  return g_build_filename (directory, file, NULL);
}

static GObject *
lock_for_edit (WelkinInfo *self,
               GError    **error)
{
  g_autofree char *path = build_sibling_path (self, ".lock");
  g_autoptr(GError) local_error = NULL;
  WelkinInfoLock *lock = NULL;
  int holder = 0;

  lock = welkin_info_lock_take (path, LOCK_MILLISECONDS, &holder, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (lock == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE,
                 _("cannot change what is remembered of environment \"%s\": process %d "
                   "keeps file \"%s\" locked; try again"), self->name, holder, path);
  return lock != NULL ? G_OBJECT (lock) : NULL;
}

static gboolean
set_removed_error (WelkinInfo *self,
                   GError    **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
               _("environment info has already been removed: %s"), self->location);
  return FALSE;
}

GObject *
welkin_info_lock_files (WelkinInfo *self,
                        GError    **error)
{
  g_autoptr(GObject) lock = lock_for_edit (self, error);

  if (lock == NULL || g_file_test (self->path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&lock);
  set_removed_error (self, error);
  return NULL;
}

char *
welkin_info_build_known_hosts_path (WelkinInfo *self)
{
  g_autofree char *infos = g_path_get_dirname (self->path);
  g_autofree char *directory = g_path_get_dirname (infos);
  g_autofree char *file = g_strconcat ("known_hosts-", self->name, NULL);

  return g_build_filename (directory, "ssh", file, NULL);
}

static gboolean
write_all (int         fd,
           const char *text)
{
  gsize length = strlen (text);

  while (length > 0)
    {
      ssize_t n_written = write (fd, text, length);

      if (n_written < 0 && errno == EINTR)
        continue;
      if (n_written < 0)
        return FALSE;
      text += n_written;
      length -= (gsize) n_written;
    }
  return fsync (fd) == 0;
}

/* A rename is there after a crash only when its directory is on the disk. */
static void
sync_directory (const char *directory)
{
  int fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  if (fsync (fd) != 0)
    g_debug ("cannot sync directory %s: %s", directory, g_strerror (errno));
  close (fd);
}

/* The temporary file always has the same name, for the lock is ours: what a
 * crash leaves of it is overwritten by the next edit, and no secrets lie about. */
static gboolean
replace_file (WelkinInfo *self,
              const char *text,
              GError    **error)
{
  g_autofree char *directory = g_path_get_dirname (self->path);
  g_autofree char *path = build_sibling_path (self, ".new");
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  int code = 0;

  if (fd < 0)
    return set_errno_error (_("cannot write file \"%s\": %s"), path, errno, error);

  if (!write_all (fd, text))
    code = errno;
  if (close (fd) != 0 && code == 0)
    code = errno;
  if (code == 0 && g_rename (path, self->path) != 0)
    code = errno;
  if (code != 0)
    {
      g_unlink (path);
      return set_errno_error (_("cannot write file \"%s\": %s"), self->path, code, error);
    }
  sync_directory (directory);
  return TRUE;
}

/* What is to be in the file: what is in it now, and the edits. */
static WelkinConfig *
apply_edits (WelkinInfo   *self,
             WelkinConfig *current)
{
  g_autoptr(WelkinConfig) document = NULL;

  document = current != NULL ? welkin_config_ref (current) : welkin_config_new ();
  for (guint i = 0; i < self->edits->len; i++)
    {
      g_autoptr(WelkinConfig) previous = g_steal_pointer (&document);

      document = apply_edit (self->edits->pdata[i], previous);
    }
  return g_steal_pointer (&document);
}

/* Under the lock: what the file holds, and over it what was set. */
static WelkinConfig *
make_document (WelkinInfo    *self,
               WelkinInfoEdit edit,
               gpointer       user_data,
               GError       **error)
{
  g_autoptr(WelkinConfig) current = NULL;
  g_autoptr(WelkinConfig) document = NULL;
  g_autoptr(WelkinValue) format = welkin_value_new_text (G_STRINGIFY (FORMAT), FALSE, NULL);

  if (!read_document (self, &current, error))
    return NULL;

  document = apply_edits (self, current);
  set_document (self, document);
  if (edit != NULL && !edit (self, user_data, error))
    return NULL;
  return welkin_config_with (self->document, "format", format);
}

gboolean
welkin_info_edit (WelkinInfo    *self,
                  WelkinInfoEdit edit,
                  gpointer       user_data,
                  GError       **error)
{
  g_autoptr(GObject) lock = NULL;
  g_autoptr(WelkinConfig) document = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autofree char *text = NULL;
  guint n_edits = self->edits->len;

  lock = welkin_info_lock_files (self, error);
  if (lock == NULL)
    return FALSE;

  document = make_document (self, edit, user_data, error);
  if (document != NULL)
    {
      map = welkin_config_to_value (document);
      text = wk_yaml_print (map);
    }
  if (document == NULL || !replace_file (self, text, error))
    {
      /* The edit is asked again when it is tried again. */
      g_ptr_array_set_size (self->edits, (int) n_edits);
      return FALSE;
    }

  set_document (self, document);
  g_ptr_array_set_size (self->edits, 0);
  self->is_initialized = TRUE;
  return TRUE;
}

/**
 * welkin_info_write:
 * @self: an info
 * @error: return location for an error
 *
 * Writes what was set since the last write into the file.
 *
 * The file is read again under a lock that is held for milliseconds, changed,
 * and replaced at once: after a crash it holds either the old or the new
 * content, and what other processes wrote in between stays. That somebody has
 * removed it is %WELKIN_ERROR_NOT_FOUND; that another process does not let go
 * of the lock at once is %WELKIN_ERROR_IN_USE. Nothing that was set is lost by
 * an error: to write again is to try again.
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
welkin_info_write (WelkinInfo *self,
                   GError    **error)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), FALSE);

  return welkin_info_edit (self, NULL, NULL, error);
}

/**
 * welkin_info_destroy:
 * @self: an info
 * @error: return location for an error
 *
 * Forgets the environment: removes the file, and the host keys of its machines.
 *
 * That somebody else has removed it is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: whether it was removed
 *
 * Since: 0.1
 */
gboolean
welkin_info_destroy (WelkinInfo *self,
                     GError    **error)
{
  g_autoptr(GObject) lock = NULL;
  g_autofree char *temporary_path = NULL;
  g_autofree char *known_hosts_path = NULL;

  g_return_val_if_fail (WELKIN_IS_INFO (self), FALSE);

  lock = lock_for_edit (self, error);
  if (lock == NULL)
    return FALSE;
  /* What a crash may have left holds secrets, too. */
  temporary_path = build_sibling_path (self, ".new");
  g_unlink (temporary_path);
  known_hosts_path = welkin_info_build_known_hosts_path (self);
  if (g_unlink (known_hosts_path) != 0 && errno != ENOENT)
    return set_errno_error (_("cannot remove file \"%s\": %s"), known_hosts_path, errno, error);
  if (g_unlink (self->path) == 0)
    return TRUE;
  if (errno == ENOENT)
    return set_removed_error (self, error);
  return set_errno_error (_("cannot remove file \"%s\": %s"), self->path, errno, error);
}

/**
 * welkin_info_lock_environment:
 * @surroundings: (nullable): where to look; %NULL for those of the process
 * @name: the name of an environment
 * @error: return location for an error
 *
 * Keeps other processes from bootstrapping, destroying or provisioning an
 * environment at the same time.
 *
 * It does not wait: when another process has the lock, the error is
 * %WELKIN_ERROR_IN_USE and names it. The lock is released with the last
 * reference, and by the end of the process.
 *
 * Returns: (transfer full): the lock, or %NULL on error
 *
 * Since: 0.1
 */
GObject *
welkin_info_lock_environment (WelkinSurroundings *surroundings,
                              const char         *name,
                              GError            **error)
{
  g_autofree char *path = NULL;
  g_autoptr(GError) local_error = NULL;
  WelkinInfoLock *lock = NULL;
  int holder = 0;

  g_return_val_if_fail (name != NULL, NULL);

  path = build_path (surroundings, name, ".busy", error);
  if (path == NULL || !make_parent_directory (path, error))
    return NULL;

  lock = welkin_info_lock_take (path, 0, &holder, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (lock == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE,
                 _("environment \"%s\" is in use: process %d is making, destroying "
                   "or provisioning it; wait until that is done"), name, holder);
  return lock != NULL ? G_OBJECT (lock) : NULL;
}

static void
welkin_info_finalize (GObject *object)
{
  WelkinInfo *self = WELKIN_INFO (object);

  g_free (self->name);
  g_free (self->path);
  g_free (self->location);
  welkin_config_unref (self->document);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_ptr_array_unref (self->edits);

  G_OBJECT_CLASS (welkin_info_parent_class)->finalize (object);
}

static void
welkin_info_class_init (WelkinInfoClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = welkin_info_finalize;
}

static void
welkin_info_init (WelkinInfo *self)
{
  self->document = welkin_config_new ();
  self->edits = g_ptr_array_new_with_free_func ((GDestroyNotify) edit_free);
}
