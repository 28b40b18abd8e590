/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "model/os-server.h"

G_BEGIN_DECLS

/* Did the request that failed so perhaps happen all the same? */
gboolean os_error_leaves_doubt (const GError   *error);
/* Why a server is in ERROR, as nova tells it. (transfer full) */
GError  *os_error_from_fault   (const OsServer *server);

/*
 * Makes a thing exactly once. When the answer to the call that makes it is lost, the thing is
 * looked for by its mark, three times two seconds apart, before the call is made once more, which
 * it is not when nobody can tell whether the thing is there.
 */
typedef struct
{
  void     (*make_async)  (gpointer            data,
                           GAsyncReadyCallback callback,
                           gpointer            user_data);
  gpointer (*make_finish) (gpointer            data,
                           GAsyncResult       *result,
                           GError            **error);
  void     (*find_async)  (gpointer            data,
                           GAsyncReadyCallback callback,
                           gpointer            user_data);
  /* NULL without an error: there is none. */
  gpointer (*find_finish) (gpointer            data,
                           GAsyncResult       *result,
                           GError            **error);
  /* (nullable) The call that made it was the second one: a cloud that is slow may still do what the
   * first one asked for. */
  void     (*note_twin)   (gpointer            thing);
} OsMaker;

/* Runs to its end whatever happens, so that the caller learns what there is to be unmade; but
 * nothing is made a second time for a caller who has cancelled. data must live as long. An error
 * that leaves doubt, and a cancellation, do not tell that there is none: the caller's undo has to
 * look for it by its mark. */
void     os_make_async  (const OsMaker       *maker,
                         gpointer             data,
                         WkClock             *clock,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data);
gpointer os_make_finish (GAsyncResult        *result,
                         GError             **error);

G_END_DECLS
