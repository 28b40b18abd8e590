/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the system said about a path, as a GFileError: WORDS "PATH": what it said. code: errno, as
 * it was. words: as in "Cannot read". Returns FALSE. */
gboolean wk_fail_with_errno (GError    **error,
                             int         code,
                             const char *words,
                             const char *path);

G_END_DECLS
