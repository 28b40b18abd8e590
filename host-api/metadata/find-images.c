/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "metadata/welkin-image-lookup.h"

typedef struct
{
  /* inputs */
  WelkinEnviron      *environment;  /* (owned) */
  char               *series;       /* (owned) */
  WelkinConstraints  *constraints;  /* (owned) */
  char               *directory;    /* (owned) (nullable) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */

  /* while running */
  GPtrArray          *sources;      /* (owned) (nullable) */
} Find;

static void
find_free (gpointer user_data)
{
  Find *self = user_data;

  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  g_free (self->directory);
  welkin_constraints_unref (self->constraints);
  g_free (self->series);
  g_object_unref (self->environment);
  g_free (self);
}

static void
begin_lookup (Find               *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  const char *arches[] = { welkin_constraints_get_text (self->constraints, "arch"), NULL };
  gboolean has_arch = welkin_constraints_demands (self->constraints, "arch");
  g_autofree char *region = NULL;
  g_autofree char *endpoint = NULL;

  if (WELKIN_IS_REGIONAL (self->environment))
    {
      region = welkin_regional_get_region (WELKIN_REGIONAL (self->environment));
      endpoint = welkin_regional_get_endpoint (WELKIN_REGIONAL (self->environment));
    }
  welkin_image_lookup_async (self->sources, self->series, has_arch ? arches : NULL,
                             welkin_config_get_string (config, "image-stream"), region, endpoint,
                             self->surroundings, cancellable, callback, user_data);
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  WelkinImageLookup *lookup;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_environ_list_image_sources_async (self->environment, self->directory,
                                                           self->surroundings, WK_RESUME (flow)));
  self->sources = welkin_environ_list_image_sources_finish (self->environment, WK_RESULT (flow),
                                                            &error);
  if (self->sources == NULL)
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, begin_lookup (self, WK_RESUME (flow)));
  lookup = welkin_image_lookup_finish (WK_RESULT (flow), &error);
  if (lookup == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, lookup, (GDestroyNotify) welkin_image_lookup_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_environ_find_images_async:
 * @environment: an environment, logged in
 * @series: the series that images are to hold, as in "noble"
 * @constraints: what the machine must have
 * @directory: (nullable) (type filename): a directory of metadata to look in
 *   first
 * @surroundings: (nullable): where proxies and keys come from; %NULL for those
 *   of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the main context of
 *   @environment
 * @user_data: data for @callback
 *
 * Looks for images for a machine in the metadata that hold for the environment's
 * cloud, as [method@StartParams.with_images] takes them.
 *
 * Since: 0.1
 */
void
welkin_environ_find_images_async (WelkinEnviron       *environment,
                                  const char          *series,
                                  WelkinConstraints   *constraints,
                                  const char          *directory,
                                  WelkinSurroundings  *surroundings,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  Find *self;

  g_return_if_fail (WELKIN_IS_ENVIRON (environment));
  g_return_if_fail (series != NULL);
  g_return_if_fail (constraints != NULL);

  self = g_new0 (Find, 1);
  self->environment = g_object_ref (environment);
  self->series = g_strdup (series);
  self->constraints = welkin_constraints_ref (constraints);
  self->directory = g_strdup (directory);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  wk_flow_start (environment, cancellable, callback, user_data, welkin_environ_find_images_async,
                 find_run, self, find_free);
}

/**
 * welkin_environ_find_images_finish:
 * @environment: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.find_images_async].
 *
 * That nothing was found is no error.
 *
 * Returns: (transfer full): what was found, or %NULL on error
 *
 * Since: 0.1
 */
WelkinImageLookup *
welkin_environ_find_images_finish (WelkinEnviron  *environment,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_environ_find_images_async, error);
}
