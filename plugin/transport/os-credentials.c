/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-credentials.h"

#include <glib/gi18n-lib.h>

#include "transport/os-refuse.h"
#include "values/welkin-error.h"

struct _OsCredentials
{
  grefcount   references;
  OsAuthMode  mode;
  guint       version;
  gboolean    accepts_any; /* certificate of a server */
  char       *values[OS_N_CREDENTIALS];
};

/* The attributes that the parts are in the effective configuration, and the variable that supplies
 * each, for messages. */
static const struct
{
  const char *attribute;
  const char *variable;
  const char *part; /* for people */
} parts[OS_N_CREDENTIALS] = {
  [OS_CREDENTIAL_AUTH_URL] = { "auth-url", "OS_AUTH_URL", N_("auth URL") },
  [OS_CREDENTIAL_USER_ID] = { "user-id" },
  [OS_CREDENTIAL_USERNAME] = { "username", "OS_USERNAME", N_("user name") },
  [OS_CREDENTIAL_PASSWORD] = { "password", "OS_PASSWORD", N_("password") },
  [OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID] = { "application-credential-id",
                                                "OS_APPLICATION_CREDENTIAL_ID",
                                                N_("application credential") },
  [OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME] = { "application-credential-name" },
  [OS_CREDENTIAL_APPLICATION_CREDENTIAL_SECRET] = { "application-credential-secret",
                                                    "OS_APPLICATION_CREDENTIAL_SECRET",
                                                    N_("secret of the application credential") },
  [OS_CREDENTIAL_TOKEN] = { "token", "OS_TOKEN", N_("token") },
  [OS_CREDENTIAL_ACCESS_KEY] = { "access-key", "OS_ACCESS_KEY", N_("access key") },
  [OS_CREDENTIAL_SECRET_KEY] = { "secret-key", "OS_SECRET_KEY", N_("secret key") },
  [OS_CREDENTIAL_TRUST_ID] = { "trust-id" },
  [OS_CREDENTIAL_PROJECT_ID] = { "tenant-id" },
  [OS_CREDENTIAL_PROJECT_NAME] = { "tenant-name", "OS_PROJECT_NAME", N_("project") },
  [OS_CREDENTIAL_USER_DOMAIN_ID] = { "user-domain-id" },
  [OS_CREDENTIAL_USER_DOMAIN_NAME] = { "user-domain-name" },
  [OS_CREDENTIAL_PROJECT_DOMAIN_ID] = { "project-domain-id" },
  [OS_CREDENTIAL_PROJECT_DOMAIN_NAME] = { "project-domain-name" },
  [OS_CREDENTIAL_REGION] = { "region" },
  [OS_CREDENTIAL_INTERFACE] = { "endpoint-interface" },
  [OS_CREDENTIAL_CA_CERTIFICATES] = { "ca-certificates" },
  [OS_CREDENTIAL_CLIENT_CERTIFICATE] = { "client-cert" },
  [OS_CREDENTIAL_CLIENT_KEY] = { "client-key" },
};

static gboolean
has (OsCredentials *self,
     OsCredential   credential)
{
  return self->values[credential] != NULL;
}

static void
take_parts (OsCredentials *self,
            WelkinConfig  *effective)
{
  for (guint i = 0; i < OS_N_CREDENTIALS; i++)
    {
      const char *text = welkin_config_get_string (effective, parts[i].attribute);

      if (*text != '\0')
        self->values[i] = g_strdup (text);
    }
  self->accepts_any = welkin_config_has (effective, "ssl-hostname-verification")
                      && !welkin_config_get_boolean (effective, "ssl-hostname-verification");
}

static gboolean
normalize_auth_url (OsCredentials  *self,
                    WelkinConfig   *effective,
                    GError        **error)
{
  char **url = &self->values[OS_CREDENTIAL_AUTH_URL];
  g_autoptr(GError) local_error = NULL;
  char *normal;

  if (*url == NULL)
    return TRUE;
  normal = os_auth_url_normalize (*url, &local_error);
  if (normal == NULL)
    return os_refuse_key (effective, "auth-url", g_strdup (local_error->message), error);
  g_free (*url);
  *url = normal;
  return TRUE;
}

