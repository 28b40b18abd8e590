/* SPDX-License-Identifier: LGPL-2.1-or-later */

#define G_LOG_DOMAIN "welkin"

#include "config.h"

#include "environments/welkin-environments-private.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "contracts/welkin-optional.h"
#include "environments/boilerplate.h"
#include "environments/environment-config.h"
#include "environments/environment-entry.h"
#include "environments/environment-schema.h"
#include "environments/environments-file.h"
#include "environments/info-intents.h"
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
  WelkinConfig       *overrides;    /* (owned) win over what is written */
  GHashTable         *warnings;     /* (owned) those that were given */
};

G_DEFINE_FINAL_TYPE (WelkinEnvironments, welkin_environments, G_TYPE_OBJECT)

void
welkin_environments_warn_once (WelkinEnvironments *self,
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
    welkin_environments_warn_once (self, messages->pdata[i]);
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
 * welkin_environments_get_schema:
 * @self: environments
 *
 * Gets the attributes that every environment may have, whatever its provider.
 *
 * Returns: (transfer full): their schema
 *
 * Since: 0.1
 */
WelkinSchema *
welkin_environments_get_schema (WelkinEnvironments *self)
{
  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);

  return welkin_environment_schema_new ();
}

/**
 * welkin_environments_override:
 * @self: environments
 * @key: the name of an attribute
 * @value: its value
 *
 * Lets an attribute win over what is written of it, in any environment that is
 * read or opened from now on.
 *
 * This is for what was asked for in this run alone, on a command line for one.
 * An environment that is bootstrapped with it keeps it.
 *
 * Since: 0.1
 */
void
welkin_environments_override (WelkinEnvironments *self,
                              const char         *key,
                              WelkinValue        *value)
{
  WelkinConfig *former = NULL;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (self));
  g_return_if_fail (key != NULL && value != NULL);

  former = self->overrides;
  self->overrides = welkin_config_with (former, key, value);
  welkin_config_unref (former);
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

/* An entry of environments.yaml as a whole config, and its provider, which has
 * still to check it. */
static WelkinConfig *
complete_entry (WelkinEnvironments *self,
                const char         *name,
                WelkinProvider    **provider,
                GError            **error)
{
  g_autoptr(WelkinEnvironmentsFile) file = load_file (self, error);
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(WelkinConfig) attributes = NULL;
  WelkinConfig *config = NULL;

  if (file == NULL)
    return NULL;
  attributes = welkin_environments_file_get_attributes (file, name, error);
  if (attributes == NULL)
    return NULL;
  config = welkin_environment_entry_complete (attributes, self->overrides, self->registry,
                                              self->surroundings, provider, warnings, error);
  warn_all (self, warnings);
  return config;
}

WelkinConfig *
welkin_environments_load_entry (WelkinEnvironments *self,
                                const char         *name,
                                WelkinProvider    **provider,
                                GError            **error)
{
  g_autoptr(WelkinProvider) found = NULL;
  g_autoptr(WelkinConfig) config = complete_entry (self, name, &found, error);
  WelkinConfig *valid = NULL;

  if (config == NULL)
    return NULL;
  valid = welkin_provider_validate (found, config, NULL, self->surroundings, error);
  if (valid != NULL)
    *provider = g_steal_pointer (&found);
  return valid;
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

  return welkin_environments_load_entry (self, name, &provider, error);
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

/* Its mark holds the uuid: without one, what it makes and what it removes would be anybody's. */
static gboolean
check_uuid (WelkinConfig  *config,
            WelkinInfo    *info,
            GError       **error)
{
  if (*welkin_config_get_uuid (config) != '\0')
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("the uuid of environment \"%s\" is missing in %s: it marks what is the "
                 "environment's in the cloud, so write it there again, as the marks have it"),
               welkin_info_get_name (info), welkin_info_get_location (info));
  return FALSE;
}

