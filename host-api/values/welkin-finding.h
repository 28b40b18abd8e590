/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

/**
 * WelkinFindingStatus:
 * @WELKIN_FINDING_OK: all is well
 * @WELKIN_FINDING_WARNING: something is odd, and may do no harm
 * @WELKIN_FINDING_FAILURE: a bootstrap would be stopped by it
 * @WELKIN_FINDING_SKIPPED: it could not be looked at, because of another finding
 *
 * How an environment stands in one respect.
 *
 * Since: 0.1
 */
typedef enum
{
  WELKIN_FINDING_OK,
  WELKIN_FINDING_WARNING,
  WELKIN_FINDING_FAILURE,
  WELKIN_FINDING_SKIPPED,
} WelkinFindingStatus;

#define WELKIN_TYPE_FINDING (welkin_finding_get_type ())

/* What an examination has found out in one respect: immutable, refcounted. */
typedef struct _WelkinFinding WelkinFinding;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_finding_get_type   (void) G_GNUC_CONST;
/* check: a word, as in "login"; remedy: (nullable) what to do about it */
WELKIN_AVAILABLE_IN_0_1
WelkinFinding      *welkin_finding_new        (const char          *check,
                                               WelkinFindingStatus  status,
                                               const char          *text,
                                               const char          *remedy);
WELKIN_AVAILABLE_IN_0_1
WelkinFinding      *welkin_finding_ref        (WelkinFinding       *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_finding_unref      (WelkinFinding       *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_finding_get_check  (WelkinFinding       *self);
WELKIN_AVAILABLE_IN_0_1
WelkinFindingStatus welkin_finding_get_status (WelkinFinding       *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_finding_get_text   (WelkinFinding       *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_finding_get_remedy (WelkinFinding       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinFinding, welkin_finding_unref)

G_END_DECLS
