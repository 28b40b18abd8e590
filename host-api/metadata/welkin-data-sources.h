/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "contracts/welkin-storage.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

typedef enum /*< flags >*/
{
  WELKIN_DATA_SOURCE_NONE = 0,
  WELKIN_DATA_SOURCE_REQUIRE_SIGNED = 1 << 0,         /* nothing else is believed */
  WELKIN_DATA_SOURCE_ACCEPT_ANY_CERTIFICATE = 1 << 1, /* ssl-hostname-verification: false */
} WelkinDataSourceFlags;

/* A place by its URL (http, https, file), or a directory by its path. description: as in
 * "image-metadata-url"; surroundings: (nullable) where proxies and ~ come from.
 * WELKIN_ERROR_INVALID_ARGUMENT when it is neither. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinDataSource *welkin_data_source_new_for_location (const char             *location,
                                                       const char             *description,
                                                       WelkinDataSourceFlags   flags,
                                                       WelkinSurroundings     *surroundings,
                                                       GError                **error);
/* What lies below a prefix, as in "images/", of a storage. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinDataSource *welkin_data_source_new_for_storage  (WelkinStorage          *storage,
                                                       const char             *prefix,
                                                       const char             *description);

G_END_DECLS
