/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "base/undo.h"

G_BEGIN_DECLS

/*
 * A flow is an operation of several steps that wait, written as one function
 * which reads from top to bottom. It is a stackless coroutine over GTask:
 *
 *   static void
 *   fetch_run (WkFlow *flow,
 *              gpointer user_data)
 *   {
 *     Fetch *self = user_data;
 *     g_autoptr(GError) error = NULL;
 *
 *     WK_FLOW_BEGIN (flow);
 *
 *     WK_AWAIT (flow, thing_load_async (self->thing, WK_RESUME (flow)));
 *     self->size = thing_load_finish (self->thing, WK_RESULT (flow), &error);
 *     if (self->size == 0)
 *       WK_FAIL (flow, &error, _("Cannot load the thing"));
 *
 *     wk_flow_return_boolean (flow, TRUE);
 *
 *     WK_FLOW_END (flow);
 *   }
 *
 * The rules:
 *  - what crosses a wait is a field of the operation's struct, never a local;
 *  - no declaration between BEGIN and END outside an inner block without a
 *    wait (gcc's -Wjump-misses-init guards it), and no switch around a wait;
 *  - one wait a line: the resume point is its line number;
 *  - finish first, then ask about cancellation, so that no success is lost;
 *  - what makes something pushes how to unmake it on wk_flow_get_undo() as soon
 *    as the id is known; a flow that fails or is cancelled runs that backwards
 *    before it returns its error, a flow that succeeds forgets it.
 *
 * A flow runs in the thread-default main context of its start. When it is cancelled
 * before it starts, it does nothing and fails. It has its answer when its function has
 * been left: until then the operation's struct stays alive, and only then is the caller's
 * callback called, with the struct gone. G_MESSAGES_DEBUG=welkin-base tells where each
 * flow waits.
 */
typedef struct _WkFlow WkFlow;

typedef void (*WkFlowRun) (WkFlow  *flow,
                           gpointer self);

/* Takes self, and frees it with free_self, which may be NULL. The name of the run function is
 * the flow's name in messages. */
#define wk_flow_start(source_object, cancellable, callback, user_data, source_tag, run, self, \
                      free_self) \
  wk_flow_start_named ((source_object), (cancellable), (callback), (user_data), (source_tag), \
                       #run, (run), (self), (free_self))

void          wk_flow_start_named      (gpointer            source_object,
                                        GCancellable       *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer            user_data,
                                        gpointer            source_tag,
                                        const char         *name,
                                        WkFlowRun           run,
                                        gpointer            self,
                                        GDestroyNotify      free_self);
gpointer      wk_flow_finish_pointer   (GAsyncResult       *result,
                                        gpointer            source_object,
                                        gpointer            source_tag,
                                        GError            **error);
gboolean      wk_flow_finish_boolean   (GAsyncResult       *result,
                                        gpointer            source_object,
                                        gpointer            source_tag,
                                        GError            **error);

GCancellable *wk_flow_get_cancellable  (WkFlow             *flow);
gpointer      wk_flow_get_source       (WkFlow             *flow);
WkUndo       *wk_flow_get_undo         (WkFlow             *flow);
void          wk_flow_set_undo_seconds (WkFlow             *flow,
                                        double              seconds);
gboolean      wk_flow_is_cancelled     (WkFlow             *flow,
                                        GError            **error);

void          wk_flow_return_pointer   (WkFlow             *flow,
                                        gpointer            value,
                                        GDestroyNotify      destroy);
void          wk_flow_return_boolean   (WkFlow             *flow,
                                        gboolean            value);
/* What WK_FAIL is made of. */
void          wk_flow_fail             (WkFlow             *flow,
                                        GError            **error,
                                        const char         *context);

/* For the macros alone. */
int           wk_flow_get_line         (WkFlow             *flow);
void          wk_flow_suspend          (WkFlow             *flow,
                                        int                 line);
GAsyncResult *wk_flow_get_result       (WkFlow             *flow);
void          wk_flow_resume_cb        (GObject            *source,
                                        GAsyncResult       *result,
                                        gpointer            flow);

#define WK_FLOW_BEGIN(flow) \
  switch (wk_flow_get_line (flow)) \
    { \
    case 0:

#define WK_FLOW_END(flow) \
      break; \
    default: \
      g_assert_not_reached (); \
    }

/* Starts the call, leaves the function, and goes on behind it when it is done. */
#define WK_AWAIT(flow, ...) \
  do \
    { \
      wk_flow_suspend ((flow), __LINE__); \
      __VA_ARGS__; \
      return; \
    case __LINE__:; \
    } \
  while (0)

/* The last three arguments of an asynchronous call: cancellable, callback, data. */
#define WK_RESUME(flow) \
  wk_flow_get_cancellable (flow), wk_flow_resume_cb, (flow)

/* The same for a step that must learn its outcome even when the flow is cancelled. */
#define WK_RESUME_SHIELDED(flow) \
  NULL, wk_flow_resume_cb, (flow)

#define WK_RESULT(flow) \
  wk_flow_get_result (flow)

/* Ends the flow with *error, prefixed by context and ": " unless context is NULL. */
#define WK_FAIL(flow, error, context) \
  do \
    { \
      wk_flow_fail ((flow), (error), (context)); \
      return; \
    } \
  while (0)

G_END_DECLS
