/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"
#include "model/os-token.h"
#include "transport/os-catalog.h"

G_BEGIN_DECLS

/* What a login gave: immutable, refcounted, in memory only. */
typedef struct _OsToken OsToken;

/* text: of the token itself. response: the answer that it came with, whose date tells the server's
 * clock. catalog: taken. is_given: there is nothing to renew it with. */
OsToken    *os_token_new            (const char        *text,
                                     const OsTokenBody *body,
                                     WkHttpResponse    *response,
                                     OsCatalog         *catalog,
                                     gboolean           is_given);
OsToken    *os_token_ref            (OsToken           *self);
void        os_token_unref          (OsToken           *self);
const char *os_token_get_text       (OsToken           *self);
const char *os_token_get_project_id (OsToken           *self);
/* NULL when the login did not say. */
const char *os_token_get_user_id    (OsToken           *self);
OsCatalog  *os_token_get_catalog    (OsToken           *self);
/* Its end in microseconds of the monotonic clock; G_MAXINT64 when it is not known. */
gint64      os_token_get_end        (OsToken           *self);
/* The names of the roles that it gives in the project. */
const char *const *os_token_get_roles (OsToken         *self);
/* FALSE when it is about to expire: time to log in again. */
gboolean    os_token_is_fresh       (OsToken           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsToken, os_token_unref)

G_END_DECLS
