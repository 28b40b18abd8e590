/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/attempt.h"
#include "base/undo.h"

G_BEGIN_DECLS

/* How to delete things of which the cloud may say that they cannot go yet. */
typedef struct
{
  WkUndoAsync       delete_async;
  WkUndoFinish      delete_finish;
  /* Is this why it may go later? */
  gboolean        (*is_busy) (GError *error);
  WkAttemptStrategy strategy;
} OsDeleter;

/* Deletes a thing again and again while it is busy; the last refusal is the error. */
void     os_delete_patiently_async  (const OsDeleter     *deleter,
                                     gpointer             target,
                                     const char          *id,
                                     WkClock             *clock,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean os_delete_patiently_finish (gpointer             target,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
