/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "bootstrap/machine-images.h"
#include "bootstrap/machine-tools.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* What all starts of one pass have in common; it outlives them. */
typedef struct
{
  WelkinEnviron       *environment;  /* (owned) (nullable) */
  WelkinInfo          *info;         /* (owned) (nullable) */
  WelkinSurroundings  *surroundings; /* (unowned) the environments' own */
  WkClock             *clock;        /* (owned) */
  WelkinMachineImages *images;       /* (owned) (nullable) */
  WelkinMachineTools  *tools;        /* (owned) (nullable) */
} WelkinProvisionerPass;

/* Starts the machine of one record, with some more tries when the cloud may think better of it, and
 * writes down what came of it. progress: nullable */
void     welkin_provisioner_start_async  (WelkinProvisionerPass *pass,
                                          const char            *machine_id,
                                          WelkinProgress        *progress,
                                          GCancellable          *cancellable,
                                          GAsyncReadyCallback    callback,
                                          gpointer               user_data);
/* FALSE when nothing can be written down any more, and when it was cancelled. That the machine was
 * not started is no error: its record tells. */
gboolean welkin_provisioner_start_finish (WelkinProvisionerPass *pass,
                                          GAsyncResult          *result,
                                          GError               **error);

G_END_DECLS
