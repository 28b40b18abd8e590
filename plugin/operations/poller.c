/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/poller.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/outcome.h"
#include "values/welkin-error.h"

/* So few are asked for one by one; and so few of a long list. */
#define FEW 2
#define LISTED_PER_WAITER 20

static const double tick_seconds[] = { 1, 2, 3, 5 };

typedef struct _Look Look;

typedef struct
{
  OsPoller  *poller;
  GTask     *task;      /* (owned) */
  char      *id;        /* (owned) */
  OsPollGoal goal;
  double     begin;     /* seconds of the clock */
  double     limit;     /* seconds after that */
  GSource   *cancelled; /* (owned) (nullable) */
  char      *status;    /* (owned) (nullable) the last one seen */
  gboolean   is_served; /* by the list of this tick */
  Look      *look;      /* (nullable) the one under way */
} Waiter;

/* A question for one server, on behalf of one waiter. */
struct _Look
{
  OsPoller *poller; /* (owned) */
  WkJoin   *join;   /* (owned) */
  Waiter   *waiter; /* (nullable) has left since */
};

struct _OsPoller
{
  grefcount     ref_count;
  OsCompute    *compute;       /* (owned) */
  WkClock      *clock;         /* (owned) */
  char         *server_filter; /* (owned) */
  GPtrArray    *waiters;       /* (owned) of Waiter */
  guint         listed;        /* how many servers the last list had */

  /* while there are waiters */
  GCancellable *cancellable;   /* (owned) (nullable) of the ticks */
};

/* The ticks, from the first waiter to the last. */
typedef struct
{
  OsPoller *poller; /* (owned) */
  guint     n_ticks;
  WkJoin   *join;   /* (owned) (nullable) */
} Ticks;

static void
waiter_free (Waiter *self)
{
  if (self->cancelled != NULL)
    {
      g_source_destroy (self->cancelled);
      g_source_unref (self->cancelled);
    }
  if (self->look != NULL)
    self->look->waiter = NULL;
  g_object_unref (self->task);
  g_free (self->status);
  g_free (self->id);
  g_free (self);
}

static GTask *
take_task (Waiter *waiter)
{
  OsPoller *self = waiter->poller;
  GTask *task = g_object_ref (waiter->task);

  g_ptr_array_remove_fast (self->waiters, waiter);
  if (self->waiters->len == 0 && self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  return task;
}

static void
fail_waiter (Waiter *waiter,
             GError *error)
{
  g_autoptr(GTask) task = take_task (waiter);

  g_task_return_error (task, error);
}

/* Takes the server, which may be NULL. */
static void
release_waiter (Waiter   *waiter,
                OsServer *server)
{
  g_autoptr(GTask) task = take_task (waiter);

  if (server != NULL)
    g_object_set_data_full (G_OBJECT (task), "server", server, (GDestroyNotify) os_server_free);
  g_task_return_boolean (task, TRUE);
}

static gboolean
waiter_cancelled_cb (GCancellable *cancellable,
                     gpointer      user_data)
{
  Waiter *waiter = user_data;
  GError *error = NULL;

  g_cancellable_set_error_if_cancelled (cancellable, &error);
  fail_waiter (waiter, error);
  return G_SOURCE_REMOVE;
}

static gboolean
has_reached (const OsServer *server,
             OsPollGoal      goal)
{
  if (goal == OS_POLL_UNTIL_GONE)
    return os_server_is_gone (server);
  return goal == OS_POLL_UNTIL_SEEN || !os_server_is_building (server);
}

/* Takes the server. */
static void
serve_waiter (Waiter   *waiter,
              OsServer *server)
{
  waiter->is_served = TRUE;
  g_free (waiter->status);
  waiter->status = g_strdup (server->status);
  if (has_reached (server, waiter->goal))
    release_waiter (waiter, server);
  else
    os_server_free (server);
}

static void
serve_missing (Waiter *waiter)
{
  if (waiter->goal == OS_POLL_UNTIL_GONE)
    release_waiter (waiter, NULL);
  else
    fail_waiter (waiter, g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                                      _("server %s has vanished"), waiter->id));
}

