/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "values/welkin-finding.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_EXAMINER (welkin_examiner_get_type ())

/* An environ that can be examined before anything is made. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinExaminer, welkin_examiner, WELKIN, EXAMINER, GObject)

struct _WelkinExaminerInterface
{
  GTypeInterface parent;

  void       (*examine_async)  (WelkinExaminer      *self,
                                WelkinConstraints   *constraints,
                                WelkinProgress      *progress,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data);
  GPtrArray *(*examine_finish) (WelkinExaminer      *self,
                                GAsyncResult        *result,
                                GError             **error);

  gpointer reserved[4];
};

/* What would stand in the way of a bootstrap: it only reads, and ends in a bounded time.
 * progress: (nullable) */
WELKIN_AVAILABLE_IN_0_1
void       welkin_examiner_examine_async  (WelkinExaminer      *self,
                                           WelkinConstraints   *constraints,
                                           WelkinProgress      *progress,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
/* (element-type WelkinFinding) (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_examiner_examine_finish (WelkinExaminer      *self,
                                           GAsyncResult        *result,
                                           GError             **error);

G_END_DECLS
