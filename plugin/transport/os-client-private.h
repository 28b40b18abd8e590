/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "transport/os-client.h"
#include "transport/os-credentials.h"
#include "transport/os-identity.h"
#include "transport/os-microversion.h"
#include "transport/os-versions.h"

G_BEGIN_DECLS

/* What the parts of the client, one a file, have in common. */
struct _OsClient
{
  GObject parent;

  OsCredentials   *credentials;   /* (owned) */
  char           **settings;      /* (owned) what else made it, to compare */
  WkClock         *clock;         /* (owned) */
  double           timeout;       /* seconds for a request; 0: as is usual for it */
  WkHttp          *http;          /* (owned) for all but logins */
  OsIdentity      *identity;      /* (owned) on a session of its own */
  OsVersions      *versions;      /* (owned) of compute */
  OsMicroversions *microversions; /* (owned) */
  gboolean         puts_project;  /* into the URLs of block storage */
  WkMemo          *tokens;        /* (owned) holds the one in use, under "" */
  OsToken         *first_token;   /* (owned) (nullable) what the getters tell is its */
  GError          *refusal;       /* (owned) (nullable) of the last login */
  double           refusal_time;
  GTimeSpan        skew;          /* by which the clock of the cloud is ahead of ours */
};

/* Makes way for a new login when the token is about to expire; FALSE when one was refused just
 * now. */
gboolean  os_client_prepare_login     (OsClient       *self,
                                       GError        **error);
/* The service did not take this token: the next call logs in, unless somebody has done so since. */
void      os_client_reject_token      (OsClient       *self,
                                       OsToken        *rejected);

/* Where the service tells its versions, when the catalog does not tell the one to take; NULL when
 * there is nothing to ask, or it was asked. (transfer full) */
char     *os_client_dup_versions_url  (OsClient       *self,
                                       OsToken        *token,
                                       OsServiceKind   service);
/* The base URL of the service, or NULL. What has told no versions is taken as the catalog has it.
 * (transfer full) */
char     *os_client_dup_endpoint      (OsClient       *self,
                                       OsToken        *token,
                                       OsServiceKind   service);

G_END_DECLS
