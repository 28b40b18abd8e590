/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define G_LOG_DOMAIN "welkin"

#include "config.h"

#include "values/welkin-machine-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "machine/cloud-init.h"
#include "machine/keys.h"
#include "machine/machine-paths.h"
#include "values/welkin-error.h"

#define ID_PATTERN "^(0|[1-9][0-9]*)(/[a-z]+/(0|[1-9][0-9]*))*$"
/* What cloud-init gives the keys to by itself, on the images that we know. */
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
struct _WelkinMachineConfig
{
  /* from the host */
  char         *machine_id;
  char         *tag;
  char         *nonce;
  char         *series;           /* (nullable) until it is finished */
  gboolean      is_bootstrap;
  char         *authorized_keys;  /* those of the environment too, once it is finished */
  char         *host_key_kind;    /* (nullable) */
  char         *host_private_key; /* (nullable) */
  char         *host_public_key;  /* (nullable) */

  /* from the provider */
  gboolean      is_finished;
  char         *ssh_user;         /* (nullable) until it is finished */
  WelkinTools  *tools;            /* (owned) (nullable) */
};

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
  g_free (self->ssh_user);
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
  copy->is_finished = self->is_finished;
  copy->ssh_user = g_strdup (self->ssh_user);
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
  copy->tools = tools != NULL ? welkin_tools_ref (tools) : NULL;
  return copy;
}

/* The keys, one item each, with comments that tell them from others. */
static char **
mark_keys (WelkinMachineConfig *self)
{
  g_auto(GStrv) keys = welkin_ssh_keys_split (self->authorized_keys);

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      char *marked = welkin_ssh_key_mark (keys[i], WELKIN_KEY_PREFIX);

      if (marked == NULL)
        continue;
      g_free (keys[i]);
      keys[i] = marked;
    }
  return g_steal_pointer (&keys);
}

static WelkinValue *
make_text (const char *text)
{
  return welkin_value_new_text (text, TRUE, NULL);
}

/* A user that the image may not have; the one that it has stays. */
static void
add_user (WelkinCloudInit     *document,
          WelkinMachineConfig *self,
          char               **keys)
{
  const char *const names[] = { "lock_passwd", "name", "shell", "ssh_authorized_keys", "sudo" };
  g_autoptr(WelkinValue) locked = welkin_value_new_text ("true", FALSE, NULL);
  g_autoptr(WelkinValue) name = make_text (self->ssh_user);
  g_autoptr(WelkinValue) shell = make_text ("/bin/bash");
  g_autoptr(WelkinValue) sudo = make_text ("ALL=(ALL) NOPASSWD:ALL");
  g_autoptr(GPtrArray) items = NULL;
  g_autoptr(WelkinValue) list = NULL;
  g_autoptr(WelkinValue) user = NULL;
  g_autoptr(WelkinValue) others = make_text ("default");
  g_autoptr(WelkinValue) users = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; keys[i] != NULL; i++)
    g_ptr_array_add (items, make_text (keys[i]));
  list = welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
  user = welkin_value_new_map (names, (WelkinValue *[]) { locked, name, shell, list, sudo },
                               G_N_ELEMENTS (names), NULL);
  users = welkin_value_new_list ((WelkinValue *[]) { others, user }, 2, NULL);
  welkin_cloud_init_set (document, "users", users);
}

static void
add_host_key (WelkinCloudInit     *document,
              WelkinMachineConfig *self)
{
  g_autofree char *private_entry = g_strconcat (self->host_key_kind, "_private", NULL);
  g_autofree char *public_entry = g_strconcat (self->host_key_kind, "_public", NULL);

  welkin_cloud_init_set_map (document, "ssh_keys", private_entry, self->host_private_key,
                             public_entry, self->host_public_key, NULL);
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
  g_auto(GStrv) keys = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (!self->is_finished)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("invalid machine configuration: it is not finished"));
      return NULL;
    }

  document = welkin_cloud_init_new ();
  keys = mark_keys (self);
  welkin_cloud_init_set_map (document, "output", "all",
                             "| tee -a " WELKIN_MACHINE_CLOUD_INIT_LOG, NULL);
  welkin_cloud_init_set_strings (document, "ssh_authorized_keys", (const char *const *) keys);
  if (!g_str_equal (self->ssh_user, DEFAULT_USER))
    add_user (document, self, keys);
  if (self->host_key_kind != NULL)
    add_host_key (document, self);

  /* The file tells that all before it is done, so it comes last. */
  welkin_cloud_init_add_command (document, "set -xe");
  welkin_cloud_init_add_file (document, WELKIN_MACHINE_NONCE_FILE, 0644, self->nonce);
  return welkin_cloud_init_print (document);
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
