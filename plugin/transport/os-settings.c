/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-settings.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-auth-url.h"
#include "transport/os-refuse.h"
#include "values/welkin-error.h"

#define MAX_NAMES 4

typedef enum
{
  RANK_ATTRIBUTES,
  RANK_ENTRY,
  RANK_VARIABLES,
  N_RANKS,
} Rank;

/* Settled together, by whichever of them is found first. */
typedef enum
{
  GROUP_NONE,
  GROUP_USER,
  GROUP_SCOPE,
  GROUP_USER_DOMAIN,
  GROUP_PROJECT_DOMAIN,
  GROUP_CLIENT,
} Group;

/* What a secret is for. */
typedef enum
{
  METHOD_NONE,
  METHOD_PASSWORD,
  METHOD_APPLICATION_CREDENTIAL,
  METHOD_TOKEN,
  METHOD_KEY_PAIR,
} Method;

typedef struct
{
  const char *attribute; /* its name in the effective configuration */
  const char *names[N_RANKS][MAX_NAMES]; /* at each rank, the first one given wins */
  Group       group;
  Method      method;
  gboolean    is_secret;
  gboolean    is_ambient; /* variables give it beside an entry as well */
  gboolean    is_path;
} Setting;

static const Setting settings[] = {
  { "auth-url", { { "auth-url" }, { "auth_url" }, { "OS_AUTH_URL", "NOVA_URL" } } },
  { "auth-mode", { { "auth-mode" }, { "auth_type", "auth_plugin" },
                   { "OS_AUTH_TYPE", "OS_AUTH_PLUGIN" } } },
  { "identity-api-version", { { "identity-api-version", "version" }, { "identity_api_version" },
                              { "OS_AUTH_VERSION", "OS_IDENTITY_API_VERSION" } } },

  { "user-id", { { "user-id" }, { "user_id" }, { "OS_USER_ID" } }, GROUP_USER },
  { "username", { { "username" }, { "username" }, { "OS_USERNAME", "NOVA_USERNAME" } },
    GROUP_USER },
  { "password", { { "password" }, { "password" },
                  { "OS_PASSWORD", "NOVA_PASSWORD", "NOVA_API_KEY" } },
    .method = METHOD_PASSWORD, .is_secret = TRUE },
  { "application-credential-id", { { "application-credential-id" },
                                   { "application_credential_id" },
                                   { "OS_APPLICATION_CREDENTIAL_ID" } },
    .method = METHOD_APPLICATION_CREDENTIAL },
  { "application-credential-name", { { "application-credential-name" },
                                     { "application_credential_name" },
                                     { "OS_APPLICATION_CREDENTIAL_NAME" } },
    .method = METHOD_APPLICATION_CREDENTIAL },
  { "application-credential-secret", { { "application-credential-secret" },
                                       { "application_credential_secret" },
                                       { "OS_APPLICATION_CREDENTIAL_SECRET" } },
    .method = METHOD_APPLICATION_CREDENTIAL, .is_secret = TRUE },
  { "token", { { "token" }, { "token", "auth_token" }, { "OS_TOKEN", "OS_AUTH_TOKEN" } },
    .method = METHOD_TOKEN, .is_secret = TRUE },
  { "access-key", { { "access-key" }, { NULL },
                    { "OS_ACCESS_KEY", "EC2_ACCESS_KEY", "AWS_ACCESS_KEY_ID" } },
    .method = METHOD_KEY_PAIR },
  { "secret-key", { { "secret-key" }, { NULL },
                    { "OS_SECRET_KEY", "EC2_SECRET_KEY", "EC2_SECRET_KEYS",
                      "AWS_SECRET_ACCESS_KEY" } },
    .method = METHOD_KEY_PAIR, .is_secret = TRUE },

  { "trust-id", { { "trust-id" }, { "trust_id" }, { "OS_TRUST_ID" } }, GROUP_SCOPE },
  { "tenant-id", { { "tenant-id", "project-id" }, { "project_id", "tenant_id" },
                   { "OS_PROJECT_ID", "OS_TENANT_ID", "NOVA_PROJECT_ID" } }, GROUP_SCOPE },
  { "tenant-name", { { "tenant-name", "project-name" }, { "project_name", "tenant_name" },
                     { "OS_PROJECT_NAME", "OS_TENANT_NAME", "NOVA_PROJECT_ID" } }, GROUP_SCOPE },
  { "user-domain-id", { { "user-domain-id", "domain-id" },
                        { "user_domain_id", "domain_id", "default_domain_id", "default_domain" },
                        { "OS_USER_DOMAIN_ID", "OS_DOMAIN_ID", "OS_DEFAULT_DOMAIN_ID",
                          "OS_DEFAULT_DOMAIN" } }, GROUP_USER_DOMAIN },
  { "user-domain-name", { { "user-domain-name", "domain-name" },
                          { "user_domain_name", "domain_name", "default_domain_name" },
                          { "OS_USER_DOMAIN_NAME", "OS_DOMAIN_NAME", "OS_DEFAULT_DOMAIN_NAME" } },
    GROUP_USER_DOMAIN },
  { "project-domain-id", { { "project-domain-id", "domain-id" },
                           { "project_domain_id", "domain_id", "default_domain_id",
                             "default_domain" },
                           { "OS_PROJECT_DOMAIN_ID", "OS_DOMAIN_ID", "OS_DEFAULT_DOMAIN_ID",
                             "OS_DEFAULT_DOMAIN" } }, GROUP_PROJECT_DOMAIN },
  { "project-domain-name", { { "project-domain-name", "domain-name" },
                             { "project_domain_name", "domain_name", "default_domain_name" },
                             { "OS_PROJECT_DOMAIN_NAME", "OS_DOMAIN_NAME",
                               "OS_DEFAULT_DOMAIN_NAME" } }, GROUP_PROJECT_DOMAIN },

  { "region", { { "region" }, { "region_name" }, { "OS_REGION_NAME", "NOVA_REGION" } },
    .is_ambient = TRUE },
  { "endpoint-interface", { { "endpoint-interface" }, { "interface" },
                            { "OS_INTERFACE", "OS_ENDPOINT_TYPE" } } },
  { "ca-certificates", { { "ca-certificates" }, { "cacert" }, { "OS_CACERT" } },
    .is_ambient = TRUE, .is_path = TRUE },
  { "client-cert", { { "client-cert" }, { "cert" }, { "OS_CERT" } }, GROUP_CLIENT,
    .is_ambient = TRUE, .is_path = TRUE },
  { "client-key", { { "client-key" }, { "key" }, { "OS_KEY" } }, GROUP_CLIENT,
    .is_ambient = TRUE, .is_path = TRUE },
  { "compute-api-version", { { "compute-api-version" },
                             { "compute_default_microversion", "compute_api_version" },
                             { "OS_COMPUTE_API_VERSION" } } },
  { "compute-endpoint", { { "compute-endpoint" }, { "compute_endpoint_override" },
                          { "OS_COMPUTE_ENDPOINT_OVERRIDE" } } },
  { "network-endpoint", { { "network-endpoint" }, { "network_endpoint_override" },
                          { "OS_NETWORK_ENDPOINT_OVERRIDE" } } },
  { "image-endpoint", { { "image-endpoint" }, { "image_endpoint_override" },
                        { "OS_IMAGE_ENDPOINT_OVERRIDE" } } },
  { "object-store-endpoint", { { "object-store-endpoint" }, { "object_store_endpoint_override" },
                               { "OS_OBJECT_STORE_ENDPOINT_OVERRIDE" } } },
  { "block-storage-endpoint", { { "block-storage-endpoint" },
                                { "block_storage_endpoint_override", "volumev3_endpoint_override",
                                  "volume_endpoint_override" },
                                { "OS_BLOCK_STORAGE_ENDPOINT_OVERRIDE",
                                  "OS_VOLUMEV3_ENDPOINT_OVERRIDE",
                                  "OS_VOLUME_ENDPOINT_OVERRIDE" } } },
  { "compute-service-type", { { NULL }, { "compute_service_type" } } },
  { "network-service-type", { { NULL }, { "network_service_type" } } },
  { "image-service-type", { { NULL }, { "image_service_type" } } },
  { "object-store-service-type", { { NULL }, { "object_store_service_type" } } },
  { "block-storage-service-type", { { NULL }, { "block_storage_service_type",
                                                "volume_service_type" } } },
  { "api-timeout", { { "api-timeout" }, { "api_timeout" } } },
  { "network", { { "network" }, { "internal_network" } } },
  { "external-network", { { "external-network" }, { "external_network" } } },
};

