/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define G_LOG_DOMAIN "welkin"

#include "config.h"

#include "environments/welkin-environments.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/text.h"
#include "environments/boilerplate.h"
#include "environments/environment-config.h"
#include "environments/environment-schema.h"
#include "environments/environments-file.h"
#include "environments/welkin-info.h"
#include "machine/keys.h"
#include "values/welkin-error.h"

/**
 * WelkinEnvironments:
 *
 * The environments that a user has: those that are written in
 * environments.yaml, and those that were bootstrapped and are remembered.
 *
 * Files are read when they are asked for, each time again. Warnings about them
 * go to the log, domain "welkin", each once.
 *
 * Since: 0.1
 */
struct _WelkinEnvironments
{
  GObject             parent_instance;

  WelkinRegistry     *registry;     /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) */
  GHashTable         *warnings;     /* (owned) those that were given */
};

/* What opens an environment that is to be bootstrapped. */
typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */

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

G_DEFINE_FINAL_TYPE (WelkinEnvironments, welkin_environments, G_TYPE_OBJECT)

static void
warn_once (WelkinEnvironments *self,
           const char         *message)
{
  if (g_hash_table_add (self->warnings, g_strdup (message)))
    g_warning ("%s", message);
}

static void
warn_all (WelkinEnvironments *self,
          GPtrArray          *messages)
{
  for (guint i = 0; i < messages->len; i++)
    warn_once (self, messages->pdata[i]);
}

/**
 * welkin_environments_new:
 * @registry: where providers come from
 * @surroundings: (nullable): where the files are; %NULL for the surroundings of
 *   the process
 *
 * Makes an object through which environments are found. It reads nothing yet.
 *
 * Returns: (transfer full): a new object
 *
 * Since: 0.1
 */
WelkinEnvironments *
welkin_environments_new (WelkinRegistry     *registry,
                         WelkinSurroundings *surroundings)
{
  WelkinEnvironments *self = NULL;

  g_return_val_if_fail (WELKIN_IS_REGISTRY (registry), NULL);

  self = g_object_new (WELKIN_TYPE_ENVIRONMENTS, NULL);
  self->registry = g_object_ref (registry);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  else
    self->surroundings = welkin_surroundings_new_for_process ();
  return self;
}

/**
 * welkin_environments_get_registry:
 * @self: environments
 *
 * Gets where providers come from.
 *
 * Returns: (transfer none): the registry
 *
 * Since: 0.1
 */
WelkinRegistry *
welkin_environments_get_registry (WelkinEnvironments *self)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return self->registry;
}

/**
 * welkin_environments_get_surroundings:
 * @self: environments
 *
 * Gets the variables and directories that environments are completed from.
 *
 * Returns: (transfer none): the surroundings
 *
 * Since: 0.1
 */
WelkinSurroundings *
welkin_environments_get_surroundings (WelkinEnvironments *self)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return self->surroundings;
}

/**
 * welkin_environments_get_path:
 * @self: environments
 * @error: return location for an error
 *
 * Gets the path of environments.yaml, which need not exist.
 *
 * Returns: (transfer full) (type filename): the path, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_environments_get_path (WelkinEnvironments *self,
                              GError            **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return welkin_environments_file_build_path (self->surroundings, error);
}

static WelkinEnvironmentsFile *
load_file (WelkinEnvironments *self,
           GError            **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  WelkinEnvironmentsFile *file = NULL;

  file = welkin_environments_file_load (self->surroundings, warnings, error);
  warn_all (self, warnings);
  return file;
}

/**
 * welkin_environments_list_names:
 * @self: environments
 * @error: return location for an error
 *
 * Lists the environments that are written in environments.yaml.
 *
 * That there is no such file is %WELKIN_ERROR_NO_ENVIRONS_FILE.
 *
 * Returns: (transfer full): their names, sorted, or %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_environments_list_names (WelkinEnvironments *self,
                                GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  file = load_file (self, error);
  if (file == NULL)
    return NULL;
  return welkin_environments_file_list_names (file);
}

/* What was said outside environments.yaml, which is believed unseen. */
static char *
get_preset_name (WelkinEnvironments *self)
{
  const char *name = welkin_surroundings_get_variable (self->surroundings, "WELKIN_ENV");

  if (name != NULL)
    return g_strdup (name);
  return welkin_environments_file_read_current (self->surroundings);
}

