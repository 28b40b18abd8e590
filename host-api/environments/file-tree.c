/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/file-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "values/welkin-error.h"

/* Deeper than any name can be. */
#define MAX_DEPTH 600

gboolean
welkin_file_tree_fail (GError    **error,
                       int         saved_errno,
                       const char *words,
                       const char *path)
{
  WelkinError code = WELKIN_ERROR_FAILED;

  if (saved_errno == ENOENT || saved_errno == ENOTDIR)
    code = WELKIN_ERROR_NOT_FOUND;
  else if (saved_errno == EEXIST)
    code = WELKIN_ERROR_ALREADY_EXISTS;
  else if (saved_errno == EACCES || saved_errno == EPERM || saved_errno == EROFS)
    code = WELKIN_ERROR_STORAGE_NOT_WRITABLE;
  else if (saved_errno == ENOSPC || saved_errno == EDQUOT)
    code = WELKIN_ERROR_QUOTA_EXCEEDED;
  g_set_error (error, WELKIN_ERROR, (int) code, "%s %s: %s", words, path,
               g_strerror (saved_errno));
  return FALSE;
}

/* Gets each entry below a directory, after what is below that; path: absolute. */
typedef gboolean (*Visit) (const char        *path,
                           const struct stat *status,
                           gpointer           data,
                           GError           **error);

static gboolean
walk (const char *directory,
      guint       depth,
      Visit       visit,
      gpointer    data,
      GError    **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GDir) entries = g_dir_open (directory, 0, &local_error);
  const char *entry;

  if (g_error_matches (local_error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return TRUE;
  if (entries == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (depth > MAX_DEPTH)
    return welkin_file_tree_fail (error, ELOOP, _("Cannot read directory"), directory);
  while ((entry = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, entry, NULL);
      struct stat status;

      /* It may have gone meanwhile. */
      if (g_lstat (path, &status) != 0)
        continue;
      if (S_ISDIR (status.st_mode) && !walk (path, depth + 1, visit, data, error))
        return FALSE;
      if (!visit (path, &status, data, error))
        return FALSE;
    }
  return TRUE;
}

typedef struct
{
  gsize       skip;     /* of an absolute path */
  const char *prefix;
  const char *left_out;
  GPtrArray  *names;    /* (owned) */
} List;

static gboolean
list_one (const char        *path,
          const struct stat *status,
          gpointer           data,
          GError           **error)
{
  List *list = data;
  const char *name = path + list->skip;

  if (S_ISREG (status->st_mode) && g_str_has_prefix (name, list->prefix)
      && !g_str_has_prefix (name, list->left_out) && g_utf8_validate (name, -1, NULL))
    g_ptr_array_add (list->names, g_strdup (name));
  return TRUE;
}

GPtrArray *
welkin_file_tree_list (const char *root,
                       const char *prefix,
                       const char *left_out,
                       GError    **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  List list = { strlen (root) + 1, prefix, left_out, names };

  if (!walk (root, 0, list_one, &list, error))
    return NULL;
  return g_steal_pointer (&names);
}

static gboolean
remove_one (const char        *path,
            const struct stat *status,
            gpointer           data,
            GError           **error)
{
  int result = S_ISDIR (status->st_mode) ? g_rmdir (path) : g_unlink (path);

  if (result == 0 || errno == ENOENT)
    return TRUE;
  return welkin_file_tree_fail (error, errno, _("Cannot remove"), path);
}

gboolean
welkin_file_tree_remove (const char *root,
                         GError    **error)
{
  if (!walk (root, 0, remove_one, NULL, error))
    return FALSE;
  if (g_rmdir (root) == 0 || errno == ENOENT)
    return TRUE;
  return welkin_file_tree_fail (error, errno, _("Cannot remove"), root);
}

gboolean
welkin_file_tree_sync_directory (const char *path,
                                 GError    **error)
{
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int result = fd >= 0 ? fsync (fd) : -1;
  int saved_errno = errno;

  if (fd >= 0)
    close (fd);
  /* Not every file system can. */
  if (result == 0 || saved_errno == EINVAL)
    return TRUE;
  return welkin_file_tree_fail (error, saved_errno, _("Cannot write to directory"), path);
}
