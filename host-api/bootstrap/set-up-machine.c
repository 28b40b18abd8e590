/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/set-up-machine.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/yaml.h"
#include "bootstrap/known-hosts.h"
#include "bootstrap/provider-state.h"
#include "bootstrap/wait-for-agent.h"
#include "bootstrap/wait-for-ssh.h"
#include "environments/environment-getters.h"
#include "machine/agent-conf.h"
#include "machine/certificates.h"
#include "machine/cloud-init.h"
#include "machine/keys.h"
#include "machine/machine-paths.h"
#include "machine/user-data.h"
#include "registry/welkin-registry.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

#define ROOT_SHELL "sudo -n /bin/bash"
/* Packages may come from far away. */
#define SCRIPT_SECONDS 3600.0
#define HOST_KEY_SECONDS 120.0

typedef struct
{
  /* inputs */
  WelkinSetUp          given;          /* (owned) but for the record */
  WelkinProgress      *progress;       /* (owned) (nullable) */
  WkClock             *clock;          /* (owned) */
  WelkinConnectDelays  delays;
  WelkinStorage       *storage;        /* (owned) */

  /* while running */
  char                *address;        /* (owned) (nullable) by which it answers */
  char                *host_key;       /* (owned) (nullable) that the machine gets */
  char                *state_uri;      /* (owned) (nullable) */
  WelkinMachineServer *server;         /* (owned) (nullable) */
  char                *script;         /* (owned) (nullable) */
} SetUp;

static void
set_up_free (gpointer data)
{
  SetUp *self = data;

  welkin_progress_finish (self->progress);
  g_clear_pointer (&self->script, g_free);
  g_clear_pointer (&self->server, welkin_machine_server_unref);
  g_clear_pointer (&self->state_uri, g_free);
  g_clear_pointer (&self->host_key, g_free);
  g_clear_pointer (&self->address, g_free);
  g_object_unref (self->storage);
  wk_clock_unref (self->clock);
  g_clear_object (&self->progress);
  welkin_ssh_unref (self->given.ssh);
  welkin_start_result_unref (self->given.started);
  welkin_start_params_unref (self->given.params);
  g_object_unref (self->given.info);
  g_object_unref (self->given.environment);
  g_object_unref (self->given.environments);
  g_free (self);
}

static WelkinConfig *
get_config (SetUp *self)
{
  return welkin_environ_get_config (self->given.environment);
}

WelkinSsh *
welkin_set_up_make_ssh (WelkinEnvironments *environments,
                        WelkinConfig       *config,
                        const char         *host_keys,
                        GError            **error)
{
  g_autofree char *alias = welkin_known_hosts_make_alias (config, WELKIN_BOOTSTRAP_MACHINE);
  g_autoptr(WelkinSsh) ssh = NULL;

  ssh = welkin_ssh_new (welkin_environments_get_surroundings (environments),
                        welkin_config_get_string (config, "ssh-user"), error);
  if (ssh == NULL)
    return NULL;
  if (host_keys == NULL)
    welkin_ssh_take_any_key (ssh);
  else if (!welkin_ssh_expect_keys (ssh, alias, host_keys, error))
    return NULL;
  return g_steal_pointer (&ssh);
}

static void
begin_waiting (SetUp              *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(WelkinProgress) part = welkin_progress_add_child (self->progress, 1);

  welkin_wait_for_ssh_async (welkin_start_result_get_instance (self->given.started),
                             welkin_config_get_string (get_config (self), "ssh-host"),
                             self->given.ssh, WELKIN_MACHINE_NONCE_FILE,
                             welkin_machine_record_get (self->given.record, "nonce"), &self->delays,
                             self->clock, part, cancellable, callback, user_data);
}

static gboolean
expect_host_keys (SetUp      *self,
                  const char *keys,
                  GError    **error)
{
  g_autofree char *alias = NULL;

  alias = welkin_known_hosts_make_alias (get_config (self), WELKIN_BOOTSTRAP_MACHINE);
  welkin_machine_record_set (self->given.record, "host-key", keys);
  welkin_machine_record_store (self->given.record, self->given.info);
  return welkin_ssh_expect_keys (self->given.ssh, alias, keys, error);
}

