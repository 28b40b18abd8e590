/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* get-environment, set-environment and unset-environment: the config that is remembered. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "cli/machines.h"

#define AGENT_VERSION "agent-version"

static char *option_environment;
static char *option_format;
static char *option_output;
static gboolean option_show_secrets;

#define OPTION_ENVIRONMENT \
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment, \
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") }

static const GOptionEntry get_options[] = {
  OPTION_ENVIRONMENT,
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output, N_("Write to a file"), N_("FILE") },
  { "show-secrets", 0, 0, G_OPTION_ARG_NONE, &option_show_secrets, N_("Show secrets as they are"),
    NULL },
  G_OPTION_ENTRY_NULL
};

static const GOptionEntry set_options[] = {
  OPTION_ENVIRONMENT,
  G_OPTION_ENTRY_NULL
};

/* What all three work on. */
typedef struct
{
  WelkinInfo     *info;     /* (owned) */
  WelkinProvider *provider; /* (owned) */
  WelkinSchema   *own;      /* (owned) of every environment */
  WelkinSchema   *theirs;   /* (owned) of the provider */
} Remembered;

static void
remembered_clear (Remembered *self)
{
  g_clear_pointer (&self->theirs, welkin_schema_unref);
  g_clear_pointer (&self->own, welkin_schema_unref);
  g_clear_object (&self->provider);
  g_clear_object (&self->info);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Remembered, remembered_clear)

static gboolean
load (Cli        *cli,
      Remembered *self,
      GError    **error)
{
  g_autofree char *name = cli_choose_environment (cli, option_environment, error);
  const char *type;

  if (name == NULL)
    return FALSE;
  self->info = cli_load_info (cli, name, error);
  if (self->info == NULL)
    return FALSE;
  type = welkin_config_get_provider_type (welkin_info_get_config (self->info));
  self->provider = welkin_registry_get_provider (cli->registry, type, error);
  if (self->provider == NULL)
    return FALSE;
  self->own = welkin_environments_get_schema (cli->environments);
  self->theirs = welkin_provider_get_schema (self->provider);
  return TRUE;
}

/* A text by itself is for scripts: it is printed as it is. */
static gboolean
print_one (Cli          *cli,
           WelkinConfig *config,
           const char   *key,
           CliFormat     format,
           GError      **error)
{
  WelkinValue *value = welkin_config_lookup (config, key);
  const char *text;

  if (value == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("Key \"%s\" not found in \"%s\" environment"), key,
                   welkin_config_get_name (config));
      return FALSE;
    }
  text = welkin_value_get_text (value);
  if (text == NULL || format != CLI_FORMAT_YAML || option_output != NULL)
    return cli_print_value (cli, value, format, option_output, error);
  console_print (cli->console, text);
  return TRUE;
}

static gboolean
run_get (Cli     *cli,
         char   **arguments,
         GError **error)
{
  g_auto(Remembered) remembered = { NULL };
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinValue) map = NULL;
  CliFormat format;

  if (!cli_parse_format (option_format, &format, error))
    return FALSE;
  if (arguments[0] != NULL && !cli_expect_no_arguments (arguments + 1, error))
    return FALSE;
  if (!load (cli, &remembered, error))
    return FALSE;
  config = welkin_info_get_config (remembered.info);
  config = option_show_secrets ? welkin_config_ref (config)
                               : welkin_schema_mask (remembered.own, remembered.theirs, config);
  if (arguments[0] != NULL)
    return print_one (cli, config, arguments[0], format, error);
  map = welkin_config_to_value (config);
  return cli_print_value (cli, map, format, option_output, error);
}

static gboolean
change (Cli               *cli,
        Remembered        *self,
        WelkinConfig      *values,
        const char *const *unset_keys,
        GError           **error)
{
  welkin_environments_change_async (cli->environments, self->info, values, unset_keys,
                                    cli->cancellable, cli_done_cb, cli);
  return welkin_environments_change_finish (cli->environments, cli_wait (cli), error);
}

static gboolean
check_key (const char *key,
           GError    **error)
{
  if (!g_str_equal (key, AGENT_VERSION))
    return TRUE;
  return cli_usage_error (error, _("%s is set by bootstrap alone"), AGENT_VERSION);
}