#define N_SETTINGS G_N_ELEMENTS (settings)
#define VERIFICATION "ssl-hostname-verification"
#define INSECURE "OS_INSECURE"

static const char *const yes_words[] = { "1", "true", "yes", NULL };
static const char *const no_words[] = { "0", "false", "no", NULL };

typedef struct
{
  WelkinConfig       *config;
  WelkinConfig       *entry; /* (nullable) */
  WelkinSurroundings *surroundings;

  WelkinValue        *values[N_SETTINGS]; /* (owned) (nullable) */
  Rank                ranks[N_SETTINGS];  /* where there is a value */
} Fill;

static void
fill_clear (Fill *fill)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    g_clear_pointer (&fill->values[i], welkin_value_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fill, fill_clear)

static const Setting *
find_setting (const char *attribute)
{
  guint i = 0;

  while (!g_str_equal (settings[i].attribute, attribute))
    i++;
  return &settings[i];
}

static WelkinValue **
value_of (Fill       *fill,
          const char *attribute)
{
  return &fill->values[find_setting (attribute) - settings];
}

static Rank
rank_of (Fill       *fill,
         const char *attribute)
{
  return fill->ranks[find_setting (attribute) - settings];
}

/* What is given */

static gboolean
is_id (const char *text)
{
  return g_uuid_string_is_valid (text)
         || (strlen (text) == 32 && strspn (text, "0123456789abcdefABCDEF") == 32);
}

