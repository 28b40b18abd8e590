/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define G_LOG_DOMAIN "welkin"

#include "config.h"

#include "values/welkin-machine-config-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "machine/cloud-init.h"
#include "machine/keys.h"
#include "machine/machine-paths.h"
#include "machine/user-data.h"
#include "values/welkin-error.h"

#define ID_PATTERN "^(0|[1-9][0-9]*)(/[a-z]+/(0|[1-9][0-9]*))*$"
#define DEFAULT_USER "ubuntu"

/**
 * WelkinMachineConfig:
 *
 * What a machine is to become, told to it at its first boot.
 *
 * The host begins it; the provider finishes it, when image and tools are
 * chosen, and renders it as user data: a login for the keys of the environment,
 * and a file with the nonce, by which the host knows that this is the machine
 * it has asked for and that its first boot has come so far. It is immutable and
 * may be shared between threads.
 *
 * Since: 0.1
 */
G_DEFINE_BOXED_TYPE (WelkinMachineConfig,
                     welkin_machine_config,
                     welkin_machine_config_ref,
                     welkin_machine_config_unref)

static void
machine_config_clear (gpointer data)
{
  WelkinMachineConfig *self = data;

  g_free (self->machine_id);
  g_free (self->tag);
  g_free (self->nonce);
  g_free (self->series);
  g_free (self->authorized_keys);
  g_free (self->host_key_kind);
  g_free (self->host_private_key);
  g_free (self->host_public_key);
  g_strfreev (self->api_addresses);
  g_free (self->api_password);
  g_clear_pointer (&self->server, welkin_machine_server_unref);
  g_free (self->ssh_user);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_clear_pointer (&self->tools, welkin_tools_unref);
}

static WelkinMachineConfig *
machine_config_copy (WelkinMachineConfig *self)
{
  WelkinMachineConfig *copy = g_atomic_rc_box_new0 (WelkinMachineConfig);

  copy->machine_id = g_strdup (self->machine_id);
  copy->tag = g_strdup (self->tag);
  copy->nonce = g_strdup (self->nonce);
  copy->series = g_strdup (self->series);
  copy->is_bootstrap = self->is_bootstrap;
  copy->authorized_keys = g_strdup (self->authorized_keys);
  copy->host_key_kind = g_strdup (self->host_key_kind);
  copy->host_private_key = g_strdup (self->host_private_key);
  copy->host_public_key = g_strdup (self->host_public_key);
  copy->api_addresses = g_strdupv (self->api_addresses);
  copy->api_password = g_strdup (self->api_password);
  copy->server = self->server != NULL ? g_atomic_rc_box_acquire (self->server) : NULL;
  copy->is_finished = self->is_finished;
  copy->ssh_user = g_strdup (self->ssh_user);
  copy->config = self->config != NULL ? welkin_config_ref (self->config) : NULL;
  copy->tools = self->tools != NULL ? welkin_tools_ref (self->tools) : NULL;
  return copy;
}

/**
 * welkin_machine_config_new:
 * @machine_id: the id of the machine in its environment, as in "0"
 * @nonce: a text that no other start has
 * @series: (nullable): the release that it is to run; %NULL for the default of
 *   the environment
 * @is_bootstrap: whether it is the first machine of the environment, which is
 *   set up over SSH later
 * @error: return location for an error
 *
 * Begins to describe a machine.
 *
 * An id that is none, and an empty nonce, are %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): a new config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_machine_config_new (const char *machine_id,
                           const char *nonce,
                           const char *series,
                           gboolean    is_bootstrap,
                           GError    **error)
{
  WelkinMachineConfig *self;

  g_return_val_if_fail (machine_id != NULL && nonce != NULL, NULL);

  if (!g_regex_match_simple (ID_PATTERN, machine_id, G_REGEX_DOLLAR_ENDONLY, 0))
    {
      g_autofree char *quoted = wk_quote (machine_id);

      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("invalid machine configuration: invalid machine id %s"), quoted);
      return NULL;
    }
  if (*nonce == '\0')
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("invalid machine configuration: missing machine nonce"));
      return NULL;
    }

  self = g_atomic_rc_box_new0 (WelkinMachineConfig);
  self->machine_id = g_strdup (machine_id);
  self->tag = g_strdelimit (g_strconcat ("machine-", machine_id, NULL), "/", '-');
  self->nonce = g_strdup (nonce);
  self->series = g_strdup (series);
  self->is_bootstrap = is_bootstrap;
  self->authorized_keys = g_strdup ("");
  return self;
}

/**
 * welkin_machine_config_ref:
 * @self: a machine config
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_machine_config_ref (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_machine_config_unref:
 * @self: (transfer full): a machine config
 *
 * Drops a reference; the last one frees the config.
 *
 * Since: 0.1
 */
