/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A file on its way to its name. Where the file system can do that it has none before it is whole,
 * so that nothing is left of it even when the process is killed.
 */
typedef struct
{
  char *name_template; /* (owned) */
  char *temporary;     /* (owned) (nullable) the name that it has for the time being */
  int   fd;            /* to write to; -1: none */
} WkNewFile;

#define WK_NEW_FILE_INIT { NULL, NULL, -1 }

/* name_template: a path that ends in "XXXXXX", on the file system where it is to be. FALSE with
 * errno set. */
gboolean wk_new_file_open    (WkNewFile  *self,
                              const char *name_template,
                              int         mode);
/* Closes it and gives it its name; replace: even if there is a file of that name. FALSE with errno
 * set. */
gboolean wk_new_file_publish (WkNewFile  *self,
                              const char *path,
                              gboolean    replace);
/* What has no name by now is gone. */
void     wk_new_file_clear   (WkNewFile  *self);

G_END_DECLS
