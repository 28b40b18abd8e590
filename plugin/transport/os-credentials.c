/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-credentials.h"
#include "values/welkin-error.h"

#define N_RANKS 7
#define N_ATTRIBUTE_RANKS 2

struct _OsCredentials
{
  grefcount   references;
  char       *values[OS_N_CREDENTIALS];
  const char *password_variable; /* (nullable) where the password is from; NULL: an attribute */
};

/* Where each part comes from: a column is a rank, the attributes first. A part of a pair (an id
 * and a name) is settled once either is found, so that an id of a lower rank never beats a name
 * of a higher one. */
static const struct
{
  OsCredential  credential;
  OsCredential  partner; /* itself when it has none */
  const char   *sources[N_RANKS];
} rows[] = {
  { OS_CREDENTIAL_AUTH_URL, OS_CREDENTIAL_AUTH_URL,
    { "auth-url", NULL, "OS_AUTH_URL", "NOVA_URL" } },
  { OS_CREDENTIAL_USER_ID, OS_CREDENTIAL_USERNAME,
    { "user-id", NULL, "OS_USER_ID" } },
  { OS_CREDENTIAL_USERNAME, OS_CREDENTIAL_USER_ID,
    { "username", NULL, "OS_USERNAME", "NOVA_USERNAME" } },
  { OS_CREDENTIAL_PASSWORD, OS_CREDENTIAL_PASSWORD,
    { "password", NULL, "OS_PASSWORD", "NOVA_PASSWORD", "NOVA_API_KEY" } },
  { OS_CREDENTIAL_PROJECT_ID, OS_CREDENTIAL_PROJECT_NAME,
    { "tenant-id", "project-id", "OS_PROJECT_ID", "OS_TENANT_ID" } },
  { OS_CREDENTIAL_PROJECT_NAME, OS_CREDENTIAL_PROJECT_ID,
    { "tenant-name", "project-name", "OS_PROJECT_NAME", "OS_TENANT_NAME" } },
  { OS_CREDENTIAL_USER_DOMAIN_ID, OS_CREDENTIAL_USER_DOMAIN_NAME,
    { "user-domain-id", "domain-id", "OS_USER_DOMAIN_ID", "OS_DOMAIN_ID",
      "OS_DEFAULT_DOMAIN_ID", "OS_DEFAULT_DOMAIN" } },
  { OS_CREDENTIAL_USER_DOMAIN_NAME, OS_CREDENTIAL_USER_DOMAIN_ID,
    { "user-domain-name", "domain-name", "OS_USER_DOMAIN_NAME", "OS_DOMAIN_NAME",
      "OS_DEFAULT_DOMAIN_NAME" } },
  { OS_CREDENTIAL_PROJECT_DOMAIN_ID, OS_CREDENTIAL_PROJECT_DOMAIN_NAME,
    { "project-domain-id", "domain-id", "OS_PROJECT_DOMAIN_ID", "OS_DOMAIN_ID",
      "OS_DEFAULT_DOMAIN_ID", "OS_DEFAULT_DOMAIN" } },
  { OS_CREDENTIAL_PROJECT_DOMAIN_NAME, OS_CREDENTIAL_PROJECT_DOMAIN_ID,
    { "project-domain-name", "domain-name", "OS_PROJECT_DOMAIN_NAME", "OS_DOMAIN_NAME",
      "OS_DEFAULT_DOMAIN_NAME" } },
  { OS_CREDENTIAL_REGION, OS_CREDENTIAL_REGION,
    { "region", NULL, "OS_REGION_NAME", "NOVA_REGION" } },
  { OS_CREDENTIAL_INTERFACE, OS_CREDENTIAL_INTERFACE,
    { "endpoint-interface", NULL, "OS_INTERFACE", "OS_ENDPOINT_TYPE" } },
};

/* auth-url */

char *
os_auth_url_normalize (const char *text,
                       GError    **error)
{
  static const char *const suffixes[] = { "/auth/tokens", "/tokens" };
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autoptr(GUri) uri = g_uri_parse (trimmed, G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD, NULL);
  g_autofree char *path = NULL;
  const char *scheme;

  if (uri != NULL && g_uri_get_userinfo (uri) != NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                           _("auth-url must not contain a user name or password"));
      return NULL;
    }
  scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
  if ((!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
      || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("auth-url \"%s\" is not an http or https URL with a host"), trimmed);
      return NULL;
    }

  path = g_strdup (g_uri_get_path (uri));
  g_strchomp (path);
  while (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  /* Some people give the URL of the login itself. */
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      path[strlen (path) - strlen (suffixes[i])] = '\0';
  return g_uri_join (G_URI_FLAGS_ENCODED, scheme, NULL, g_uri_get_host (uri), g_uri_get_port (uri),
                     path, NULL, NULL);
}