/* The connection that tells the new key is one that the old key was checked on. Without one,
 * whatever key the machine shows is good until then. */
static gboolean
take_host_key (SetUp      *self,
               const char *output,
               GError    **error)
{
  const char *former = welkin_machine_record_get (self->given.record, "host-key");
  g_autofree char *both = NULL;

  self->host_key = g_strstrip (g_strdup (output));
  if (!g_str_has_prefix (self->host_key, "ssh-ed25519 ") || strchr (self->host_key, '\n') != NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                           _("the machine has told no host key"));
      return FALSE;
    }
  if (former == NULL)
    return TRUE;
  both = g_strjoin ("\n", former, self->host_key, NULL);
  return expect_host_keys (self, both, error);
}

/* Those that were found for the architecture that the machine has. */
static WelkinTools *
get_tools (SetUp   *self,
           GError **error)
{
  GPtrArray *tools = welkin_start_params_get_tools (self->given.params);
  WelkinHardware *hardware = welkin_start_result_get_hardware (self->given.started);
  const char *arch = hardware != NULL ? welkin_hardware_get_arch (hardware) : NULL;

  if (tools != NULL && tools->len > 0)
    return welkin_tools_choose (tools, arch, error);
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                       _("there are no tools for the machine; --upload-tools makes some, and "
                         "--until ssh needs none"));
  return NULL;
}

/* Lets the first machine log in to those that come later. */
static gboolean
add_system_key (SetUp   *self,
                GError **error)
{
  WelkinConfig *config = get_config (self);
  const char *keys = welkin_config_get_string (config, "authorized-keys");
  g_autoptr(WelkinConfig) larger = NULL;
  g_autofree char *public_key = NULL;
  g_autofree char *text = NULL;

  if (!welkin_ssh_key_generate ("welkin-system-key", &self->server->system_key, &public_key,
                                error))
    {
      g_prefix_error (error, "%s: ", _("failed to create system key"));
      return FALSE;
    }
  text = g_strconcat (keys, g_str_has_suffix (keys, "\n") ? "" : "\n", public_key, "\n", NULL);
  larger = welkin_config_with_text (config, "authorized-keys", text, NULL);
  if (!welkin_environ_set_config (self->given.environment, larger, error))
    {
      g_prefix_error (error, "%s: ", _("failed to set new config"));
      return FALSE;
    }
  welkin_info_set_config (self->given.info, get_config (self));
  return TRUE;
}

static char *
make_environment_config (SetUp   *self,
                         GError **error)
{
  WelkinConfig *config = get_config (self);
  WelkinRegistry *registry = welkin_environments_get_registry (self->given.environments);
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(WelkinSchema) schema = NULL;
  g_autoptr(WelkinConfig) public_config = NULL;
  g_autoptr(WelkinValue) map = NULL;

  provider = welkin_registry_get_provider (registry, welkin_config_get_provider_type (config),
                                           error);
  if (provider == NULL)
    return NULL;
  schema = welkin_provider_get_schema (provider);
  public_config = welkin_environment_make_public_config (config, schema, error);
  if (public_config == NULL)
    return NULL;
  map = welkin_config_to_value (public_config);
  return wk_yaml_print (map);
}

static gboolean
fill_server (SetUp   *self,
             GError **error)
{
  WelkinConfig *config = get_config (self);
  WelkinConstraints *constraints = welkin_start_params_get_constraints (self->given.params);

  self->server->state_uri = g_strdup (self->state_uri);
  self->server->constraints = welkin_constraints_to_string (constraints);
  self->server->secret = welkin_agent_secret_derive (
    welkin_config_get_string (config, "admin-secret"), welkin_config_get_uuid (config), error);
  if (self->server->secret == NULL)
    return FALSE;
  self->server->environment_config = make_environment_config (self, error);
  return self->server->environment_config != NULL;
}