/* Some names mean two things, and what is given tells which. */
static gboolean
is_meant (const Setting *setting,
          const char    *name,
          const char    *text)
{
  if (g_str_equal (name, "NOVA_PROJECT_ID"))
    return is_id (text) == g_str_equal (setting->attribute, "tenant-id");
  /* The API's major version, which there is one of, or a microversion. */
  if (g_str_equal (name, "compute_api_version") || g_str_equal (name, "OS_COMPUTE_API_VERSION"))
    return g_regex_match_simple ("^2\\.\\d+$", text, G_REGEX_DOLLAR_ENDONLY, 0);
  /* To detect the mode is to leave it to the lower ranks. */
  if (g_str_equal (name, "auth-mode"))
    return !g_str_equal (text, "auto");
  return TRUE;
}

static WelkinValue *
dup_given (Fill          *fill,
           const Setting *setting,
           Rank           rank,
           guint          column)
{
  const char *name = setting->names[rank][column];
  g_autoptr(WelkinValue) value = NULL;
  const char *text;

  if (name == NULL)
    return NULL;
  if (rank == RANK_VARIABLES)
    {
      text = welkin_surroundings_get_variable (fill->surroundings, name);
      value = text != NULL ? welkin_value_new_text (text, TRUE, name) : NULL;
    }
  else
    {
      value = welkin_config_lookup (rank == RANK_ATTRIBUTES ? fill->config : fill->entry, name);
      if (value != NULL)
        welkin_value_ref (value);
    }
  text = value != NULL ? welkin_value_get_text (value) : NULL;
  if (text == NULL || *text == '\0' || !is_meant (setting, name, text))
    return NULL;
  return g_steal_pointer (&value);
}

/* What a higher rank has settled. */
static gboolean
is_open (Fill          *fill,
         const Setting *setting,
         Rank           rank)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      const Setting *other = &settings[i];
      gboolean is_higher = fill->values[i] != NULL && fill->ranks[i] < rank;

      if (fill->values[i] == NULL)
        continue;
      if (other == setting || (other->group != GROUP_NONE && other->group == setting->group))
        return FALSE;
      if (!is_higher || !other->is_secret)
        continue;
      if (g_str_equal (setting->attribute, "auth-mode")
          || (setting->method != METHOD_NONE && setting->method != other->method))
        return FALSE;
    }
  return TRUE;
}

/* All that is given by names of one column counts at once: an id and a name go together. */
static void
take_column (Fill  *fill,
             Rank   rank,
             guint  column)
{
  WelkinValue *found[N_SETTINGS] = { NULL };

  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (rank == RANK_VARIABLES && fill->entry != NULL && !settings[i].is_ambient)
        continue;
      if (is_open (fill, &settings[i], rank))
        found[i] = dup_given (fill, &settings[i], rank, column);
    }
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (found[i] == NULL)
        continue;
      fill->values[i] = found[i];
      fill->ranks[i] = rank;
    }
}