void
welkin_machine_config_unref (WelkinMachineConfig *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, machine_config_clear);
}

/**
 * welkin_machine_config_get_machine_id:
 * @self: a machine config
 *
 * Gets the id of the machine in its environment.
 *
 * Returns: (transfer none): the id, as in "0"
 *
 * Since: 0.1
 */
const char *
welkin_machine_config_get_machine_id (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->machine_id;
}

/**
 * welkin_machine_config_get_tag:
 * @self: a machine config
 *
 * Gets the name of the machine among other things that have names.
 *
 * Returns: (transfer none): the tag, as in "machine-0" or "machine-2-lxc-1"
 *
 * Since: 0.1
 */
const char *
welkin_machine_config_get_tag (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->tag;
}

/**
 * welkin_machine_config_get_nonce:
 * @self: a machine config
 *
 * Gets the text by which the machine is known as the one that was asked for.
 *
 * Returns: (transfer none): the nonce
 *
 * Since: 0.1
 */
const char *
welkin_machine_config_get_nonce (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->nonce;
}

/**
 * welkin_machine_config_get_series:
 * @self: a machine config
 *
 * Gets the release that the machine is to run.
 *
 * Returns: (transfer none) (nullable): the series, as in "noble"; %NULL while
 *   it is that of an environment which is not known yet
 *
 * Since: 0.1
 */
const char *
welkin_machine_config_get_series (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->series;
}

/**
 * welkin_machine_config_is_bootstrap:
 * @self: a machine config
 *
 * Tells whether this is the first machine of its environment.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
welkin_machine_config_is_bootstrap (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_bootstrap;
}

/**
 * welkin_machine_config_get_authorized_keys:
 * @self: a machine config
 *
 * Gets the SSH keys that may log in, those of the environment among them once
 * the config is finished.
 *
 * Returns: (transfer none): the text of an authorized_keys file
 *
 * Since: 0.1
 */
const char *
welkin_machine_config_get_authorized_keys (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->authorized_keys;
}

/**
 * welkin_machine_config_get_tools:
 * @self: a machine config
 *
 * Gets the agent that the machine is to run.
 *
 * Returns: (transfer none) (nullable): the tools; %NULL when it runs none
 *
 * Since: 0.1
 */
WelkinTools *
welkin_machine_config_get_tools (WelkinMachineConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->tools;
}

/* Two texts of lines as one. */
static char *
join_lines (const char *first,
            const char *second)
{
  gboolean has_end = *first == '\0' || g_str_has_suffix (first, "\n");

  return g_strconcat (first, has_end ? "" : "\n", second, NULL);
}

