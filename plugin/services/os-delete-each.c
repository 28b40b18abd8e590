/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "base/join.h"
#include "services/os-delete-each.h"
#include "values/welkin-error.h"

/* What is left by requests that delete many objects at once. */

/* How many single deletions are begun at once: no more than go out at once. Where the server does
 * not answer any more, they go out one by one the second time, and those behind them in the queue
 * would have their first time before. */
#define ROUND 32

typedef struct
{
  char          *container;
  GPtrArray     *names;         /* (owned) */
  OsDelete       delete;
  OsDeleteFinish delete_finish;
  guint          next;          /* of names */
  WkJoin        *join;          /* (owned) (nullable) of the round */
} DeleteEach;

gboolean
os_delete_is_answer (GPtrArray *failed,
                     GPtrArray *names,
                     guint      from,
                     guint      n_names)
{
  g_autoptr(GHashTable) asked = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_names; i++)
    g_hash_table_add (asked, g_ptr_array_index (names, from + i));
  for (guint i = 0; i < failed->len; i++)
    if (!g_hash_table_remove (asked, g_ptr_array_index (failed, i)))
      return FALSE;
  return TRUE;
}

static void
delete_each_free (DeleteEach *self)
{
  g_free (self->container);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self);
}

/* It is not this object: the others would wait as long, one behind the other. */
static gboolean
is_of_server (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_RATE_LIMITED);
}

static void
deleted_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  DeleteEach *self = user_data;
  g_autoptr(WkJoin) join = wk_join_ref (self->join);
  GError *error = NULL;
  gboolean stops;

  self->delete_finish (source, result, &error);
  stops = is_of_server (error);
  wk_join_end (join, error);
  if (stops)
    wk_join_cancel (join);
}

static void
begin_round (DeleteEach *self,
             WkFlow     *flow)
{
  guint end = MIN (self->next + ROUND, self->names->len);

  g_clear_pointer (&self->join, wk_join_unref);
  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  for (; self->next < end; self->next++)
    self->delete (wk_flow_get_source (flow), self->container,
                  g_ptr_array_index (self->names, self->next), wk_join_begin (self->join),
                  deleted_cb, self);
}

static void
delete_each_run (WkFlow *flow,
                 gpointer user_data)
{
  DeleteEach *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (self->next < self->names->len)
    {
      begin_round (self, flow);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_delete_each_async (gpointer             store,
                      const char          *container,
                      GPtrArray           *names,
                      OsDelete             delete,
                      OsDeleteFinish       delete_finish,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  DeleteEach *each = g_new0 (DeleteEach, 1);

  each->container = g_strdup (container);
  each->names = g_ptr_array_ref (names);
  each->delete = delete;
  each->delete_finish = delete_finish;
  wk_flow_start (store, cancellable, callback, user_data, os_delete_each_async, delete_each_run,
                 each, (GDestroyNotify) delete_each_free);
}

gboolean
os_delete_each_finish (gpointer       store,
                       GAsyncResult  *result,
                       GError       **error)
{
  return wk_flow_finish_boolean (result, store, os_delete_each_async, error);
}
