/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Time as operations see it. A scale above 1 makes it run faster than the wall's, so
 * that a test of a wait of minutes takes a second; NULL is an ordinary clock.
 */
typedef struct _WkClock WkClock;

WkClock *wk_clock_new          (double              scale);
/* text: (nullable) a scale, as a variable has it; what is none is 1 */
WkClock *wk_clock_new_parsed   (const char         *text);
WkClock *wk_clock_ref          (WkClock            *clock);
void     wk_clock_unref        (WkClock            *clock);
/* Seconds since some fixed moment; never goes back. */
double   wk_clock_get_seconds  (WkClock            *clock);
/* How many milliseconds of the wall's time this many seconds of the clock take. */
guint    wk_clock_get_interval (WkClock            *clock,
                                double              seconds);
void     wk_clock_sleep_async  (WkClock            *clock,
                                double              seconds,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data);
/* FALSE only when the sleep was cancelled. */
gboolean wk_clock_sleep_finish (WkClock            *clock,
                                GAsyncResult       *result,
                                GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkClock, wk_clock_unref)

G_END_DECLS
