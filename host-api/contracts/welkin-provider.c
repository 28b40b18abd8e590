/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-provider.h"

#include "contracts/welkin-contract-private.h"

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
 * @surroundings: (nullable): what they may be completed from; %NULL for the
 *   surroundings of the process
 * @error: return location for an error
 *
 * Adds what an environment gets once, at its first use: the name of a
 * container, say.
 *
 * Returns: (transfer full): the completed config, or %NULL on error
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_provider_prepare (WelkinProvider     *self,
                         WelkinConfig       *config,
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
  return iface->prepare (self, config, own, error);
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
