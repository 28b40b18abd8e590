/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/welkin-resolve-info.h"

G_BEGIN_DECLS

/* mirror_uri: nullable. (transfer full) */
WelkinResolveInfo *welkin_resolve_info_new (const char *source,
                                            gboolean    is_signed,
                                            const char *index_uri,
                                            const char *mirror_uri);

G_END_DECLS