const char *
os_auth_url_get_version (const char *auth_url)
{
  const char *segment = strrchr (auth_url, '/');

  if (segment == NULL || !g_regex_match_simple ("^/v\\d+(\\.\\d+)?$", segment, G_REGEX_CASELESS, 0))
    return NULL;
  return segment + 1;
}

char *
os_auth_url_get_base (const char *auth_url)
{
  const char *version = os_auth_url_get_version (auth_url);

  if (version == NULL)
    return g_strdup (auth_url);
  return g_strndup (auth_url, version - auth_url - 1);
}

/* The parts */

static gboolean
is_given (const char *value)
{
  return value != NULL && *value != '\0';
}

/* Fills what is still open from the sources of one rank. */
static void
fill_rank (OsCredentials      *self,
           guint               rank,
           WelkinConfig       *config,
           WelkinSurroundings *surroundings)
{
  char *found[OS_N_CREDENTIALS] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const char *source = rows[i].sources[rank];
      const char *value;

      if (source == NULL || self->values[rows[i].credential] != NULL
          || self->values[rows[i].partner] != NULL)
        continue;
      value = rank < N_ATTRIBUTE_RANKS ? welkin_config_get_string (config, source)
                                       : welkin_surroundings_get_variable (surroundings, source);
      if (!is_given (value))
        continue;
      found[rows[i].credential] = g_strdup (value);
      if (rows[i].credential == OS_CREDENTIAL_PASSWORD && rank >= N_ATTRIBUTE_RANKS)
        self->password_variable = source;
    }
  for (guint i = 0; i < OS_N_CREDENTIALS; i++)
    if (found[i] != NULL)
      self->values[i] = found[i];
}

static const struct
{
  OsCredential  credential;
  OsCredential  partner;
  const char   *part;
  const char   *attribute;
  const char   *variable;
} required[] = {
  { OS_CREDENTIAL_USERNAME, OS_CREDENTIAL_USER_ID, N_("user name"), "username", "OS_USERNAME" },
  { OS_CREDENTIAL_PASSWORD, OS_CREDENTIAL_PASSWORD, N_("password"), "password", "OS_PASSWORD" },
  { OS_CREDENTIAL_AUTH_URL, OS_CREDENTIAL_AUTH_URL, N_("auth URL"), "auth-url", "OS_AUTH_URL" },
  { OS_CREDENTIAL_PROJECT_NAME, OS_CREDENTIAL_PROJECT_ID, N_("project"), "tenant-name",
    "OS_PROJECT_NAME" },
};

static gboolean
check_complete (OsCredentials *self,
                GError       **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (required); i++)
    {
      if (self->values[required[i].credential] != NULL
          || self->values[required[i].partner] != NULL)
        continue;
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("openstack: no %s given: set attribute %s or environment variable %s"),
                   _(required[i].part), required[i].attribute, required[i].variable);
      return FALSE;
    }
  return TRUE;
}

static gboolean
normalize_interface (OsCredentials *self,
                     GError       **error)
{
  static const char *const interfaces[] = { "public", "internal", "admin" };
  char **value = &self->values[OS_CREDENTIAL_INTERFACE];

  if (*value == NULL)
    *value = g_strdup ("public");
  /* Older clients wrote "publicURL". */
  if (g_str_has_suffix (*value, "URL"))
    (*value)[strlen (*value) - strlen ("URL")] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (interfaces); i++)
    if (g_str_equal (*value, interfaces[i]))
      return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("endpoint-interface \"%s\" is not one of: public, internal, admin"), *value);
  return FALSE;
}

/* The cloud that the surroundings have a secret for: the one that the variables of its own family
 * name, or the only one that is named. */
static const char *
get_auth_url_of_variable (const char         *variable,
                          WelkinSurroundings *surroundings)
{
  static const char *const urls[] = { "OS_AUTH_URL", "NOVA_URL" };
  guint family = g_str_has_prefix (variable, "NOVA_") ? 1 : 0;
  const char *own = welkin_surroundings_get_variable (surroundings, urls[family]);

  return own != NULL ? own : welkin_surroundings_get_variable (surroundings, urls[1 - family]);
}

/* A password of the surroundings belongs to the cloud that they name: a configuration that names
 * another one must not get it. */
