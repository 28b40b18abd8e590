/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

typedef struct
{
  const char * const *dead;           /* (nullable) start-ids that are known to be over, whatever a
                                       * record says */
  gint64              min_age;        /* seconds: what is younger and not dead stays; or -1 */
  gboolean            is_dry;         /* nothing is removed */
} WelkinSweep;

/* Removes what the starts that no record tells of have left behind in the cloud. For whoever has
 * the environment's lock.
 *
 * Returns what was found and what became of it (element-type WelkinLeftover) (transfer full); that
 * something could not be removed is no error of the call. With min_age -1 only what is dead is
 * looked at. WELKIN_ERROR_NOT_SUPPORTED: the provider cannot do that. */
void       welkin_sweep_leftovers_async  (WelkinEnviron       *environment,
                                          WelkinInfo          *info,
                                          const WelkinSweep   *sweep,
                                          WelkinProgress      *progress,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
GPtrArray *welkin_sweep_leftovers_finish (WelkinEnviron       *environment,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
