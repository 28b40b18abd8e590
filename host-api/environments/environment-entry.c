/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * An entry of environments.yaml on its way to a whole config: by today's names, completed, and
 * looked through for what nobody knows.
 */

#include "config.h"

#include "environments/environment-entry.h"

#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "environments/environment-config.h"
#include "environments/environment-schema.h"
#include "machine/keys.h"

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

WelkinProvider *
welkin_environment_find_provider (WelkinConfig   *config,
                                  WelkinRegistry *registry,
                                  GError        **error)
{
  WelkinProvider *provider = NULL;

  provider = welkin_registry_get_provider (registry, welkin_config_get_provider_type (config),
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
warn_of_keys (WelkinConfig   *attributes,
              WelkinConfig   *config,
              WelkinProvider *provider,
              GPtrArray      *warnings)
{
  g_autoptr(WelkinSchema) own = welkin_environment_schema_new ();
  g_autoptr(WelkinSchema) theirs = welkin_provider_get_schema (provider);
  g_autoptr(WelkinConfig) coerced = welkin_schema_coerce (theirs, config, FALSE, NULL);
  g_autofree const char **keys = welkin_config_get_keys (config);

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      WelkinSchema *schema = welkin_schema_has (theirs, keys[i]) ? theirs : own;
      const char *origin = welkin_value_get_origin (welkin_config_lookup (config, keys[i]));
      const char *separator = origin != NULL ? ": " : "";
      g_autofree char *quoted = wk_quote (keys[i]);
      g_autofree char *message = NULL;

      if (!welkin_schema_has (schema, keys[i]))
        message = g_strdup_printf (_("%s%sunknown config field %s"), origin != NULL ? origin : "",
                                   separator, quoted);
      else if (is_set_in_vain (schema, attributes, coerced != NULL ? coerced : config, keys[i]))
        message = g_strdup_printf (_("%s%snot used by this version: %s"),
                                   origin != NULL ? origin : "", separator, keys[i]);
      if (message != NULL)
        g_ptr_array_add (warnings, g_steal_pointer (&message));
    }
}

/* The client's own keys let a home without ~/.ssh work. Not to have them is an
 * error where there are no others, and a warning where there are. */
static WelkinConfig *
complete (WelkinConfig       *attributes,
          WelkinSurroundings *surroundings,
          GPtrArray          *warnings,
          GError            **error)
{
  g_autoptr(GError) keys_error = NULL;
  WelkinConfig *config = NULL;

  if (*welkin_config_get_string (attributes, "authorized-keys") == '\0' &&
      !welkin_client_keys_ensure (surroundings, NULL, &keys_error))
    g_prefix_error (&keys_error, "%s: ", _("cannot make the client's SSH keys"));

  config = welkin_environment_config_complete (attributes, surroundings, keys_error, error);
  if (config != NULL && keys_error != NULL)
    g_ptr_array_add (warnings, g_strdup (keys_error->message));
  return config;
}

WelkinConfig *
welkin_environment_entry_complete (WelkinConfig       *attributes,
                                   WelkinConfig       *overrides,
                                   WelkinRegistry     *registry,
                                   WelkinSurroundings *surroundings,
                                   WelkinProvider    **provider,
                                   GPtrArray          *warnings,
                                   GError            **error)
{
  g_autoptr(WelkinConfig) all = welkin_config_with_all (attributes, overrides);
  g_autoptr(WelkinConfig) translated = welkin_environment_config_translate (all, warnings);
  g_autoptr(WelkinProvider) found = NULL;
  WelkinConfig *config = NULL;

  found = welkin_environment_find_provider (translated, registry, error);
  if (found == NULL)
    return NULL;
  config = complete (translated, surroundings, warnings, error);
  if (config == NULL)
    return NULL;
  warn_of_keys (translated, config, found, warnings);
  *provider = g_steal_pointer (&found);
  return config;
}