/* Where the agents of all machines find that of this one: outside the cloud last. */
static void
remember_api_addresses (SetUp *self)
{
  WelkinInstance *instance = welkin_start_result_get_instance (self->given.started);
  GPtrArray *addresses = welkin_instance_get_addresses (instance);
  guint16 port = (guint16) welkin_config_get_int (get_config (self), "api-port");
  WelkinAddress *internal = welkin_address_select_internal (addresses, FALSE);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) texts = NULL;
  g_autoptr(WelkinValue) list = NULL;

  if (internal != NULL)
    {
      g_autofree char *first = welkin_address_to_host_port (internal, port);

      g_strv_builder_add (builder, first);
    }
  if (internal == NULL || !g_str_equal (welkin_address_get_value (internal), self->address))
    {
      g_autoptr(WelkinAddress) outside = NULL;
      g_autofree char *last = NULL;

      outside = welkin_address_new (self->address, WELKIN_SCOPE_UNKNOWN, NULL);
      last = welkin_address_to_host_port (outside, port);
      g_strv_builder_add (builder, last);
    }
  texts = g_strv_builder_end (builder);
  list = welkin_cloud_init_make_list ((const char *const *) texts);
  welkin_info_set (self->given.info, "api-addresses", list);
}

/* Makes the script of all that is left to do on the machine. */
static gboolean
make_script (SetUp   *self,
             GError **error)
{
  guint port = (guint) welkin_config_get_int (get_config (self), "api-port");
  g_autofree char *own = g_strdup_printf ("localhost:%u", port);
  const char *const addresses[] = { own, NULL };
  WelkinMachineConfig *begun = welkin_start_params_get_machine_config (self->given.params);
  WelkinTools *tools = get_tools (self, error);
  g_autoptr(WelkinMachineConfig) reporting = NULL;
  g_autoptr(WelkinMachineConfig) serving = NULL;
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autofree char *password = NULL;

  if (tools == NULL || !add_system_key (self, error) || !fill_server (self, error))
    return FALSE;
  password = welkin_agent_password_derive (self->server->secret,
                                           welkin_machine_config_get_tag (begun));
  reporting = welkin_machine_config_with_api (begun, addresses, password);
  serving = welkin_machine_config_with_server (reporting, self->server);
  finished = welkin_machine_config_finish (serving, get_config (self), tools, error);
  if (finished == NULL)
    return FALSE;
  self->script = welkin_machine_config_render_script (finished, error);
  return self->script != NULL;
}

static void
begin_certificate (SetUp              *self,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  WelkinConfig *config = get_config (self);

  welkin_certificates_make_server_async (welkin_config_get_string (config, "ca-cert"),
                                         welkin_config_get_string (config, "ca-private-key"),
                                         cancellable, callback, user_data);
}

static void
begin_waiting_for_agent (SetUp              *self,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  welkin_wait_for_agent_async (get_config (self), self->address, &self->delays, self->clock,
                               cancellable, callback, user_data);
}

/* From now on it is what its bootstrap was to make of it. */
static void
note_end (SetUp *self)
{
  welkin_machine_record_set (self->given.record, "set-up", NULL);
  welkin_machine_record_store (self->given.record, self->given.info);
}

