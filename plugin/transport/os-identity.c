/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/uri.h"
#include "transport/os-discovery.h"
#include "transport/os-errors.h"
#include "transport/os-identity.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

#define SERVICE "identity"
#define LOGIN_SECONDS 60.0
/* What its last request has when the others have used the time up. */
#define LEAST_SECONDS 1.0

struct _OsIdentity
{
  GObject parent;

  WkHttp        *http;        /* (owned) */
  OsCredentials *credentials; /* (owned) */
  char          *overrides[OS_N_SERVICES]; /* (owned) (nullable) */
  char          *types[OS_N_SERVICES];     /* (owned) (nullable) */
  char          *base;        /* (owned) the auth-url without a version */
  guint          version;     /* 1, 2 or 3; 0: not known yet */
  char          *version_url; /* (owned) (nullable) as in https://…/v3, once it is known */
  gboolean       is_assumed;  /* nothing has told the version */
  gint64         given_end;   /* of a token that was given: monotonic microseconds */
  char          *given_expires; /* (owned) (nullable) the same in the words of the cloud */
};

G_DEFINE_FINAL_TYPE (OsIdentity, os_identity, G_TYPE_OBJECT)

static const char *
get_credential (OsIdentity   *self,
                OsCredential  credential)
{
  return os_credentials_get (self->credentials, credential);
}

static double
get_seconds (OsIdentity *self)
{
  return wk_clock_get_seconds (wk_http_get_clock (self->http));
}

/* Versions */

/* Takes the auth-url as that of a version, if it is one of the version that is wanted. */
static void
take_auth_url (OsIdentity *self)
{
  const char *auth_url = get_credential (self, OS_CREDENTIAL_AUTH_URL);
  const char *segment = os_auth_url_get_version (auth_url);

  if (self->version == 1 || (self->version == 3 && segment != NULL && segment[1] == '3'))
    self->version_url = g_strdup (auth_url);
  else if (self->version == 2 && segment != NULL && segment[1] == '2')
    self->version_url = g_strconcat (self->base, "/v2.0", NULL);
}

/* Whatever is wrong with the version document: version 3 has been at /v3 for ever. */
static void
take_versions (OsIdentity     *self,
               WkHttpResponse *response)
{
  guint status = wk_http_response_get_status (response);
  GBytes *body = wk_http_response_get_body (response);
  g_autoptr(GPtrArray) versions = os_discovery_read (body);
  guint wanted = self->version;

  if (status == 200 || status == 300)
    {
      self->version = wanted == 2 ? 2 : 3;
      self->version_url = os_discovery_choose (versions, self->base, self->version);
      if (self->version_url == NULL && wanted == 0)
        {
          self->version_url = os_discovery_choose (versions, self->base, 2);
          self->version = self->version_url != NULL ? 2 : 3;
        }
    }
  if (self->version_url != NULL)
    return;
  self->version = wanted == 2 ? 2 : 3;
  self->is_assumed = wanted == 0;
  self->version_url = g_strconcat (self->base, self->version == 2 ? "/v2.0" : "/v3", NULL);
  g_debug ("%s tells no version of identity, taking %s", self->base, self->version_url);
}

/* Whether the other version is there, when this one is not: version 2 went away in 2018, and a
 * cloud that did not tell may be older than version 3. */
static gboolean
takes_other_version (OsIdentity *self,
                     guint       status)
{
  OsAuthMode mode = os_credentials_get_mode (self->credentials);

  if (status != 404 && status != 405 && status != 410)
    return FALSE;
  if (self->version == 2)
    {
      self->version = 3;
      g_clear_pointer (&self->version_url, g_free);
      return TRUE;
    }
  if (!self->is_assumed || (mode != OS_AUTH_PASSWORD && mode != OS_AUTH_KEY_PAIR))
    return FALSE;
  self->is_assumed = FALSE;
  self->version = 2;
  g_free (self->version_url);
  self->version_url = g_strconcat (self->base, "/v2.0", NULL);
  return TRUE;
}

/* Login */

