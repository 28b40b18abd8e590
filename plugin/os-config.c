/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "os-config.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "transport/os-refuse.h"
#include "transport/os-settings.h"
#include "values/welkin-constraints.h"

/* Validation */

/* Refuses the attribute's value; format has one %s for it. Returns FALSE. */
static gboolean
refuse_value (WelkinConfig  *config,
              const char    *key,
              const char    *format,
              GError       **error)
{
  const char *value = welkin_config_get_string (config, key);

  return os_refuse_key (config, key, g_strdup_printf (format, value), error);
}

static gboolean
is_set (WelkinConfig *config,
        const char   *key)
{
  return *welkin_config_get_string (config, key) != '\0';
}

static gboolean
check_auth_mode (WelkinConfig  *config,
                 GError       **error)
{
  static const char *const modes[] = {
    "", "auto", "userpass", "keypair", "legacy", "v3password", "v3applicationcredential", "v3token",
    NULL,
  };

  if (g_strv_contains (modes, welkin_config_get_string (config, "auth-mode")))
    return TRUE;
  return refuse_value (config, "auth-mode",
                       _("auth-mode \"%s\" is not one of: auto, userpass, keypair, legacy, "
                         "v3password, v3applicationcredential, v3token"),
                       error);
}

static gboolean
check_auth_url (WelkinConfig  *config,
                GError       **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autofree char *url = NULL;

  if (!is_set (config, "auth-url"))
    return TRUE;
  url = os_auth_url_normalize (welkin_config_get_string (config, "auth-url"), &local_error);
  if (url != NULL)
    return TRUE;
  return os_refuse_key (config, "auth-url", g_strdup (local_error->message), error);
}

static gboolean
check_uuid (WelkinConfig  *config,
            GError       **error)
{
  if (!is_set (config, "uuid") || g_uuid_string_is_valid (welkin_config_get_uuid (config)))
    return TRUE;
  return refuse_value (config, "uuid", _("uuid \"%s\" is not a UUID"), error);
}

static gboolean
check_group_based_policy (WelkinConfig  *config,
                          GError       **error)
{
  if (!welkin_config_get_boolean (config, "use-openstack-gbp"))
    return TRUE;
  return os_refuse_key (config, "use-openstack-gbp",
                        g_strdup (_("use-openstack-gbp is not supported")), error);
}

static gboolean
check_anti_affinity (WelkinConfig  *config,
                     GError       **error)
{
  if (!g_str_equal (welkin_config_get_string (config, "anti-affinity"), "hard"))
    return TRUE;
  return os_refuse_key (config, "anti-affinity",
                        g_strdup (_("anti-affinity \"hard\" is not supported by this version: "
                                    "\"soft\" keeps machines apart where there is room")),
                        error);
}

