/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-constraints.h"
#include "values/welkin-image.h"
#include "values/welkin-machine-config.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_START_PARAMS (welkin_start_params_get_type ())

/* All that a provider is told to start one machine: immutable, refcounted. */
typedef struct _WelkinStartParams WelkinStartParams;

WELKIN_AVAILABLE_IN_0_1
GType                welkin_start_params_get_type            (void) G_GNUC_CONST;
/* start_id: a UUID, made once per start and written down by the host beforehand. Every resource
 * made for the start is marked with it, so that it can be found again after a crash. */
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_new                 (const char          *start_id,
                                                              WelkinMachineConfig *machine_config);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_ref                 (WelkinStartParams   *self);
WELKIN_AVAILABLE_IN_0_1
void                 welkin_start_params_unref               (WelkinStartParams   *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_start_params_get_start_id        (WelkinStartParams   *self);
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_start_params_get_machine_config  (WelkinStartParams   *self);
/* Never NULL. */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints   *welkin_start_params_get_constraints     (WelkinStartParams   *self);
/* (element-type WelkinTools) (nullable): NULL, then only the basic user data is made */
WELKIN_AVAILABLE_IN_0_1
GPtrArray           *welkin_start_params_get_tools           (WelkinStartParams   *self);
/* "" or a directive as in "zone=az1". */
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_start_params_get_placement       (WelkinStartParams   *self);
/* Ids of the instances that this one should be apart from; never NULL. */
WELKIN_AVAILABLE_IN_0_1
const char * const  *welkin_start_params_get_distribution_group (WelkinStartParams *self);
/* (element-type WelkinImage) (nullable): NULL, then the provider looks images up itself */
WELKIN_AVAILABLE_IN_0_1
GPtrArray           *welkin_start_params_get_images          (WelkinStartParams   *self);
/* Whether the start ends when the machine runs, or as soon as the cloud builds it. */
WELKIN_AVAILABLE_IN_0_1
gboolean             welkin_start_params_get_waits           (WelkinStartParams   *self);

WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_constraints    (WelkinStartParams   *self,
                                                              WelkinConstraints   *constraints);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_tools          (WelkinStartParams   *self,
                                                              GPtrArray           *tools);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_placement      (WelkinStartParams   *self,
                                                              const char          *placement);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_distribution_group (WelkinStartParams *self,
                                                              const char * const  *ids);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_images         (WelkinStartParams   *self,
                                                              GPtrArray           *images);
WELKIN_AVAILABLE_IN_0_1
WelkinStartParams   *welkin_start_params_with_waits          (WelkinStartParams   *self,
                                                              gboolean             waits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStartParams, welkin_start_params_unref)

G_END_DECLS