/**
 * welkin_environments_choose:
 * @self: environments
 * @wanted: (nullable): what the user asked for; %NULL or "" for nothing
 * @error: return location for an error
 *
 * Tells which environment is meant.
 *
 * It is the first of these that says something: @wanted, variable WELKIN_ENV,
 * file current-environment, "default" in environments.yaml, the only
 * environment in that file.
 *
 * Returns: (transfer full): its name, which need not exist, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_environments_choose (WelkinEnvironments *self,
                            const char         *wanted,
                            GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = NULL;
  g_autofree char *preset = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  if (wanted != NULL && *wanted != '\0')
    return g_strdup (wanted);
  preset = get_preset_name (self);
  if (preset != NULL)
    return g_steal_pointer (&preset);

  file = load_file (self, error);
  if (file == NULL)
    return NULL;
  name = welkin_environments_file_get_default (file);
  if (name == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                 _("no default environment found: name one with -e, in WELKIN_ENV, with \"welkin "
                   "switch\", or as \"default\" in file \"%s\""),
                 welkin_environments_file_get_path (file));
  return g_steal_pointer (&name);
}

/**
 * welkin_environments_get_current:
 * @self: environments
 *
 * Tells which environment is meant when the user names none.
 *
 * Returns: (transfer full) (nullable): its name; %NULL when none was chosen
 *
 * Since: 0.1
 */
char *
welkin_environments_get_current (WelkinEnvironments *self)
{
  g_autoptr(WelkinEnvironmentsFile) file = NULL;
  g_autofree char *preset = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  preset = get_preset_name (self);
  if (preset != NULL)
    return g_steal_pointer (&preset);
  file = load_file (self, NULL);
  return file != NULL ? welkin_environments_file_get_default (file) : NULL;
}

/**
 * welkin_environments_set_current:
 * @self: environments
 * @name: the name of an environment in environments.yaml
 * @error: return location for an error
 *
 * Chooses the environment that is meant from now on when the user names none.
 *
 * A name that is not in the file is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: whether it was written down
 *
 * Since: 0.1
 */
gboolean
welkin_environments_set_current (WelkinEnvironments *self,
                                 const char         *name,
                                 GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  file = load_file (self, error);
  if (file == NULL)
    return FALSE;
  if (!welkin_environments_file_has (file, name))
    {
      g_autofree char *quoted = wk_quote (name);

      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("%s is not a name of an existing defined environment: see file \"%s\""),
                   quoted, welkin_environments_file_get_path (file));
      return FALSE;
    }
  return welkin_environments_file_write_current (self->surroundings, name, error);
}

/**
 * welkin_environments_make_boilerplate:
 * @self: environments
 * @error: return location for an error
 *
 * Makes the text of an environments.yaml to start from, with a stanza for each
 * provider that there is.
 *
 * Returns: (transfer full): the text, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_environments_make_boilerplate (WelkinEnvironments *self,
                                      GError            **error)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return welkin_boilerplate_make (self->registry, error);
}

/**
 * welkin_environments_write:
 * @self: environments
 * @text: what is to be in environments.yaml
 * @replace: whether it may take the place of what is there
 * @error: return location for an error
 *
 * Writes environments.yaml, readable by its user alone.
 *
 * A file that is there is %WELKIN_ERROR_ALREADY_EXISTS, unless it may be
 * replaced; one that cannot be parsed is never replaced, since it may hold what
 * somebody needs.
 *
 * Returns: (transfer full) (type filename): the path that was written, or %NULL
 *   on error
 *
 * Since: 0.1
 */
char *
welkin_environments_write (WelkinEnvironments *self,
                           const char         *text,
                           gboolean            replace,
                           GError            **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  char *path = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  path = welkin_environments_file_write (self->surroundings, text, replace, warnings, error);
  warn_all (self, warnings);
  return path;
}

