/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * A first-come first-served semaphore whose width follows how its owner fares: it is
 * halved when the far end is overloaded and grows by one with each success, up to
 * the width it was made with.
 */
typedef struct _WkGate WkGate;

typedef enum
{
  WK_GATE_SUCCESS,
  WK_GATE_OVERLOADED, /* a time-out, or 503 */
  WK_GATE_NEUTRAL,
} WkGateOutcome;

WkGate  *wk_gate_new          (guint               width);
WkGate  *wk_gate_ref          (WkGate             *gate);
void     wk_gate_unref        (WkGate             *gate);
guint    wk_gate_get_width    (WkGate             *gate);
guint    wk_gate_get_in_use   (WkGate             *gate);
guint    wk_gate_get_waiting  (WkGate             *gate);
void     wk_gate_enter_async  (WkGate             *gate,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data);
/* On TRUE the caller holds a place and must leave it. */
gboolean wk_gate_enter_finish (WkGate             *gate,
                               GAsyncResult       *result,
                               GError            **error);
void     wk_gate_leave        (WkGate             *gate,
                               WkGateOutcome       outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkGate, wk_gate_unref)

G_END_DECLS
