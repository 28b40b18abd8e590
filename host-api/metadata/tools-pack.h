/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Writes files of a directory into an archive of that path, which is made: the same files give the
 * same archive. members: of WelkinToolsMember, in their order. sha256: (out) (transfer full): the
 * SHA-256 of the archive. size: (out): of the archive. May run in a thread; what was made stays
 * where it failed.
 */
gboolean welkin_tools_pack (const char   *directory,
                            GPtrArray    *members,
                            const char   *path,
                            char        **sha256,
                            gint64       *size,
                            GCancellable *cancellable,
                            GError      **error);

G_END_DECLS