/* What is remembered of an environment as a config, and its provider. */
static WelkinConfig *
read_info (WelkinEnvironments *self,
           WelkinInfo         *info,
           WelkinProvider    **provider,
           GError            **error)
{
  g_autoptr(WelkinConfig) restored = NULL;
  g_autoptr(WelkinConfig) config = NULL;

  if (!welkin_info_get_initialized (info))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                   _("uninitialized environment info for \"%s\" in %s: an earlier bootstrap was "
                     "interrupted before it made anything; bootstrap it again, or run "
                     "\"welkin destroy-environment %s\""),
                   welkin_info_get_name (info), welkin_info_get_location (info),
                   welkin_info_get_name (info));
      return NULL;
    }
  if (welkin_info_get_config (info) == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED,
                   _("no bootstrap config (bootstrap configuration data) of environment \"%s\" in "
                     "%s"), welkin_info_get_name (info), welkin_info_get_location (info));
      return NULL;
    }

  restored = welkin_environment_config_restore (welkin_info_get_config (info), error);
  if (restored == NULL || !check_uuid (restored, info, error))
    return NULL;
  config = welkin_config_with_all (restored, self->overrides);
  *provider = welkin_environment_find_provider (config, self->registry, error);
  return *provider != NULL ? g_steal_pointer (&config) : NULL;
}

void
welkin_environments_give_intents (WelkinEnvironments *self,
                                  WelkinEnviron      *environment,
                                  const char         *name)
{
  g_autoptr(WelkinIntents) intents = NULL;

  if (!WELKIN_IS_RECONCILER (environment))
    return;
  intents = welkin_info_intents_new (self->surroundings, name);
  welkin_reconciler_set_intents (WELKIN_RECONCILER (environment), intents);
}

WelkinEnviron *
welkin_environments_open_info (WelkinEnvironments *self,
                               WelkinInfo         *info,
                               GError            **error)
{
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(WelkinConfig) config = read_info (self, info, &provider, error);
  WelkinEnviron *environment;

  if (config == NULL)
    return NULL;
  environment = welkin_provider_open (provider, config, self->surroundings, error);
  if (environment != NULL)
    welkin_environments_give_intents (self, environment, welkin_info_get_name (info));
  return environment;
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
    return welkin_environments_open_info (self, info, error);
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    set_not_bootstrapped_error (self, name, error);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

/**
 * welkin_environments_load_effective_config:
 * @self: environments
 * @name: the name of an environment
 * @provider: (out) (optional) (transfer full): its provider, whose schema tells
 *   more of the attributes
 * @error: return location for an error
 *
 * Reads the attributes that hold for an environment, whatever they come from.
 *
 * They are those that are remembered of it, or those of environments.yaml if it
 * is not bootstrapped, and what [method@Provider.get_effective_config] makes of
 * them. Each value has its origin; those that are defaults have none. Something
 * may be missing; welkin_environments_load_config() tells.
 *
 * There are secrets in it.
 *
 * Returns: (transfer full): the config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_environments_load_effective_config (WelkinEnvironments *self,
                                           const char         *name,
                                           WelkinProvider    **provider,
                                           GError            **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(WelkinProvider) found = NULL;
  g_autoptr(GError) local_error = NULL;

  g_return_val_if_fail (WELKIN_IS_ENVIRONMENTS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  info = welkin_info_load (self->surroundings, name, &local_error);
  if (info != NULL)
    config = read_info (self, info, &found, error);
  else if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    config = complete_entry (self, name, &found, error);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (config == NULL)
    return NULL;

  effective = welkin_provider_get_effective_config (found, config, self->surroundings, error);
  if (effective != NULL && provider != NULL)
    *provider = g_steal_pointer (&found);
  return g_steal_pointer (&effective);
}

static void
welkin_environments_finalize (GObject *object)
{
  WelkinEnvironments *self = WELKIN_ENVIRONMENTS (object);

  g_clear_object (&self->registry);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  g_clear_pointer (&self->overrides, welkin_config_unref);
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
  self->overrides = welkin_config_new ();
  self->warnings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}
