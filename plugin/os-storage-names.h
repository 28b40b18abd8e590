/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* WELKIN_ERROR_INVALID_ARGUMENT for a name that no file in storage can have: it is 1 to 1024 bytes
 * of UTF-8, and "/" separates parts of it that are neither empty nor "." or "..". */
gboolean os_storage_check_name (const char  *name,
                                GError     **error);

G_END_DECLS
