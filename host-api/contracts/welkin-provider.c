/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-provider.h"

#include "contracts/welkin-contract-private.h"

/**
 * WelkinPrepareFlags:
 * @WELKIN_PREPARE_NONE: nothing of the surroundings gets into the config
 * @WELKIN_PREPARE_SAVE_CREDENTIALS: what the surroundings give now, to log in
 *   with, gets into the config, which needs them no more
 *
 * How an environment is prepared.
 *
 * Since: 0.1
 */

/**
 * WelkinProvider:
 *
 * A kind of cloud.
 *
 * A provider has no state: all that it knows comes with the call. A plugin has
 * one type that implements this, and [method@Registry.get_provider] makes an
 * object of it.
 *
 * Since: 0.1
 */
G_DEFINE_INTERFACE (WelkinProvider, welkin_provider, G_TYPE_OBJECT)

static void
welkin_provider_default_init (WelkinProviderInterface *iface)
{
}

/**
 * welkin_provider_get_schema:
 * @self: a provider
 *
 * Gets the attributes that are the provider's own.
 *
 * Returns: (transfer full): its schema
 *
 * Since: 0.1
 */
WelkinSchema *
welkin_provider_get_schema (WelkinProvider *self)
{
  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);

  return WELKIN_PROVIDER_GET_IFACE (self)->get_schema (self);
}

/**
 * welkin_provider_get_boilerplate:
 * @self: a provider
 *
 * Gets a stanza of environments.yaml for users to begin with.
 *
 * It begins with the name of the environment; optional lines are commented out,
 * and "{{rand}}" stands for 32 random hexadecimal digits.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
welkin_provider_get_boilerplate (WelkinProvider *self)
{
  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);

  return WELKIN_PROVIDER_GET_IFACE (self)->get_boilerplate (self);
}

/* Providers never see NULL: it stands for what the process has. */
static WelkinSurroundings *
ensure_surroundings (WelkinSurroundings *surroundings)
{
  return surroundings != NULL ? welkin_surroundings_ref (surroundings)
                              : welkin_surroundings_new_for_process ();
}

/**
 * welkin_provider_validate:
 * @self: a provider
 * @config: the attributes of an environment
 * @old_config: (nullable): those of before, if there were some
 * @surroundings: (nullable): what they may be completed from; %NULL for the
 *   surroundings of the process
 * @error: return location for an error
 *
 * Checks the attributes of an environment and fills the defaults in.
 *
 * This is pure: nothing is asked but the arguments. What is wrong is
 * %WELKIN_ERROR_INVALID_CONFIG, and the text names its place.
 *
 * Returns: (transfer full): the completed config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_provider_validate (WelkinProvider     *self,
                          WelkinConfig       *config,
                          WelkinConfig       *old_config,
                          WelkinSurroundings *surroundings,
                          GError            **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  WelkinProviderInterface *iface;

  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);
  g_return_val_if_fail (config != NULL, NULL);

  iface = WELKIN_PROVIDER_GET_IFACE (self);
  if (iface->validate == NULL)
    {
      welkin_contract_set_refused (error, "validate");
      return NULL;
    }
  own = ensure_surroundings (surroundings);
  return iface->validate (self, config, old_config, own, error);
}

/**
 * welkin_provider_prepare:
 * @self: a provider
 * @config: the attributes of an environment
 * @flags: how
 * @surroundings: (nullable): what they may be completed from; %NULL for the
 *   surroundings of the process
 * @error: return location for an error
 *
 * Adds what an environment gets once, at its first use: the name of a
 * container, say. The result is what is remembered of the environment: unless
 * @flags say otherwise, nothing of the surroundings is in it.
 *
 * Returns: (transfer full): the completed config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_provider_prepare (WelkinProvider     *self,
                         WelkinConfig       *config,
                         WelkinPrepareFlags  flags,
                         WelkinSurroundings *surroundings,
                         GError            **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  WelkinProviderInterface *iface;

  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);
  g_return_val_if_fail (config != NULL, NULL);

  iface = WELKIN_PROVIDER_GET_IFACE (self);
  if (iface->prepare == NULL)
    {
      welkin_contract_set_refused (error, "prepare");
      return NULL;
    }
  own = ensure_surroundings (surroundings);
  return iface->prepare (self, config, flags, own, error);
}

/**
 * welkin_provider_get_effective_config:
 * @self: a provider
 * @config: the attributes of an environment
 * @surroundings: (nullable): what they may be completed from; %NULL for the
 *   surroundings of the process
 * @error: return location for an error
 *
 * Gets the attributes that hold: those of the environment and, where they
 * leave something open, what variables and files of the surroundings say.
 *
 * Each value has its origin; those that are defaults have none. A config that
 * lacks something is completed as far as that goes: welkin_provider_validate()
 * tells what is missing. The result holds secrets that are not the config's
 * own, so it is neither to be stored nor shown as it is; the schema says which
 * they are.
 *
 * This is pure, but for files that the surroundings name. What makes no sense
 * is %WELKIN_ERROR_INVALID_CONFIG, and the text names its place.
 *
 * Returns: (transfer full): the completed config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_provider_get_effective_config (WelkinProvider     *self,
                                      WelkinConfig       *config,
                                      WelkinSurroundings *surroundings,
                                      GError            **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  WelkinProviderInterface *iface;

  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);
  g_return_val_if_fail (config != NULL, NULL);

  iface = WELKIN_PROVIDER_GET_IFACE (self);
  if (iface->get_effective_config == NULL)
    return welkin_config_ref (config);
  own = ensure_surroundings (surroundings);
  return iface->get_effective_config (self, config, own, error);
}

/**
 * welkin_provider_list_clouds:
 * @self: a provider
 * @surroundings: (nullable): what is looked at; %NULL for the surroundings of
 *   the process
 *
 * Lists the clouds that the user can log in to already, for a choice of the
 * attribute "cloud": those that files of other clients name, and that of
 * the variables.
 *
 * Files that cannot be read are told in the log.
 *
 * Returns: (transfer container) (element-type WelkinCloud): the clouds
 *
 * Since: 0.1
 */
GPtrArray *
welkin_provider_list_clouds (WelkinProvider     *self,
                             WelkinSurroundings *surroundings)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  WelkinProviderInterface *iface;

  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);

  iface = WELKIN_PROVIDER_GET_IFACE (self);
  if (iface->list_clouds == NULL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_cloud_unref);
  own = ensure_surroundings (surroundings);
  return iface->list_clouds (self, own);
}

/**
 * welkin_provider_open:
 * @self: a provider
 * @config: the attributes of an environment
 * @surroundings: (nullable): what they may be completed from; %NULL for the
 *   surroundings of the process
 * @error: return location for an error
 *
 * Opens an environment.
 *
 * The config is validated, and the cloud is asked nothing. The environment
 * belongs to the main context that is the default of the calling thread.
 *
 * Returns: (transfer full): the environment, or %NULL on error
 *
 * Since: 0.1
 */
WelkinEnviron *
welkin_provider_open (WelkinProvider     *self,
                      WelkinConfig       *config,
                      WelkinSurroundings *surroundings,
                      GError            **error)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  WelkinProviderInterface *iface;

  g_return_val_if_fail (WELKIN_IS_PROVIDER (self), NULL);
  g_return_val_if_fail (config != NULL, NULL);

  iface = WELKIN_PROVIDER_GET_IFACE (self);
  if (iface->open == NULL)
    {
      welkin_contract_set_refused (error, "open");
      return NULL;
    }
  own = ensure_surroundings (surroundings);
  return iface->open (self, config, own, error);
}
