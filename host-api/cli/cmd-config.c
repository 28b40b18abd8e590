/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * config: the attributes that hold for an environment, wherever they come from, so that nobody has
 * to guess which of three files and forty variables was read. What is wrong with them is told
 * behind what there is.
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "base/map-builder.h"
#include "cli/cli.h"

static char *option_environment;
static gboolean option_explain;
static char *option_format;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "explain", 0, 0, G_OPTION_ARG_NONE, &option_explain, N_("Tell where each value comes from"),
    NULL },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

/* What there is to print: nothing of it is secret. */
typedef struct
{
  WelkinConfig *config;
  WelkinSchema *own;    /* of every environment */
  WelkinSchema *theirs; /* of the provider */
} Attributes;

static gboolean
is_known (Attributes *attributes,
          const char *key)
{
  return welkin_config_has (attributes->config, key) || welkin_schema_has (attributes->own, key)
         || welkin_schema_has (attributes->theirs, key);
}

/* An empty value that nobody wrote is none. */
static gboolean
is_given (WelkinValue *value)
{
  if (welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return FALSE;
  return welkin_value_get_origin (value) != NULL
         || (g_strcmp0 (welkin_value_get_text (value), "") != 0
             && (welkin_value_get_text (value) != NULL || welkin_value_get_length (value) > 0));
}

static WelkinValue *
dup_value (Attributes *attributes,
           const char *key)
{
  WelkinValue *value = welkin_config_lookup (attributes->config, key);

  return value != NULL ? welkin_value_ref (value) : welkin_value_new_text ("", TRUE, NULL);
}

/* The value with its origin beside it, and what it is for where that is to be told as well.
 * (transfer full) */
static WelkinValue *
explain (Attributes *attributes,
         const char *key,
         gboolean    with_description)
{
  WelkinValue *value = dup_value (attributes, key);
  const char *origin = welkin_value_get_origin (value);
  const char *words = welkin_schema_get_description (attributes->theirs, key);
  WkMapBuilder map;

  if (words == NULL)
    words = welkin_schema_get_description (attributes->own, key);
  wk_map_begin (&map);
  wk_map_take (&map, "value", value);
  wk_map_add_text (&map, "origin", origin != NULL ? origin : _("default"));
  if (with_description && words != NULL)
    wk_map_add_text (&map, "description", _(words));
  return wk_map_end (&map);
}

static int
compare_names (const void *a,
               const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static WelkinValue *
describe_all (Attributes *attributes)
{
  g_autofree const char **keys = welkin_config_get_keys (attributes->config);
  WkMapBuilder map;

  qsort (keys, g_strv_length ((char **) keys), sizeof *keys, compare_names);
  wk_map_begin (&map);
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      if (!is_given (welkin_config_lookup (attributes->config, keys[i])))
        continue;
      wk_map_take (&map, keys[i], option_explain ? explain (attributes, keys[i], FALSE)
                                                 : dup_value (attributes, keys[i]));
    }
  return wk_map_end (&map);
}

/* The name that an attribute has, whichever of its words is asked for. */
static const char *
get_name (Attributes *attributes,
          const char *key)
{
  const char *name = welkin_schema_get_alias_of (attributes->theirs, key);

  return name != NULL ? name : key;
}

/* A text by itself is for scripts: it is printed as it is. */
static gboolean
print_one (Cli         *cli,
           Attributes  *attributes,
           const char  *key,
           CliFormat    format,
           GError     **error)
{
  const char *name = get_name (attributes, key);
  g_autoptr(WelkinValue) value = NULL;
  const char *text;

  if (!is_known (attributes, key))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("there is no attribute \"%s\""),
                   key);
      return FALSE;
    }
  value = option_explain ? explain (attributes, name, TRUE) : dup_value (attributes, name);
  text = welkin_value_get_text (value);
  if (text == NULL || format != CLI_FORMAT_YAML)
    return cli_print_value (cli, value, format, NULL, error);
  console_print (cli->console, text);
  return TRUE;
}

/* That the environment could be used with what was printed. */
static gboolean
check (Cli         *cli,
       const char  *name,
       GError     **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(WelkinConfig) config = NULL;

  environment = welkin_environments_open (cli->environments, name, &local_error);
  if (environment != NULL)
    return TRUE;
  if (!g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  config = welkin_environments_load_config (cli->environments, name, error);
  return config != NULL;
}

static gboolean
run_config (Cli     *cli,
            char   **arguments,
            GError **error)
{
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) masked = NULL;
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(WelkinSchema) own = NULL;
  g_autoptr(WelkinSchema) theirs = NULL;
  g_autoptr(WelkinValue) all = NULL;
  g_autofree char *name = NULL;
  CliFormat format;

  if (arguments[0] != NULL && !cli_expect_no_arguments (arguments + 1, error))
    return FALSE;
  if (!cli_parse_format (option_format, &format, error))
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  config = welkin_environments_load_effective_config (cli->environments, name, &provider, error);
  if (config == NULL)
    return FALSE;

  own = welkin_environments_get_schema (cli->environments);
  theirs = welkin_provider_get_schema (provider);
  masked = welkin_schema_mask (own, theirs, config);
  if (arguments[0] != NULL)
    return print_one (cli, &(Attributes) { masked, own, theirs }, arguments[0], format, error);
  all = describe_all (&(Attributes) { masked, own, theirs });
  return cli_print_value (cli, all, format, NULL, error) && check (cli, name, error);
}

const CliCommand cli_command_config = {
  .name = "config",
  .usage = "[KEY]",
  .summary = N_("Show the configuration of an environment"),
  .description = N_("Prints each attribute that has a value, or the one that is named, as it holds "
                    "once files, variables and defaults are taken together. Secrets are masked, "
                    "and so is what is no attribute at all, which may be a secret with a misspelt "
                    "name. Of an environment that is bootstrapped it is what is remembered, with "
                    "what is empty. Nothing is asked of the cloud. When the environment cannot be "
                    "used that way, the exit status is 1."),
  .options = options,
  .run = run_config,
};
