/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Opening an environment that is to be bootstrapped: with what is remembered of it, or else with
 * what environments.yaml says, completed and written down first.
 */

#define G_LOG_DOMAIN "welkin"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "environments/environment-config.h"
#include "environments/welkin-environments-private.h"
#include "values/welkin-error.h"

/* What opens an environment that is to be bootstrapped. */
typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  WelkinPrepareFlags  flags;
  gboolean            is_preview;   /* nothing is written down */

  /* while running */
  WelkinInfo         *info;         /* (owned) (nullable) when it is remembered */
  WelkinProvider     *provider;     /* (owned) */
  WelkinConfig       *config;       /* (owned) */
  WelkinEnviron      *environment;  /* (owned) */
} Preparation;

/* What comes of it. */
typedef struct
{
  WelkinEnviron *environment; /* (owned) */
  gboolean       is_new;
} Prepared;

/* Lets the provider complete the config, and opens the environment. */
static WelkinEnviron *
complete_and_open (WelkinEnvironments *self,
                   WelkinConfig       *config,
                   WelkinProvider     *provider,
                   WelkinPrepareFlags  flags,
                   GError            **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self);
  g_autoptr(WelkinConfig) prepared = NULL;

  prepared = welkin_provider_prepare (provider, config, flags, surroundings, error);
  if (prepared == NULL)
    return NULL;
  return welkin_provider_open (provider, prepared, surroundings, error);
}

/* The same, and writes the config down. */
static WelkinEnviron *
open_and_write (WelkinEnvironments *self,
                WelkinInfo         *info,
                WelkinConfig       *config,
                WelkinProvider     *provider,
                WelkinPrepareFlags  flags,
                GError            **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;

  environment = complete_and_open (self, config, provider, flags, error);
  if (environment == NULL)
    return NULL;

  welkin_info_set_config (info, welkin_environ_get_config (environment));
  if (!welkin_info_write (info, error))
    return NULL;
  welkin_environments_give_intents (self, environment, welkin_info_get_name (info));
  return g_steal_pointer (&environment);
}

static WelkinEnviron *
open_known (WelkinEnvironments *self,
            WelkinInfo         *info,
            WelkinPrepareFlags  flags,
            GError            **error)
{
  g_autofree char *unsaved = NULL;
  g_autofree char *message = NULL;
  WelkinEnviron *environment = welkin_environments_open_info (self, info, error);

  if (environment == NULL)
    return NULL;
  message = g_strdup_printf (_("ignoring environments.yaml: using bootstrap config in %s"),
                             welkin_info_get_location (info));
  welkin_environments_warn_once (self, message);
  if ((flags & WELKIN_PREPARE_SAVE_CREDENTIALS) == 0)
    return environment;
  unsaved = g_strdup_printf (_("credentials are not saved: environment \"%s\" is remembered "
                               "already"), welkin_info_get_name (info));
  welkin_environments_warn_once (self, unsaved);
  return environment;
}

/* Begins to remember the environment; whatever fails, nothing of that is left. */
static WelkinEnviron *
open_new (WelkinEnvironments *self,
          const char         *name,
          WelkinConfig       *config,
          WelkinProvider     *provider,
          WelkinPrepareFlags  flags,
          GError            **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self);
  g_autoptr(WelkinInfo) info = welkin_info_create (surroundings, name, error);
  g_autoptr(GError) local_error = NULL;
  WelkinEnviron *environment = NULL;

  if (info == NULL)
    return NULL;
  environment = open_and_write (self, info, config, provider, flags, error);
  if (environment == NULL && !welkin_info_destroy (info, &local_error))
    welkin_environments_warn_once (self, local_error->message);
  return environment;
}

static void
prepared_free (gpointer data)
{
  Prepared *self = data;

  g_object_unref (self->environment);
  g_free (self);
}

/* environment: (transfer full) */
static void
return_prepared (WkFlow        *flow,
                 WelkinEnviron *environment,
                 gboolean       is_new)
{
  Prepared *prepared = g_new0 (Prepared, 1);

  prepared->environment = environment;
  prepared->is_new = is_new;
  wk_flow_return_pointer (flow, prepared, prepared_free);
}