typedef struct
{
  double          due;      /* seconds of the clock */
  const OsLogin  *login;    /* (nullable) the way that is being tried */
  gboolean        is_done;  /* it has answered */
  WkHttpRequest  *request;  /* (owned) the one that is under way */
  WkHttpResponse *response; /* (owned) of the login */
  char           *text;     /* (owned) of the token */
  OsTokenBody    *body;     /* (owned) */
} Login;

static void
login_free (Login *self)
{
  g_clear_pointer (&self->request, wk_http_request_unref);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_free (self->text);
  os_token_body_free (self->body);
  g_free (self);
}

static void
set_request (Login         *self,
             OsIdentity    *identity,
             WkHttpRequest *request)
{
  g_clear_pointer (&self->request, wk_http_request_unref);
  self->request = request;
  wk_http_request_set_header (request, "Accept", "application/json");
  wk_http_request_set_service (request, SERVICE);
  /* All requests of a login have one limit: somebody waits for it before anything is done. */
  wk_http_request_set_total (request, MAX (self->due - get_seconds (identity), LEAST_SECONDS));
}

static void
set_discovery_request (Login      *self,
                       OsIdentity *identity)
{
  g_autofree char *uri = g_strconcat (identity->base, "/", NULL);

  set_request (self, identity, wk_http_request_new ("GET", uri));
}

static const OsLogin *
choose_login (OsIdentity *identity)
{
  switch (os_credentials_get_mode (identity->credentials))
    {
    case OS_AUTH_LEGACY:
      return &os_login_legacy;
    case OS_AUTH_TOKEN:
      return &os_login_v3_token;
    case OS_AUTH_KEY_PAIR:
      return identity->version == 2 ? &os_login_v2 : &os_login_ec2;
    case OS_AUTH_PASSWORD:
    case OS_AUTH_APPLICATION_CREDENTIAL:
    default:
      return identity->version == 2 ? &os_login_v2 : &os_login_v3;
    }
}

static void
set_login_request (Login      *self,
                   OsIdentity *identity)
{
  if (self->login == NULL)
    self->login = choose_login (identity);
  set_request (self, identity,
               self->login->make_request (identity->credentials, identity->version_url));
  wk_http_request_set_refuses_pages (self->request, TRUE);
}

static void
set_catalog_request (Login      *self,
                     OsIdentity *identity)
{
  g_autofree char *uri = wk_uri_join (identity->version_url, "auth", "catalog", NULL);

  set_request (self, identity, wk_http_request_new ("GET", uri));
  wk_http_request_set_header (self->request, "X-Auth-Token", self->text);
  wk_http_request_set_refuses_pages (self->request, TRUE);
}

/* A name matches in any case, as in most databases of clouds. */
static gboolean
is_same (const char *wanted,
         const char *name)
{
  return wanted == NULL || name == NULL || g_ascii_strcasecmp (wanted, name) == 0;
}

/* Whether the token is for the project that is wanted, if one is. */
static gboolean
is_for_project (OsIdentity      *identity,
                const OsProject *project)
{
  const char *id = get_credential (identity, OS_CREDENTIAL_PROJECT_ID);
  const char *name = get_credential (identity, OS_CREDENTIAL_PROJECT_NAME);

  if (id == NULL && name == NULL)
    return TRUE;
  if (project == NULL || project->id == NULL)
    return FALSE;
  if (id != NULL)
    return g_str_equal (id, project->id);
  return is_same (name, project->name)
         && (project->domain == NULL
             || (is_same (get_credential (identity, OS_CREDENTIAL_PROJECT_DOMAIN_ID),
                          project->domain->id)
                 && is_same (get_credential (identity, OS_CREDENTIAL_PROJECT_DOMAIN_NAME),
                             project->domain->name)));
}

/* Whether there is another way in, after one that is not there. */
static gboolean
login_tries_another_way (Login      *self,
                         OsIdentity *identity)
{
  guint status = wk_http_response_get_status (self->response);

  if (self->login != &os_login_v3_token && takes_other_version (identity, status))
    {
      self->login = NULL;
      return TRUE;
    }
  /* Upstream never took keys as HP's cloud did. */
  if (self->login == &os_login_v2 && status == 400
      && os_credentials_get_mode (identity->credentials) == OS_AUTH_KEY_PAIR)
    {
      self->login = &os_login_ec2;
      return TRUE;
    }
  return FALSE;
}

