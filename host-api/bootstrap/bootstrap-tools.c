/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/bootstrap-tools.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/bootstrap-options.h"
#include "machine/series-private.h"
#include "metadata/tools-bundle.h"
#include "metadata/tools-upload.h"
#include "metadata/tools-version.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

#define AGENT_VERSION "agent-version"

typedef struct
{
  /* inputs */
  WelkinEnviron          *environment;  /* (owned) */
  WelkinInfo             *info;         /* (owned) */
  WelkinBootstrapOptions *options;      /* (owned) */
  WelkinSurroundings     *surroundings; /* (owned) */

  /* while running */
  WelkinStorage          *storage;      /* (owned) (nullable) */
  char                   *uploaded;     /* (owned) (nullable) the version that was */
  GError                 *missing;      /* (owned) (nullable) why none were found */
  GPtrArray              *tools;        /* (owned) (nullable) of WelkinTools */
} Choice;

static void
choice_free (gpointer user_data)
{
  Choice *self = user_data;

  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_clear_error (&self->missing);
  g_free (self->uploaded);
  g_clear_object (&self->storage);
  welkin_surroundings_unref (self->surroundings);
  welkin_bootstrap_options_unref (self->options);
  g_object_unref (self->info);
  g_object_unref (self->environment);
  g_free (self);
}

/* The version that somebody wants; NULL for none. */
static const char *
get_wanted_version (Choice *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  const char *pinned = welkin_config_get_string (config, AGENT_VERSION);

  if (self->uploaded != NULL)
    return self->uploaded;
  if (self->options->agent_version != NULL)
    return self->options->agent_version;
  return *pinned != '\0' ? pinned : NULL;
}

static void
begin_finding (Choice             *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);

  welkin_environ_find_tools_async (self->environment,
                                   welkin_config_get_string (config, "default-series"),
                                   self->options->constraints, get_wanted_version (self),
                                   self->options->metadata_directory, self->surroundings,
                                   cancellable, callback, user_data);
}

/* Nobody publishes any, and nobody wants certain ones. */
static gboolean
may_come_from_here (Choice       *self,
                    const GError *error)
{
  return get_wanted_version (self) == NULL
         && g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS);
}

/* The installed agent stands in where nobody publishes any. */
static gboolean
must_upload (Choice *self)
{
  g_autofree char *directory = NULL;

  if (self->options->uploads_tools)
    return TRUE;
  directory = welkin_tools_get_agent_directory (self->surroundings);
  return self->tools == NULL && self->storage != NULL
         && welkin_tools_check_agent_directory (directory, NULL);
}

static char **
list_series (Choice *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autofree char *host = g_get_os_info (G_OS_INFO_KEY_VERSION_CODENAME);
  g_autoptr(GStrvBuilder) series = g_strv_builder_new ();

  if (self->options->upload_series != NULL)
    return g_strdupv (self->options->upload_series);
  if (host != NULL && welkin_series_lookup (host, NULL, NULL, NULL))
    g_strv_builder_add (series, host);
  if (host == NULL || !welkin_series_is_older (WELKIN_DEFAULT_SERIES, host))
    g_strv_builder_add (series, WELKIN_DEFAULT_SERIES);
  g_strv_builder_add (series, welkin_config_get_string (config, "default-series"));
  return g_strv_builder_end (series);
}

/* Nobody publishes what was built here: it is told from what is by its build. */
static char *
make_upload_version (Choice *self)
{
  WelkinToolsVersion version;

  if (self->options->agent_version != NULL)
    return g_strdup (self->options->agent_version);
  welkin_tools_version_get_host (NULL, &version);
  version.build++;
  return welkin_tools_version_format (&version);
}

static void
begin_uploading (Choice             *self,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autofree char *directory = self->options->agent_directory != NULL
                                 ? g_strdup (self->options->agent_directory)
                                 : welkin_tools_get_agent_directory (self->surroundings);
  g_autofree char *version = make_upload_version (self);
  g_auto(GStrv) series = list_series (self);

  welkin_tools_upload_async (self->storage, welkin_config_get_string (config, "tools-stream"),
                             directory, version, (const char *const *) series,
                             self->surroundings, cancellable, callback, user_data);
}

/* There must be a place for them. */
static gboolean
check_storage (Choice  *self,
               GError **error)
{
  if (self->storage != NULL)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                       _("cannot upload tools: the environment has no storage"));
  return FALSE;
}