/* Says of an error which environment it is about, and on which line. */
static void
prefix_type_error (WelkinConfig *config,
                   GError      **error)
{
  const char *origin = welkin_value_get_origin (welkin_config_lookup (config, "type"));
  g_autofree char *message = NULL;

  message = g_strdup_printf (_("environment \"%s\" has an unknown provider type \"%s\""),
                             welkin_config_get_name (config),
                             welkin_config_get_provider_type (config));
  g_prefix_error (error, "%s%s%s: ", origin != NULL ? origin : "", origin != NULL ? ": " : "",
                  message);
}

static WelkinProvider *
find_provider (WelkinEnvironments *self,
               WelkinConfig       *config,
               GError            **error)
{
  WelkinProvider *provider = NULL;

  provider = welkin_registry_get_provider (self->registry, welkin_config_get_provider_type (config),
                                           error);
  if (provider == NULL)
    prefix_type_error (config, error);
  return provider;
}

/* Whether the user set to something else what has no effect. */
static gboolean
is_set_in_vain (WelkinSchema *schema,
                WelkinConfig *attributes,
                WelkinConfig *config,
                const char   *key)
{
  const char *default_value = welkin_schema_get_default (schema, key);

  return (welkin_schema_get_flags (schema, key) & WELKIN_ATTRIBUTE_UNUSED) != 0 &&
         welkin_config_has (attributes, key) &&
         !g_str_equal (welkin_config_get_string (config, key),
                       default_value != NULL ? default_value : "");
}

/* Attributes that neither the host nor the provider knows may be slips of the
 * pen; what is known but not used must not look as if it were.
 * attributes: those of the file; config: the same, completed */
static void
warn_of_keys (WelkinEnvironments *self,
              WelkinConfig       *attributes,
              WelkinConfig       *config,
              WelkinProvider     *provider)
{
  g_autoptr(WelkinSchema) own = welkin_environment_schema_new ();
  g_autoptr(WelkinSchema) theirs = welkin_provider_get_schema (provider);
  g_autofree const char **keys = welkin_config_get_keys (config);

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      const char *origin = welkin_value_get_origin (welkin_config_lookup (config, keys[i]));
      const char *separator = origin != NULL ? ": " : "";
      g_autofree char *quoted = wk_quote (keys[i]);
      g_autofree char *message = NULL;

      if (welkin_schema_has (theirs, keys[i]))
        continue;
      if (!welkin_schema_has (own, keys[i]))
        message = g_strdup_printf (_("%s%sunknown config field %s"), origin != NULL ? origin : "",
                                   separator, quoted);
      else if (is_set_in_vain (own, attributes, config, keys[i]))
        message = g_strdup_printf (_("%s%snot used by this version: %s"),
                                   origin != NULL ? origin : "", separator, keys[i]);
      if (message != NULL)
        warn_once (self, message);
    }
}

/* The client's own keys let a home without ~/.ssh work. Not to have them is an
 * error where there are no others, and a warning where there are. */
static WelkinConfig *
complete_entry (WelkinEnvironments *self,
                WelkinConfig       *attributes,
                GError            **error)
{
  g_autoptr(GError) keys_error = NULL;
  WelkinConfig *config = NULL;

  if (*welkin_config_get_string (attributes, "authorized-keys") == '\0' &&
      !welkin_client_keys_ensure (self->surroundings, &keys_error))
    g_prefix_error (&keys_error, "%s: ", _("cannot make the client's SSH keys"));

  config = welkin_environment_config_complete (attributes, self->surroundings, keys_error, error);
  if (config != NULL && keys_error != NULL)
    warn_once (self, keys_error->message);
  return config;
}