static void
take_all (Fill *fill)
{
  for (Rank rank = RANK_ATTRIBUTES; rank < N_RANKS; rank++)
    {
      if (rank == RANK_ENTRY && fill->entry == NULL)
        continue;
      for (guint column = 0; column < MAX_NAMES; column++)
        take_column (fill, rank, column);
    }
}

/* A file is text throughout; a variable may be anything, which no cloud could read. */
static gboolean
check_text (WelkinValue  *value,
            GError      **error)
{
  if (value == NULL || g_utf8_validate (welkin_value_get_text (value), -1, NULL))
    return TRUE;
  return os_refuse (value, g_strdup (_("it is not UTF-8 text")), error);
}

/* What it means */

static void
replace_text (WelkinValue **value,
              const char   *text)
{
  g_autoptr(WelkinValue) former = *value;

  *value = welkin_value_new_text (text, TRUE, welkin_value_get_origin (former));
}

/* The words of other clients for the way to log in. */
static gboolean
translate_mode (Fill    *fill,
                GError **error)
{
  static const char *const words[][3] = {
    { "password", "userpass" },
    { "v3password", "v3password" },
    { "v2password", "userpass", "2" },
    { "token", "v3token" },
    { "v3token", "v3token" },
    { "v3applicationcredential", "v3applicationcredential" },
  };
  WelkinValue **mode = value_of (fill, "auth-mode");
  WelkinValue **version = value_of (fill, "identity-api-version");

  if (*mode == NULL || rank_of (fill, "auth-mode") == RANK_ATTRIBUTES)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!g_str_equal (welkin_value_get_text (*mode), words[i][0]))
        continue;
      if (words[i][2] != NULL && *version == NULL)
        *version = welkin_value_new_text (words[i][2], TRUE, welkin_value_get_origin (*mode));
      replace_text (mode, words[i][1]);
      return TRUE;
    }
  return os_refuse (*mode,
                    g_strdup_printf (_("auth_type \"%s\" is not supported; these are: password, "
                                       "v3password, v2password, token, v3token, "
                                       "v3applicationcredential"),
                                     welkin_value_get_text (*mode)),
                    error);
}

/* Older clients wrote "publicURL". */
static void
translate_interface (Fill *fill)
{
  WelkinValue **interface = value_of (fill, "endpoint-interface");
  g_autofree char *text = NULL;

  if (*interface == NULL || !g_str_has_suffix (welkin_value_get_text (*interface), "URL"))
    return;
  text = g_strdup (welkin_value_get_text (*interface));
  text[strlen (text) - strlen ("URL")] = '\0';
  replace_text (interface, text);
}

/* A relative path of an attribute is beside environments.yaml, that of a variable under the
 * working directory, and that of an entry is absolute already. */
static gboolean
resolve_path (Fill          *fill,
              const Setting *setting,
              GError       **error)
{
  WelkinValue **value = value_of (fill, setting->attribute);
  g_autoptr(GError) local_error = NULL;
  g_autofree char *directory = NULL;
  g_autofree char *path = NULL;
  const char *text = *value != NULL ? welkin_value_get_text (*value) : "-----BEGIN";

  if (g_path_is_absolute (text) || g_str_has_prefix (text, "-----BEGIN"))
    return TRUE;
  if (rank_of (fill, setting->attribute) == RANK_ATTRIBUTES && *text != '~')
    {
      directory = welkin_surroundings_get_config_directory (fill->surroundings, error);
      if (directory == NULL)
        return FALSE;
    }
  path = welkin_surroundings_resolve_path (fill->surroundings, text, directory, &local_error);
  if (path == NULL)
    return os_refuse (*value, g_strdup_printf ("%s: %s", setting->attribute, local_error->message),
                      error);
  replace_text (value, path);
  return TRUE;
}

static gboolean
is_one_of (const char        *text,
           const char *const *words)
{
  while (*words != NULL && g_ascii_strcasecmp (text, *words) != 0)
    words++;
  return *words != NULL;
}

/* Who turns verification off, if anybody does. The attribute cannot turn it on again: whether its
 * "true" was written or is the default is forgotten when an environment is stored. */
