/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_CLOUD (welkin_cloud_get_type ())

/* A cloud that a user can log in to already, as files or variables say: immutable, refcounted. */
typedef struct _WelkinCloud WelkinCloud;

typedef enum /*< flags >*/
{
  WELKIN_CLOUD_NONE = 0,
  WELKIN_CLOUD_HAS_SECRET = 1 << 0,
  WELKIN_CLOUD_IS_DEFAULT = 1 << 1, /* is used where nothing else is said */
} WelkinCloudFlags;

WELKIN_AVAILABLE_IN_0_1
GType                welkin_cloud_get_type     (void) G_GNUC_CONST;
/* endpoint, regions, problem: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinCloud         *welkin_cloud_new          (const char         *name,
                                                const char         *origin,
                                                const char         *endpoint,
                                                const char * const *regions,
                                                WelkinCloudFlags    flags,
                                                const char         *problem);
WELKIN_AVAILABLE_IN_0_1
WelkinCloud         *welkin_cloud_ref          (WelkinCloud        *self);
WELKIN_AVAILABLE_IN_0_1
void                 welkin_cloud_unref        (WelkinCloud        *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_cloud_get_name     (WelkinCloud        *self);
/* Where it is written, as in FILE:LINE. */
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_cloud_get_origin   (WelkinCloud        *self);
/* (nullable) */
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_cloud_get_endpoint (WelkinCloud        *self);
/* The default one first; empty: whatever the cloud has. */
WELKIN_AVAILABLE_IN_0_1
const char * const  *welkin_cloud_get_regions  (WelkinCloud        *self);
WELKIN_AVAILABLE_IN_0_1
WelkinCloudFlags     welkin_cloud_get_flags    (WelkinCloud        *self);
/* Why it cannot be used, or NULL. */
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_cloud_get_problem  (WelkinCloud        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinCloud, welkin_cloud_unref)

G_END_DECLS
