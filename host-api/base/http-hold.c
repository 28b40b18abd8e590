/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/backoff.h"
#include "base/http-private.h"
#include "values/welkin-error.h"

/* The pauses when an answer says "too many" but not for how long. */
#define PAUSE_SECONDS 1.0
#define MAX_PAUSE_SECONDS 60.0
/* Whoever sits before a terminal is told of a longer one. */
#define TOLD_SECONDS 5.0
/* A date that lies years ahead is somebody's wrong clock. */
#define MAX_HOLD_SECONDS 600.0

enum
{
  ENTERED_FREELY,
  ENTERED_AS_PROBE,
};

struct _WkHttpHold
{
  char     *service;
  WkClock  *clock;     /* (owned) (nullable) */
  gboolean  is_closed;
  gboolean  has_probe;
  double    until;     /* seconds of the clock */
  double    asked;     /* the same as the answer had it, however far that is */
  double    since;     /* when it was closed */
  gboolean  is_told;   /* that it takes long */
  guint     status;    /* of the answer that closed it */
  WkBackoff backoff;
  GQueue    waiters;   /* of Waiter, the first to come at the head */
  GSource  *server;    /* (owned) (nullable) ready when there is something to do for a waiter */
};

typedef struct
{
  GTask *task;         /* (owned) */
  double deadline;     /* seconds of the clock */
  gulong cancelled_id; /* 0: it cannot be cancelled */
} Waiter;

static void
waiter_free (Waiter *waiter)
{
  /* Not g_cancellable_disconnect(), which waits for ever below g_cancellable_cancel(): what the
   * signal's handler touches is its own reference to the source. */
  g_clear_signal_handler (&waiter->cancelled_id, g_task_get_cancellable (waiter->task));
  g_object_unref (waiter->task);
  g_free (waiter);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Waiter, waiter_free)

WkHttpHold *
wk_http_hold_new (const char *service,
                  WkClock    *clock)
{
  WkHttpHold *self = g_new0 (WkHttpHold, 1);

  self->service = g_strdup (service);
  if (clock != NULL)
    self->clock = wk_clock_ref (clock);
  g_queue_init (&self->waiters);
  wk_backoff_init (&self->backoff, PAUSE_SECONDS, MAX_PAUSE_SECONDS);
  return self;
}

void
wk_http_hold_free (WkHttpHold *self)
{
  g_assert (g_queue_is_empty (&self->waiters));

  if (self->server != NULL)
    {
      g_source_destroy (self->server);
      g_source_unref (self->server);
    }
  g_clear_pointer (&self->clock, wk_clock_unref);
  g_free (self->service);
  g_free (self);
}

gboolean
wk_http_hold_is_closed (WkHttpHold *self)
{
  return self->is_closed;
}

/* For people: the more it is, the less do they want to know of it. */
static char *
describe_wait (double seconds)
{
  gint64 minutes = (gint64) (seconds / 60.0 + 0.5);

  if (seconds <= MAX_HOLD_SECONDS)
    return g_strdup_printf (_("%.0f s"), MAX (seconds, 1.0));
  if (minutes < 2 * 60)
    return g_strdup_printf (_("%" G_GINT64_FORMAT " min"), minutes);
  if (minutes < 2 * 24 * 60)
    return g_strdup_printf (_("%" G_GINT64_FORMAT " h"), minutes / 60);
  return g_strdup_printf (_("%" G_GINT64_FORMAT " days"), minutes / 60 / 24);
}

static void
waiter_fail (WkHttpHold *self,
             Waiter     *waiter)
{
  double rest = self->asked - wk_clock_get_seconds (self->clock);
  g_autofree char *wait = describe_wait (MIN (rest, G_MAXINT));
  g_autofree char *message = NULL;

  if (self->status == SOUP_STATUS_SERVICE_UNAVAILABLE)
    message = g_strdup_printf (_("the server is busy, and asks to wait %s"), wait);
  else
    message = g_strdup_printf (_("there were too many requests, and the server asks to wait %s"),
                               wait);

  g_task_return_error (waiter->task,
                       welkin_error_new_from_service (WELKIN_ERROR_RATE_LIMITED, message, NULL,
                                                      self->status, NULL));
}

/* Takes the waiters that need not wait any longer out of the queue. */
static void
hold_take_waiters (WkHttpHold *self,
                   GQueue     *leaving)
{
  GList *next;

  for (GList *link = self->waiters.head; link != NULL; link = next)
    {
      Waiter *waiter = link->data;

      next = link->next;
      if (!self->is_closed || waiter->deadline < self->until
          || g_cancellable_is_cancelled (g_task_get_cancellable (waiter->task)))
        {
          g_queue_unlink (&self->waiters, link);
          g_queue_push_tail_link (leaving, link);
        }
    }
}

/* Does for the waiters what has become due, in one place and from the main loop alone:
 * nobody's callback runs on top of somebody else's. */
