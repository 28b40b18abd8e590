/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-constraints-validator.h"

G_BEGIN_DECLS

/* What holds on every cloud. (transfer full) */
WelkinConstraintsValidator *os_make_validator        (void);

/* And what this one knows: the names of its flavors, and the architectures of its images for the
 * environment's own series. */
void                        os_load_validator_async  (OsSnapshot          *snapshot,
                                                      const char          *series,
                                                      GPtrArray           *images,
                                                      GCancellable        *cancellable,
                                                      GAsyncReadyCallback  callback,
                                                      gpointer             user_data);
WelkinConstraintsValidator *os_load_validator_finish (OsSnapshot          *snapshot,
                                                      GAsyncResult        *result,
                                                      GError             **error);

G_END_DECLS
