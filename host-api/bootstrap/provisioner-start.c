/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/provisioner-start.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/agent-client.h"
#include "bootstrap/check-constraints.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/own-keys.h"
#include "environments/info-edit.h"
#include "machine/agent-conf.h"
#include "machine/keys.h"
#include "values/welkin-error.h"

#define MAX_RETRIES 3
#define PAUSE_SECONDS 10.0

typedef struct
{
  /* inputs */
  WelkinProvisionerPass *pass;
  char                  *machine_id; /* (owned) */
  WelkinProgress        *progress;   /* (owned) (nullable) */

  /* while running */
  WelkinMachineRecord *record;      /* (owned) (nullable) as of the last try */
  char                *private_key; /* (owned) (nullable) */
  char                *public_key;  /* (owned) (nullable) */
  GPtrArray           *tools;       /* (owned) (nullable) of WelkinTools */
  WelkinConstraints   *constraints; /* (owned) (nullable) of the record */
  WelkinChecked       *checked;     /* (owned) (nullable) */
  WelkinStartParams   *params;      /* (owned) (nullable) */
  WelkinStartResult   *started;     /* (owned) (nullable) */
  GError              *failure;     /* (owned) (nullable) of the last try */
  GError              *lost;        /* (owned) (nullable) why nothing could be written down */
  guint                n_retries;
} Start;

static void
start_free (gpointer data)
{
  Start *self = data;

  welkin_progress_finish (self->progress);

  g_clear_error (&self->lost);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->started, welkin_start_result_unref);
  g_clear_pointer (&self->params, welkin_start_params_unref);
  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_clear_pointer (&self->checked, welkin_checked_free);
  g_clear_pointer (&self->constraints, welkin_constraints_unref);
  g_free (self->public_key);
  g_free (self->private_key);
  g_clear_pointer (&self->record, welkin_machine_record_free);
  g_clear_object (&self->progress);
  g_free (self->machine_id);
  g_free (self);
}

/* Writes the start down before anything is asked of the provider; no record when the machine is
 * not wanted any more. */
static gboolean
edit_begin (WelkinInfo *info,
            gpointer    user_data,
            GError    **error)
{
  Start *self = user_data;
  g_autofree char *start_id = g_uuid_string_random ();
  g_autofree char *nonce_id = g_uuid_string_random ();
  g_autofree char *nonce = g_strconcat ("client:", nonce_id, NULL);
  g_autofree char *message = NULL;

  g_clear_pointer (&self->record, welkin_machine_record_free);
  self->record = welkin_machine_record_load (info, self->machine_id);
  if (self->record == NULL || !welkin_machine_record_is (self->record, "life", "alive"))
    {
      g_clear_pointer (&self->record, welkin_machine_record_free);
      return TRUE;
    }

  message = self->failure == NULL
              ? g_strdup (_("starting"))
              : g_strdup_printf (_("retrying: %s"), self->failure->message);
  welkin_machine_record_set_status (self->record, "provisioning", message);
  welkin_machine_record_end_start (self->record, info);
  welkin_machine_record_set (self->record, "start-id", start_id);
  welkin_machine_record_set (self->record, "nonce", nonce);
  welkin_machine_record_set (self->record, "host-key", self->public_key);
  welkin_machine_record_store (self->record, info);
  return TRUE;
}

static gboolean
edit_started (WelkinInfo *info,
              gpointer    user_data,
              GError    **error)
{
  Start *self = user_data;
  g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (info, self->machine_id);

  if (record == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("the record of machine %s is gone"), self->machine_id);
      return FALSE;
    }
  welkin_machine_record_set_started (record, welkin_start_result_get_instance (self->started),
                                     welkin_start_result_get_hardware (self->started));
  welkin_machine_record_store (record, info);
  return TRUE;
}

/* What another moment may change. */
static gboolean
is_transient (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_RATE_LIMITED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST);
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What failed, and behind it what to do about it: the record outlives the error. */
static void
set_failed (WelkinMachineRecord *record,
            const GError        *failure)
{
  const char *hint = welkin_error_get_hint (failure);
  g_autofree char *text = NULL;

  text = hint != NULL ? g_strconcat (failure->message, "\n", hint, NULL)
                      : g_strdup (failure->message);
  welkin_machine_record_set_status (record, "error", text);
}

/* The start-id stays, for the next pass to find what a failed undo may have left. */
static gboolean
edit_failed (WelkinInfo *info,
             gpointer    user_data,
             GError    **error)
{
  Start *self = user_data;
  g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (info, self->machine_id);
  const GError *failure = self->lost != NULL ? self->lost : self->failure;

  if (record == NULL)
    return TRUE;
  if (is_cancelled (failure))
    welkin_machine_record_set_status (record, "pending", NULL);
  else
    set_failed (record, failure);
  if (is_transient (failure))
    welkin_machine_record_set (record, "transient", "true");
  welkin_machine_record_store (record, info);
  return TRUE;
}

