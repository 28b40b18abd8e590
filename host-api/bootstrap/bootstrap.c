/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Bootstrap: makes the first machine of an environment. One flow, from the entry in
 * environments.yaml to the saved provider-state and the machine's record. What it makes
 * is undone when it fails or is cancelled; see clean-up.c for what that takes.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "bootstrap/bootstrap-options.h"
#include "bootstrap/bootstrap-tools.h"
#include "bootstrap/check-constraints.h"
#include "bootstrap/clean-up.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/own-keys.h"
#include "bootstrap/provider-state.h"
#include "bootstrap/resume-bootstrap.h"
#include "bootstrap/set-up-machine.h"
#include "bootstrap/storage-check.h"
#include "bootstrap/welkin-bootstrap.h"
#include "contracts/welkin-optional.h"
#include "environments/welkin-info.h"
#include "machine/keys.h"
#include "metadata/welkin-image-metadata.h"
#include "values/welkin-error.h"
#include "welkin-enums.h"

/* Undoing may have to destroy the whole environment, on a slow cloud. */
#define UNDO_SECONDS 900.0

typedef struct
{
  /* inputs */
  WelkinEnvironments     *environments; /* (owned) */
  char                   *name;         /* (owned) */
  WelkinBootstrapOptions *options;      /* (owned) */
  WelkinProgress         *progress;     /* (owned) (nullable) */

  /* while running */
  GObject                *lock;         /* (owned) this environment's, until the end */
  WelkinEnviron          *environment;  /* (owned) */
  WelkinInfo             *info;         /* (owned) */
  WelkinStorage          *storage;      /* (owned) */
  WelkinCleanUp          *clean_up;     /* (owned) knows what there is to undo */
  WkJoin                 *join;         /* (owned) */
  WelkinProgress         *part;         /* (owned) (nullable) of the step under way */
  WelkinProviderState    *found;        /* (owned) (nullable) the state that there was */
  WelkinResumed          *resumed;      /* (owned) (nullable) what was cut off */
  WelkinMachineImages    *images;       /* (owned) (nullable) */
  WelkinChecked          *checked;      /* (owned) (nullable) constraints, and images for them */
  char                   *start_id;     /* (owned) */
  WelkinMachineRecord    *record;       /* (owned) */
  WelkinStartParams      *params;       /* (owned) */
  WelkinProviderState    *state;        /* (owned) */
  WelkinStartResult      *started;      /* (owned) */
  WelkinSsh              *ssh;          /* (owned) (nullable) when it is to log in */
} Bootstrap;

static void
bootstrap_free (gpointer data)
{
  Bootstrap *self = data;

  welkin_progress_finish (self->progress);

  g_clear_pointer (&self->ssh, welkin_ssh_unref);
  g_clear_pointer (&self->started, welkin_start_result_unref);
  g_clear_pointer (&self->state, welkin_provider_state_unref);
  g_clear_pointer (&self->params, welkin_start_params_unref);
  g_clear_pointer (&self->record, welkin_machine_record_free);
  g_clear_pointer (&self->start_id, g_free);
  g_clear_pointer (&self->checked, welkin_checked_free);
  g_clear_pointer (&self->images, welkin_machine_images_free);
  g_clear_pointer (&self->resumed, welkin_resumed_free);
  g_clear_pointer (&self->found, welkin_provider_state_unref);
  g_clear_object (&self->part);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_object (&self->clean_up);
  g_clear_object (&self->storage);
  g_clear_object (&self->info);
  g_clear_object (&self->environment);
  g_clear_object (&self->lock);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->options, welkin_bootstrap_options_unref);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->environments);
  g_free (self);
}

/* Says what is being done, and makes the child that the step may report to. */
static void
begin_part (Bootstrap  *self,
            const char *message,
            double      weight)
{
  welkin_progress_finish (self->part);
  g_clear_object (&self->part);
  welkin_progress_set_message (self->progress, message);
  self->part = welkin_progress_add_child (self->progress, weight);
}

/* An info without anything in it was begun by a bootstrap that was killed before it made anything:
 * whoever has the lock begins again. */