static gboolean
check_not_foreign (OsCredentials      *self,
                   WelkinConfig       *config,
                   WelkinSurroundings *surroundings,
                   GError            **error)
{
  g_autofree char *origin = wk_uri_get_origin (self->values[OS_CREDENTIAL_AUTH_URL]);
  g_autofree char *their_url = NULL;
  g_autofree char *their_origin = NULL;
  const char *text;

  if (self->password_variable == NULL
      || welkin_config_get_boolean (config, "allow-foreign-auth-url"))
    return TRUE;
  text = get_auth_url_of_variable (self->password_variable, surroundings);
  if (text == NULL)
    return TRUE;
  their_url = os_auth_url_normalize (text, NULL);
  their_origin = their_url != NULL ? wk_uri_get_origin (their_url) : NULL;
  if (g_strcmp0 (origin, their_origin) == 0)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("refusing to send credentials from %s to a different auth-url"),
               self->password_variable);
  return FALSE;
}

OsCredentials *
os_credentials_new (WelkinConfig       *config,
                    WelkinSurroundings *surroundings,
                    GError            **error)
{
  g_autoptr(OsCredentials) self = g_new0 (OsCredentials, 1);
  char *auth_url;

  g_ref_count_init (&self->references);
  for (guint rank = 0; rank < N_RANKS; rank++)
    fill_rank (self, rank, config, surroundings);
  if (!check_complete (self, error))
    return NULL;

  auth_url = os_auth_url_normalize (self->values[OS_CREDENTIAL_AUTH_URL], error);
  if (auth_url == NULL)
    return NULL;
  g_free (self->values[OS_CREDENTIAL_AUTH_URL]);
  self->values[OS_CREDENTIAL_AUTH_URL] = auth_url;
  if (!normalize_interface (self, error)
      || !check_not_foreign (self, config, surroundings, error))
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
  for (guint i = 0; i < OS_N_CREDENTIALS; i++)
    if (g_strcmp0 (self->values[i], other->values[i]) != 0)
      return FALSE;
  return TRUE;
}

const char *
os_credentials_get (OsCredentials *self,
                    OsCredential   credential)
{
  return self->values[credential];
}

/* Login */

/* "domain": {"id": …} or {"name": …}, never both. */
static void
add_domain (JsonBuilder *builder,
            const char  *id,
            const char  *name)
{
  json_builder_set_member_name (builder, "domain");
  json_builder_begin_object (builder);
  if (id == NULL && name != NULL)
    {
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, name);
    }
  else
    {
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, id != NULL ? id : "default");
    }
  json_builder_end_object (builder);
}

/* The members of a user or a project: an id, or a name in a domain. */
static void
add_principal (OsCredentials *self,
               JsonBuilder   *builder,
               OsCredential   id,
               OsCredential   name,
               OsCredential   domain_id,
               OsCredential   domain_name)
{
  if (self->values[id] != NULL)
    {
      json_builder_set_member_name (builder, "id");
      json_builder_add_string_value (builder, self->values[id]);
      return;
    }
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, self->values[name]);
  add_domain (builder, self->values[domain_id], self->values[domain_name]);
}

JsonNode *
os_credentials_to_login (OsCredentials *self)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "auth");
  json_builder_begin_object (builder);

  json_builder_set_member_name (builder, "identity");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "methods");
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, "password");
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "password");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "user");
  json_builder_begin_object (builder);
  add_principal (self, builder, OS_CREDENTIAL_USER_ID, OS_CREDENTIAL_USERNAME,
                 OS_CREDENTIAL_USER_DOMAIN_ID, OS_CREDENTIAL_USER_DOMAIN_NAME);
  json_builder_set_member_name (builder, "password");
  json_builder_add_string_value (builder, self->values[OS_CREDENTIAL_PASSWORD]);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);

  json_builder_set_member_name (builder, "scope");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "project");
  json_builder_begin_object (builder);
  add_principal (self, builder, OS_CREDENTIAL_PROJECT_ID, OS_CREDENTIAL_PROJECT_NAME,
                 OS_CREDENTIAL_PROJECT_DOMAIN_ID, OS_CREDENTIAL_PROJECT_DOMAIN_NAME);
  json_builder_end_object (builder);
  json_builder_end_object (builder);

  json_builder_end_object (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
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

char *
os_credentials_describe (OsCredentials *self)
{
  g_autofree char *user =
    describe_principal (self, OS_CREDENTIAL_USER_ID, OS_CREDENTIAL_USERNAME,
                        OS_CREDENTIAL_USER_DOMAIN_ID, OS_CREDENTIAL_USER_DOMAIN_NAME);
  g_autofree char *project =
    describe_principal (self, OS_CREDENTIAL_PROJECT_ID, OS_CREDENTIAL_PROJECT_NAME,
                        OS_CREDENTIAL_PROJECT_DOMAIN_ID, OS_CREDENTIAL_PROJECT_DOMAIN_NAME);

  /* TRANSLATORS: user, project, URL */
  return g_strdup_printf (_("user %s and project %s at %s"), user, project,
                          self->values[OS_CREDENTIAL_AUTH_URL]);
}
