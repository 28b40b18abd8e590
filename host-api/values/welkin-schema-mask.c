/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/redact.h"
#include "values/welkin-schema-private.h"

/* What can be shown of a configuration. */

#define STARS "********"

static gboolean
is_empty (WelkinValue *value)
{
  const char *text = welkin_value_get_text (value);

  return text != NULL ? *text == '\0' : welkin_value_get_length (value) == 0;
}

/* What nobody knows may be a secret whose name is misspelt. */
static gboolean
is_secret (WelkinSchema *self,
           WelkinSchema *provider,
           const char   *key)
{
  const WelkinAttribute *attribute = welkin_schema_find (self, key);

  if (attribute == NULL && provider != NULL)
    attribute = welkin_schema_find (provider, key);
  return attribute == NULL || (attribute->flags & WELKIN_ATTRIBUTE_SECRET) != 0;
}

/* A proxy may be written without its scheme, and then begins with who uses it. Its password may
 * have any bytes, while nothing behind its host has an "@". */
static char *
hide_in_proxy (const char *text)
{
  const char *scheme_end = strstr (text, "://");
  const char *user = scheme_end != NULL ? scheme_end + strlen ("://") : text;
  const char *host = strrchr (text, '@');

  if (host == NULL)
    return g_strdup (text);
  if (host < user)
    user = text;
  return g_strdup_printf ("%.*s" WK_REDACTED "%s", (int) (user - text), text, host);
}

static char *
hide_in_text (const char *key,
              const char *text)
{
  return g_str_has_suffix (key, "-proxy") ? hide_in_proxy (text) : wk_redact_text (text);
}

/* The value without the secrets that are in its URLs. (transfer full) */
static WelkinValue *
hide_in_urls (const char  *key,
              WelkinValue *value)
{
  const char *origin = welkin_value_get_origin (value);
  gboolean is_map = welkin_value_get_kind (value) == WELKIN_VALUE_MAP;
  guint n = welkin_value_get_length (value);
  g_autoptr(GPtrArray) keys = NULL;
  g_autoptr(GPtrArray) items = NULL;

  if (welkin_value_get_kind (value) == WELKIN_VALUE_UNSET)
    return welkin_value_ref (value);
  if (welkin_value_get_kind (value) == WELKIN_VALUE_TEXT)
    {
      g_autofree char *text = hide_in_text (key, welkin_value_get_text (value));

      return welkin_value_new_text (text, welkin_value_is_quoted (value), origin);
    }
  keys = g_ptr_array_new ();
  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (keys, (gpointer) (is_map ? welkin_value_get_key (value, i) : NULL));
      g_ptr_array_add (items, hide_in_urls (key, welkin_value_get_item (value, i)));
    }
  if (!is_map)
    return welkin_value_new_list ((WelkinValue **) items->pdata, n, origin);
  return welkin_value_new_map ((const char *const *) keys->pdata, (WelkinValue **) items->pdata, n,
                               origin);
}

/**
 * welkin_schema_mask:
 * @self: the schema of every environment
 * @provider: (nullable): that of the provider
 * @config: the attributes of an environment
 *
 * Makes a config that may be shown.
 *
 * Stars take the place of each secret that is set, and of each attribute that
 * neither schema knows, since it may be a secret whose name is misspelt. URLs
 * lose their users, passwords and secret parameters.
 *
 * Returns: (transfer full): a new config
 *
 * Since: 0.1
 */
WelkinConfig *
welkin_schema_mask (WelkinSchema *self,
                    WelkinSchema *provider,
                    WelkinConfig *config)
{
  g_autofree const char **keys = NULL;
  g_autoptr(WelkinConfig) masked = NULL;

  g_return_val_if_fail (self != NULL && config != NULL, NULL);

  masked = welkin_config_ref (config);
  keys = welkin_config_get_keys (config);
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      WelkinValue *value = welkin_config_lookup (config, keys[i]);
      g_autoptr(WelkinConfig) former = NULL;
      g_autoptr(WelkinValue) shown = NULL;

      if (is_empty (value))
        continue;
      if (is_secret (self, provider, keys[i]))
        shown = welkin_value_new_text (STARS, TRUE, welkin_value_get_origin (value));
      else
        shown = hide_in_urls (keys[i], value);
      former = g_steal_pointer (&masked);
      masked = welkin_config_with (former, keys[i], shown);
    }
  return g_steal_pointer (&masked);
}
