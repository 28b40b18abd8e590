/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-instance.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_INSTANCES (welkin_instances_get_type ())

/* The answer to "which of these ids exist?": immutable, refcounted. */
typedef struct _WelkinInstances WelkinInstances;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_instances_get_type        (void) G_GNUC_CONST;
/* ids: those asked for, in their order; found: (element-type WelkinInstance), any order */
WELKIN_AVAILABLE_IN_0_1
WelkinInstances    *welkin_instances_new             (const char * const *ids,
                                                      GPtrArray          *found);
WELKIN_AVAILABLE_IN_0_1
WelkinInstances    *welkin_instances_ref             (WelkinInstances    *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_instances_unref           (WelkinInstances    *self);
/* (transfer none) (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinInstance     *welkin_instances_lookup          (WelkinInstances    *self,
                                                      const char         *id);
/* (element-type WelkinInstance): each once, in the order asked for */
WELKIN_AVAILABLE_IN_0_1
GPtrArray          *welkin_instances_get_found       (WelkinInstances    *self);
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_instances_get_missing_ids (WelkinInstances    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinInstances, welkin_instances_unref)

G_END_DECLS
