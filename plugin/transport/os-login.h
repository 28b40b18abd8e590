/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "base/http.h"
#include "model/os-token.h"
#include "transport/os-credentials.h"

G_BEGIN_DECLS

/* A way to log in: what is asked, and what the answer means. */
typedef struct
{
  /* url: of the version of identity, as in https://…/v3. (transfer full) */
  WkHttpRequest *(*make_request) (OsCredentials   *credentials,
                                  const char      *url);
  /* text: of the token; stays NULL when there is none. (transfer full) */
  OsTokenBody   *(*read_answer)  (WkHttpResponse  *response,
                                  char           **text,
                                  GError         **error);
  /* Says more of an answer that is a refusal. */
  void           (*explain)      (OsCredentials   *credentials,
                                  WkHttpResponse  *response,
                                  GError         **error);
} OsLogin;

/* v3: a password, an application credential, or a token for another project; with a trust. */
extern const OsLogin os_login_v3;
/* v3: a token that is used as it is. */
extern const OsLogin os_login_v3_token;
/* v3 and v2.0: a pair of keys that sign, as for EC2. */
extern const OsLogin os_login_ec2;
/* v2.0: a password, or a pair of keys as HP's cloud took it. */
extern const OsLogin os_login_v2;
/* Before there was an identity service. */
extern const OsLogin os_login_legacy;

/* The body of a login to v3. (transfer full) */
JsonNode      *os_login_make_v3_body (OsCredentials   *credentials);

/* What they share: a request with a body of JSON that may be sent twice. body: taken.
 * (transfer full) */
WkHttpRequest *os_login_make_post    (const char      *url,
                                      JsonNode        *body);
OsTokenBody   *os_login_read_v3      (WkHttpResponse  *response,
                                      char           **text,
                                      GError         **error);

G_END_DECLS