/**
 * welkin_machine_config_with_authorized_keys:
 * @self: a machine config
 * @keys: the text of an authorized_keys file
 *
 * Lets more SSH keys log in than those of the environment.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_machine_config_with_authorized_keys (WelkinMachineConfig *self,
                                            const char          *keys)
{
  WelkinMachineConfig *copy;

  g_return_val_if_fail (self != NULL && keys != NULL, NULL);

  copy = machine_config_copy (self);
  g_free (copy->authorized_keys);
  copy->authorized_keys = join_lines (self->authorized_keys, keys);
  return copy;
}

/**
 * welkin_machine_config_with_host_key:
 * @self: a machine config
 * @kind: the kind of the key, as in "ed25519"
 * @private_key: the private half, as the text of a file
 * @public_key: the public half, as one line
 *
 * Gives the machine its SSH host key, so that the first connection to it can be
 * checked.
 *
 * Whoever can read the user data of the machine can read the key: it is to be
 * replaced as soon as there is a connection.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_machine_config_with_host_key (WelkinMachineConfig *self,
                                     const char          *kind,
                                     const char          *private_key,
                                     const char          *public_key)
{
  WelkinMachineConfig *copy;

  g_return_val_if_fail (self != NULL && kind != NULL, NULL);
  g_return_val_if_fail (private_key != NULL && public_key != NULL, NULL);

  copy = machine_config_copy (self);
  g_free (copy->host_key_kind);
  g_free (copy->host_private_key);
  g_free (copy->host_public_key);
  copy->host_key_kind = g_strdup (kind);
  copy->host_private_key = g_strdup (private_key);
  copy->host_public_key = g_strdup (public_key);
  return copy;
}

static void
machine_server_clear (gpointer data)
{
  WelkinMachineServer *self = data;

  g_free (self->certificate);
  g_free (self->private_key);
  g_free (self->secret);
  g_free (self->system_key);
  g_free (self->state_uri);
  g_free (self->environment_config);
  g_free (self->constraints);
}

WelkinMachineServer *
welkin_machine_server_new (void)
{
  return g_atomic_rc_box_new0 (WelkinMachineServer);
}

void
welkin_machine_server_unref (WelkinMachineServer *self)
{
  g_atomic_rc_box_release_full (self, machine_server_clear);
}

WelkinMachineConfig *
welkin_machine_config_with_api (WelkinMachineConfig *self,
                                const char *const   *addresses,
                                const char          *password)
{
  WelkinMachineConfig *copy = machine_config_copy (self);

  g_strfreev (copy->api_addresses);
  g_free (copy->api_password);
  copy->api_addresses = g_strdupv ((char **) addresses);
  copy->api_password = g_strdup (password);
  return copy;
}

WelkinMachineConfig *
welkin_machine_config_with_server (WelkinMachineConfig *self,
                                   WelkinMachineServer *server)
{
  WelkinMachineConfig *copy = machine_config_copy (self);

  g_clear_pointer (&copy->server, welkin_machine_server_unref);
  copy->server = g_atomic_rc_box_acquire (server);
  return copy;
}

static gboolean
has_keys (const char *text)
{
  g_auto(GStrv) keys = welkin_ssh_keys_split (text);

  return keys[0] != NULL;
}

/* What the environment must have; NULL when it has all. */
static const char *
find_lack (WelkinMachineConfig *self,
           WelkinConfig        *config)
{
  if (!has_keys (welkin_config_get_string (config, "authorized-keys")))
    return "authorized-keys";
  if (self->is_bootstrap && *welkin_config_get_string (config, "ca-cert") == '\0')
    return "ca-cert";
  if (self->is_bootstrap && *welkin_config_get_string (config, "admin-secret") == '\0')
    return "admin-secret";
  return NULL;
}

/* The line itself is not shown: somebody may have pasted a private key. */
static void
warn_of_odd_keys (const char *text)
{
  g_auto(GStrv) keys = welkin_ssh_keys_split (text);

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *marked = welkin_ssh_key_mark (keys[i], WELKIN_KEY_PREFIX);

      if (marked == NULL)
        g_warning (_("entry %u of authorized-keys is no SSH key"), (guint) i + 1);
    }
}