static gboolean
bootstrap_lock (Bootstrap *self,
                GError   **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  g_autoptr(WelkinInfo) info = NULL;

  self->lock = welkin_info_lock_environment (surroundings, self->name, error);
  if (self->lock == NULL)
    return FALSE;
  info = welkin_info_load (surroundings, self->name, NULL);
  if (info == NULL || welkin_info_get_initialized (info))
    return TRUE;
  return welkin_info_destroy (info, error);
}

static WelkinPrepareFlags
get_prepare_flags (WelkinBootstrapOptions *options)
{
  return options->save_credentials ? WELKIN_PREPARE_SAVE_CREDENTIALS : WELKIN_PREPARE_NONE;
}

/* Takes the environment, completed and written down if it is new. Asks the cloud nothing. */
static gboolean
bootstrap_prepare (Bootstrap    *self,
                   GAsyncResult *result,
                   GError      **error)
{
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (self->environments);
  gboolean is_new;

  self->environment = welkin_environments_prepare_finish (self->environments, result, &is_new,
                                                          error);
  if (self->environment == NULL)
    return FALSE;

  self->info = welkin_info_load (surroundings, self->name, error);
  if (self->info == NULL)
    return FALSE;

  self->storage = welkin_environ_get_storage (self->environment);
  self->clean_up = welkin_clean_up_new (self->environment, self->info, self->start_id, is_new,
                                        self->options->keep_broken);
  return TRUE;
}

/* The keys without which the machine could not be told what it is. */
static gboolean
check_config (WelkinConfig *config,
              GError      **error)
{
  static const char *const needed[] = { "admin-secret", "authorized-keys", "ca-cert",
                                        "ca-private-key" };

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    if (*welkin_config_get_string (config, needed[i]) == '\0')
      {
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                     _("environment configuration has no %s"), needed[i]);
        return FALSE;
      }
  return TRUE;
}

static void
begin_check (Bootstrap          *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);

  self->images =
    welkin_machine_images_new (self->environment, self->options->metadata_directory,
                               welkin_environments_get_surroundings (self->environments));
  welkin_check_constraints_async (self->images, welkin_config_get_string (config, "default-series"),
                                  self->options->constraints, NULL, cancellable, callback,
                                  user_data);
}

/* Asks whether such a machine can be started, while nothing has been made that would have to go
 * again. */
static void
begin_precheck (Bootstrap          *self,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);

  welkin_prechecker_precheck_async (WELKIN_PRECHECKER (self->environment),
                                    welkin_config_get_string (config, "default-series"),
                                    self->options->constraints, self->options->placement,
                                    welkin_image_lookup_peek_images (self->checked->lookup),
                                    cancellable, callback, user_data);
}

static gboolean
finish_precheck (Bootstrap    *self,
                 GAsyncResult *result,
                 GError      **error)
{
  if (welkin_prechecker_precheck_finish (WELKIN_PRECHECKER (self->environment), result, error))
    return TRUE;
  if (error != NULL)
    welkin_image_lookup_explain (self->checked->lookup, *error);
  return FALSE;
}

static void
storage_read_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Bootstrap *self = user_data;
  GError *error = NULL;

  welkin_storage_check_read_finish (WELKIN_STORAGE (source), result, &error);
  wk_join_end (self->join, error);
}

static void
state_read_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Bootstrap *self = user_data;
  GError *error = NULL;

  self->found = welkin_provider_state_load_finish (WELKIN_ENVIRON (source), result, &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED))
    g_clear_error (&error);
  wk_join_end (self->join, error);
}

/* Looks, side by side, whether the storage is ours, and which state is in it. */
static void
begin_reading (Bootstrap    *self,
               GCancellable *cancellable)
{
  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, cancellable);
  welkin_storage_check_read_async (self->storage, wk_join_begin (self->join), storage_read_cb,
                                   self);
  welkin_provider_state_load_async (self->environment, wk_join_begin (self->join), state_read_cb,
                                    self);
}

