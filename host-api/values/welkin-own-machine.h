/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-address.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_OWN_MACHINE (welkin_own_machine_get_type ())

/* What a machine knows of itself: immutable, refcounted. */
typedef struct _WelkinOwnMachine WelkinOwnMachine;

WELKIN_AVAILABLE_IN_0_1
GType             welkin_own_machine_get_type            (void) G_GNUC_CONST;
/* zone: (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinOwnMachine *welkin_own_machine_new                 (const char       *instance_id,
                                                          WelkinAddress    *private_address,
                                                          WelkinAddress    *public_address,
                                                          const char       *zone);
WELKIN_AVAILABLE_IN_0_1
WelkinOwnMachine *welkin_own_machine_ref                 (WelkinOwnMachine *self);
WELKIN_AVAILABLE_IN_0_1
void              welkin_own_machine_unref               (WelkinOwnMachine *self);
WELKIN_AVAILABLE_IN_0_1
const char       *welkin_own_machine_get_instance_id     (WelkinOwnMachine *self);
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_own_machine_get_private_address (WelkinOwnMachine *self);
WELKIN_AVAILABLE_IN_0_1
WelkinAddress    *welkin_own_machine_get_public_address  (WelkinOwnMachine *self);
/* (nullable) */
WELKIN_AVAILABLE_IN_0_1
const char       *welkin_own_machine_get_zone            (WelkinOwnMachine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinOwnMachine, welkin_own_machine_unref)

G_END_DECLS
