/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The normal form of an auth-url, or WELKIN_ERROR_INVALID_CONFIG. (transfer full) */
char       *os_auth_url_normalize   (const char  *text,
                                     GError     **error);
/* The auth-url without its version. (transfer full) */
char       *os_auth_url_get_base    (const char  *auth_url);
/* The last segment when it is a version, as in "v3"; else NULL. */
const char *os_auth_url_get_version (const char  *auth_url);

G_END_DECLS