static gboolean
check_interface (OsCredentials  *self,
                 WelkinConfig   *effective,
                 GError        **error)
{
  static const char *const interfaces[] = { "public", "internal", "admin", NULL };
  char **interface = &self->values[OS_CREDENTIAL_INTERFACE];

  if (*interface == NULL)
    *interface = g_strdup ("public");
  if (g_strv_contains (interfaces, *interface))
    return TRUE;
  return os_refuse_key (effective, "endpoint-interface",
                        g_strdup_printf (_("endpoint-interface \"%s\" is not one of: public, "
                                           "internal, admin"),
                                         *interface),
                        error);
}

/* How to log in */

static gboolean
ends_in_version_1 (const char *auth_url)
{
  static const char *const endings[] = { "/v1", "/v1.0" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (auth_url != NULL && g_str_has_suffix (auth_url, endings[i]))
      return TRUE;
  return FALSE;
}

/* What is given tells what is meant. */
static OsAuthMode
detect_mode (OsCredentials *self)
{
  gboolean has_user = has (self, OS_CREDENTIAL_USER_ID) || has (self, OS_CREDENTIAL_USERNAME);
  gboolean has_application_credential =
    has (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID)
    || (has (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME) && has_user);

  if (has_application_credential && has (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_SECRET))
    return OS_AUTH_APPLICATION_CREDENTIAL;
  if (has (self, OS_CREDENTIAL_TOKEN))
    return OS_AUTH_TOKEN;
  if (has (self, OS_CREDENTIAL_ACCESS_KEY) && has (self, OS_CREDENTIAL_SECRET_KEY)
      && !has (self, OS_CREDENTIAL_PASSWORD))
    return OS_AUTH_KEY_PAIR;
  if (has_user && has (self, OS_CREDENTIAL_PASSWORD)
      && ends_in_version_1 (self->values[OS_CREDENTIAL_AUTH_URL]))
    return OS_AUTH_LEGACY;
  return OS_AUTH_PASSWORD;
}

static gboolean
take_mode (OsCredentials  *self,
           WelkinConfig   *effective,
           GError        **error)
{
  static const struct
  {
    const char *name;
    OsAuthMode  mode;
    guint       version;
  } modes[] = {
    { "userpass", OS_AUTH_PASSWORD, 0 },
    { "v3password", OS_AUTH_PASSWORD, 3 },
    { "v3applicationcredential", OS_AUTH_APPLICATION_CREDENTIAL, 3 },
    { "v3token", OS_AUTH_TOKEN, 3 },
    { "keypair", OS_AUTH_KEY_PAIR, 0 },
    { "legacy", OS_AUTH_LEGACY, 1 },
  };
  const char *name = welkin_config_get_string (effective, "auth-mode");

  if (*name == '\0' || g_str_equal (name, "auto"))
    {
      self->mode = detect_mode (self);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      if (!g_str_equal (name, modes[i].name))
        continue;
      self->mode = modes[i].mode;
      self->version = modes[i].version;
      return TRUE;
    }
  return os_refuse_key (effective, "auth-mode",
                        g_strdup_printf (_("auth-mode \"%s\" is not one of: auto, userpass, "
                                           "keypair, legacy, v3password, "
                                           "v3applicationcredential, v3token"),
                                         name),
                        error);
}

/* What only version 3 of identity understands. */
static gboolean
needs_version_3 (OsCredentials *self)
{
  return self->mode == OS_AUTH_APPLICATION_CREDENTIAL || self->mode == OS_AUTH_TOKEN
         || (self->mode == OS_AUTH_PASSWORD && has (self, OS_CREDENTIAL_TRUST_ID));
}

static gboolean
names_domain (OsCredentials *self)
{
  return has (self, OS_CREDENTIAL_USER_DOMAIN_ID) || has (self, OS_CREDENTIAL_USER_DOMAIN_NAME)
         || has (self, OS_CREDENTIAL_PROJECT_DOMAIN_ID)
         || has (self, OS_CREDENTIAL_PROJECT_DOMAIN_NAME);
}

/* The version that an auth-url ends in; that of an old one counts for less, since it was often left
 * standing when the cloud got domains. */
static guint
get_version_in_url (OsCredentials *self)
{
  const char *url = self->values[OS_CREDENTIAL_AUTH_URL];
  const char *segment = url != NULL ? os_auth_url_get_version (url) : NULL;

  if (segment == NULL || (segment[1] != '2' && segment[1] != '3'))
    return 0;
  if (segment[1] == '2' && self->mode == OS_AUTH_PASSWORD && names_domain (self))
    return 3;
  return segment[1] - '0';
}

/* "2", "2.0" and "3", as "v3" too. */
static gboolean
read_version (WelkinConfig  *effective,
              guint         *version,
              GError       **error)
{
  const char *text = welkin_config_get_string (effective, "identity-api-version");
  const char *number = *text == 'v' ? text + 1 : text;

  *version = g_str_has_prefix (number, "2") ? 2 : g_str_has_prefix (number, "3") ? 3 : 0;
  if (*text == '\0' || g_regex_match_simple ("^[23](\\.\\d+)?$", number, G_REGEX_DOLLAR_ENDONLY, 0))
    return TRUE;
  return os_refuse_key (effective, "identity-api-version",
                        g_strdup_printf (_("identity-api-version \"%s\" is not one of: 2, 2.0, 3"),
                                         text),
                        error);
}

static gboolean
take_version (OsCredentials  *self,
              WelkinConfig   *effective,
              GError        **error)
{
  guint wanted;

  if (!read_version (effective, &wanted, error))
    return FALSE;
  if (self->mode == OS_AUTH_LEGACY)
    self->version = 1;
  else if (needs_version_3 (self))
    self->version = 3;
  else if (self->version == 0)
    self->version = wanted;
  if (self->version == 0)
    self->version = get_version_in_url (self);
  return TRUE;
}

/* What it takes */

static gboolean
require (OsCredentials  *self,
         OsCredential    credential,
         OsCredential    instead,
         GError        **error)
{
  if (has (self, credential) || has (self, instead))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("openstack: no %s given: set attribute %s or environment variable %s"),
               _(parts[credential].part), parts[credential].attribute, parts[credential].variable);
  return FALSE;
}