/* A token that is given may be for another project than the one that is wanted, or for none: then
 * it is good for a token that is. */
static gboolean
login_needs_scope (Login      *self,
                   OsIdentity *identity)
{
  if (self->login != &os_login_v3_token
      || (get_credential (identity, OS_CREDENTIAL_TRUST_ID) == NULL
          && is_for_project (identity, self->body->project)))
    return FALSE;
  self->login = &os_login_v3;
  return TRUE;
}

/* What a login answered */

static char *
make_context (OsIdentity *identity)
{
  g_autofree char *who = os_credentials_describe (identity->credentials);

  /* TRANSLATORS: who, as in: user "demo" and project "demo" at https://… */
  return g_strdup_printf (_("Cannot log in as %s: "), who);
}

/* Reads what the login answered; an error names who was refused and where. */
static gboolean
take_login (Login       *self,
            OsIdentity  *identity,
            GError     **error)
{
  g_autofree char *context = make_context (identity);

  if (!wk_http_response_is_success (self->response))
    {
      GError *local_error = os_error_new_from_response (SERVICE, self->request, self->response);

      self->login->explain (identity->credentials, self->response, &local_error);
      g_propagate_prefixed_error (error, local_error, "%s", context);
      return FALSE;
    }
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->body, os_token_body_free);
  self->body = self->login->read_answer (self->response, &self->text, error);
  if (self->body == NULL)
    {
      wk_http_response_prefix_error (self->response, error);
      g_prefix_error (error, "%s", context);
      return FALSE;
    }
  if (self->text == NULL || *self->text == '\0')
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("%sthe answer has no token"),
                   context);
      return FALSE;
    }
  return TRUE;
}

/* Nova gives a token without a project an empty list of servers, as if there were none. */
static gboolean
check_project (Login       *self,
               OsIdentity  *identity,
               GError     **error)
{
  const OsProject *project = self->body->project;
  g_autofree char *context = make_context (identity);

  gboolean is_scoped = project != NULL && project->id != NULL
                       && (identity->version != 2 || self->body->services->len > 0);

  if (is_scoped && is_for_project (identity, project))
    return TRUE;
  if (is_scoped)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("%sthe login is right, but it is for project \"%s\" (%s): leave tenant-name and "
                   "tenant-id out, or set them right"),
                 context, project->name != NULL ? project->name : "", project->id);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED,
                 _("%sthe login is right, but it is for no project, or the user has no role in "
                   "it: set attribute tenant-name, environment variable OS_PROJECT_NAME, or "
                   "project_name in clouds.yaml"),
                 context);
  return FALSE;
}

static gboolean
take_catalog (Login           *self,
              WkHttpResponse  *response,
              GError         **error)
{
  if (!wk_http_response_is_success (response))
    {
      g_propagate_error (error, os_error_new_from_response (SERVICE, self->request, response));
      return FALSE;
    }
  g_clear_pointer (&self->body->services, g_ptr_array_unref);
  self->body->services = wk_json_decode_records (&os_service_table, "catalog",
                                                 wk_http_response_get_body (response), error);
  if (self->body->services != NULL)
    return TRUE;
  wk_http_response_prefix_error (response, error);
  return FALSE;
}

static OsToken *
make_token (Login       *self,
            OsIdentity  *identity,
            GError     **error)
{
  const OsCatalogOptions options = {
    .interface = get_credential (identity, OS_CREDENTIAL_INTERFACE),
    .region = get_credential (identity, OS_CREDENTIAL_REGION),
    .required = 1u << OS_SERVICE_COMPUTE,
    .overrides = (const char *const *) identity->overrides,
    .types = (const char *const *) identity->types,
  };
  OsCatalog *catalog = os_catalog_new (self->body->services, &options, error);
  gboolean is_given = os_credentials_get_mode (identity->credentials) == OS_AUTH_TOKEN;

  OsToken *token;

  if (catalog == NULL)
    return NULL;
  token = os_token_new (self->text, self->body, self->response, catalog, is_given);
  if (is_given)
    {
      identity->given_end = os_token_get_end (token);
      g_free (identity->given_expires);
      identity->given_expires = g_strdup (self->body->expires);
    }
  return token;
}

