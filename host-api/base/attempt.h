/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"

G_BEGIN_DECLS

/*
 * Tries again at a fixed or growing pace until a total time has passed. The first try
 * is at once, there is always one, and the time that a try itself took is deducted
 * from the delay that follows:
 *
 *   wk_attempt_init (&self->attempt, &wk_attempt_long, clock);
 *   do
 *     {
 *       WK_AWAIT (flow, thing_look_async (…));
 *       …
 *       WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
 *     }
 *   while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
 *   if (error == NULL)
 *     … the time is over …
 */
typedef struct
{
  double total;     /* seconds */
  double delay;     /* seconds before the second try */
  double growth;    /* factor from one delay to the next; 0 is 1 */
  double max_delay; /* 0: no limit */
  guint  min_tries; /* overrides total */
} WkAttemptStrategy;

extern const WkAttemptStrategy wk_attempt_short;   /* 15 s, every 200 ms */
extern const WkAttemptStrategy wk_attempt_long;    /* 3 min, every second */
extern const WkAttemptStrategy wk_attempt_storage; /* 10 s, every 200 ms */

typedef struct
{
  WkAttemptStrategy strategy;
  WkClock          *clock;  /* (owned) (nullable) */
  double            begin;  /* seconds of the clock */
  double            last;
  double            delay;  /* the one that comes next */
  guint             tries;
} WkAttempt;

void     wk_attempt_init        (WkAttempt               *attempt,
                                 const WkAttemptStrategy *strategy,
                                 WkClock                 *clock);
void     wk_attempt_clear       (WkAttempt               *attempt);
/* Waits until the next try is due. */
void     wk_attempt_next_async  (WkAttempt               *attempt,
                                 GCancellable            *cancellable,
                                 GAsyncReadyCallback      callback,
                                 gpointer                 user_data);
/* TRUE: try again. FALSE without an error: the time is over. FALSE with one: cancelled. */
gboolean wk_attempt_next_finish (WkAttempt               *attempt,
                                 GAsyncResult            *result,
                                 GError                 **error);

G_END_DECLS