static gboolean
require_one (OsCredentials  *self,
             OsCredential    credential,
             GError        **error)
{
  return require (self, credential, credential, error);
}

static gboolean
require_scope (OsCredentials  *self,
               GError        **error)
{
  return (has (self, OS_CREDENTIAL_TRUST_ID) && self->version != 2)
         || require (self, OS_CREDENTIAL_PROJECT_NAME, OS_CREDENTIAL_PROJECT_ID, error);
}

static gboolean
check_complete (OsCredentials  *self,
                GError        **error)
{
  switch (self->mode)
    {
    case OS_AUTH_PASSWORD:
      return require (self, OS_CREDENTIAL_USERNAME, OS_CREDENTIAL_USER_ID, error)
             && require_one (self, OS_CREDENTIAL_PASSWORD, error)
             && require_one (self, OS_CREDENTIAL_AUTH_URL, error)
             && require_scope (self, error);
    case OS_AUTH_APPLICATION_CREDENTIAL:
      return require (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID,
                      OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME, error)
             && require_one (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_SECRET, error)
             && (has (self, OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID)
                 || require (self, OS_CREDENTIAL_USERNAME, OS_CREDENTIAL_USER_ID, error))
             && require_one (self, OS_CREDENTIAL_AUTH_URL, error);
    case OS_AUTH_TOKEN:
      return require_one (self, OS_CREDENTIAL_TOKEN, error)
             && require_one (self, OS_CREDENTIAL_AUTH_URL, error);
    case OS_AUTH_KEY_PAIR:
      return require_one (self, OS_CREDENTIAL_ACCESS_KEY, error)
             && require_one (self, OS_CREDENTIAL_SECRET_KEY, error)
             && require_one (self, OS_CREDENTIAL_AUTH_URL, error)
             && (self->version != 2 || require_scope (self, error));
    case OS_AUTH_LEGACY:
      return require_one (self, OS_CREDENTIAL_USERNAME, error)
             && require_one (self, OS_CREDENTIAL_PASSWORD, error)
             && require_one (self, OS_CREDENTIAL_AUTH_URL, error);
    default:
      g_assert_not_reached ();
    }
}