static void
set_up_run (WkFlow  *flow,
            gpointer user_data)
{
  SetUp *self = user_data;
  g_autofree char *output = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_waiting (self, WK_RESUME (flow)));
  self->address = welkin_wait_for_ssh_finish (
    welkin_start_result_get_instance (self->given.started), WK_RESULT (flow), &error);
  if (self->address == NULL)
    WK_FAIL (flow, &error, NULL);

  welkin_progress_set_message (self->progress, _("Making new host keys"));
  self->script = welkin_user_data_print_make_host_key ();
  WK_AWAIT (flow, welkin_ssh_run_async (self->given.ssh, self->address, ROOT_SHELL, self->script,
                                        HOST_KEY_SECONDS, self->progress, WK_RESUME (flow)));
  output = welkin_ssh_run_finish (self->given.ssh, WK_RESULT (flow), &error);
  if (output == NULL || !take_host_key (self, output, &error))
    WK_FAIL (flow, &error, _("cannot make new host keys"));
  WK_AWAIT (flow, welkin_info_write_async (self->given.info, WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_write_finish (self->given.info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  g_free (self->script);
  self->script = welkin_user_data_print_take_host_key ();
  WK_AWAIT (flow, welkin_ssh_run_async (self->given.ssh, self->address, ROOT_SHELL, self->script,
                                        HOST_KEY_SECONDS, self->progress, WK_RESUME (flow)));
  output = welkin_ssh_run_finish (self->given.ssh, WK_RESULT (flow), &error);
  if (output == NULL || !expect_host_keys (self, self->host_key, &error))
    WK_FAIL (flow, &error, _("cannot make new host keys"));
  g_clear_pointer (&self->script, g_free);
  if (!self->given.has_agent)
    note_end (self);
  WK_AWAIT (flow, welkin_info_write_async (self->given.info, WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_write_finish (self->given.info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  if (!self->given.has_agent)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  welkin_progress_set_message (self->progress, _("Setting up the machine"));
  self->server = welkin_machine_server_new ();
  WK_AWAIT (flow, begin_certificate (self, WK_RESUME (flow)));
  if (!welkin_certificates_make_server_finish (WK_RESULT (flow), &self->server->certificate,
                                               &self->server->private_key, &error))
    WK_FAIL (flow, &error, _("cannot make the certificate of the agent"));
  WK_AWAIT (flow, welkin_storage_get_uri_async (self->storage, WELKIN_STATE_FILE,
                                                WK_RESUME (flow)));
  self->state_uri = welkin_storage_get_uri_finish (self->storage, WK_RESULT (flow), NULL, &error);
  if (self->state_uri == NULL || !make_script (self, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_ssh_run_async (self->given.ssh, self->address, ROOT_SHELL, self->script,
                                        SCRIPT_SECONDS, self->progress, WK_RESUME (flow)));
  output = welkin_ssh_run_finish (self->given.ssh, WK_RESULT (flow), &error);
  if (output == NULL)
    WK_FAIL (flow, &error, _("setting up the machine failed"));

  welkin_progress_set_message (self->progress, _("Waiting for the agent"));
  WK_AWAIT (flow, begin_waiting_for_agent (self, WK_RESUME (flow)));
  if (!welkin_wait_for_agent_finish (WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  remember_api_addresses (self);
  note_end (self);
  WK_AWAIT (flow, welkin_info_write_async (self->given.info, WK_RESUME_SHIELDED (flow)));
  if (!welkin_info_write_finish (self->given.info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
welkin_set_up_async (const WelkinSetUp  *set_up,
                     WelkinProgress     *progress,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  SetUp *self = g_new0 (SetUp, 1);
  WelkinSurroundings *surroundings = welkin_environments_get_surroundings (set_up->environments);

  self->given = *set_up;
  g_object_ref (self->given.environments);
  g_object_ref (self->given.environment);
  g_object_ref (self->given.info);
  welkin_start_params_ref (self->given.params);
  welkin_start_result_ref (self->given.started);
  welkin_ssh_ref (self->given.ssh);
  g_set_object (&self->progress, progress);
  self->clock = welkin_surroundings_make_clock (surroundings);
  self->storage = welkin_environ_get_storage (set_up->environment);
  self->delays = welkin_environment_get_connect_delays (get_config (self));

  wk_flow_start (set_up->environment, cancellable, callback, user_data, welkin_set_up_async,
                 set_up_run, self, set_up_free);
}

gboolean
welkin_set_up_finish (WelkinEnviron *environment,
                      GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_boolean (result, environment, welkin_set_up_async, error);
}