/* Goes on with the start of the machine that was taken over, or begins anew. */
static gboolean
finish_resuming (Bootstrap    *self,
                 GAsyncResult *result,
                 GError      **error)
{
  g_autoptr(GError) local_error = NULL;

  self->resumed = welkin_bootstrap_resume_finish (self->environment, result, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (self->resumed == NULL)
    return TRUE;
  g_free (self->start_id);
  self->start_id = g_strdup (welkin_machine_record_get (self->resumed->record, "start-id"));
  welkin_clean_up_set_start_id (self->clean_up, self->start_id);
  return TRUE;
}

static gboolean
bootstrap_make_ssh (Bootstrap  *self,
                    const char *host_key,
                    GError    **error)
{
  if (self->options->until <= WELKIN_STAGE_ACTIVE)
    return TRUE;
  self->ssh = welkin_set_up_make_ssh (self->environments,
                                      welkin_environ_get_config (self->environment), host_key,
                                      error);
  return self->ssh != NULL;
}

/* What the machine that was taken over has been told already. From now on it goes when this
 * fails. */
static gboolean
bootstrap_describe_resumed (Bootstrap *self,
                            GError   **error)
{
  WelkinInstance *instance = self->resumed->instance;

  self->record = g_steal_pointer (&self->resumed->record);
  self->started =
    welkin_start_result_new (instance, welkin_instance_get_hardware (instance), NULL);
  welkin_clean_up_set_instance (self->clean_up, instance);
  self->params = welkin_machine_record_make_params (self->record, error);
  return self->params != NULL
         && bootstrap_make_ssh (self, welkin_machine_record_get (self->record, "host-key"), error);
}

/* Makes what the machine is to be told, and writes the record of its start: from now on the
 * start can be found again whatever happens to this process. */
static gboolean
bootstrap_describe_machine (Bootstrap *self,
                            GError   **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  const char *series = welkin_config_get_string (config, "default-series");
  g_autoptr(WelkinMachineConfig) plain = NULL;
  g_autoptr(WelkinMachineConfig) ours = NULL;
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(WelkinStartParams) bare = NULL;
  g_autoptr(WelkinStartParams) constrained = NULL;
  g_autoptr(WelkinStartParams) placed = NULL;
  g_autofree char *nonce = NULL;
  g_autofree char *nonce_id = g_uuid_string_random ();
  g_autofree char *private_key = NULL;
  g_autofree char *public_key = NULL;

  nonce = g_strconcat ("bootstrap:", nonce_id, NULL);
  plain = welkin_machine_config_new (WELKIN_BOOTSTRAP_MACHINE, nonce, series, TRUE, error);
  if (plain == NULL)
    return FALSE;
  ours = welkin_own_keys_add (plain,
                              welkin_environments_get_surroundings (self->environments));

  if (!self->options->insecure_host_key
      && !welkin_ssh_key_generate ("welkin-host-key", &private_key, &public_key, error))
    return FALSE;
  machine_config = public_key != NULL
                     ? welkin_machine_config_with_host_key (ours, "ed25519", private_key,
                                                            public_key)
                     : welkin_machine_config_ref (ours);
  if (!bootstrap_make_ssh (self, public_key, error))
    return FALSE;

  bare = welkin_start_params_new (self->start_id, machine_config);
  constrained = welkin_start_params_with_constraints (bare, self->options->constraints);
  placed = welkin_start_params_with_placement (constrained, self->options->placement);
  self->params = welkin_start_params_with_images (
    placed, welkin_image_lookup_peek_images (self->checked->lookup));

  self->record = welkin_machine_record_new (WELKIN_BOOTSTRAP_MACHINE, series, self->start_id,
                                            nonce);
  welkin_machine_record_set_constraints (self->record, self->options->constraints);
  welkin_machine_record_set (self->record, "placement", self->options->placement);
  welkin_machine_record_set (self->record, "host-key", public_key);
  welkin_machine_record_set_status (self->record, "provisioning", NULL);
  welkin_machine_record_store (self->record, self->info);
  return welkin_info_write (self->info, error);
}

static gboolean
bootstrap_describe (Bootstrap *self,
                    GError   **error)
{
  return self->resumed != NULL ? bootstrap_describe_resumed (self, error)
                               : bootstrap_describe_machine (self, error);
}

static void
begin_choosing_tools (Bootstrap          *self,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  welkin_bootstrap_tools_async (self->environment, self->info, self->options,
                                welkin_environments_get_surroundings (self->environments),
                                cancellable, callback, user_data);
}

static gboolean
finish_choosing_tools (Bootstrap    *self,
                       GAsyncResult *result,
                       GError      **error)
{
  g_autoptr(GPtrArray) tools =
    welkin_bootstrap_tools_finish (self->environment, result, error);
  WelkinStartParams *params;

  if (tools == NULL)
    return FALSE;
  if (tools->len > 0)
    {
      params = welkin_start_params_with_tools (self->params, tools);
      welkin_start_params_unref (self->params);
      self->params = params;
    }
  return TRUE;
}

/* Another bootstrap of the same environment was faster: what is there is that one's. */
static gboolean
bootstrap_lost (Bootstrap *self,
                GError   **error)
{
  welkin_clean_up_set_claim (self->clean_up, WELKIN_CLAIM_LOST);
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED,
                       _("Another bootstrap of this environment is under way"));
  return FALSE;
}