/* (transfer full): the values by their keys, or NULL */
static WelkinConfig *
parse_pairs (char   **arguments,
             GError **error)
{
  g_autoptr(WelkinConfig) result = welkin_config_new ();
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; arguments[i] != NULL; i++)
    {
      const char *sign = strchr (arguments[i], '=');
      g_autofree char *key = NULL;
      WelkinConfig *larger;

      if (sign == NULL || sign == arguments[i])
        {
          cli_usage_error (error, _("Missing \"=\" in arg %u"), i + 1);
          return NULL;
        }
      key = g_strndup (arguments[i], (gsize) (sign - arguments[i]));
      if (!check_key (key, error))
        return NULL;
      if (!g_hash_table_add (seen, g_strdup (key)))
        {
          cli_usage_error (error, _("Key \"%s\" specified more than once"), key);
          return NULL;
        }
      larger = welkin_config_with_text (result, key, sign + 1, "set-environment");
      welkin_config_unref (result);
      result = larger;
    }
  return g_steal_pointer (&result);
}

static gboolean
run_set (Cli     *cli,
         char   **arguments,
         GError **error)
{
  g_auto(Remembered) remembered = { NULL };
  g_autoptr(WelkinConfig) values = NULL;

  if (*arguments == NULL)
    return cli_usage_error (error, _("No key, value pairs specified"));
  if (!load (cli, &remembered, error))
    return FALSE;
  values = parse_pairs (arguments, error);
  return values != NULL && change (cli, &remembered, values, NULL, error);
}

/* Back to the default, where there is one: then it is among the values. */
static gboolean
unset_one (Remembered    *self,
           WelkinConfig **values,
           const char    *key,
           GError       **error)
{
  WelkinConfig *config = welkin_info_get_config (self->info);
  WelkinSchema *schema = welkin_schema_has (self->own, key) ? self->own : self->theirs;
  const char *fallback = welkin_schema_get_default (schema, key);
  g_autoptr(WelkinConfig) former = NULL;

  if (!welkin_schema_has (schema, key) && !welkin_config_has (config, key))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("Key \"%s\" not found in \"%s\" environment"), key,
                   welkin_config_get_name (config));
      return FALSE;
    }
  if ((welkin_schema_get_flags (schema, key) & WELKIN_ATTRIBUTE_IMMUTABLE) != 0)
    return cli_usage_error (error, _("%s cannot be changed"), key);
  if (fallback == NULL)
    return TRUE;
  former = g_steal_pointer (values);
  *values = welkin_config_with_text (former, key, fallback, NULL);
  return TRUE;
}

static gboolean
run_unset (Cli     *cli,
           char   **arguments,
           GError **error)
{
  g_auto(Remembered) remembered = { NULL };
  g_autoptr(WelkinConfig) values = welkin_config_new ();

  if (*arguments == NULL)
    return cli_usage_error (error, _("No keys specified"));
  if (!load (cli, &remembered, error))
    return FALSE;
  for (gsize i = 0; arguments[i] != NULL; i++)
    {
      if (!check_key (arguments[i], error)
          || !unset_one (&remembered, &values, arguments[i], error))
        return FALSE;
    }
  return change (cli, &remembered, values, (const char *const *) arguments, error);
}

const CliCommand cli_command_get_environment = {
  .name = "get-environment",
  .aliases = (const char *const[]) { "get-env", NULL },
  .usage = "[KEY]",
  .summary = N_("Show the attributes that an environment was bootstrapped with"),
  .description = N_("Prints what is remembered of the configuration of a bootstrapped environment, "
                    "or the one attribute. Secrets are masked, and so is what is no "
                    "attribute at all, which may be a secret with a misspelt name."),
  .options = get_options,
  .run = run_get,
};

const CliCommand cli_command_set_environment = {
  .name = "set-environment",
  .aliases = (const char *const[]) { "set-env", NULL },
  .usage = "KEY=VALUE…",
  .summary = N_("Change attributes of a bootstrapped environment"),
  .description = N_("Checks the values, and remembers them for all that follows. What is set up "
                    "already stays as it is."),
  .options = set_options,
  .run = run_set,
};

const CliCommand cli_command_unset_environment = {
  .name = "unset-environment",
  .aliases = (const char *const[]) { "unset-env", NULL },
  .usage = "KEY…",
  .summary = N_("Put attributes of a bootstrapped environment back to their defaults"),
  .options = set_options,
  .run = run_unset,
};
