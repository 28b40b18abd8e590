/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-copy.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "base/system-error.h"
#include "machine/machine-paths.h"
#include "values/welkin-error.h"

#define FORCE_VERSION "FORCE-VERSION"

typedef struct
{
  const char *source;  /* the directory */
  const char *number;  /* (nullable) that the agent is made to be */
  gint64      epoch;   /* below 0: the files' own times */
  const char *copy;    /* of the directory */
  GPtrArray  *members; /* of WelkinToolsMember */
} Copy;

static void
member_free (gpointer user_data)
{
  WelkinToolsMember *self = user_data;

  g_free (self->name);
  g_free (self);
}

static int
compare_members (gconstpointer a,
                 gconstpointer b)
{
  const WelkinToolsMember *left = *(WelkinToolsMember *const *) a;
  const WelkinToolsMember *right = *(WelkinToolsMember *const *) b;

  return strcmp (left->name, right->name);
}

static void
add_member (Copy              *self,
            const char        *name,
            const struct stat *status)
{
  WelkinToolsMember *member = g_new0 (WelkinToolsMember, 1);

  member->name = g_strdup (name);
  member->is_executable = (status->st_mode & S_IXUSR) != 0;
  member->size = status->st_size;
  member->modified = self->epoch >= 0 ? self->epoch : status->st_mtime;
  g_ptr_array_add (self->members, member);
}

static gboolean copy_directory (Copy         *self,
                                const char   *name,
                                GCancellable *cancellable,
                                GError      **error);

static gboolean
copy_member (Copy         *self,
             const char   *name,
             GCancellable *cancellable,
             GError      **error)
{
  g_autofree char *path = g_build_filename (self->source, name, NULL);
  g_autofree char *target = g_build_filename (self->copy, name, NULL);
  g_autoptr(GFile) from = g_file_new_for_path (path);
  g_autoptr(GFile) to = g_file_new_for_path (target);
  struct stat status;

  if (strchr (name, '\\') != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("bad name \"%s\""), path);
      return FALSE;
    }
  if (g_lstat (path, &status) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot read"), path);
  /* The only one: where the service of the agent has GIO look for TLS. */
  if (S_ISDIR (status.st_mode) && g_str_equal (name, WELKIN_AGENT_MODULES))
    return copy_directory (self, name, cancellable, error);
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("bad file type: \"%s\" is no regular file"), path);
      return FALSE;
    }
  /* Made anew below. */
  if (self->number != NULL && g_str_equal (name, FORCE_VERSION))
    return TRUE;
  if (!g_file_copy (from, to, G_FILE_COPY_NOFOLLOW_SYMLINKS, cancellable, NULL, NULL, error))
    {
      g_prefix_error (error, _("Cannot copy %s: "), path);
      return FALSE;
    }
  add_member (self, name, &status);
  return TRUE;
}

/* As old as the agent itself, so that it is the same the next time. */
static gboolean
force_version (Copy    *self,
               GError **error)
{
  g_autofree char *agent = g_build_filename (self->source, WELKIN_TOOLS_AGENT, NULL);
  g_autofree char *path = g_build_filename (self->copy, FORCE_VERSION, NULL);
  g_autofree char *text = g_strconcat (self->number, "\n", NULL);
  struct stat status;

  if (g_stat (agent, &status) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot read"), agent);
  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  status.st_mode = S_IFREG | 0644;
  status.st_size = (off_t) strlen (text);
  add_member (self, FORCE_VERSION, &status);
  return TRUE;
}

/* name: of a directory below that of the agent, or "" for that itself */
static gboolean
copy_directory (Copy         *self,
                const char   *name,
                GCancellable *cancellable,
                GError      **error)
{
  g_autofree char *path = g_build_filename (self->source, name, NULL);
  g_autofree char *target = g_build_filename (self->copy, name, NULL);
  g_autoptr(GDir) directory = g_dir_open (path, 0, error);
  const char *entry;

  if (directory == NULL)
    return FALSE;
  if (g_mkdir (target, 0700) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot make directory"), target);
  while ((entry = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *below = g_build_filename (name, entry, NULL);

      if (!copy_member (self, below, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
welkin_tools_copy_directory (const char   *directory,
                             const char   *number,
                             gint64        epoch,
                             const char   *path,
                             GCancellable *cancellable,
                             GError      **error)
{
  g_autoptr(GPtrArray) members = g_ptr_array_new_with_free_func (member_free);
  Copy self = { directory, number, epoch, path, members };

  if (!copy_directory (&self, "", cancellable, error))
    return NULL;
  if (number != NULL && !force_version (&self, error))
    return NULL;
  g_ptr_array_sort (members, compare_members);
  return g_steal_pointer (&members);
}

/* What there is a name for may be a link. */
static gboolean
copy_file (Copy         *self,
           const char   *name,
           const char   *path,
           GCancellable *cancellable,
           GError      **error)
{
  g_autofree char *target = g_build_filename (self->copy, name, NULL);
  g_autofree char *directory = g_path_get_dirname (target);
  g_autoptr(GFile) from = g_file_new_for_path (path);
  g_autoptr(GFile) to = g_file_new_for_path (target);
  struct stat status;

  if (g_mkdir_with_parents (directory, 0700) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot make directory"), directory);
  if (g_stat (path, &status) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot read"), path);
  if (!g_file_copy (from, to, G_FILE_COPY_NONE, cancellable, NULL, NULL, error))
    {
      g_prefix_error (error, _("Cannot copy %s: "), path);
      return FALSE;
    }
  add_member (self, name, &status);
  return TRUE;
}

gboolean
welkin_tools_copy_files (GHashTable   *files,
                         gint64        epoch,
                         const char   *path,
                         GPtrArray    *members,
                         GCancellable *cancellable,
                         GError      **error)
{
  Copy self = { .epoch = epoch, .copy = path, .members = members };
  GHashTableIter iter;
  gpointer name;
  gpointer file;

  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &file))
    if (!copy_file (&self, name, file, cancellable, error))
      return FALSE;
  g_ptr_array_sort (members, compare_members);
  return TRUE;
}

/* There is nothing in it that anybody else has put there. */
static void
remove_directory (const char *path)
{
  g_autoptr(GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

void
welkin_tools_copy_remove (const char *path)
{
  g_autofree char *modules = g_build_filename (path, WELKIN_AGENT_MODULES, NULL);

  remove_directory (modules);
  remove_directory (path);
}
