/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "os-config.h"
#include "transport/os-credentials.h"
#include "values/welkin-error.h"

#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT
#define MAP WELKIN_ATTRIBUTE_MAP
#define STRING WELKIN_ATTRIBUTE_STRING
#define IMMUTABLE WELKIN_ATTRIBUTE_IMMUTABLE
#define OPTIONAL WELKIN_ATTRIBUTE_MAY_BE_EMPTY
#define SECRET WELKIN_ATTRIBUTE_SECRET

static const WelkinAttribute attributes[] = {
  { "auth-url", STRING, "", OPTIONAL, .description = N_("The URL of keystone") },
  { "auth-mode", STRING, "auto", OPTIONAL, .description = N_("How to log in") },
  { "username", STRING, "", OPTIONAL | SECRET, .description = N_("The user's name") },
  { "user-id", STRING, "", OPTIONAL, .description = N_("The user's id, instead of the name") },
  { "password", STRING, "", OPTIONAL | SECRET, .description = N_("The user's password") },
  { "tenant-name", STRING, "", OPTIONAL | SECRET, .description = N_("The project's name") },
  { "tenant-id", STRING, "", OPTIONAL, .description = N_("The project's id") },
  { "project-name", STRING, "", OPTIONAL | SECRET,
    .description = N_("Another word for tenant-name") },
  { "project-id", STRING, "", OPTIONAL, .description = N_("Another word for tenant-id") },
  { "domain-name", STRING, "", OPTIONAL,
    .description = N_("The domain of both user and project") },
  { "domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "user-domain-name", STRING, "", OPTIONAL, .description = N_("The user's domain") },
  { "user-domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "project-domain-name", STRING, "", OPTIONAL, .description = N_("The project's domain") },
  { "project-domain-id", STRING, "", OPTIONAL, .description = N_("The same by its id") },
  { "allow-foreign-auth-url", BOOLEAN, "false",
    .description = N_("Send OS_PASSWORD to a cloud that OS_AUTH_URL does not name") },
  { "region", STRING, "", OPTIONAL | IMMUTABLE, .description = N_("The region to use") },
  { "endpoint-interface", STRING, "", OPTIONAL,
    .description = N_("Which endpoints to use: public, internal or admin") },
  { "ca-certificates", STRING, "", OPTIONAL,
    .description = N_("Certificate authorities beside the system's: a file, or its text") },

  { "network", STRING, "", OPTIONAL, .description = N_("The network of machines, by name or id") },
  { "external-network", STRING, "", OPTIONAL,
    .description = N_("Where floating IPs come from, by name or id") },
  { "use-floating-ip", BOOLEAN, "false", .description = N_("Give each machine a floating IP") },
  { "use-default-secgroup", BOOLEAN, "false",
    .description = N_("Put machines into the group \"default\" as well") },
  { "admin-sources", STRING, "0.0.0.0/0,::/0", OPTIONAL,
    .description = N_("Who may reach ssh and the API of machines: networks, with commas") },
  { "enable-ipv6-rules", BOOLEAN, "true",
    .description = N_("Open ports to IPv6 where they are open to everybody") },
  { "secgroup-keep-extra", BOOLEAN, "false",
    .description = N_("Leave rules in our groups that are not ours") },

  { "image-ids", MAP, NULL, .description = N_("The image for each SERIES/ARCH, by id") },
  { "default-image-id", STRING, "", OPTIONAL,
    .description = N_("The image when nothing else names one") },
  { "flavor", STRING, "", OPTIONAL, .description = N_("The flavor of machines, by name or id") },
  { "default-instance-type", STRING, "", OPTIONAL,
    .description = N_("The flavor when no constraint says otherwise") },
  { "availability-zones", STRING, "", OPTIONAL,
    .description = N_("The zones to use, in this order, with commas") },
  { "config-drive", STRING, "auto", .choices = "auto true false",
    .description = N_("Whether machines read their user data from a drive") },
  { "start-timeout", INT, "300", .minimum = 1, .maximum = 86400,
    .description = N_("Seconds that a machine may take to start") },

  { "resource-prefix", STRING, "welkin", IMMUTABLE,
    .description = N_("What the names of all that is made begin with") },
  { "control-bucket", STRING, "", OPTIONAL | IMMUTABLE,
    .description = N_("The container that holds the environment's files") },
  { "storage-access", STRING, "auto", .choices = "auto tempurl private",
    .description = N_("How machines read the environment's files") },
};

WelkinSchema *
os_config_new_schema (void)
{
  return welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
}

/* Validation */

/* Takes message, and puts where the attribute was written in front of it. Returns FALSE. */
static gboolean
refuse (WelkinConfig  *config,
        const char    *key,
        char          *message,
        GError       **error)
{
  WelkinValue *value = welkin_config_lookup (config, key);
  const char *origin = value != NULL ? welkin_value_get_origin (value) : NULL;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, "%s%s%s",
               origin != NULL ? origin : "", origin != NULL ? ": " : "", message);
  g_free (message);
  return FALSE;
}

static gboolean
check_auth_mode (WelkinConfig  *config,
                 GError       **error)
{
  static const char *const modes[] = { "", "auto", "userpass", "v3password" };
  static const char *const other_modes[] = {
    "keypair", "legacy", "v3applicationcredential", "v3token",
  };
  const char *mode = welkin_config_get_string (config, "auth-mode");

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (mode, modes[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (other_modes); i++)
    if (g_str_equal (mode, other_modes[i]))
      return refuse (config, "auth-mode",
                     g_strdup_printf (_("auth-mode \"%s\" is not supported by this version: "
                                        "give a user name and a password"),
                                      mode),
                     error);
  return refuse (config, "auth-mode",
                 g_strdup_printf (_("auth-mode \"%s\" is not one of: auto, userpass, keypair, "
                                    "legacy, v3password, v3applicationcredential, v3token"),
                                  mode),
                 error);
}

static gboolean
check_auth_url (WelkinConfig  *config,
                GError       **error)
{
  const char *text = welkin_config_get_string (config, "auth-url");
  g_autoptr(GError) local_error = NULL;
  g_autofree char *url = NULL;

  if (*text == '\0')
    return TRUE;
  url = os_auth_url_normalize (text, &local_error);
  if (url != NULL)
    return TRUE;
  return refuse (config, "auth-url", g_strdup (local_error->message), error);
}

/* Two words for one thing must not say different things. */
static gboolean
check_synonym (WelkinConfig  *config,
               const char    *key,
               const char    *synonym,
               GError       **error)
{
  const char *value = welkin_config_get_string (config, key);
  const char *other = welkin_config_get_string (config, synonym);

  if (*value == '\0' || *other == '\0' || g_str_equal (value, other))
    return TRUE;
  return refuse (config, synonym,
                 g_strdup_printf (_("%s and %s differ: give one of them"), synonym, key), error);
}

static gboolean
check_prefix (WelkinConfig  *config,
              GError       **error)
{
  const char *prefix = welkin_config_get_string (config, "resource-prefix");

  if (g_regex_match_simple ("^[a-z][a-z0-9-]{0,15}$", prefix, G_REGEX_DOLLAR_ENDONLY, 0))
    return TRUE;
  return refuse (config, "resource-prefix",
                 g_strdup_printf (_("resource-prefix \"%s\" is not a lower-case letter and up to "
                                    "15 lower-case letters, digits and hyphens"),
                                  prefix),
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
        return refuse (config, "admin-sources",
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
        return refuse (config, "image-ids",
                       g_strdup_printf (_("image-ids: \"%s\" is not SERIES/ARCH, as in "
                                          "noble/amd64"),
                                        key),
                       error);
    }
  return TRUE;
}

static gboolean
check_unchanged (WelkinConfig  *config,
                 WelkinConfig  *old_config,
                 GError       **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      const char *key = attributes[i].name;
      const char *old_value;
      const char *value;

      if ((attributes[i].flags & IMMUTABLE) == 0 || !welkin_config_has (old_config, key))
        continue;
      old_value = welkin_config_get_string (old_config, key);
      value = welkin_config_get_string (config, key);
      if (!g_str_equal (old_value, value))
        return refuse (config, key,
                       g_strdup_printf (_("attribute %s is fixed for an existing environment: it "
                                          "is \"%s\", not \"%s\""),
                                        key, old_value, value),
                       error);
    }
  return TRUE;
}

WelkinConfig *
os_config_validate (WelkinConfig        *config,
                    WelkinConfig        *old_config,
                    WelkinSurroundings  *surroundings,
                    GError             **error)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();
  g_autoptr(WelkinConfig) valid = welkin_schema_coerce (schema, config, TRUE, error);
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autoptr(OsCredentials) credentials = NULL;

  if (valid == NULL
      || !check_auth_mode (valid, error)
      || !check_auth_url (valid, error)
      || !check_synonym (valid, "tenant-name", "project-name", error)
      || !check_synonym (valid, "tenant-id", "project-id", error)
      || !check_prefix (valid, error)
      || !check_sources (valid, error)
      || !check_image_ids (valid, error))
    return NULL;
  if (surroundings == NULL)
    surroundings = own = welkin_surroundings_new_for_process ();
  credentials = os_credentials_new (valid, surroundings, error);
  if (credentials == NULL)
    return NULL;
  if (old_config != NULL && !check_unchanged (valid, old_config, error))
    return NULL;
  return g_steal_pointer (&valid);
}

/* Preparation */

WelkinConfig *
os_config_prepare (WelkinConfig        *config,
                   WelkinSurroundings  *surroundings,
                   GError             **error)
{
  g_autoptr(WelkinConfig) valid = os_config_validate (config, NULL, surroundings, error);
  g_autofree char *bucket = NULL;

  if (valid == NULL)
    return NULL;
  if (*welkin_config_get_string (valid, "default-image-id") != '\0')
    g_message ("default-image-id is taken for every series: image-ids names one for each");
  if (*welkin_config_get_string (valid, "default-instance-type") != '\0')
    g_message ("default-instance-type is taken where nothing is asked for: constraints say more");
  if (*welkin_config_get_string (valid, "control-bucket") != '\0')
    return g_steal_pointer (&valid);

  bucket = wk_random_hex (16);
  return welkin_config_with_text (valid, "control-bucket", bucket, NULL);
}

char *
os_config_get_boilerplate (void)
{
  return g_strdup (
    "openstack:\n"
    "  type: openstack\n"
    "\n"
    "  # Who you are, and on which cloud. What is not set here is taken from the variables\n"
    "  # that the cloud's \"RC file\" sets: OS_AUTH_URL, OS_USERNAME, OS_PASSWORD,\n"
    "  # OS_PROJECT_NAME, OS_USER_DOMAIN_NAME, OS_PROJECT_DOMAIN_NAME, OS_REGION_NAME.\n"
    "  #\n"
    "  # auth-url: https://keystone.example.com:5000/v3\n"
    "  # username: your user name\n"
    "  # password: your password\n"
    "  # tenant-name: your project\n"
    "  # user-domain-name: Default\n"
    "  # project-domain-name: Default\n"
    "  # region: RegionOne\n"
    "\n"
    "  # Certificate authorities of the cloud's own, beside those of the system.\n"
    "  #\n"
    "  # ca-certificates: cloud-ca.pem\n"
    "\n"
    "  # The network that machines are on, by name or id. Needed where there are several.\n"
    "  #\n"
    "  # network: private\n"
    "\n"
    "  # Whether machines get an address that can be reached from outside, and from which\n"
    "  # network it comes, where there are several.\n"
    "  #\n"
    "  # use-floating-ip: false\n"
    "  # external-network: public\n"
    "\n"
    "  # Who may reach ssh and the API of machines.\n"
    "  #\n"
    "  # admin-sources: 0.0.0.0/0,::/0\n"
    "\n"
    "  # Whether machines are put into the project's group \"default\" as well.\n"
    "  #\n"
    "  # use-default-secgroup: false\n"
    "\n"
    "  # The image for each series and architecture, where the cloud's own list of images\n"
    "  # does not tell which is which.\n"
    "  #\n"
    "  # image-ids:\n"
    "  #   noble/amd64: 00000000-0000-0000-0000-000000000000\n");
}