static gboolean
serve_cb (gpointer user_data)
{
  WkHttpHold *self = user_data;
  gboolean is_closed = self->is_closed;
  GQueue leaving = G_QUEUE_INIT;

  hold_take_waiters (self, &leaving);
  if (is_closed && !self->has_probe && !g_queue_is_empty (&self->waiters))
    {
      double rest = self->until - wk_clock_get_seconds (self->clock);

      if (rest > 0.0)
        g_source_set_ready_time (self->server,
                                 g_get_monotonic_time ()
                                     + wk_clock_get_interval (self->clock, rest)
                                           * G_TIME_SPAN_MILLISECOND);
      else
        {
          g_autoptr(Waiter) probe = g_queue_pop_head (&self->waiters);

          self->has_probe = TRUE;
          g_task_return_int (probe->task, ENTERED_AS_PROBE);
        }
    }

  while (!g_queue_is_empty (&leaving))
    {
      g_autoptr(Waiter) waiter = g_queue_pop_head (&leaving);

      if (g_task_return_error_if_cancelled (waiter->task))
        continue;
      if (is_closed)
        waiter_fail (self, waiter);
      else
        g_task_return_int (waiter->task, ENTERED_FREELY);
    }
  return G_SOURCE_CONTINUE;
}

static gboolean
server_dispatch (GSource    *source,
                 GSourceFunc callback,
                 gpointer    user_data)
{
  g_source_set_ready_time (source, -1);
  return callback (user_data);
}

static void
hold_wake (WkHttpHold *self)
{
  if (self->server != NULL)
    g_source_set_ready_time (self->server, 0);
}

static void
hold_ensure_server (WkHttpHold *self)
{
  static const GSourceFuncs funcs = { .dispatch = server_dispatch };

  if (self->server != NULL)
    return;

  self->server = g_source_new ((GSourceFuncs *) &funcs, sizeof (GSource));
  g_source_set_callback (self->server, serve_cb, self, NULL);
  g_source_attach (self->server, g_main_context_get_thread_default ());
}

static void
hold_tell (WkHttpHold *self)
{
  if (self->is_told || self->until - self->since < TOLD_SECONDS)
    return;
  self->is_told = TRUE;
  /* TRANSLATORS: the name of a service, or its URL; the status of an answer */
  g_message (_("%s asks to wait (HTTP %u)"), self->service, self->status);
}

void
wk_http_hold_close (WkHttpHold *self,
                    gboolean    was_probe,
                    double      seconds,
                    guint       status)
{
  double now = wk_clock_get_seconds (self->clock);
  gboolean was_closed = self->is_closed;
  double until;

  if (was_probe)
    self->has_probe = FALSE;
  self->is_closed = TRUE;
  self->status = status;
  if (seconds < 0.0)
    {
      /* Requests that were on their way together are one reason for a longer pause, not many. */
      if (was_closed && !was_probe)
        return;
      seconds = wk_backoff_next (&self->backoff);
    }
  /* It said that we need not wait, which was not true. */
  else if (was_probe && seconds < PAUSE_SECONDS)
    seconds = wk_backoff_next (&self->backoff);

  until = now + MIN (seconds, MAX_HOLD_SECONDS);
  self->until = was_closed && !was_probe ? MAX (self->until, until) : until;
  self->asked = was_closed && !was_probe ? MAX (self->asked, now + seconds) : now + seconds;
  if (!was_closed)
    self->since = now;
  hold_tell (self);
  if (!was_closed)
    g_info ("%s: HTTP %u, holding requests back for %.1f s", self->service, status, seconds);
  hold_wake (self);
}

void
wk_http_hold_end_probe (WkHttpHold *self,
                        gboolean    is_open)
{
  g_return_if_fail (self->has_probe);

  self->has_probe = FALSE;
  if (is_open)
    {
      self->is_closed = FALSE;
      self->is_told = FALSE;
      wk_backoff_init (&self->backoff, PAUSE_SECONDS, MAX_PAUSE_SECONDS);
    }
  hold_wake (self);
}

static void
waiter_cancelled_cb (GCancellable *cancellable,
                     gpointer      server)
{
  g_source_set_ready_time (server, 0);
}

void
wk_http_hold_enter_async (WkHttpHold         *self,
                          double              patience,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Waiter *waiter;

  g_task_set_source_tag (task, wk_http_hold_enter_async);
  /* Who has become the probe must know it. */
  g_task_set_check_cancellable (task, FALSE);

  hold_ensure_server (self);
  waiter = g_new0 (Waiter, 1);
  waiter->task = g_steal_pointer (&task);
  waiter->deadline = wk_clock_get_seconds (self->clock) + patience;
  if (cancellable != NULL)
    waiter->cancelled_id
        = g_cancellable_connect (cancellable, G_CALLBACK (waiter_cancelled_cb),
                                 g_source_ref (self->server), (GDestroyNotify) g_source_unref);
  g_queue_push_tail (&self->waiters, waiter);
  hold_wake (self);
}

gboolean
wk_http_hold_enter_finish (WkHttpHold   *self,
                           GAsyncResult *result,
                           gboolean     *is_probe,
                           GError      **error)
{
  gssize entered;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_http_hold_enter_async), FALSE);

  entered = g_task_propagate_int (G_TASK (result), error);
  *is_probe = entered == ENTERED_AS_PROBE;
  return entered >= 0;
}