/* The instances of the other machines, which this one had better be apart from. */
static char **
list_other_instances (Start *self)
{
  g_autoptr(GPtrArray) records = welkin_machine_record_load_all (self->pass->info);
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < records->len; i++)
    {
      const char *id = welkin_machine_record_get (g_ptr_array_index (records, i), "instance-id");

      if (id != NULL)
        g_strv_builder_add (ids, id);
    }
  return g_strv_builder_end (ids);
}

static gboolean
parse_constraints (Start   *self,
                   GError **error)
{
  const char *text = welkin_machine_record_get (self->record, "constraints");

  g_clear_pointer (&self->constraints, welkin_constraints_unref);
  self->constraints = welkin_constraints_new_parsed (text != NULL ? text : "", error);
  return self->constraints != NULL;
}

/* What was judged when the record was made, the cloud may see otherwise by now. */
static void
begin_check (Start              *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  welkin_check_constraints_async (self->pass->images,
                                  welkin_machine_record_get (self->record, "series"),
                                  self->constraints, NULL, cancellable, callback, user_data);
}

static void
begin_finding_tools (Start              *self,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  welkin_machine_tools_find_async (self->pass->tools,
                                   welkin_machine_record_get (self->record, "series"),
                                   self->constraints, cancellable, callback, user_data);
}

/* Where the agent of the first machine is, if it has one, and by which password this one's reports
 * there. */
static WelkinMachineConfig *
add_api (Start               *self,
         WelkinMachineConfig *plain,
         GError             **error)
{
  WelkinConfig *config = welkin_environ_get_config (self->pass->environment);
  g_auto(GStrv) addresses = welkin_agent_list_addresses (self->pass->info);
  g_autofree char *secret = NULL;
  g_autofree char *password = NULL;

  if (addresses == NULL || self->tools == NULL)
    return welkin_machine_config_ref (plain);
  secret = welkin_agent_secret_derive (welkin_config_get_string (config, "admin-secret"),
                                       welkin_config_get_uuid (config), error);
  if (secret == NULL)
    return NULL;
  password = welkin_agent_password_derive (secret, welkin_machine_config_get_tag (plain));
  return welkin_machine_config_with_api (plain, (const char *const *) addresses, password);
}

/* Makes what the provider and the machine are to be told. */
static gboolean
start_describe (Start   *self,
                GError **error)
{
  g_autoptr(WelkinMachineConfig) plain = NULL;
  g_autoptr(WelkinMachineConfig) ours = NULL;
  g_autoptr(WelkinMachineConfig) reporting = NULL;
  g_autoptr(WelkinMachineConfig) machine_config = NULL;
  g_autoptr(WelkinStartParams) bare = NULL;
  g_autoptr(WelkinStartParams) constrained = NULL;
  g_autoptr(WelkinStartParams) placed = NULL;
  g_autoptr(WelkinStartParams) equipped = NULL;
  g_autoptr(WelkinStartParams) apart = NULL;
  g_auto(GStrv) others = list_other_instances (self);
  const char *placement = welkin_machine_record_get (self->record, "placement");

  plain = welkin_machine_config_new (self->machine_id,
                                     welkin_machine_record_get (self->record, "nonce"),
                                     welkin_machine_record_get (self->record, "series"), FALSE,
                                     error);
  if (plain == NULL)
    return FALSE;
  ours = welkin_own_keys_add (plain, self->pass->surroundings);
  reporting = add_api (self, ours, error);
  if (reporting == NULL)
    return FALSE;

  machine_config = welkin_machine_config_with_host_key (reporting, "ed25519", self->private_key,
                                                        self->public_key);
  bare = welkin_start_params_new (welkin_machine_record_get (self->record, "start-id"),
                                  machine_config);
  constrained = welkin_start_params_with_constraints (bare, self->constraints);
  placed = welkin_start_params_with_placement (constrained, placement != NULL ? placement : "");
  equipped = welkin_start_params_with_tools (placed, self->tools);
  apart = welkin_start_params_with_distribution_group (equipped, (const char *const *) others);
  g_clear_pointer (&self->params, welkin_start_params_unref);
  self->params = welkin_start_params_with_images (
    apart, welkin_image_lookup_peek_images (self->checked->lookup));
  return TRUE;
}

/* What could not be unmade is in the way of another start, which would not even tell of it: it is
 * for the next pass. */
static gboolean
is_worth_another_try (Start *self)
{
  return is_transient (self->failure) && !welkin_error_has_leftovers (self->failure)
         && self->n_retries++ < MAX_RETRIES;
}

