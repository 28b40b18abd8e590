/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "metadata/metadata-names.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-data-sources.h"
#include "metadata/welkin-tools-metadata.h"

typedef struct
{
  WelkinEnviron      *environment;  /* (owned) */
  char               *directory;    /* (owned) (nullable) */
  WelkinSurroundings *surroundings; /* (owned) */
  GPtrArray          *sources;      /* (owned) of WelkinDataSource */
} Listing;

static void
listing_free (gpointer user_data)
{
  Listing *self = user_data;

  g_clear_pointer (&self->sources, g_ptr_array_unref);
  welkin_surroundings_unref (self->surroundings);
  g_free (self->directory);
  g_object_unref (self->environment);
  g_free (self);
}

/**
 * welkin_tools_source_new:
 * @location: a URL, or a directory, of which that of tools is below it unless it
 *   is that already
 * @description: what it is called in messages
 * @flags: what holds for it
 * @surroundings: (nullable): where proxies come from; %NULL for those of the
 *   process
 * @error: return location for an error
 *
 * Makes a source of tools.
 *
 * Returns: (transfer full): a source, or %NULL on error
 *
 * Since: 0.1
 */
WelkinDataSource *
welkin_tools_source_new (const char           *location,
                         const char           *description,
                         WelkinDataSourceFlags flags,
                         WelkinSurroundings   *surroundings,
                         GError              **error)
{
  g_autofree char *name = NULL;
  g_autofree char *below = NULL;

  g_return_val_if_fail (location != NULL && description != NULL, NULL);

  name = g_path_get_basename (location);
  if (strstr (location, "://") == NULL && !g_str_equal (name, WELKIN_TOOLS_DIRECTORY))
    below = g_build_filename (location, WELKIN_TOOLS_DIRECTORY, NULL);
  return welkin_data_source_new_for_location (below != NULL ? below : location, description, flags,
                                              surroundings, error);
}

/**
 * welkin_tools_get_public_place:
 * @surroundings: where the variable comes from
 *
 * Tells where tools are published for everybody: what variable
 * `WELKIN_PUBLIC_TOOLS` says, or what Welkin was built with.
 *
 * Returns: (transfer full) (nullable): a URL; %NULL when there is no such place
 *
 * Since: 0.1
 */
char *
welkin_tools_get_public_place (WelkinSurroundings *surroundings)
{
  const char *place = welkin_surroundings_get_variable (surroundings, "WELKIN_PUBLIC_TOOLS");

  if (place == NULL)
    place = PUBLIC_TOOLS;
  return *place != '\0' ? g_strdup (place) : NULL;
}

/* location: nullable */
static gboolean
add_place (Listing              *self,
           const char           *location,
           const char           *description,
           WelkinDataSourceFlags flags,
           GError              **error)
{
  WelkinDataSource *source;

  if (location == NULL || *location == '\0')
    return TRUE;
  source = welkin_tools_source_new (location, description, flags, self->surroundings, error);
  if (source == NULL)
    return FALSE;
  g_ptr_array_add (self->sources, source);
  return TRUE;
}

static gboolean
add_chosen (Listing *self,
            GError **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  gboolean checks = welkin_config_get_boolean (config, "ssl-hostname-verification");

  return add_place (self, welkin_config_get_string (config, "tools-metadata-url"),
                    "tools-metadata-url",
                    checks ? WELKIN_DATA_SOURCE_NONE : WELKIN_DATA_SOURCE_ACCEPT_ANY_CERTIFICATE,
                    error);
}

/* A directory takes the place of what is public. */
static gboolean
add_public (Listing *self,
            GError **error)
{
  g_autofree char *place = NULL;

  if (self->directory != NULL)
    return add_place (self, self->directory, "local metadata directory", WELKIN_DATA_SOURCE_NONE,
                      error);
  place = welkin_tools_get_public_place (self->surroundings);
  return add_place (self, place, "default simplestreams", WELKIN_DATA_SOURCE_NONE, error);
}

/* An environment that was never used has no storage of its own yet. */
static void
add_storage (Listing *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autoptr(WelkinStorage) storage = NULL;

  if (*welkin_config_get_string (config, "uuid") != '\0')
    storage = welkin_environ_get_storage (self->environment);
  if (storage != NULL)
    g_ptr_array_add (self->sources,
                     welkin_data_source_new_for_storage (storage, WELKIN_TOOLS_PREFIX,
                                                         "cloud storage"));
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  Listing *self = user_data;
  g_autoptr(GPtrArray) offered = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!add_chosen (self, &error))
    WK_FAIL (flow, &error, NULL);
  add_storage (self);
  if (WELKIN_IS_TOOLS_SOURCES (self->environment))
    {
      WK_AWAIT (flow, welkin_tools_sources_get_async (WELKIN_TOOLS_SOURCES (self->environment),
                                                      WK_RESUME (flow)));
      offered = welkin_tools_sources_get_finish (WELKIN_TOOLS_SOURCES (self->environment),
                                                 WK_RESULT (flow), &error);
      if (offered == NULL)
        WK_FAIL (flow, &error, _("cannot find out where the cloud keeps metadata of tools"));
      g_ptr_array_extend (self->sources, offered, (GCopyFunc) (void *) g_object_ref, NULL);
    }
  if (!add_public (self, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->sources),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_environ_list_tools_sources_async:
 * @environment: an environment
 * @directory: (nullable) (type filename): a directory that takes the place of
 *   what is public
 * @surroundings: (nullable): where proxies come from; %NULL for those of the
 *   process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the main context of
 *   @environment
 * @user_data: data for @callback
 *
 * Lists where an environment's tools are looked up, in order: the attribute
 * `tools-metadata-url`, the environment's storage, what the cloud itself offers,
 * and the directory or else the public place, if there is one.
 *
 * Since: 0.1
 */
void
welkin_environ_list_tools_sources_async (WelkinEnviron       *environment,
                                         const char          *directory,
                                         WelkinSurroundings  *surroundings,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data)
{
  Listing *self;

  g_return_if_fail (WELKIN_IS_ENVIRON (environment));

  self = g_new0 (Listing, 1);
  self->environment = g_object_ref (environment);
  self->directory = g_strdup (directory);
  self->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                            : welkin_surroundings_new_for_process ();
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  wk_flow_start (environment, cancellable, callback, user_data,
                 welkin_environ_list_tools_sources_async, list_run, self, listing_free);
}

/**
 * welkin_environ_list_tools_sources_finish:
 * @environment: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.list_tools_sources_async].
 *
 * Returns: (transfer container) (element-type WelkinDataSource): the sources, or
 *   %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_environ_list_tools_sources_finish (WelkinEnviron  *environment,
                                          GAsyncResult   *result,
                                          GError        **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_environ_list_tools_sources_async,
                                 error);
}