static void
preparation_free (gpointer data)
{
  Preparation *self = data;

  g_clear_pointer (&self->config, welkin_config_unref);
  g_clear_object (&self->provider);
  g_clear_object (&self->environment);
  g_clear_object (&self->info);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static void
preparation_run (WkFlow  *flow,
                 gpointer user_data)
{
  Preparation *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->info = welkin_info_load (welkin_environments_get_surroundings (self->environments),
                                 self->name, &error);
  if (self->info != NULL)
    {
      self->environment = open_known (self->environments, self->info, self->flags, &error);
      if (self->environment == NULL)
        WK_FAIL (flow, &error, NULL);
      return_prepared (flow, g_steal_pointer (&self->environment), FALSE);
      return;
    }
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);

  self->config = welkin_environments_load_entry (self->environments, self->name, &self->provider,
                                                 &error);
  if (self->config == NULL)
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, welkin_environment_config_generate_async (self->config, WK_RESUME (flow)));
  welkin_config_unref (self->config);
  self->config = welkin_environment_config_generate_finish (WK_RESULT (flow), &error);
  if (self->config == NULL)
    WK_FAIL (flow, &error, NULL);
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  if (self->is_preview)
    self->environment = complete_and_open (self->environments, self->config, self->provider,
                                           self->flags, &error);
  else
    self->environment = open_new (self->environments, self->name, self->config, self->provider,
                                  self->flags, &error);
  if (self->environment == NULL)
    WK_FAIL (flow, &error, NULL);
  return_prepared (flow, g_steal_pointer (&self->environment), !self->is_preview);

  WK_FLOW_END (flow);
}

static void
start (WelkinEnvironments *self,
       const char         *name,
       WelkinPrepareFlags  flags,
       gboolean            is_preview,
       GCancellable       *cancellable,
       GAsyncReadyCallback callback,
       gpointer            user_data,
       gpointer            tag)
{
  Preparation *preparation = g_new0 (Preparation, 1);

  preparation->environments = g_object_ref (self);
  preparation->name = g_strdup (name);
  preparation->flags = flags;
  preparation->is_preview = is_preview;
  wk_flow_start (self, cancellable, callback, user_data, tag, preparation_run, preparation,
                 preparation_free);
}

static WelkinEnviron *
finish (WelkinEnvironments *self,
        GAsyncResult       *result,
        gpointer            tag,
        gboolean           *is_new,
        GError            **error)
{
  Prepared *prepared = wk_flow_finish_pointer (result, self, tag, error);
  WelkinEnviron *environment = NULL;

  if (is_new != NULL)
    *is_new = prepared != NULL && prepared->is_new;
  if (prepared == NULL)
    return NULL;

  environment = g_object_ref (prepared->environment);
  prepared_free (prepared);
  return environment;
}

/**
 * welkin_environments_prepare_async:
 * @self: environments
 * @name: the name of an environment
 * @flags: what may be written down
 * @cancellable: (nullable): gives up; nothing is written then
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Opens an environment that is to be bootstrapped.
 *
 * If it is not remembered yet, its config comes from environments.yaml, is
 * completed by what an environment gets once (secrets, an authority, names),
 * and is written down before this ends; whatever fails, nothing of that is
 * left. If it is remembered, it is opened with the config that was written
 * down.
 *
 * Since: 0.1
 */
void
welkin_environments_prepare_async (WelkinEnvironments *self,
                                   const char         *name,
                                   WelkinPrepareFlags  flags,
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (self));
  g_return_if_fail (name != NULL);

  start (self, name, flags, FALSE, cancellable, callback, user_data,
         welkin_environments_prepare_async);
}

/**
 * welkin_environments_prepare_finish:
 * @self: environments
 * @result: what the callback was given
 * @is_new: (out) (optional): whether this call began to remember it
 * @error: return location for an error
 *
 * Ends welkin_environments_prepare_async().
 *
 * Returns: (transfer full): the environment, or %NULL on error
 *
 * Since: 0.1
 */
WelkinEnviron *
welkin_environments_prepare_finish (WelkinEnvironments *self,
                                    GAsyncResult       *result,
                                    gboolean           *is_new,
                                    GError            **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return finish (self, result, welkin_environments_prepare_async, is_new, error);
}

/**
 * welkin_environments_preview_async:
 * @self: environments
 * @name: the name of an environment
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Opens an environment as [method@Environments.prepare_async] does, but writes
 * nothing down.
 *
 * It is for a look at what a bootstrap would do: what an environment gets once,
 * as its id, is another one each time while it is not remembered.
 *
 * Since: 0.1
 */
void
welkin_environments_preview_async (WelkinEnvironments *self,
                                   const char         *name,
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (self));
  g_return_if_fail (name != NULL);

  start (self, name, WELKIN_PREPARE_NONE, TRUE, cancellable, callback, user_data,
         welkin_environments_preview_async);
}

/**
 * welkin_environments_preview_finish:
 * @self: environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Environments.preview_async].
 *
 * Returns: (transfer full): the environment, or %NULL on error
 *
 * Since: 0.1
 */
WelkinEnviron *
welkin_environments_preview_finish (WelkinEnvironments *self,
                                    GAsyncResult       *result,
                                    GError            **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return finish (self, result, welkin_environments_preview_async, NULL, error);
}
