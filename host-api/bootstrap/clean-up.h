/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/undo.h"
#include "contracts/welkin-environ.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/*
 * What a bootstrap that failed has to take back. How much depends on how far it came:
 *
 *  - an environment that this bootstrap wrote down is destroyed whole, in the cloud if it
 *    got that far, and then in the info store, so that a failed removal can be repeated;
 *  - of one that was there before, only the instance, its record and the state file go, and
 *    the last two stay when the instance could not be stopped, so that destroy finds it;
 *  - where another bootstrap of the same environment was faster, all but the instance is
 *    that one's.
 */
typedef enum
{
  WELKIN_CLAIM_NONE,  /* nothing was written yet */
  WELKIN_CLAIM_BEGUN, /* something may have been written */
  WELKIN_CLAIM_WON,   /* the state file is ours */
  WELKIN_CLAIM_LOST,  /* it is another bootstrap's */
} WelkinClaim;

#define WELKIN_TYPE_CLEAN_UP (welkin_clean_up_get_type ())
G_DECLARE_FINAL_TYPE (WelkinCleanUp, welkin_clean_up, WELKIN, CLEAN_UP, GObject)

/* start_id: what the state file says if it is ours */
WelkinCleanUp *welkin_clean_up_new          (WelkinEnviron  *environment,
                                             WelkinInfo     *info,
                                             const char     *start_id,
                                             gboolean        is_new,
                                             gboolean        keep_broken);
/* How the claim on the environment's storage stands. */
void           welkin_clean_up_set_claim    (WelkinCleanUp  *self,
                                             WelkinClaim     claim);
/* It goes on with an earlier bootstrap, which the state file tells of. */
void           welkin_clean_up_set_start_id (WelkinCleanUp  *self,
                                             const char     *start_id);
void           welkin_clean_up_set_instance (WelkinCleanUp  *self,
                                             WelkinInstance *instance);
void           welkin_clean_up_push         (WelkinCleanUp  *self,
                                             WkUndo         *undo);

G_END_DECLS
