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
 *  - of one that was there before, only the instance and the state file go, and the state
 *    file stays when the instance could not be stopped, so that destroy still finds it.
 */
#define WELKIN_TYPE_CLEAN_UP (welkin_clean_up_get_type ())
G_DECLARE_FINAL_TYPE (WelkinCleanUp, welkin_clean_up, WELKIN, CLEAN_UP, GObject)

WelkinCleanUp *welkin_clean_up_new              (WelkinEnviron  *environ,
                                                 WelkinInfo     *info,
                                                 gboolean        is_new,
                                                 gboolean        keep_broken);
/* Whether what lies in the storage is this bootstrap's. */
void           welkin_clean_up_set_owns_storage (WelkinCleanUp  *self,
                                                 gboolean        owns_storage);
void           welkin_clean_up_set_instance     (WelkinCleanUp  *self,
                                                 WelkinInstance *instance);
void           welkin_clean_up_push             (WelkinCleanUp  *self,
                                                 WkUndo         *undo);

G_END_DECLS
