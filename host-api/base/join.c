/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/join.h"

#include <glib/gi18n-lib.h>

#include "base/follow.h"

struct _WkJoin
{
  grefcount     ref_count;   /* each call that runs holds one, too */
  WkJoinMode    mode;
  GCancellable *cancellable; /* (owned) the calls' own */
  GSource      *following;   /* (owned) (nullable) the caller's */

  guint         pending;     /* the calls that run, and one until the wait begins */
  guint         started;
  guint         failed;
  GError       *error;       /* (owned) (nullable) the first one */
  GTask        *wait;        /* (owned) (nullable) */
};

WkJoin *
wk_join_new (WkJoinMode    mode,
             GCancellable *cancellable)
{
  WkJoin *join = g_new0 (WkJoin, 1);

  g_ref_count_init (&join->ref_count);
  join->mode = mode;
  join->cancellable = g_cancellable_new ();
  join->pending = 1;
  join->following = wk_follow (join->cancellable, cancellable);
  return join;
}

WkJoin *
wk_join_ref (WkJoin *join)
{
  g_ref_count_inc (&join->ref_count);
  return join;
}

void
wk_join_unref (WkJoin *join)
{
  if (!g_ref_count_dec (&join->ref_count))
    return;

  wk_unfollow (&join->following);
  g_object_unref (join->cancellable);
  g_clear_error (&join->error);
  g_free (join);
}

static void
join_return (WkJoin *join)
{
  g_autoptr(GTask) wait = g_steal_pointer (&join->wait);

  if (join->error != NULL)
    g_task_return_error (wait, g_steal_pointer (&join->error));
  else
    g_task_return_boolean (wait, TRUE);
}

static void
join_count_down (WkJoin *join)
{
  if (--join->pending > 0)
    return;

  /* Of what was stopped, nobody counts how much had come to its end. */
  if (join->mode == WK_JOIN_COLLECT && join->failed > 0 && join->started > 1
      && !g_error_matches (join->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_autofree char *message = g_steal_pointer (&join->error->message);

      /* TRANSLATORS: the first is what went wrong, as in "Quota exceeded (3 of 20 failed)". */
      join->error->message = g_strdup_printf (_("%s (%u of %u failed)"), message, join->failed,
                                              join->started);
    }
  join_return (join);
}

GCancellable *
wk_join_begin (WkJoin *join)
{
  g_return_val_if_fail (join->pending > 0, NULL);

  wk_join_ref (join);
  join->pending++;
  join->started++;
  return join->cancellable;
}

void
wk_join_end (WkJoin *join,
             GError *error)
{
  g_return_if_fail (join->pending > (join->wait == NULL ? 1 : 0));

  if (error != NULL
      && (join->error == NULL || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    join->failed++;
  if (error == NULL || join->error != NULL)
    {
      g_clear_error (&error);
    }
  else
    {
      join->error = error;
      /* Other calls may end within this. */
      if (join->mode == WK_JOIN_CANCEL_OTHERS)
        g_cancellable_cancel (join->cancellable);
    }
  join_count_down (join);
  wk_join_unref (join);
}

void
wk_join_end_with_context (WkJoin     *join,
                          GError     *error,
                          const char *context)
{
  if (error != NULL)
    g_prefix_error (&error, "%s: ", context);
  wk_join_end (join, error);
}

void
wk_join_cancel (WkJoin *join)
{
  g_cancellable_cancel (join->cancellable);
}

void
wk_join_wait_async (WkJoin             *join,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  g_return_if_fail (join->wait == NULL && join->pending > 0);

  join->wait = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (join->wait, wk_join_wait_async);
  join_count_down (join);
}

gboolean
wk_join_wait_finish (WkJoin       *join,
                     GAsyncResult *result,
                     GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, wk_join_wait_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
