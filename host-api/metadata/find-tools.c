/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "metadata/tools-version.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinEnviron      *environment;  /* (owned) */
  char               *series;       /* (owned) (nullable) */
  char               *arch;         /* (owned) (nullable) */
  char               *version;      /* (owned) a whole one, or the beginning of the newest */
  WelkinToolsFlags    flags;
  char               *directory;    /* (owned) (nullable) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */

  /* while running */
  char               *region;       /* (owned) (nullable) */
  char               *endpoint;     /* (owned) (nullable) */
  WelkinStorage      *storage;      /* (owned) (nullable) */
  GPtrArray          *sources;      /* (owned) (nullable) of WelkinDataSource */
  GPtrArray          *tools;        /* (owned) (nullable) of WelkinTools */
} Find;

static void
find_free (gpointer user_data)
{
  Find *self = user_data;

  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_clear_object (&self->storage);
  g_free (self->endpoint);
  g_free (self->region);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  g_free (self->directory);
  g_free (self->version);
  g_free (self->arch);
  g_free (self->series);
  g_object_unref (self->environment);
  g_free (self);
}

/* What goes with this program; trials only with a trial, or for who wants them. */
static void
take_host_version (Find *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  WelkinToolsVersion host;

  welkin_tools_version_get_host (NULL, &host);
  self->version = g_strdup_printf ("%u.%u", host.major, host.minor);
  if (welkin_tools_version_is_development (&host)
      || welkin_config_get_boolean (config, "development"))
    self->flags |= WELKIN_TOOLS_DEVELOPMENT;
}

static gboolean
take_cloud (Find    *self,
            GError **error)
{
  if (!WELKIN_IS_REGIONAL (self->environment))
    return TRUE;
  self->region = welkin_regional_get_region (WELKIN_REGIONAL (self->environment));
  self->endpoint = welkin_regional_get_endpoint (WELKIN_REGIONAL (self->environment));
  if ((self->region == NULL || *self->region == '\0')
      == (self->endpoint == NULL || *self->endpoint == '\0'))
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                       _("cannot find tools without a complete cloud configuration: of region and "
                         "URL one is not known"));
  return FALSE;
}

static const char *
get_stream (Find *self)
{
  return welkin_config_get_string (welkin_environ_get_config (self->environment), "tools-stream");
}

static void
begin_finding (Find               *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  welkin_tools_find_async (self->sources, get_stream (self), self->series, self->arch,
                           self->version, self->region, self->endpoint,
                           self->flags | WELKIN_TOOLS_FOR_MACHINES, self->surroundings, cancellable,
                           callback, user_data);
}

/* What lies on a disk here no machine can fetch. */
static gboolean
are_out_of_reach (Find *self)
{
  const char *uri = welkin_tools_get_uri (g_ptr_array_index (self->tools, 0));

  return self->storage != NULL && g_str_has_prefix (uri, "file:");
}

static void
begin_copying (Find               *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_free (self->version);
  self->version =
    g_strdup (welkin_tools_get_version (g_ptr_array_index (self->tools, 0)));
  welkin_tools_sync_async (self->sources, self->storage, get_stream (self), self->version,
                           WELKIN_TOOLS_NONE, self->surroundings, NULL, cancellable, callback,
                           user_data);
}

static void
look_in_storage_alone (Find *self)
{
  g_ptr_array_unref (self->sources);
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->sources,
                   welkin_data_source_new_for_storage (self->storage, WELKIN_TOOLS_PREFIX,
                                                       "cloud storage"));
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  g_auto(GStrv) copied = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!take_cloud (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_environ_list_tools_sources_async (self->environment, self->directory,
                                                           self->surroundings, WK_RESUME (flow)));
  self->sources = welkin_environ_list_tools_sources_finish (self->environment, WK_RESULT (flow),
                                                            &error);
  if (self->sources == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_finding (self, WK_RESUME (flow)));
  self->tools = welkin_tools_find_finish (WK_RESULT (flow), NULL, &error);
  if (self->tools == NULL)
    WK_FAIL (flow, &error, NULL);

  if (are_out_of_reach (self))
    {
      WK_AWAIT (flow, begin_copying (self, WK_RESUME (flow)));
      copied = welkin_tools_sync_finish (WK_RESULT (flow), &error);
      if (copied == NULL)
        WK_FAIL (flow, &error, _("Cannot copy the tools to the environment's storage"));
      look_in_storage_alone (self);
      g_clear_pointer (&self->tools, g_ptr_array_unref);
      WK_AWAIT (flow, begin_finding (self, WK_RESUME (flow)));
      self->tools = welkin_tools_find_finish (WK_RESULT (flow), NULL, &error);
      if (self->tools == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->tools),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_environ_find_tools_async:
 * @environment: an environment, logged in
 * @series: the series that they are for, as in "noble"
 * @constraints: what the machine must have
 * @version: (nullable): exactly which ones, as in "1.2.3"; %NULL for the newest
 *   that go with this Welkin
 * @directory: (nullable) (type filename): a directory that takes the place of
 *   what is public
 * @surroundings: (nullable): where proxies and keys come from; %NULL for those
 *   of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the main context of
 *   @environment
 * @user_data: data for @callback
 *
 * Looks for tools for a machine, as [method@StartParams.with_tools] takes them.
 *
 * They are of the stream that attribute `tools-stream` names. What is found in a
 * directory is copied into the environment's storage first, because no machine
 * can fetch it.
 *
 * Since: 0.1
 */
void
welkin_environ_find_tools_async (WelkinEnviron       *environment,
                                 const char          *series,
                                 WelkinConstraints   *constraints,
                                 const char          *version,
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
  self->storage = welkin_environ_get_storage (environment);
  self->series = g_strdup (series);
  if (welkin_constraints_demands (constraints, "arch"))
    self->arch = g_strdup (welkin_constraints_get_text (constraints, "arch"));
  self->directory = g_strdup (directory);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  if (version != NULL)
    self->version = g_strdup (version);
  else
    take_host_version (self);
  wk_flow_start (environment, cancellable, callback, user_data, welkin_environ_find_tools_async,
                 find_run, self, find_free);
}

/**
 * welkin_environ_find_tools_finish:
 * @environment: an environment
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Environ.find_tools_async].
 *
 * That there are none is %WELKIN_ERROR_NO_TOOLS, with what each source had to say.
 *
 * Returns: (transfer container) (element-type WelkinTools): tools of one version,
 *   for one architecture or more, or %NULL on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_environ_find_tools_finish (WelkinEnviron  *environment,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_environ_find_tools_async, error);
}