/**
 * welkin_machine_config_finish:
 * @self: a machine config
 * @config: the config of the environment
 * @tools: (nullable): the agent that was chosen; %NULL for a machine without
 *   one
 * @error: return location for an error
 *
 * Adds what the environment and the choice of an agent tell about the machine.
 *
 * What the environment lacks is %WELKIN_ERROR_INVALID_CONFIG.
 *
 * Returns: (transfer full): a new config, which can be rendered, or %NULL on
 *   error
 *
 * Since: 0.1
 */
WelkinMachineConfig *
welkin_machine_config_finish (WelkinMachineConfig *self,
                              WelkinConfig        *config,
                              WelkinTools         *tools,
                              GError             **error)
{
  WelkinMachineConfig *copy;
  const char *lack;
  const char *user;

  g_return_val_if_fail (self != NULL && config != NULL, NULL);
  g_return_val_if_fail (!self->is_finished, NULL);

  lack = find_lack (self, config);
  if (lack != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("cannot complete machine configuration: environment configuration has no %s"),
                   lack);
      return NULL;
    }

  copy = machine_config_copy (self);
  copy->is_finished = TRUE;
  g_free (copy->authorized_keys);
  copy->authorized_keys = join_lines (welkin_config_get_string (config, "authorized-keys"),
                                      self->authorized_keys);
  warn_of_odd_keys (copy->authorized_keys);
  if (copy->series == NULL)
    copy->series = g_strdup (welkin_config_get_string (config, "default-series"));
  user = welkin_config_get_string (config, "ssh-user");
  copy->ssh_user = g_strdup (*user != '\0' ? user : DEFAULT_USER);
  copy->config = welkin_config_ref (config);
  copy->tools = tools != NULL ? welkin_tools_ref (tools) : NULL;
  return copy;
}

static gboolean
check_finished (WelkinMachineConfig *self,
                GError             **error)
{
  if (self->is_finished)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                       _("invalid machine configuration: it is not finished"));
  return FALSE;
}

/* The first machine is set up over SSH; and without an agent there is nothing to set up. */
static gboolean
has_full_part (WelkinMachineConfig *self)
{
  return !self->is_bootstrap && self->tools != NULL && self->api_addresses != NULL;
}

/**
 * welkin_machine_config_render_cloud_config:
 * @self: a finished machine config
 * @error: return location for an error
 *
 * Prints the cloud-init document, for people and tests.
 *
 * Returns: (transfer full): the text, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_machine_config_render_cloud_config (WelkinMachineConfig *self,
                                           GError             **error)
{
  g_autoptr(WelkinCloudInit) document = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (!check_finished (self, error))
    return NULL;
  if (has_full_part (self) && !welkin_user_data_check (self, error))
    return NULL;

  document = welkin_cloud_init_new ();
  welkin_user_data_add_basic (self, document);
  if (has_full_part (self))
    welkin_user_data_add_full (self, document);
  return welkin_cloud_init_print (document);
}

char *
welkin_machine_config_render_script (WelkinMachineConfig *self,
                                     GError             **error)
{
  g_autoptr(WelkinCloudInit) document = NULL;

  if (!check_finished (self, error) || !welkin_user_data_check (self, error))
    return NULL;

  document = welkin_cloud_init_new ();
  welkin_user_data_add_full (self, document);
  return welkin_cloud_init_print_script (document, WELKIN_MACHINE_CLOUD_INIT_LOG);
}

/**
 * welkin_machine_config_render_user_data:
 * @self: a finished machine config
 * @error: return location for an error
 *
 * Makes what goes to the cloud, in base64: the cloud-init document, compressed.
 *
 * The same config always gives the same bytes. More than a cloud takes is
 * %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): the bytes, or %NULL on error
 *
 * Since: 0.1
 */
GBytes *
welkin_machine_config_render_user_data (WelkinMachineConfig *self,
                                        GError             **error)
{
  g_autofree char *text = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  text = welkin_machine_config_render_cloud_config (self, error);
  return text != NULL ? welkin_cloud_init_compress (text, error) : NULL;
}