/* An entry of environments.yaml as a whole config, and its provider. */
static WelkinConfig *
load_entry (WelkinEnvironments *self,
            const char         *name,
            WelkinProvider    **provider,
            GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = load_file (self, error);
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(WelkinConfig) attributes = NULL;
  g_autoptr(WelkinConfig) translated = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinProvider) found = NULL;
  g_autoptr(WelkinConfig) validated = NULL;

  if (file == NULL)
    return NULL;
  attributes = welkin_environments_file_get_attributes (file, name, error);
  if (attributes == NULL)
    return NULL;
  translated = welkin_environment_config_translate (attributes, warnings);
  warn_all (self, warnings);

  found = find_provider (self, translated, error);
  if (found == NULL)
    return NULL;
  config = complete_entry (self, translated, error);
  if (config == NULL)
    return NULL;
  warn_of_keys (self, translated, config, found);
  validated = welkin_provider_validate (found, config, NULL, self->surroundings, error);
  if (validated == NULL)
    return NULL;
  *provider = g_steal_pointer (&found);
  return g_steal_pointer (&validated);
}

/**
 * welkin_environments_load_config:
 * @self: environments
 * @name: the name of an environment
 * @error: return location for an error
 *
 * Reads the config of an environment as environments.yaml has it, with its
 * defaults, and checks it.
 *
 * What is remembered of the environment does not matter here. A name that is
 * not in the file is %WELKIN_ERROR_NOT_FOUND; what makes no sense is
 * %WELKIN_ERROR_INVALID_CONFIG, and its text names the line.
 *
 * Returns: (transfer full): the config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_environments_load_config (WelkinEnvironments *self,
                                 const char         *name,
                                 GError            **error)
{
  g_autoptr(WelkinProvider) provider = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return load_entry (self, name, &provider, error);
}

/* Why nothing is remembered of the environment, and what to do. */
static void
set_not_bootstrapped_error (WelkinEnvironments *self,
                            const char         *name,
                            GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = load_file (self, NULL);
  g_autofree char *quoted = wk_quote (name);

  if (file != NULL && !welkin_environments_file_has (file, name))
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                 _("environment %s not found in file \"%s\", and none of that name was "
                   "bootstrapped"), quoted, welkin_environments_file_get_path (file));
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                 _("environment %s is not bootstrapped: run \"welkin bootstrap -e %s\" first"),
                 quoted, name);
}

static WelkinEnviron *
open_info (WelkinEnvironments *self,
           WelkinInfo         *info,
           GError            **error)
{
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinProvider) provider = NULL;

  if (!welkin_info_get_initialized (info))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                   _("uninitialized environment info for \"%s\": an earlier bootstrap was "
                     "interrupted before it made anything; remove %s and try again"),
                   welkin_info_get_name (info), welkin_info_get_location (info));
      return NULL;
    }
  if (welkin_info_get_config (info) == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                   _("no bootstrap config (bootstrap configuration data) of environment \"%s\" in "
                     "%s"), welkin_info_get_name (info), welkin_info_get_location (info));
      return NULL;
    }

  config = welkin_environment_config_restore (welkin_info_get_config (info), error);
  if (config == NULL)
    return NULL;
  provider = find_provider (self, config, error);
  if (provider == NULL)
    return NULL;
  return welkin_provider_open (provider, config, self->surroundings, error);
}

/**
 * welkin_environments_open:
 * @self: environments
 * @name: the name of an environment
 * @error: return location for an error
 *
 * Opens an environment that was bootstrapped, with the config that is
 * remembered of it.
 *
 * The cloud is asked nothing. An environment that is not remembered is
 * %WELKIN_ERROR_NOT_BOOTSTRAPPED, whether or not environments.yaml has it,
 * since attributes are missing that bootstrap makes.
 *
 * Returns: (transfer full): the environment, or %NULL on error
 *
 * Since: 0.1
 */
