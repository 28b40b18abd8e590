/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"
#include "transport/os-discovery.h"

G_BEGIN_DECLS

/* The version documents of compute, each asked for once, and only when somebody wants to know. */
typedef struct _OsVersions OsVersions;

OsVersions *os_versions_new         (WkHttp               *http);
void        os_versions_free        (OsVersions           *self);

/* token: the text of one, which some portals want to see. TRUE: what the document says is known, be
 * it nothing. */
void        os_versions_load_async  (OsVersions           *self,
                                     const char           *url,
                                     const char           *token,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
gboolean    os_versions_load_finish (OsVersions           *self,
                                     GAsyncResult         *result,
                                     GError              **error);
/* What is known of it, or NULL. (transfer full) (element-type OsApiVersion) */
GPtrArray  *os_versions_peek        (OsVersions           *self,
                                     const char           *url);

G_END_DECLS