/* URLs of services, which replace those of the catalog. */
static gboolean
check_urls (WelkinConfig  *config,
            GError       **error)
{
  static const char *const keys[] = {
    "compute-endpoint", "network-endpoint", "image-endpoint", "object-store-endpoint",
    "block-storage-endpoint", "s3-url",
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *text = welkin_config_get_string (config, keys[i]);
      g_autoptr(GUri) uri = g_uri_parse (text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD,
                                         NULL);
      const char *scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
      const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;

      if (*text == '\0')
        continue;
      if (uri != NULL && g_uri_get_userinfo (uri) != NULL)
        return os_refuse_key (config, keys[i],
                              g_strdup_printf (_("%s must not contain a user name or password"),
                                               keys[i]),
                              error);
      if ((!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https")) || host == NULL
          || *host == '\0')
        return os_refuse_key (config, keys[i],
                              g_strdup_printf (_("%s \"%s\" is not an http or https URL with a "
                                                 "host"),
                                               keys[i], text),
                              error);
    }
  return TRUE;
}

static gboolean
check_compute_version (WelkinConfig  *config,
                       GError       **error)
{
  const char *version = welkin_config_get_string (config, "compute-api-version");

  if (*version == '\0'
      || g_regex_match_simple ("^2(\\.\\d{1,4})?$", version, G_REGEX_DOLLAR_ENDONLY, 0))
    return TRUE;
  return refuse_value (config, "compute-api-version",
                       _("compute-api-version \"%s\" is not a version like 2.67"), error);
}

static gboolean
check_client_key (WelkinConfig  *config,
                  GError       **error)
{
  if (!is_set (config, "client-key") || is_set (config, "client-cert"))
    return TRUE;
  return os_refuse_key (config, "client-key",
                        g_strdup (_("client-key is the key of a certificate: set client-cert as "
                                    "well")),
                        error);
}

static gboolean
check_root_disk_size (WelkinConfig  *config,
                      GError       **error)
{
  const char *size = welkin_config_get_string (config, "root-disk-size");
  g_autofree char *constraint = g_strconcat ("root-disk=", size, NULL);
  g_autoptr(WelkinConstraints) constraints = NULL;

  if (*size == '\0')
    return TRUE;
  if (g_regex_match_simple ("^[0-9.]+[MGTP]?$", size, G_REGEX_DOLLAR_ENDONLY, 0))
    constraints = welkin_constraints_new_parsed (constraint, NULL);
  if (constraints != NULL && welkin_constraints_get_number (constraints, "root-disk") > 0)
    return TRUE;
  return refuse_value (config, "root-disk-size",
                       _("root-disk-size \"%s\" is not a size like 30G or 30720M"), error);
}

static gboolean
check_prefix (WelkinConfig  *config,
              GError       **error)
{
  const char *prefix = welkin_config_get_string (config, "resource-prefix");

  if (g_regex_match_simple ("^[a-z][a-z0-9-]{0,15}$", prefix, G_REGEX_DOLLAR_ENDONLY, 0))
    return TRUE;
  return refuse_value (config, "resource-prefix",
                       _("resource-prefix \"%s\" is not a lower-case letter and up to 15 "
                         "lower-case letters, digits and hyphens"),
                       error);
}

static gboolean
check_sources (WelkinConfig  *config,
               GError       **error)
{
  g_auto(GStrv) sources = welkin_config_get_strings (config, "admin-sources");

  for (guint i = 0; sources[i] != NULL; i++)
    {
      g_autoptr(GInetAddressMask) mask = g_inet_address_mask_new_from_string (sources[i], NULL);

      if (mask == NULL)
        return os_refuse_key (config, "admin-sources",
                              g_strdup_printf (_("admin-sources: \"%s\" is not a network like "
                                                 "192.0.2.0/24 or 2001:db8::/32"),
                                               sources[i]),
                              error);
    }
  return TRUE;
}

static gboolean
check_image_ids (WelkinConfig  *config,
                 GError       **error)
{
  WelkinValue *images = welkin_config_lookup (config, "image-ids");

  if (images == NULL || welkin_value_get_kind (images) != WELKIN_VALUE_MAP)
    return TRUE;
  for (guint i = 0; i < welkin_value_get_length (images); i++)
    {
      const char *key = welkin_value_get_key (images, i);

      if (!g_regex_match_simple ("^[a-z0-9.]+/[a-z0-9]+$", key, G_REGEX_DOLLAR_ENDONLY, 0))
        return os_refuse_key (config, "image-ids",
                              g_strdup_printf (_("image-ids: \"%s\" is not SERIES/ARCH, as in "
                                                 "noble/amd64"),
                                               key),
                              error);
    }
  return TRUE;
}

static gboolean
check_unchanged (WelkinSchema  *schema,
                 WelkinConfig  *config,
                 WelkinConfig  *old_config,
                 GError       **error)
{
  g_autofree const char **keys = welkin_schema_get_names (schema);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      const char *old_value = welkin_config_get_string (old_config, keys[i]);
      const char *value = welkin_config_get_string (config, keys[i]);

      if ((welkin_schema_get_flags (schema, keys[i]) & WELKIN_ATTRIBUTE_IMMUTABLE) == 0
          || !welkin_config_has (old_config, keys[i]) || g_str_equal (old_value, value))
        continue;
      return os_refuse_key (config, keys[i],
                            g_strdup_printf (_("attribute %s is fixed for an existing environment: "
                                               "it is \"%s\", not \"%s\""),
                                             keys[i], old_value, value),
                            error);
    }
  return TRUE;
}

/* In this order, so that what matters most is told first. */
static gboolean
check_attributes (WelkinConfig  *config,
                  GError       **error)
{
  return check_auth_mode (config, error)
         && check_auth_url (config, error)
         && check_uuid (config, error)
         && check_group_based_policy (config, error)
         && check_urls (config, error)
         && check_compute_version (config, error)
         && check_client_key (config, error)
         && check_prefix (config, error)
         && check_sources (config, error)
         && check_image_ids (config, error)
         && check_root_disk_size (config, error)
         && check_anti_affinity (config, error);
}

