/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-service.h"

G_BEGIN_DECLS

/* The region of endpoints that are for every region, as some clouds publish those of identity. */
#define OS_CATALOG_ANY_REGION "*"

/* Which services there are in our region, and where: what is of use in the catalog of a token. */
typedef struct _OsCatalog OsCatalog;

/* What is read out of a catalog. */
typedef struct
{
  const char        *interface; /* public, internal or admin */
  const char        *region;    /* (nullable) the only one that there is */
  guint              required;  /* bits of the kinds that must be there */
  const char *const *overrides; /* (nullable) by kind: what is taken in place of the catalog's */
  const char *const *types;     /* (nullable) by kind: the one type that the catalog has it under */
} OsCatalogOptions;

/* services: (element-type OsService). Errors are WELKIN_ERROR_INVALID_CONFIG and name the regions
 * that would do. */
OsCatalog  *os_catalog_new          (GPtrArray               *services,
                                     const OsCatalogOptions  *options,
                                     GError                 **error);
void        os_catalog_free         (OsCatalog               *self);
/* The region that was asked for, or the only one that there is. */
const char *os_catalog_get_region   (const OsCatalog         *self);
/* The base URL in its normal form, or NULL. */
const char *os_catalog_get_endpoint (const OsCatalog         *self,
                                     OsServiceKind            kind);
/* Whether the catalog does not tell the version of an endpoint for which there are several. */
gboolean    os_catalog_lacks_version (const OsCatalog        *self,
                                      OsServiceKind           kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsCatalog, os_catalog_free)

G_END_DECLS
