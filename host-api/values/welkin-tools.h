/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_TOOLS (welkin_tools_get_type ())

/* An archive of agent binaries: immutable, refcounted. */
typedef struct _WelkinTools WelkinTools;

WELKIN_AVAILABLE_IN_0_1
GType        welkin_tools_get_type    (void) G_GNUC_CONST;
/* size: -1 when unknown; sha256: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinTools *welkin_tools_new         (const char  *version,
                                       const char  *series,
                                       const char  *arch,
                                       const char  *uri,
                                       const char  *sha256,
                                       gint64       size);
WELKIN_AVAILABLE_IN_0_1
WelkinTools *welkin_tools_ref         (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
void         welkin_tools_unref       (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_tools_get_version (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_tools_get_series  (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_tools_get_arch    (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_tools_get_uri     (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_tools_get_sha256  (WelkinTools *self);
WELKIN_AVAILABLE_IN_0_1
gint64       welkin_tools_get_size    (WelkinTools *self);
/* arch: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinTools *welkin_tools_choose      (GPtrArray   *tools,
                                       const char  *arch,
                                       GError     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinTools, welkin_tools_unref)

G_END_DECLS