/* One whom the list has not served yet: where several wait for one server, the others ask. */
static Waiter *
find_waiter (OsPoller   *self,
             const char *id)
{
  for (guint i = 0; i < self->waiters->len; i++)
    {
      Waiter *waiter = g_ptr_array_index (self->waiters, i);

      if (!waiter->is_served && g_str_equal (waiter->id, id))
        return waiter;
    }
  return NULL;
}

/* Of a server that no host ever had, nova's lists do not tell why: it is asked for by its id. */
static gboolean
lacks_fault (const OsServer *server)
{
  return os_server_get_state (server) == WELKIN_INSTANCE_FAILED && server->fault == NULL;
}

static void
serve_from_list (OsPoller  *self,
                 GPtrArray *servers)
{
  self->listed = servers->len;
  for (guint i = servers->len; i > 0; i--)
    {
      const OsServer *server = g_ptr_array_index (servers, i - 1);
      Waiter *waiter = find_waiter (self, server->id);

      if (waiter != NULL && !lacks_fault (server))
        serve_waiter (waiter, g_ptr_array_steal_index_fast (servers, i - 1));
    }
}

/* What goes by itself ends no wait. */
static gboolean
is_passing (const GError *error)
{
  return os_error_leaves_doubt (error)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_RATE_LIMITED);
}

static void
fail_all (OsPoller     *self,
          const GError *error)
{
  while (self->waiters->len > 0)
    fail_waiter (g_ptr_array_index (self->waiters, 0), g_error_copy (error));
}

static void
fail_late (OsPoller *self)
{
  double now = wk_clock_get_seconds (self->clock);

  for (guint i = self->waiters->len; i > 0; i--)
    {
      Waiter *waiter;

      /* A callback may have made others leave. */
      if (i > self->waiters->len)
        continue;
      waiter = g_ptr_array_index (self->waiters, i - 1);
      if (now - waiter->begin >= waiter->limit)
        fail_waiter (waiter, g_error_new (WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
                                          _("server %s is still in state %s after %.0f seconds"),
                                          waiter->id,
                                          waiter->status != NULL ? waiter->status : "UNKNOWN",
                                          waiter->limit));
    }
}

static void
looked_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autofree Look *look = user_data;
  g_autoptr(OsPoller) self = look->poller;
  g_autoptr(WkJoin) join = look->join;
  g_autoptr(GError) error = NULL;
  OsServer *server = os_compute_get_server_finish (OS_COMPUTE (source), result, &error);
  Waiter *waiter = look->waiter;

  if (waiter != NULL)
    waiter->look = NULL;
  if (waiter == NULL)
    g_clear_pointer (&server, os_server_free);
  else if (server != NULL)
    serve_waiter (waiter, server);
  else if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    serve_missing (waiter);
  else if (!is_passing (error))
    fail_waiter (waiter, g_steal_pointer (&error));
  else
    g_debug ("server %s cannot be looked at now: %s", waiter->id, error->message);
  wk_join_end (join, NULL);
}

/* By their ids, all that the list of this tick did not serve. */
static void
begin_looks (Ticks *self)
{
  for (guint i = 0; i < self->poller->waiters->len; i++)
    {
      Waiter *waiter = g_ptr_array_index (self->poller->waiters, i);
      Look *look;

      if (waiter->is_served)
        continue;
      look = g_new0 (Look, 1);
      look->poller = os_poller_ref (self->poller);
      look->join = wk_join_ref (self->join);
      look->waiter = waiter;
      waiter->look = look;
      os_compute_get_server_async (self->poller->compute, waiter->id, wk_join_begin (self->join),
                                   looked_cb, look);
    }
}

static void
set_served (OsPoller *self,
            gboolean  is_served)
{
  for (guint i = 0; i < self->waiters->len; i++)
    ((Waiter *) g_ptr_array_index (self->waiters, i))->is_served = is_served;
}

static gboolean
is_list_worth_it (OsPoller *self)
{
  return self->waiters->len > MAX (FEW, self->listed / LISTED_PER_WAITER);
}

static double
get_tick_seconds (guint n)
{
  return tick_seconds[MIN (n, G_N_ELEMENTS (tick_seconds) - 1)];
}

