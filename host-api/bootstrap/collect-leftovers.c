/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/sweep-leftovers.h"
#include "bootstrap/welkin-machines.h"

typedef struct
{
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  WelkinSweep         sweep;
  WelkinProgress     *progress;     /* (owned) (nullable) */

  GObject            *lock;         /* (owned) (nullable) */
  WelkinEnviron      *environment;  /* (owned) */
  WelkinInfo         *info;         /* (owned) */
} Collect;

/* Whoever only looks is in nobody's way. */
static gboolean
collect_open (Collect *self,
              GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);

  if (!self->sweep.is_dry)
    {
      self->lock = welkin_info_lock_environment (surroundings, self->name, error);
      if (self->lock == NULL)
        return FALSE;
    }
  return welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                                 error);
}

static void
collect_run (WkFlow  *flow,
             gpointer user_data)
{
  Collect *self = user_data;
  GPtrArray *leftovers;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!collect_open (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_sweep_leftovers_async (self->environment, self->info, &self->sweep,
                                                self->progress, WK_RESUME (flow)));
  leftovers = welkin_sweep_leftovers_finish (self->environment, WK_RESULT (flow), &error);
  if (leftovers == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, leftovers, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
collect_free (gpointer data)
{
  Collect *self = data;

  welkin_progress_finish (self->progress);

  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  g_clear_object (&self->lock);
  g_clear_object (&self->progress);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

/**
 * welkin_collect_leftovers_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @flags: how
 * @min_age: how many seconds old something has to be to be removed, if its start is not known to be
 *   over: %WELKIN_COLLECT_MIN_AGE unless nobody else can be starting machines of the environment
 * @progress: (nullable): where to report
 * @cancellable: (nullable): stops it half way; it can be repeated
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Removes from the cloud what carries the environment's mark and belongs to no machine of it: what
 * starts that were cut off, or could not be undone, have left behind. What carries no mark is only
 * told of.
 *
 * The machines are those that this computer remembers. Where an environment is remembered on
 * several, those of the others look as if they were left behind once they are older than @min_age:
 * %WELKIN_COLLECT_DRY_RUN tells.
 *
 * Since: 0.1
 */
void
welkin_collect_leftovers_async (WelkinEnvironments *environments,
                                const char         *name,
                                WelkinCollectFlags  flags,
                                guint               min_age,
                                WelkinProgress     *progress,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  Collect *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);

  self = g_new0 (Collect, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->sweep.is_dry = (flags & WELKIN_COLLECT_DRY_RUN) != 0;
  self->sweep.min_age = min_age;
  g_set_object (&self->progress, progress);
  wk_flow_start (environments, cancellable, callback, user_data, welkin_collect_leftovers_async,
                 collect_run, self, collect_free);
}

/**
 * welkin_collect_leftovers_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_collect_leftovers_async(). That something could not be removed is no error, but its
 * state. Errors to expect: %WELKIN_ERROR_NOT_BOOTSTRAPPED, %WELKIN_ERROR_IN_USE while another
 * process changes the environment, %WELKIN_ERROR_NOT_SUPPORTED, and those of asking the cloud.
 *
 * Returns: (transfer container) (element-type WelkinLeftover): what was found, and what has become
 *   of it
 *
 * Since: 0.1
 */
GPtrArray *
welkin_collect_leftovers_finish (WelkinEnvironments *environments,
                                 GAsyncResult       *result,
                                 GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_collect_leftovers_async, error);
}
