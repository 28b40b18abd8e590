/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-service.h"

G_BEGIN_DECLS

/* Which services there are in our region, and where: what is of use in the catalog of a token. */
typedef struct _OsCatalog OsCatalog;

/* services: (element-type OsService). interface: public, internal or admin. region: nullable.
 * required: bits of the kinds that must be there. Errors are WELKIN_ERROR_INVALID_CONFIG and name
 * the regions that would do. */
OsCatalog  *os_catalog_new          (GPtrArray       *services,
                                     const char      *interface,
                                     const char      *region,
                                     guint            required,
                                     GError         **error);
void        os_catalog_free         (OsCatalog       *self);
/* The region that was asked for, or the only one that there is. */
const char *os_catalog_get_region   (const OsCatalog *self);
/* The base URL in its normal form, or NULL. */
const char *os_catalog_get_endpoint (const OsCatalog *self,
                                     OsServiceKind    kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsCatalog, os_catalog_free)

G_END_DECLS