static WelkinValue *
find_distrust (Fill *fill)
{
  const char *variable = welkin_surroundings_get_variable (fill->surroundings, INSECURE);

  if (fill->entry != NULL)
    {
      if (welkin_config_get_boolean (fill->entry, "insecure"))
        return welkin_value_ref (welkin_config_lookup (fill->entry, "insecure"));
      if (welkin_config_has (fill->entry, "verify")
          && !welkin_config_get_boolean (fill->entry, "verify"))
        return welkin_value_ref (welkin_config_lookup (fill->entry, "verify"));
      return NULL;
    }
  if (variable != NULL && is_one_of (variable, yes_words))
    return welkin_value_new_text (variable, TRUE, INSECURE);
  return NULL;
}

/* A word that says neither would be taken for one of them. Beside an entry, the variable has no
 * say. */
static gboolean
check_distrust (Fill    *fill,
                GError **error)
{
  const char *variable = welkin_surroundings_get_variable (fill->surroundings, INSECURE);

  if (fill->entry != NULL || variable == NULL || *variable == '\0'
      || is_one_of (variable, yes_words) || is_one_of (variable, no_words))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("%s: expected true, yes or 1, or false, no or 0"), INSECURE);
  return FALSE;
}

/* Whose secret it is */

/* The cloud that a secret of the variables is for: the one that the variables of its own family
 * name, or the only one that is named. */
static const char *
get_auth_url_of_variable (Fill       *fill,
                          const char *variable)
{
  static const char *const urls[] = { "OS_AUTH_URL", "NOVA_URL" };
  guint family = g_str_has_prefix (variable, "NOVA_") ? 1 : 0;
  const char *own = welkin_surroundings_get_variable (fill->surroundings, urls[family]);

  return own != NULL ? own
                     : welkin_surroundings_get_variable (fill->surroundings, urls[1 - family]);
}

static char *
get_origin_of_url (const char *url)
{
  g_autofree char *normal = os_auth_url_normalize (url, NULL);

  return normal != NULL ? wk_uri_get_origin (normal) : NULL;
}

/* A secret that is not the environment's own belongs to the cloud that is named beside it: a
 * configuration that names another one must not get it. */
static gboolean
check_not_foreign (Fill    *fill,
                   guint    i,
                   GError **error)
{
  WelkinValue *url = *value_of (fill, "auth-url");
  WelkinValue *secret = fill->values[i];
  g_autofree char *origin = NULL;
  g_autofree char *their_origin = NULL;
  const char *their_url;

  if (!settings[i].is_secret || secret == NULL || url == NULL
      || fill->ranks[i] == RANK_ATTRIBUTES)
    return TRUE;
  their_url = fill->ranks[i] == RANK_ENTRY
                ? welkin_config_get_string (fill->entry, "auth_url")
                : get_auth_url_of_variable (fill, welkin_value_get_origin (secret));
  if (their_url == NULL || *their_url == '\0')
    return TRUE;
  origin = get_origin_of_url (welkin_value_get_text (url));
  their_origin = get_origin_of_url (their_url);
  /* Whoever has no valid URL is told so elsewhere. */
  if (origin == NULL || g_strcmp0 (origin, their_origin) == 0)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("refusing to send credentials from %s to a different auth-url"),
               welkin_value_get_origin (secret));
  return FALSE;
}

static WelkinConfig *
make_config (Fill *fill)
{
  WelkinConfig *config = welkin_config_ref (fill->config);
  g_autoptr(WelkinValue) distrust = find_distrust (fill);

  for (guint i = 0; i < N_SETTINGS; i++)
    {
      g_autoptr(WelkinConfig) former = NULL;

      if (fill->values[i] == NULL)
        continue;
      former = config;
      config = welkin_config_with (former, settings[i].attribute, fill->values[i]);
    }
  if (distrust != NULL)
    {
      g_autoptr(WelkinConfig) former = config;

      config = welkin_config_with_text (former, VERIFICATION, "false",
                                        welkin_value_get_origin (distrust));
    }
  return config;
}

