/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_RESOLVE_INFO (welkin_resolve_info_get_type ())

/* Where metadata was looked up, or looked for last: immutable, refcounted. */
typedef struct _WelkinResolveInfo WelkinResolveInfo;

WELKIN_AVAILABLE_IN_0_1
GType              welkin_resolve_info_get_type      (void) G_GNUC_CONST;
WELKIN_AVAILABLE_IN_0_1
WelkinResolveInfo *welkin_resolve_info_ref           (WelkinResolveInfo *self);
WELKIN_AVAILABLE_IN_0_1
void               welkin_resolve_info_unref         (WelkinResolveInfo *self);
/* The description of the source. */
WELKIN_AVAILABLE_IN_0_1
const char        *welkin_resolve_info_get_source    (WelkinResolveInfo *self);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_resolve_info_is_signed     (WelkinResolveInfo *self);
/* Of the index; a path where the source has no URLs. */
WELKIN_AVAILABLE_IN_0_1
const char        *welkin_resolve_info_get_index_uri (WelkinResolveInfo *self);
/* NULL when no mirror was used. */
WELKIN_AVAILABLE_IN_0_1
const char        *welkin_resolve_info_get_mirror_uri (WelkinResolveInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinResolveInfo, welkin_resolve_info_unref)

G_END_DECLS
