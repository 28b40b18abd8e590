/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Waits for several calls that run side by side. A counter starts at one, so that
 * nothing completes while calls are still being started:
 *
 *   self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
 *   thing_load_async (thing, wk_join_begin (self->join), loaded_cb, self);
 *   other_load_async (other, wk_join_begin (self->join), other_loaded_cb, self);
 *   WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
 *   if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
 *     WK_FAIL (flow, &error, NULL);
 *
 * Each callback finishes its call and says wk_join_end() with its error or NULL, last of
 * all: the wait ends with the last call, so their shared data may be gone behind it.
 */
typedef struct _WkJoin WkJoin;

typedef enum
{
  WK_JOIN_CANCEL_OTHERS, /* the first error cancels the other calls */
  WK_JOIN_COLLECT,       /* all run to their end; the first error is returned, with a count */
} WkJoinMode;

WkJoin       *wk_join_new              (WkJoinMode          mode,
                                        GCancellable       *cancellable);
WkJoin       *wk_join_ref              (WkJoin             *join);
void          wk_join_unref            (WkJoin             *join);
/* Counts one more call, and returns the cancellable that it is to be given (transfer none). */
GCancellable *wk_join_begin            (WkJoin             *join);
/* Takes the error, which may be NULL. */
void          wk_join_end              (WkJoin             *join,
                                        GError             *error);
/* The same; an error is told as "context: error". */
void          wk_join_end_with_context (WkJoin             *join,
                                        GError             *error,
                                        const char         *context);
/* Stops the calls that still run, when what one of them has found out holds for all. They do not
 * count among those that failed. */
void          wk_join_cancel           (WkJoin             *join);
/* The caller's own cancellation reaches the calls, and the wait then ends as soon as they have. */
void          wk_join_wait_async       (WkJoin             *join,
                                        GAsyncReadyCallback callback,
                                        gpointer            user_data);
gboolean      wk_join_wait_finish      (WkJoin             *join,
                                        GAsyncResult       *result,
                                        GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkJoin, wk_join_unref)

G_END_DECLS