WelkinEnviron *
welkin_environments_open (WelkinEnvironments *self,
                          const char         *name,
                          GError            **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(GError) local_error = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  info = welkin_info_load (self->surroundings, name, &local_error);
  if (info != NULL)
    return open_info (self, info, error);
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    set_not_bootstrapped_error (self, name, error);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

/* Lets the provider complete the config, opens the environment, and writes the
 * config down. */
static WelkinEnviron *
open_and_write (WelkinEnvironments *self,
                WelkinInfo         *info,
                WelkinConfig       *config,
                WelkinProvider     *provider,
                GError            **error)
{
  g_autoptr(WelkinConfig) prepared = NULL;
  g_autoptr(WelkinEnviron) environment = NULL;

  prepared = welkin_provider_prepare (provider, config, self->surroundings, error);
  if (prepared == NULL)
    return NULL;
  environment = welkin_provider_open (provider, prepared, self->surroundings, error);
  if (environment == NULL)
    return NULL;

  welkin_info_set_config (info, welkin_environ_get_config (environment));
  if (!welkin_info_write (info, error))
    return NULL;
  return g_steal_pointer (&environment);
}

static WelkinEnviron *
open_known (WelkinEnvironments *self,
            WelkinInfo         *info,
            GError            **error)
{
  g_autofree char *message = NULL;
  WelkinEnviron *environment = open_info (self, info, error);

  if (environment == NULL)
    return NULL;
  message = g_strdup_printf (_("ignoring environments.yaml: using bootstrap config in %s"),
                             welkin_info_get_location (info));
  warn_once (self, message);
  return environment;
}

/* Begins to remember the environment; whatever fails, nothing of that is left. */
static WelkinEnviron *
open_new (WelkinEnvironments *self,
          const char         *name,
          WelkinConfig       *config,
          WelkinProvider     *provider,
          GError            **error)
{
  g_autoptr(WelkinInfo) info = welkin_info_create (self->surroundings, name, error);
  g_autoptr(GError) local_error = NULL;
  WelkinEnviron *environment = NULL;

  if (info == NULL)
    return NULL;
  environment = open_and_write (self, info, config, provider, error);
  if (environment == NULL && !welkin_info_destroy (info, &local_error))
    warn_once (self, local_error->message);
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

  self->info = welkin_info_load (self->environments->surroundings, self->name, &error);
  if (self->info != NULL)
    {
      self->environment = open_known (self->environments, self->info, &error);
      if (self->environment == NULL)
        WK_FAIL (flow, &error, NULL);
      return_prepared (flow, g_steal_pointer (&self->environment), FALSE);
      return;
    }
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);

  self->config = load_entry (self->environments, self->name, &self->provider, &error);
  if (self->config == NULL)
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, welkin_environment_config_generate_async (self->config, WK_RESUME (flow)));
  welkin_config_unref (self->config);
  self->config = welkin_environment_config_generate_finish (WK_RESULT (flow), &error);
  if (self->config == NULL)
    WK_FAIL (flow, &error, NULL);
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  self->environment = open_new (self->environments, self->name, self->config, self->provider,
                                &error);
  if (self->environment == NULL)
    WK_FAIL (flow, &error, NULL);
  return_prepared (flow, g_steal_pointer (&self->environment), TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_environments_prepare_async:
 * @self: environments
 * @name: the name of an environment
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
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data)
{
  Preparation *preparation = NULL;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (self));
  g_return_if_fail (name != NULL);

  preparation = g_new0 (Preparation, 1);
  preparation->environments = g_object_ref (self);
  preparation->name = g_strdup (name);
  wk_flow_start (self, cancellable, callback, user_data, welkin_environments_prepare_async,
                 preparation_run, preparation, preparation_free);
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
  Prepared *prepared = NULL;
  WelkinEnviron *environment = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  prepared = wk_flow_finish_pointer (result, self, welkin_environments_prepare_async, error);
  if (is_new != NULL)
    *is_new = prepared != NULL && prepared->is_new;
  if (prepared == NULL)
    return NULL;

  environment = g_object_ref (prepared->environment);
  prepared_free (prepared);
  return environment;
}

static void
welkin_environments_finalize (GObject *object)
{
  WelkinEnvironments *self = WELKIN_ENVIRONMENTS (object);

  g_clear_object (&self->registry);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  g_hash_table_unref (self->warnings);

  G_OBJECT_CLASS (welkin_environments_parent_class)->finalize (object);
}

static void
welkin_environments_class_init (WelkinEnvironmentsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = welkin_environments_finalize;
}

static void
welkin_environments_init (WelkinEnvironments *self)
{
  self->warnings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}
