/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/machine-images.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* What a machine is to be started with. */
typedef struct
{
  WelkinConstraints *constraints; /* (owned) with the fallback's */
  WelkinImageLookup *lookup;      /* (owned) (nullable) NULL: no image need be looked up */
  char             **ignored;     /* (owned) names of constraints that the cloud makes nothing of */
} WelkinChecked;

void               welkin_checked_free             (WelkinChecked       *self);
void               welkin_checked_tell_ignored     (WelkinChecked       *self);

/* Looks images up in metadata, and judges constraints by what the cloud can make of them.
 * fallback: (nullable): for what constraints leave open */
void               welkin_check_constraints_async  (WelkinMachineImages *images,
                                                    const char          *series,
                                                    WelkinConstraints   *constraints,
                                                    WelkinConstraints   *fallback,
                                                    GCancellable        *cancellable,
                                                    GAsyncReadyCallback  callback,
                                                    gpointer             user_data);
/* (transfer full); NULL on error, WELKIN_ERROR_INVALID_ARGUMENT when they cannot be satisfied */
WelkinChecked     *welkin_check_constraints_finish (WelkinMachineImages *images,
                                                    GAsyncResult        *result,
                                                    GError             **error);

/* The environment's own constraints, for what a machine's leave open. (transfer full) */
WelkinConstraints *welkin_info_parse_constraints   (WelkinInfo          *info,
                                                    GError             **error);
/* To be written with the info. */
void               welkin_info_set_constraints     (WelkinInfo          *info,
                                                    WelkinConstraints   *constraints);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinChecked, welkin_checked_free)

G_END_DECLS