/* A token that is given cannot be renewed: what it is good for ends with it. */
static gboolean
check_given_token (OsIdentity  *self,
                   GError     **error)
{
  g_autofree char *context = NULL;

  if (self->given_expires == NULL || g_get_monotonic_time () < self->given_end)
    return TRUE;
  context = make_context (self);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED,
               _("%sthe supplied token expired at %s"), context, self->given_expires);
  return FALSE;
}

static void
login_run (WkFlow *flow,
           gpointer user_data)
{
  Login *self = user_data;
  OsIdentity *identity = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  OsToken *token;

  WK_FLOW_BEGIN (flow);

  self->due = get_seconds (identity) + LOGIN_SECONDS;
  if (!check_given_token (identity, &error))
    WK_FAIL (flow, &error, NULL);
  do
    {
      if (identity->version_url == NULL)
        take_auth_url (identity);
      if (identity->version_url == NULL)
        {
          set_discovery_request (self, identity);
          WK_AWAIT (flow, wk_http_send_async (identity->http, self->request, WK_RESUME (flow)));
          response = wk_http_send_finish (identity->http, WK_RESULT (flow), &error);
          if (response == NULL)
            {
              os_error_explain (error);
              WK_FAIL (flow, &error, _("Cannot reach the identity service"));
            }
          take_versions (identity, response);
        }

      set_login_request (self, identity);
      WK_AWAIT (flow, wk_http_send_async (identity->http, self->request, WK_RESUME (flow)));
      g_clear_pointer (&self->response, wk_http_response_unref);
      self->response = wk_http_send_finish (identity->http, WK_RESULT (flow), &error);
      if (self->response == NULL)
        {
          os_error_explain (error);
          WK_FAIL (flow, &error, _("Cannot reach the identity service"));
        }
      self->is_done = !login_tries_another_way (self, identity);
      if (self->is_done && !take_login (self, identity, &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (!self->is_done || login_needs_scope (self, identity));
  if (!check_project (self, identity, &error))
    WK_FAIL (flow, &error, NULL);

  if (self->body->services == NULL || self->body->services->len == 0)
    {
      set_catalog_request (self, identity);
      WK_AWAIT (flow, wk_http_send_async (identity->http, self->request, WK_RESUME (flow)));
      response = wk_http_send_finish (identity->http, WK_RESULT (flow), &error);
      if (response == NULL || !take_catalog (self, response, &error))
        WK_FAIL (flow, &error, _("Cannot read the catalog of the cloud"));
    }

  token = make_token (self, identity, &error);
  if (token == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, token, (GDestroyNotify) os_token_unref);

  WK_FLOW_END (flow);
}

void
os_identity_login_async (OsIdentity          *self,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_identity_login_async, login_run,
                 g_new0 (Login, 1), (GDestroyNotify) login_free);
}

OsToken *
os_identity_login_finish (OsIdentity    *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_identity_login_async, error);
}

OsIdentity *
os_identity_new (WkHttp        *http,
                 OsCredentials *credentials,
                 const char    *const *overrides,
                 const char    *const *types)
{
  OsIdentity *self = g_object_new (OS_TYPE_IDENTITY, NULL);

  self->http = wk_http_ref (http);
  self->credentials = os_credentials_ref (credentials);
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    {
      self->overrides[kind] = g_strdup (overrides[kind]);
      self->types[kind] = g_strdup (types[kind]);
    }
  self->version = os_credentials_get_version (credentials);
  self->base = os_auth_url_get_base (os_credentials_get (credentials, OS_CREDENTIAL_AUTH_URL));
  return self;
}

static void
os_identity_finalize (GObject *object)
{
  OsIdentity *self = OS_IDENTITY (object);

  g_clear_pointer (&self->http, wk_http_unref);
  g_clear_pointer (&self->credentials, os_credentials_unref);
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    {
      g_free (self->overrides[kind]);
      g_free (self->types[kind]);
    }
  g_free (self->base);
  g_free (self->version_url);
  g_free (self->given_expires);

  G_OBJECT_CLASS (os_identity_parent_class)->finalize (object);
}

static void
os_identity_class_init (OsIdentityClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_identity_finalize;
}

static void
os_identity_init (OsIdentity *self)
{
}
