/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/welkin-data-sources.h"

G_BEGIN_DECLS

/* Bytes of one file: the largest that is published has a third of it. */
#define WELKIN_DATA_SOURCE_MAX_BYTES ((gsize) 64 * 1024 * 1024)

WelkinDataSource *welkin_data_source_new_for_uri       (const char            *uri,
                                                        const char            *description,
                                                        WelkinDataSourceFlags  flags,
                                                        WelkinSurroundings    *surroundings,
                                                        GError               **error);
/* path: absolute */
WelkinDataSource *welkin_data_source_new_for_directory (const char            *path,
                                                        const char            *description,
                                                        WelkinDataSourceFlags  flags);

/* Where a source of a storage has it from; NULL for others. (transfer none) */
WelkinStorage    *welkin_data_source_get_storage       (WelkinDataSource      *self);

G_END_DECLS