static gboolean
pin_version (Choice  *self,
             GError **error)
{
  const char *version = welkin_tools_get_version (g_ptr_array_index (self->tools, 0));
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autoptr(WelkinConfig) pinned = NULL;
  g_autoptr(WelkinConfig) remembered = NULL;

  if (g_str_equal (welkin_config_get_string (config, AGENT_VERSION), version))
    return TRUE;
  pinned = welkin_config_with_text (config, AGENT_VERSION, version, NULL);
  if (!welkin_environ_set_config (self->environment, pinned, error))
    {
      g_prefix_error (error, "%s: ", _("failed to update environment configuration"));
      return FALSE;
    }
  remembered = welkin_config_with_text (welkin_info_get_config (self->info), AGENT_VERSION,
                                        version, NULL);
  welkin_info_set_config (self->info, remembered);
  return TRUE;
}

/* What is put into this storage has no URL, so that no machine could fetch it. */
static gboolean
is_out_of_reach (Choice       *self,
                 const GError *error)
{
  return !self->options->uploads_tools
         && g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

/* (transfer none): the same error */
static GError **
advise (GError **error)
{
  if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS))
    welkin_error_set_hint (*error, _("Name a place of tools in \"tools-metadata-url\", or make "
                                     "them of a directory with --upload-tools."));
  else if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
    welkin_error_set_hint (*error, _("Machines cannot fetch tools from this storage: name a place "
                                     "of tools in \"tools-metadata-url\", or stop before the agent "
                                     "with --until active."));
  return error;
}

static void
choice_run (WkFlow  *flow,
            gpointer user_data)
{
  Choice *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!self->options->uploads_tools)
    {
      WK_AWAIT (flow, begin_finding (self, WK_RESUME (flow)));
      self->tools = welkin_environ_find_tools_finish (self->environment, WK_RESULT (flow), &error);
      if (self->tools == NULL && !may_come_from_here (self, error))
        WK_FAIL (flow, advise (&error), _("cannot find bootstrap tools"));
      self->missing = g_steal_pointer (&error);
    }
  if (must_upload (self))
    {
      if (!check_storage (self, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, begin_uploading (self, WK_RESUME (flow)));
      self->uploaded = welkin_tools_upload_finish (self->storage, WK_RESULT (flow), &error);
      if (self->uploaded == NULL)
        WK_FAIL (flow, &error, _("cannot upload tools"));
      WK_AWAIT (flow, begin_finding (self, WK_RESUME (flow)));
      self->tools = welkin_environ_find_tools_finish (self->environment, WK_RESULT (flow), &error);
      if (self->tools == NULL && !is_out_of_reach (self, error))
        WK_FAIL (flow, advise (&error), _("cannot find bootstrap tools"));
      if (self->tools == NULL)
        {
          g_clear_error (&self->missing);
          self->missing = g_steal_pointer (&error);
        }
    }
  if (self->tools == NULL && self->options->until >= WELKIN_STAGE_AGENT)
    WK_FAIL (flow, advise (&self->missing), _("cannot find bootstrap tools"));
  if (self->tools == NULL)
    {
      g_debug ("there are no tools: the machines run nothing of ours");
      wk_flow_return_pointer (flow, g_ptr_array_new (), (GDestroyNotify) g_ptr_array_unref);
      return;
    }

  if (!pin_version (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_info_write_async (self->info, WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_write_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->tools),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
welkin_bootstrap_tools_async (WelkinEnviron          *environment,
                              WelkinInfo             *info,
                              WelkinBootstrapOptions *options,
                              WelkinSurroundings     *surroundings,
                              GCancellable           *cancellable,
                              GAsyncReadyCallback     callback,
                              gpointer                user_data)
{
  Choice *self = g_new0 (Choice, 1);

  self->environment = g_object_ref (environment);
  self->info = g_object_ref (info);
  self->options = welkin_bootstrap_options_ref (options);
  self->surroundings = welkin_surroundings_ref (surroundings);
  self->storage = welkin_environ_get_storage (environment);
  wk_flow_start (environment, cancellable, callback, user_data, welkin_bootstrap_tools_async,
                 choice_run, self, choice_free);
}

GPtrArray *
welkin_bootstrap_tools_finish (WelkinEnviron *environment,
                               GAsyncResult  *result,
                               GError       **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_bootstrap_tools_async, error);
}