OsCredentials *
os_credentials_new (WelkinConfig  *effective,
                    GError       **error)
{
  g_autoptr(OsCredentials) self = g_new0 (OsCredentials, 1);

  g_ref_count_init (&self->references);
  take_parts (self, effective);
  if (!normalize_auth_url (self, effective, error)
      || !check_interface (self, effective, error)
      || !take_mode (self, effective, error)
      || !take_version (self, effective, error)
      || !check_complete (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

OsCredentials *
os_credentials_ref (OsCredentials *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
os_credentials_unref (OsCredentials *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  for (guint i = 0; i < OS_N_CREDENTIALS; i++)
    g_free (self->values[i]);
  g_free (self);
}

gboolean
os_credentials_equal (OsCredentials *self,
                      OsCredentials *other)
{
  if (self->mode != other->mode || self->version != other->version
      || self->accepts_any != other->accepts_any)
    return FALSE;
  for (guint i = 0; i < OS_N_CREDENTIALS; i++)
    if (g_strcmp0 (self->values[i], other->values[i]) != 0)
      return FALSE;
  return TRUE;
}

OsAuthMode
os_credentials_get_mode (OsCredentials *self)
{
  return self->mode;
}

guint
os_credentials_get_version (OsCredentials *self)
{
  return self->version;
}

const char *
os_credentials_get (OsCredentials *self,
                    OsCredential   credential)
{
  return self->values[credential];
}

gboolean
os_credentials_verifies (OsCredentials *self)
{
  return !self->accepts_any;
}

/* The id or the name, with its domain when there is one to tell. */
static char *
describe_principal (OsCredentials *self,
                    OsCredential   id,
                    OsCredential   name,
                    OsCredential   domain_id,
                    OsCredential   domain_name)
{
  const char *domain = self->values[domain_id] != NULL ? self->values[domain_id]
                                                       : self->values[domain_name];

  if (self->values[id] != NULL)
    return g_strdup_printf ("\"%s\"", self->values[id]);
  if (domain == NULL)
    return g_strdup_printf ("\"%s\"", self->values[name]);
  /* TRANSLATORS: the name of a user or a project, and the domain that it is in */
  return g_strdup_printf (_("\"%s\" (domain \"%s\")"), self->values[name], domain);
}

static char *
describe_user (OsCredentials *self)
{
  const char *id = self->values[OS_CREDENTIAL_APPLICATION_CREDENTIAL_ID];
  g_autofree char *user = NULL;

  if (self->mode == OS_AUTH_TOKEN)
    return g_strdup (_("the given token"));
  if (self->mode == OS_AUTH_KEY_PAIR)
    return g_strdup_printf (_("access key \"%s\""), self->values[OS_CREDENTIAL_ACCESS_KEY]);
  if (self->mode == OS_AUTH_APPLICATION_CREDENTIAL)
    return g_strdup_printf (_("application credential \"%s\""),
                            id != NULL ? id
                                       : self->values[OS_CREDENTIAL_APPLICATION_CREDENTIAL_NAME]);
  user = describe_principal (self, OS_CREDENTIAL_USER_ID, OS_CREDENTIAL_USERNAME,
                             OS_CREDENTIAL_USER_DOMAIN_ID, OS_CREDENTIAL_USER_DOMAIN_NAME);
  return g_strdup_printf (_("user %s"), user);
}

char *
os_credentials_describe (OsCredentials *self)
{
  const char *url = self->values[OS_CREDENTIAL_AUTH_URL];
  g_autofree char *user = describe_user (self);
  g_autofree char *project = NULL;

  if (has (self, OS_CREDENTIAL_TRUST_ID))
    /* TRANSLATORS: who, the trust's id, URL */
    return g_strdup_printf (_("%s and trust \"%s\" at %s"), user,
                            self->values[OS_CREDENTIAL_TRUST_ID], url);
  if (!has (self, OS_CREDENTIAL_PROJECT_ID) && !has (self, OS_CREDENTIAL_PROJECT_NAME))
    /* TRANSLATORS: who, URL */
    return g_strdup_printf (_("%s at %s"), user, url);
  project = describe_principal (self, OS_CREDENTIAL_PROJECT_ID, OS_CREDENTIAL_PROJECT_NAME,
                                OS_CREDENTIAL_PROJECT_DOMAIN_ID, OS_CREDENTIAL_PROJECT_DOMAIN_NAME);
  /* TRANSLATORS: who, project, URL */
  return g_strdup_printf (_("%s and project %s at %s"), user, project, url);
}
