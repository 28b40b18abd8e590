/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_IMAGE (welkin_image_get_type ())

/* An image that a machine may be started from: immutable, refcounted. */
typedef struct _WelkinImage WelkinImage;

WELKIN_AVAILABLE_IN_0_1
GType        welkin_image_get_type      (void) G_GNUC_CONST;
/* all but id nullable; arch in Welkin's words (amd64, arm64 …) */
WELKIN_AVAILABLE_IN_0_1
WelkinImage *welkin_image_new           (const char  *id,
                                         const char  *series,
                                         const char  *arch,
                                         const char  *virt_type,
                                         const char  *region,
                                         const char  *endpoint);
WELKIN_AVAILABLE_IN_0_1
WelkinImage *welkin_image_ref           (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
void         welkin_image_unref         (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_id        (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_series    (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_arch      (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_virt_type (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_region    (WelkinImage *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_image_get_endpoint  (WelkinImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinImage, welkin_image_unref)

G_END_DECLS
