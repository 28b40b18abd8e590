/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Blocking work on a directory and all below it; links are not followed. */

/* The paths of all files that are no links or devices, relative to root, that begin with prefix and
 * not with left_out, and are UTF-8. A root that is not there has none. (element-type utf8)
 * (transfer full) */
GPtrArray *welkin_file_tree_list           (const char  *root,
                                            const char  *prefix,
                                            const char  *left_out,
                                            GError     **error);
/* Removes root as well. */
gboolean   welkin_file_tree_remove         (const char  *root,
                                            GError     **error);
/* That what was renamed or linked there stays when the power goes. */
gboolean   welkin_file_tree_sync_directory (const char  *path,
                                            GError     **error);

/* What the system said, about a path: of the meanings that a caller may look for. Returns FALSE. */
gboolean   welkin_file_tree_fail           (GError     **error,
                                            int          saved_errno,
                                            const char  *words,
                                            const char  *path);

G_END_DECLS