static void
ticks_run (WkFlow  *flow,
           gpointer user_data)
{
  Ticks *self = user_data;
  OsPoller *poller = self->poller;
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (poller->waiters->len > 0)
    {
      WK_AWAIT (flow, wk_clock_sleep_async (poller->clock, get_tick_seconds (self->n_ticks++),
                                            WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (poller->clock, WK_RESULT (flow), &error))
        break;

      set_served (poller, FALSE);
      if (is_list_worth_it (poller))
        {
          WK_AWAIT (flow, os_compute_list_servers_async (poller->compute, poller->server_filter,
                                                         NULL, NULL, WK_RESUME (flow)));
          servers = os_compute_list_servers_finish (poller->compute, WK_RESULT (flow), &error);
          if (servers != NULL)
            serve_from_list (poller, servers);
          else if (is_passing (error))
            set_served (poller, TRUE);
          else if (!wk_flow_is_cancelled (flow, NULL))
            fail_all (poller, error);
          g_clear_error (&error);
          g_clear_pointer (&servers, g_ptr_array_unref);
        }
      /* Whoever has come since has ticks of his own. */
      if (wk_flow_is_cancelled (flow, NULL))
        break;

      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_looks (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      wk_join_wait_finish (self->join, WK_RESULT (flow), NULL);
      g_clear_pointer (&self->join, wk_join_unref);
      fail_late (poller);
    }

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
ticks_free (gpointer user_data)
{
  Ticks *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  os_poller_unref (self->poller);
  g_free (self);
}

static void
ensure_ticks (OsPoller *self)
{
  Ticks *ticks;

  if (self->cancellable != NULL && !g_cancellable_is_cancelled (self->cancellable))
    return;

  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  ticks = g_new0 (Ticks, 1);
  ticks->poller = os_poller_ref (self);
  wk_flow_start (NULL, self->cancellable, NULL, NULL, ensure_ticks, ticks_run, ticks, ticks_free);
}

OsPoller *
os_poller_new (OsCompute  *compute,
               WkClock    *clock,
               const char *server_filter)
{
  OsPoller *self = g_new0 (OsPoller, 1);

  g_ref_count_init (&self->ref_count);
  self->compute = g_object_ref (compute);
  self->clock = wk_clock_ref (clock);
  self->server_filter = g_strdup (server_filter);
  self->waiters = g_ptr_array_new_with_free_func ((GDestroyNotify) waiter_free);
  return self;
}

OsPoller *
os_poller_ref (OsPoller *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
os_poller_unref (OsPoller *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_clear_object (&self->cancellable);
  g_ptr_array_unref (self->waiters);
  g_free (self->server_filter);
  wk_clock_unref (self->clock);
  g_object_unref (self->compute);
  g_free (self);
}

void
os_poller_wait_async (OsPoller           *self,
                      const char         *server_id,
                      OsPollGoal          goal,
                      double              seconds,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Waiter *waiter;

  g_task_set_source_tag (task, os_poller_wait_async);
  /* What was reached is told even if the caller does not want it any more. */
  g_task_set_check_cancellable (task, FALSE);
  if (g_task_return_error_if_cancelled (task))
    return;

  waiter = g_new0 (Waiter, 1);
  waiter->poller = self;
  waiter->task = g_steal_pointer (&task);
  waiter->id = g_strdup (server_id);
  waiter->goal = goal;
  waiter->begin = wk_clock_get_seconds (self->clock);
  waiter->limit = seconds;
  if (cancellable != NULL)
    {
      waiter->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_callback (waiter->cancelled, G_SOURCE_FUNC (waiter_cancelled_cb), waiter, NULL);
      g_source_attach (waiter->cancelled, g_main_context_get_thread_default ());
    }
  g_ptr_array_add (self->waiters, waiter);
  ensure_ticks (self);
}

gboolean
os_poller_wait_finish (OsPoller     *self,
                       GAsyncResult *result,
                       OsServer    **server,
                       GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, os_poller_wait_async), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  if (server != NULL)
    *server = g_object_steal_data (G_OBJECT (result), "server");
  return TRUE;
}
