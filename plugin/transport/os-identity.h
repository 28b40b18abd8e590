/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"
#include "transport/os-credentials.h"
#include "transport/os-token.h"

G_BEGIN_DECLS

#define OS_TYPE_IDENTITY (os_identity_get_type ())

/* Keystone, as far as a login goes. */
G_DECLARE_FINAL_TYPE (OsIdentity, os_identity, OS, IDENTITY, GObject)

OsIdentity *os_identity_new          (WkHttp               *http,
                                      OsCredentials        *credentials);
/* Logs in. Where, is found out at the first login. */
void        os_identity_login_async  (OsIdentity           *self,
                                      GCancellable         *cancellable,
                                      GAsyncReadyCallback   callback,
                                      gpointer              user_data);
/* (transfer full) */
OsToken    *os_identity_login_finish (OsIdentity           *self,
                                      GAsyncResult         *result,
                                      GError              **error);

/* The URL of version 3 in a version document that came from base, or NULL when it offers none:
 * the path of its link, but always at the host that we know. (transfer full) */
char       *os_identity_choose_version (const char         *base,
                                        JsonNode           *document);

G_END_DECLS