/* What holds as the attributes have it alone. */
static WelkinConfig *
coerce (WelkinSchema  *schema,
        WelkinConfig  *config,
        GError       **error)
{
  g_autoptr(WelkinConfig) coerced = welkin_schema_coerce (schema, config, TRUE, error);

  if (coerced == NULL || !check_attributes (coerced, error))
    return NULL;
  return g_steal_pointer (&coerced);
}

WelkinConfig *
os_config_validate (WelkinConfig        *config,
                    WelkinConfig        *old_config,
                    WelkinSurroundings  *surroundings,
                    GError             **error)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();
  g_autoptr(WelkinConfig) valid = coerce (schema, config, error);
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(OsCredentials) credentials = NULL;
  g_autoptr(GError) local_error = NULL;

  if (valid == NULL)
    return NULL;
  if (surroundings == NULL)
    surroundings = own = welkin_surroundings_new_for_process ();
  effective = os_clouds_fill (valid, surroundings, error);
  if (effective == NULL)
    return NULL;
  credentials = os_credentials_new (effective, &local_error);
  if (credentials == NULL)
    {
      os_clouds_explain (local_error, valid, surroundings);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (old_config != NULL && !check_unchanged (schema, valid, old_config, error))
    return NULL;
  if (is_set (config, "nova-uri"))
    g_warning ("nova-uri is deprecated: call it auth-url");
  return g_steal_pointer (&valid);
}

/* Preparation */

/* So that the config needs neither variables nor files of clouds to log in. valid: (transfer full),
 * as is what is returned. */
static WelkinConfig *
save_credentials (WelkinConfig        *valid,
                  WelkinSurroundings  *surroundings,
                  GError             **error)
{
  g_autoptr(WelkinConfig) former = valid;
  g_autoptr(WelkinConfig) filled = os_clouds_fill (former, surroundings, error);

  return filled != NULL ? welkin_config_with_text (filled, "cloud", "", NULL) : NULL;
}

WelkinConfig *
os_config_prepare (WelkinConfig        *config,
                   WelkinPrepareFlags   flags,
                   WelkinSurroundings  *surroundings,
                   GError             **error)
{
  g_autoptr(WelkinConfig) valid = os_config_validate (config, NULL, surroundings, error);
  g_autofree char *bucket = NULL;

  if (valid == NULL)
    return NULL;
  if (is_set (valid, "default-image-id"))
    g_message ("default-image-id is taken for every series: image-ids names one for each");
  if (is_set (valid, "default-instance-type"))
    g_message ("default-instance-type is taken where nothing is asked for: constraints say more");
  if ((flags & WELKIN_PREPARE_SAVE_CREDENTIALS) != 0)
    valid = save_credentials (g_steal_pointer (&valid), surroundings, error);
  if (valid == NULL || is_set (valid, "control-bucket"))
    return g_steal_pointer (&valid);

  bucket = wk_random_hex (16);
  return welkin_config_with_text (valid, "control-bucket", bucket, NULL);
}

/* What was set for another cloud, or is left from another day, and has no say. */
static void
tell_of_unused (WelkinConfig       *effective,
                WelkinSurroundings *surroundings)
{
  g_auto(GStrv) names = os_settings_list_unused (effective, surroundings);
  g_autofree char *list = g_strjoinv (", ", names);

  if (*names != NULL)
    g_message (_("variables that are set and not used: %s"), list);
}

WelkinConfig *
os_config_get_effective (WelkinConfig        *config,
                         WelkinSurroundings  *surroundings,
                         GError             **error)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();
  g_autoptr(WelkinConfig) coerced = coerce (schema, config, error);
  g_autoptr(WelkinConfig) filled = NULL;

  if (coerced == NULL)
    return NULL;
  filled = os_clouds_fill (coerced, surroundings, error);
  if (filled == NULL)
    return NULL;
  tell_of_unused (filled, surroundings);
  if (is_set (filled, "endpoint-interface"))
    return g_steal_pointer (&filled);
  return welkin_config_with_text (filled, "endpoint-interface", "public", NULL);
}