/* Looks again whose state it is: "only if absent" is not atomic on every cloud. */
static gboolean
check_state (Bootstrap *self,
             GError   **error)
{
  if (g_strcmp0 (welkin_provider_state_get_start_id (self->state), self->start_id) == 0)
    return TRUE;
  return bootstrap_lost (self, error);
}

/* The state, now that there is a machine. */
static void
add_instance_to_state (Bootstrap *self)
{
  WelkinInstance *instance = welkin_start_result_get_instance (self->started);
  WelkinProviderState *state;

  state = welkin_provider_state_with_instance (self->state, welkin_instance_get_id (instance),
                                               welkin_start_result_get_hardware (self->started));
  welkin_provider_state_unref (self->state);
  self->state = state;
}

/* FALSE with the error that there is now. */
static gboolean
finish_first_save (Bootstrap    *self,
                   GAsyncResult *result,
                   GError      **error)
{
  g_autoptr(GError) local_error = NULL;

  if (welkin_provider_state_save_finish (self->storage, result, &local_error))
    {
      welkin_clean_up_set_claim (self->clean_up, WELKIN_CLAIM_WON);
      return TRUE;
    }
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS))
    return bootstrap_lost (self, error);

  g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ",
                              _("Cannot create the initial state file"));
  return FALSE;
}

static const char *
get_stage_nick (WelkinStage stage)
{
  g_autoptr(GEnumClass) stages = g_type_class_ref (WELKIN_TYPE_STAGE);

  return g_enum_get_value (stages, stage)->value_nick;
}

/* The record of the running machine, and all that a later command needs; to be written. */
static void
bootstrap_remember (Bootstrap *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autoptr(WelkinValue) user = welkin_value_new_text ("admin", FALSE, NULL);
  g_autoptr(WelkinValue) password = NULL;
  g_autoptr(WelkinValue) ca_cert = NULL;
  g_autoptr(WelkinValue) until = NULL;

  until = welkin_value_new_text (get_stage_nick (self->options->until), FALSE, NULL);
  password = welkin_value_new_text (welkin_config_get_string (config, "admin-secret"), FALSE, NULL);
  ca_cert = welkin_value_new_text (welkin_config_get_string (config, "ca-cert"), FALSE, NULL);

  welkin_machine_record_set_started (self->record,
                                     welkin_start_result_get_instance (self->started),
                                     welkin_start_result_get_hardware (self->started));
  welkin_machine_record_set (self->record, "set-up", self->ssh != NULL ? "begun" : NULL);
  welkin_machine_record_store (self->record, self->info);
  welkin_info_set_config (self->info, config);
  welkin_info_set (self->info, "user", user);
  welkin_info_set (self->info, "password", password);
  welkin_info_set (self->info, "ca-cert", ca_cert);
  welkin_info_set_constraints (self->info, self->options->constraints);
  welkin_info_set (self->info, "until", until);
}

