/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"
#include "transport/os-credentials.h"
#include "transport/os-token.h"

G_BEGIN_DECLS

#define OS_TYPE_IDENTITY (os_identity_get_type ())

/* Keystone and what was before it, as far as a login goes. */
G_DECLARE_FINAL_TYPE (OsIdentity, os_identity, OS, IDENTITY, GObject)

/* By kind of service, both copied: overrides: what is taken in place of the catalog's endpoint;
 * types: under which type the catalog has it, where that was said. */
OsIdentity *os_identity_new          (WkHttp               *http,
                                      OsCredentials        *credentials,
                                      const char *const    *overrides,
                                      const char *const    *types);
/* Logs in. Where, and to which version, is found out at the first login. */
void        os_identity_login_async  (OsIdentity           *self,
                                      GCancellable         *cancellable,
                                      GAsyncReadyCallback   callback,
                                      gpointer              user_data);
/* (transfer full) */
OsToken    *os_identity_login_finish (OsIdentity           *self,
                                      GAsyncResult         *result,
                                      GError              **error);

G_END_DECLS
