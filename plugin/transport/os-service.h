/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The services that we talk to, whatever a catalog calls them. */
typedef enum
{
  OS_SERVICE_COMPUTE,
  OS_SERVICE_NETWORK,
  OS_SERVICE_IMAGE,
  OS_SERVICE_OBJECT_STORE,
  OS_SERVICE_BLOCK_STORAGE,
  OS_SERVICE_IMAGE_METADATA,
  OS_SERVICE_TOOLS_METADATA,
  OS_SERVICE_IDENTITY,
  OS_SERVICE_S3,
  OS_N_SERVICES,
} OsServiceKind;

/* Its type, as in "object-store". */
const char *os_service_get_name           (OsServiceKind  kind);
/* How good the catalog's type is for this kind: 0 the best, -1 not at all. */
int         os_service_rank_type          (OsServiceKind  kind,
                                           const char    *type);
/* The base that paths are appended to, from what the catalog says: no slash at the end, and with
 * the version that we speak; compute without one has to be asked. (transfer full) */
char       *os_service_normalize_endpoint (OsServiceKind  kind,
                                           const char    *url);

/* The same for what is taken as it is. (transfer full) */
char       *os_service_trim_endpoint      (const char    *url);
/* Whether a segment of the endpoint is a version. */
gboolean    os_service_is_versioned       (const char    *url);

/* The part of an endpoint before its last version; all of it when there is none. (transfer full) */
char       *os_service_strip_version      (const char    *url);

G_END_DECLS