/* What is another environment's is not ours to remove. */
static gboolean
finish_storage_check (Bootstrap    *self,
                      GAsyncResult *result,
                      GError      **error)
{
  g_autoptr(GError) local_error = NULL;

  if (welkin_storage_check_write_finish (self->storage, result, &local_error))
    return TRUE;
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT))
    welkin_clean_up_set_claim (self->clean_up, WELKIN_CLAIM_NONE);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
finish_starting (Bootstrap    *self,
                 GAsyncResult *result,
                 GError      **error)
{
  g_autoptr(GError) local_error = NULL;

  self->started = welkin_environ_start_instance_finish (self->environment, result, &local_error);
  if (self->started == NULL)
    {
      welkin_image_lookup_explain (self->checked->lookup, local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  welkin_clean_up_set_instance (self->clean_up, welkin_start_result_get_instance (self->started));
  return TRUE;
}

static void
begin_setting_up (Bootstrap          *self,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  const WelkinSetUp set_up = {
    .environments = self->environments,
    .environment = self->environment,
    .info = self->info,
    .record = self->record,
    .params = self->params,
    .started = self->started,
    .ssh = self->ssh,
    .has_agent = self->options->until == WELKIN_STAGE_AGENT,
  };

  welkin_set_up_async (&set_up, self->part, cancellable, callback, user_data);
}

static void
bootstrap_run (WkFlow  *flow,
               gpointer user_data)
{
  Bootstrap *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  wk_flow_set_undo_seconds (flow, UNDO_SECONDS);
  if (!bootstrap_lock (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_environments_prepare_async (self->environments, self->name,
                                                     get_prepare_flags (self->options),
                                                     WK_RESUME (flow)));
  if (!bootstrap_prepare (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  welkin_clean_up_push (self->clean_up, wk_flow_get_undo (flow));
  if (!check_config (welkin_environ_get_config (self->environment), &error))
    WK_FAIL (flow, &error, NULL);

  begin_part (self, _("Looking at the cloud"), 1);
  WK_AWAIT (flow, welkin_environ_verify_async (self->environment, self->part, WK_RESUME (flow)));
  if (!welkin_environ_verify_finish (self->environment, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  begin_part (self, _("Looking at the environment's storage"), 1);
  begin_reading (self, wk_flow_get_cancellable (flow));
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_bootstrap_resume_async (self->environment, self->info, self->options,
                                                 self->found, WK_RESUME (flow)));
  if (!finish_resuming (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  begin_part (self, _("Looking for images"), 1);
  WK_AWAIT (flow, begin_check (self, WK_RESUME (flow)));
  self->checked = welkin_check_constraints_finish (self->images, WK_RESULT (flow), &error);
  if (self->checked == NULL)
    WK_FAIL (flow, &error, _("Cannot start machine 0"));
  welkin_checked_tell_ignored (self->checked);
  if (self->resumed == NULL && WELKIN_IS_PRECHECKER (self->environment))
    {
      WK_AWAIT (flow, begin_precheck (self, WK_RESUME (flow)));
      if (!finish_precheck (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("Cannot start machine 0"));
    }

  if (!bootstrap_describe (self, &error))
    WK_FAIL (flow, &error, NULL);

  /* From here on there may be something in the cloud to remove. */
  welkin_clean_up_set_claim (self->clean_up, WELKIN_CLAIM_BEGUN);
  WK_AWAIT (flow, welkin_storage_check_write_async (self->storage, WK_RESUME_SHIELDED (flow)));
  if (!finish_storage_check (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (self->resumed == NULL)
    {
      WK_AWAIT (flow, welkin_provider_state_save_async (self->state, self->storage,
                                                        WELKIN_STORAGE_NO_REPLACE,
                                                        WK_RESUME_SHIELDED (flow)));
      if (!finish_first_save (self, WK_RESULT (flow), &error)
          || wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
    }

  if (self->options->metadata_directory != NULL)
    {
      WK_AWAIT (flow, welkin_image_metadata_upload_async (self->options->metadata_directory,
                                                          self->storage, WK_RESUME (flow)));
      if (!welkin_image_metadata_upload_finish (WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("uploading image metadata"));
    }

  begin_part (self, _("Looking for tools"), 1);
  WK_AWAIT (flow, begin_choosing_tools (self, WK_RESUME (flow)));
  if (!finish_choosing_tools (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  begin_part (self, _("Starting machine 0"), 8);
  if (self->started == NULL)
    {
      WK_AWAIT (flow, welkin_environ_start_instance_async (self->environment, self->params,
                                                           self->part, WK_RESUME (flow)));
      if (!finish_starting (self, WK_RESULT (flow), &error)
          || wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
    }

  begin_part (self, _("Saving the state"), 1);
  g_clear_pointer (&self->state, welkin_provider_state_unref);
  WK_AWAIT (flow, welkin_provider_state_load_async (self->environment, WK_RESUME (flow)));
  self->state = welkin_provider_state_load_finish (self->environment, WK_RESULT (flow), &error);
  if (self->state == NULL || !check_state (self, &error))
    WK_FAIL (flow, &error, _("Cannot save state"));

  add_instance_to_state (self);
  WK_AWAIT (flow, welkin_provider_state_save_async (self->state, self->storage, WELKIN_STORAGE_NONE,
                                                    WK_RESUME_SHIELDED (flow)));
  if (!welkin_provider_state_save_finish (self->storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("Cannot save state"));
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  bootstrap_remember (self);
  WK_AWAIT (flow, welkin_info_write_async (self->info, WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_write_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (self->ssh != NULL)
    {
      begin_part (self, _("Waiting for the machine"), 8);
      WK_AWAIT (flow, begin_setting_up (self, WK_RESUME (flow)));
      if (!welkin_set_up_finish (self->environment, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("Cannot set up machine 0"));
    }

  wk_flow_return_pointer (flow, g_object_ref (self->environment), g_object_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_bootstrap_async:
 * @environments: where the environment is written and remembered
 * @name: which one, as from welkin_environments_choose()
 * @options: how
 * @progress: (nullable): where to report
 * @cancellable: (nullable): gives up; what was made is removed before the callback comes
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Bootstraps an environment: completes its configuration, looks whether the cloud has what is
 * needed, starts its first machine and saves where its state is.
 *
 * A bootstrap that was killed is gone on with: a machine that it started, and that is as it is
 * wanted now, is taken over, and anything else is removed and begun anew.
 *
 * On failure nothing is left in the cloud, and an info that this call made is gone again, unless
 * the options say to keep what is broken. Where another bootstrap of the same environment was
 * faster, the info stays: it tells what is in the cloud.
 *
 * Since: 0.1
 */
void
welkin_bootstrap_async (WelkinEnvironments     *environments,
                        const char             *name,
                        WelkinBootstrapOptions *options,
                        WelkinProgress         *progress,
                        GCancellable           *cancellable,
                        GAsyncReadyCallback     callback,
                        gpointer                user_data)
{
  Bootstrap *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (options != NULL);

  self = g_new0 (Bootstrap, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->options = welkin_bootstrap_options_ref (options);
  g_set_object (&self->progress, progress);
  self->start_id = g_uuid_string_random ();
  self->state = welkin_provider_state_new (self->start_id);

  wk_flow_start (environments, cancellable, callback, user_data, welkin_bootstrap_async,
                 bootstrap_run, self, bootstrap_free);
}

/**
 * welkin_bootstrap_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_bootstrap_async(). Errors to expect beside those of the provider:
 * %WELKIN_ERROR_ALREADY_BOOTSTRAPPED, %WELKIN_ERROR_FOREIGN_ENVIRONMENT,
 * %WELKIN_ERROR_STORAGE_NOT_WRITABLE, %WELKIN_ERROR_INVALID_CONFIG and %WELKIN_ERROR_IN_USE
 * (another process bootstraps or destroys it).
 *
 * Returns: (transfer full): the environment, open, with its first machine running
 *
 * Since: 0.1
 */
WelkinEnviron *
welkin_bootstrap_finish (WelkinEnvironments *environments,
                         GAsyncResult       *result,
                         GError            **error)
{
  return wk_flow_finish_pointer (result, environments, welkin_bootstrap_async, error);
}
