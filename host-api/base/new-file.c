/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTORS "/proc/self/fd"
#define N_RANDOM 6
#define MAX_TRIES 100

gboolean
wk_new_file_open (WkNewFile  *self,
                  const char *name_template,
                  int         mode)
{
  g_autofree char *directory = g_path_get_dirname (name_template);

  g_return_val_if_fail (self->fd < 0 && g_str_has_suffix (name_template, "XXXXXX"), FALSE);

  self->name_template = g_strdup (name_template);
  /* Without /proc it could not get a name. */
  if (access (DESCRIPTORS, X_OK) == 0)
    self->fd = g_open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (self->fd >= 0)
    return TRUE;
  self->temporary = g_strdup (name_template);
  self->fd = g_mkstemp_full (self->temporary, O_RDWR | O_CLOEXEC, mode);
  if (self->fd < 0)
    g_clear_pointer (&self->temporary, g_free);
  return self->fd >= 0;
}

static gboolean
link_to (WkNewFile  *self,
         const char *path)
{
  g_autofree char *descriptor = g_strdup_printf (DESCRIPTORS "/%d", self->fd);

  return linkat (AT_FDCWD, descriptor, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* A link does not take the place of anything: to do that it needs a name to be renamed from. */
static gboolean
name_it (WkNewFile *self)
{
  g_autofree char *name = g_strdup (self->name_template);
  char *random = name + strlen (name) - N_RANDOM;

  for (int i = 0; i < MAX_TRIES; i++)
    {
      for (int j = 0; j < N_RANDOM; j++)
        random[j] = (char) g_random_int_range ('a', 'z' + 1);
      if (link_to (self, name))
        {
          self->temporary = g_steal_pointer (&name);
          return TRUE;
        }
      if (errno != EEXIST)
        return FALSE;
    }
  return FALSE;
}

static gboolean
close_it (WkNewFile *self)
{
  int fd = self->fd;

  self->fd = -1;
  return close (fd) == 0;
}

gboolean
wk_new_file_publish (WkNewFile  *self,
                     const char *path,
                     gboolean    replace)
{
  if (self->temporary == NULL && !replace)
    return link_to (self, path) && close_it (self);
  if (self->temporary == NULL && !name_it (self))
    return FALSE;
  if (!close_it (self))
    return FALSE;
  if (!replace)
    return link (self->temporary, path) == 0;
  if (g_rename (self->temporary, path) != 0)
    return FALSE;
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

void
wk_new_file_clear (WkNewFile *self)
{
  int saved_errno = errno;

  if (self->fd >= 0)
    close_it (self);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_clear_pointer (&self->temporary, g_free);
  g_clear_pointer (&self->name_template, g_free);
  errno = saved_errno;
}