static void
say_retrying (Start *self)
{
  g_autofree char *message = NULL;

  message = g_strdup_printf (_("Machine %s: retrying: %s"), self->machine_id,
                             self->failure->message);
  g_info ("machine %s: %s", self->machine_id, self->failure->message);
  welkin_progress_set_message (self->progress, message);
}

static void
stop_started (Start              *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  const char *ids[] = { welkin_instance_get_id (welkin_start_result_get_instance (self->started)),
                        NULL };

  welkin_environ_stop_instances_async (self->pass->environment, ids, NULL, cancellable, callback,
                                       user_data);
}

static void
start_run (WkFlow  *flow,
           gpointer user_data)
{
  Start *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!welkin_ssh_key_generate ("welkin-host-key", &self->private_key, &self->public_key, &error))
    WK_FAIL (flow, &error, NULL);

  while (self->started == NULL)
    {
      WK_AWAIT (flow, welkin_info_edit_async (self->pass->info, edit_begin, self,
                                              WK_RESUME_SHIELDED (flow)));
      if (!welkin_info_edit_finish (self->pass->info, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&self->failure);
      if (self->record == NULL)
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }

      g_clear_pointer (&self->checked, welkin_checked_free);
      if (parse_constraints (self, &self->failure))
        {
          WK_AWAIT (flow, begin_check (self, WK_RESUME (flow)));
          self->checked = welkin_check_constraints_finish (self->pass->images, WK_RESULT (flow),
                                                           &self->failure);
        }
      if (self->checked != NULL && self->tools == NULL
          && welkin_machine_tools_are_wanted (self->pass->tools))
        {
          WK_AWAIT (flow, begin_finding_tools (self, WK_RESUME (flow)));
          self->tools = welkin_machine_tools_find_finish (self->pass->tools, WK_RESULT (flow),
                                                          &self->failure);
        }
      if (self->failure == NULL && start_describe (self, &self->failure))
        {
          WK_AWAIT (flow, welkin_environ_start_instance_async (self->pass->environment,
                                                               self->params, self->progress,
                                                               WK_RESUME (flow)));
          self->started = welkin_environ_start_instance_finish (self->pass->environment,
                                                                WK_RESULT (flow), &self->failure);
        }
      if (self->started != NULL)
        break;
      if (self->checked != NULL)
        welkin_image_lookup_explain (self->checked->lookup, self->failure);
      if (!is_worth_another_try (self))
        break;

      say_retrying (self);
      WK_AWAIT (flow, wk_clock_sleep_async (self->pass->clock, PAUSE_SECONDS, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (self->pass->clock, WK_RESULT (flow), &error))
        {
          g_clear_error (&self->failure);
          self->failure = g_steal_pointer (&error);
          break;
        }
    }

  if (self->started != NULL)
    {
      WK_AWAIT (flow, welkin_info_edit_async (self->pass->info, edit_started, self,
                                              WK_RESUME_SHIELDED (flow)));
      if (welkin_info_edit_finish (self->pass->info, WK_RESULT (flow), &self->lost))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }

      /* A machine that nobody knows of must not run. */
      WK_AWAIT (flow, stop_started (self, WK_RESUME_SHIELDED (flow)));
      if (!welkin_environ_stop_instances_finish (self->pass->environment, WK_RESULT (flow), &error))
        g_warning (_("cannot stop the instance of machine %s: %s"), self->machine_id,
                   error->message);
      g_clear_error (&error);
    }

  WK_AWAIT (flow, welkin_info_edit_async (self->pass->info, edit_failed, self,
                                          WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_edit_finish (self->pass->info, WK_RESULT (flow), &error) && self->lost == NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->lost != NULL)
    WK_FAIL (flow, &self->lost, NULL);
  if (is_cancelled (self->failure))
    WK_FAIL (flow, &self->failure, NULL);

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
welkin_provisioner_start_async (WelkinProvisionerPass *pass,
                                const char            *machine_id,
                                WelkinProgress        *progress,
                                GCancellable          *cancellable,
                                GAsyncReadyCallback    callback,
                                gpointer               user_data)
{
  Start *self = g_new0 (Start, 1);

  self->pass = pass;
  self->machine_id = g_strdup (machine_id);
  g_set_object (&self->progress, progress);
  wk_flow_start (pass->environment, cancellable, callback, user_data,
                 welkin_provisioner_start_async, start_run, self, start_free);
}

gboolean
welkin_provisioner_start_finish (WelkinProvisionerPass *pass,
                                 GAsyncResult          *result,
                                 GError               **error)
{
  return wk_flow_finish_boolean (result, pass->environment, welkin_provisioner_start_async, error);
}
