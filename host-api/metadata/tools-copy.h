/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The program that a directory of agent binaries must have. */
#define WELKIN_TOOLS_AGENT "welkin-agent"

/* A file that is packed. */
typedef struct
{
  char    *name;          /* (owned) below the directory */
  gboolean is_executable;
  gint64   size;
  gint64   modified;      /* seconds */
} WelkinToolsMember;

/*
 * Copies a directory of agent binaries to a path that is made, so that what is asked and packed is
 * one and the same whatever becomes of the directory. number: (nullable): that the agent is made
 * to be. epoch: the time of all the files, or below 0: their own. What is no regular file with a
 * plain name is refused. May run in a thread; what was made stays where it failed.
 * (element-type WelkinToolsMember) (transfer full): sorted by name
 */
GPtrArray *welkin_tools_copy_directory (const char   *directory,
                                        const char   *number,
                                        gint64        epoch,
                                        const char   *path,
                                        GCancellable *cancellable,
                                        GError      **error);
/* Adds other files to a copy, and to its members. files: (element-type filename filename) the path
 * of each by its name in the copy. */
gboolean   welkin_tools_copy_files     (GHashTable   *files,
                                        gint64        epoch,
                                        const char   *path,
                                        GPtrArray    *members,
                                        GCancellable *cancellable,
                                        GError      **error);
/* Removes a copy, even one that was not finished. */
void       welkin_tools_copy_remove    (const char   *path);

G_END_DECLS
