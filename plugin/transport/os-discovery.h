/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One version of a service, as a version document tells of it. */
typedef struct
{
  guint    major;
  guint    minor;
  gboolean is_deprecated;
  char    *origin;  /* (nullable) of the link to it */
  char    *path;    /* (nullable) without a slash at the end */
  char    *highest; /* (nullable) microversion, as in "2.93" */
} OsApiVersion;

void       os_api_version_free (OsApiVersion *self);

/* The versions that may be used, out of a version document of any service and shape; a document
 * that is none has none. Of a link only the path is taken: its host is often one that only the
 * cloud itself can reach. (transfer full) (element-type OsApiVersion) */
GPtrArray *os_discovery_read   (GBytes       *document);

/* The URL of the newest version with this major number in a document that came from base, or NULL
 * when it offers none: the path of its link, but always at the host that we know.
 * (transfer full) */
char      *os_discovery_choose (GPtrArray    *versions,
                                const char   *base,
                                guint         major);

G_END_DECLS
