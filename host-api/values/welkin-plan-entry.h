/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_PLAN_ENTRY (welkin_plan_entry_get_type ())

/* One thing that would be chosen or made for a machine, and why: immutable, refcounted. */
typedef struct _WelkinPlanEntry WelkinPlanEntry;

WELKIN_AVAILABLE_IN_0_1
GType            welkin_plan_entry_get_type    (void) G_GNUC_CONST;
/* subject: a word, as in "image"; reason: (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinPlanEntry *welkin_plan_entry_new         (const char      *subject,
                                                const char      *choice,
                                                const char      *reason);
WELKIN_AVAILABLE_IN_0_1
WelkinPlanEntry *welkin_plan_entry_ref         (WelkinPlanEntry *self);
WELKIN_AVAILABLE_IN_0_1
void             welkin_plan_entry_unref       (WelkinPlanEntry *self);
WELKIN_AVAILABLE_IN_0_1
const char      *welkin_plan_entry_get_subject (WelkinPlanEntry *self);
WELKIN_AVAILABLE_IN_0_1
const char      *welkin_plan_entry_get_choice  (WelkinPlanEntry *self);
WELKIN_AVAILABLE_IN_0_1
const char      *welkin_plan_entry_get_reason  (WelkinPlanEntry *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinPlanEntry, welkin_plan_entry_unref)

G_END_DECLS
