/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-instance.h"
#include "values/welkin-hardware.h"
#include "values/welkin-network-interface.h"
#include "values/welkin-tools.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_START_RESULT (welkin_start_result_get_type ())

/* What came of starting a machine: immutable, refcounted. */
typedef struct _WelkinStartResult WelkinStartResult;

WELKIN_AVAILABLE_IN_0_1
GType              welkin_start_result_get_type     (void) G_GNUC_CONST;
/* hardware, tools: nullable */
WELKIN_AVAILABLE_IN_0_1
WelkinStartResult *welkin_start_result_new          (WelkinInstance    *instance,
                                                     WelkinHardware    *hardware,
                                                     WelkinTools       *tools);
WELKIN_AVAILABLE_IN_0_1
WelkinStartResult *welkin_start_result_ref          (WelkinStartResult *self);
WELKIN_AVAILABLE_IN_0_1
void               welkin_start_result_unref        (WelkinStartResult *self);
WELKIN_AVAILABLE_IN_0_1
WelkinInstance    *welkin_start_result_get_instance (WelkinStartResult *self);
WELKIN_AVAILABLE_IN_0_1
WelkinHardware    *welkin_start_result_get_hardware (WelkinStartResult *self);
WELKIN_AVAILABLE_IN_0_1
WelkinTools       *welkin_start_result_get_tools    (WelkinStartResult *self);
/* (element-type WelkinNetworkInterface): never NULL, the primary one first */
WELKIN_AVAILABLE_IN_0_1
GPtrArray         *welkin_start_result_get_network_interfaces (WelkinStartResult *self);

WELKIN_AVAILABLE_IN_0_1
WelkinStartResult *welkin_start_result_with_network_interfaces (WelkinStartResult *self,
                                                     GPtrArray         *interfaces);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStartResult, welkin_start_result_unref)

G_END_DECLS
