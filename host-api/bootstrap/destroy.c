/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Destroy: removes an environment from the cloud, and only then from the info store, so
 * that a removal that failed can be repeated with all that is needed for it.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-bootstrap.h"
#include "environments/welkin-info.h"

typedef struct
{
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  WelkinProgress     *progress;     /* (owned) (nullable) */

  GObject            *lock;         /* (owned) */
  WelkinEnviron      *environment;  /* (owned) */
  WelkinInfo         *info;         /* (owned) */
} Destroy;

static void
destroy_free (gpointer data)
{
  Destroy *self = data;

  welkin_progress_finish (self->progress);

  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  g_clear_object (&self->lock);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->environments);
  g_free (self);
}

static gboolean
destroy_lock (Destroy *self,
              GError **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);

  self->lock = welkin_info_lock_environment (surroundings, self->name, error);
  return self->lock != NULL;
}

/* A bootstrap that was killed at once has made nothing but an empty file. */
static gboolean
destroy_is_begun_only (Destroy *self)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);

  self->info = welkin_info_load (surroundings, self->name, NULL);
  return self->info != NULL && !welkin_info_get_initialized (self->info);
}

static gboolean
destroy_forget (Destroy *self,
                GError **error)
{
  if (!welkin_info_destroy (self->info, error))
    return FALSE;
  g_message (_("a bootstrap of environment \"%s\" was interrupted before it made anything: its "
               "empty file is removed"), self->name);
  return TRUE;
}

static gboolean
destroy_open (Destroy *self,
              GError **error)
{
  g_clear_object (&self->info);
  return welkin_open_remembered (self->environments, self->name, &self->environment, &self->info,
                                 error);
}

static void
destroy_run (WkFlow  *flow,
             gpointer user_data)
{
  Destroy *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!destroy_lock (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (destroy_is_begun_only (self))
    {
      if (!destroy_forget (self, &error))
        WK_FAIL (flow, &error, NULL);
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (!destroy_open (self, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, welkin_environ_destroy_async (self->environment, self->progress,
                                                WK_RESUME (flow)));
  if (!welkin_environ_destroy_finish (self->environment, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (!welkin_info_destroy (self->info, &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_destroy_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @progress: (nullable): where to report
 * @cancellable: (nullable): stops it half way; it can be repeated
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Removes everything that is the environment's from the cloud, and then forgets it.
 *
 * Since: 0.1
 */
void
welkin_destroy_async (WelkinEnvironments *environments,
                      const char         *name,
                      WelkinProgress     *progress,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  Destroy *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);

  self = g_new0 (Destroy, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  g_set_object (&self->progress, progress);

  wk_flow_start (environments, cancellable, callback, user_data, welkin_destroy_async, destroy_run,
                 self, destroy_free);
}

/**
 * welkin_destroy_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_destroy_async(). After an error the environment is still remembered, and the call can
 * be repeated.
 *
 * Returns: %TRUE when nothing of the environment is left
 *
 * Since: 0.1
 */
gboolean
welkin_destroy_finish (WelkinEnvironments *environments,
                       GAsyncResult       *result,
                       GError            **error)
{
  return wk_flow_finish_boolean (result, environments, welkin_destroy_async, error);
}