WelkinConfig *
os_settings_fill (WelkinConfig        *config,
                  WelkinConfig        *entry,
                  WelkinSurroundings  *surroundings,
                  GError             **error)
{
  g_auto(Fill) fill = { .config = config, .entry = entry, .surroundings = surroundings };
  gboolean allows_foreign = welkin_config_get_boolean (config, "allow-foreign-auth-url");

  take_all (&fill);
  for (guint i = 0; i < N_SETTINGS; i++)
    if (!check_text (fill.values[i], error))
      return NULL;
  translate_interface (&fill);
  if (!translate_mode (&fill, error) || !check_distrust (&fill, error))
    return NULL;
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (settings[i].is_path && !resolve_path (&fill, &settings[i], error))
        return NULL;
      if (!allows_foreign && !check_not_foreign (&fill, i, error))
        return NULL;
    }
  return make_config (&fill);
}

gboolean
os_settings_have_credentials (WelkinConfig       *config,
                              WelkinSurroundings *surroundings)
{
  Fill fill = { .config = config, .surroundings = surroundings };

  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (settings[i].method == METHOD_NONE && settings[i].group != GROUP_USER
          && !g_str_equal (settings[i].attribute, "auth-url"))
        continue;
      for (guint column = 0; column < MAX_NAMES; column++)
        {
          const char *variable = settings[i].names[RANK_VARIABLES][column];
          g_autoptr(WelkinValue) own = dup_given (&fill, &settings[i], RANK_ATTRIBUTES, column);
          g_autoptr(WelkinValue) theirs = dup_given (&fill, &settings[i], RANK_VARIABLES, column);

          /* Keys for Amazon lie about on many machines. */
          if (own != NULL
              || (theirs != NULL && (g_str_has_prefix (variable, "OS_")
                                     || g_str_has_prefix (variable, "NOVA_"))))
            return TRUE;
        }
    }
  return FALSE;
}

gboolean
os_settings_have_secret (WelkinConfig *effective)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    if (settings[i].is_secret
        && *welkin_config_get_string (effective, settings[i].attribute) != '\0')
      return TRUE;
  return FALSE;
}

/* Whether the variable gives the setting, or says the same as what does. */
static gboolean
agrees (const Setting *setting,
        const char    *variable,
        const char    *text,
        WelkinConfig  *effective)
{
  WelkinValue *value = welkin_config_lookup (effective, setting->attribute);

  return value != NULL
         && (g_strcmp0 (welkin_value_get_origin (value), variable) == 0
             || g_strcmp0 (welkin_value_get_text (value), text) == 0);
}

/* FALSE where it agrees with one of the settings that it is for, or is for none. */
static gboolean
is_unused (const char   *variable,
           const char   *text,
           WelkinConfig *effective)
{
  gboolean is_for_any = FALSE;

  for (guint i = 0; i < N_SETTINGS * MAX_NAMES; i++)
    {
      const Setting *setting = &settings[i / MAX_NAMES];

      if (g_strcmp0 (setting->names[RANK_VARIABLES][i % MAX_NAMES], variable) != 0
          || !is_meant (setting, variable, text))
        continue;
      if (agrees (setting, variable, text, effective))
        return FALSE;
      is_for_any = TRUE;
    }
  return is_for_any;
}

/* A word that says neither is told where it has a say. */
static gboolean
is_insecure_unused (const char   *text,
                    WelkinConfig *effective)
{
  if (is_one_of (text, yes_words))
    return welkin_config_get_boolean (effective, VERIFICATION);
  return *text != '\0' && !is_one_of (text, no_words);
}

char **
os_settings_list_unused (WelkinConfig       *effective,
                         WelkinSurroundings *surroundings)
{
  const char *insecure = welkin_surroundings_get_variable (surroundings, INSECURE);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_SETTINGS * MAX_NAMES; i++)
    {
      const char *name = settings[i / MAX_NAMES].names[RANK_VARIABLES][i % MAX_NAMES];
      const char *text =
        name != NULL ? welkin_surroundings_get_variable (surroundings, name) : NULL;

      /* Keys for Amazon lie about on many machines. */
      if (text == NULL || *text == '\0'
          || !(g_str_has_prefix (name, "OS_") || g_str_has_prefix (name, "NOVA_"))
          || g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL)
          || !is_unused (name, text, effective))
        continue;
      g_ptr_array_add (names, g_strdup (name));
    }
  if (insecure != NULL && is_insecure_unused (insecure, effective))
    g_ptr_array_add (names, g_strdup (INSECURE));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}
