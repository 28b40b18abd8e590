/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/memo.h"
#include "base/uri.h"
#include "transport/os-client.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "transport/os-errors.h"
#include "transport/os-identity.h"
#include "transport/os-microversion.h"
#include "transport/os-tls.h"
#include "transport/os-versions.h"
#include "values/welkin-error.h"

/* How long a refused login is believed, so that many callers do not lock the account. */
#define REFUSAL_SECONDS 1.0

/* What settings of a service end in. */
#define ENDPOINT "-endpoint"
#define SERVICE_TYPE "-service-type"

struct _OsClient
{
  GObject parent;

  OsCredentials   *credentials;   /* (owned) */
  char           **settings;      /* (owned) what else made it, to compare */
  WkClock         *clock;         /* (owned) */
  double           timeout;       /* seconds for a request; 0: as is usual for it */
  WkHttp          *http;          /* (owned) for all but logins */
  OsIdentity      *identity;      /* (owned) on a session of its own */
  OsVersions      *versions;      /* (owned) of compute */
  OsMicroversions *microversions; /* (owned) */
  gboolean         puts_project;  /* into the URLs of block storage */
  WkMemo          *tokens;        /* (owned) holds the one in use, under "" */
  OsToken         *first_token;   /* (owned) (nullable) what the getters tell is its */
  GError          *refusal;       /* (owned) (nullable) of the last login */
  double           refusal_time;
};

G_DEFINE_FINAL_TYPE (OsClient, os_client, G_TYPE_OBJECT)

/* Login */

static void
load_token (gpointer             owner,
            const char          *key,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             user_data)
{
  OsClient *self = OS_CLIENT (owner);

  os_identity_login_async (self->identity, cancellable, callback, user_data);
}

static gpointer
load_token_finish (gpointer       owner,
                   GAsyncResult  *result,
                   GError       **error)
{
  OsClient *self = OS_CLIENT (owner);
  g_autoptr(GError) local_error = NULL;
  OsToken *token = os_identity_login_finish (self->identity, result, &local_error);

  g_clear_error (&self->refusal);
  if (token == NULL)
    {
      if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED))
        {
          self->refusal = g_error_copy (local_error);
          self->refusal_time = wk_clock_get_seconds (self->clock);
        }
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (self->first_token == NULL)
    self->first_token = os_token_ref (token);
  return token;
}

/* Makes way for a new login when the token is about to expire; FALSE when one was refused just
 * now. */
static gboolean
prepare_login (OsClient  *self,
               GError   **error)
{
  g_autoptr(OsToken) token = wk_memo_peek (self->tokens, "");

  if (token != NULL && !os_token_is_fresh (token))
    wk_memo_invalidate (self->tokens, "");
  if (self->refusal == NULL
      || wk_clock_get_seconds (self->clock) - self->refusal_time >= REFUSAL_SECONDS)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->refusal));
  return FALSE;
}

/* The service did not take this token: the next call logs in, unless somebody has done so since. */
static void
reject_token (OsClient *self,
              OsToken  *rejected)
{
  g_autoptr(OsToken) token = wk_memo_peek (self->tokens, "");

  if (token == rejected)
    wk_memo_invalidate (self->tokens, "");
}

static void
login_run (WkFlow *flow,
           gpointer user_data)
{
  OsClient *client = wk_flow_get_source (flow);
  g_autoptr(OsToken) token = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!prepare_login (client, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_memo_get_async (client->tokens, "", WK_RESUME (flow)));
  token = wk_memo_get_finish (client->tokens, WK_RESULT (flow), &error);
  if (token == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_client_login_async (OsClient            *self,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_client_login_async, login_run, NULL,
                 NULL);
}

gboolean
os_client_login_finish (OsClient      *self,
                        GAsyncResult  *result,
                        GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_client_login_async, error);
}

/* Endpoints */

/* Where the service tells its versions, when the catalog does not tell the one to take; NULL when
 * there is nothing to ask, or it was asked. (transfer full) */
static char *
dup_versions_url (OsClient      *self,
                  OsToken       *token,
                  OsServiceKind  service)
{
  OsCatalog *catalog = os_token_get_catalog (token);
  g_autoptr(GPtrArray) versions = NULL;
  g_autofree char *url = NULL;

  if (!os_catalog_lacks_version (catalog, service))
    return NULL;
  url = g_strconcat (os_catalog_get_endpoint (catalog, service), "/", NULL);
  versions = os_versions_peek (self->versions, url);
  return versions == NULL ? g_steal_pointer (&url) : NULL;
}

/* The base URL of the service, or NULL. What has told no versions is taken as the catalog has it.
 * (transfer full) */
static char *
dup_endpoint (OsClient      *self,
              OsToken       *token,
              OsServiceKind  service)
{
  OsCatalog *catalog = os_token_get_catalog (token);
  const char *endpoint = os_catalog_get_endpoint (catalog, service);
  g_autofree char *url = g_strconcat (endpoint, "/", NULL);
  g_autoptr(GPtrArray) versions = NULL;
  char *chosen = NULL;

  if (os_catalog_lacks_version (catalog, service))
    versions = os_versions_peek (self->versions, url);
  if (versions != NULL)
    chosen = os_discovery_choose (versions, endpoint, 2);
  return chosen != NULL ? chosen : g_strdup (endpoint);
}

/* Older block storage has a project in its URLs, which the catalog may leave out. */
static gboolean
lacks_project (OsServiceKind  service,
               const char    *endpoint)
{
  const char *last = strrchr (endpoint, '/');

  return service == OS_SERVICE_BLOCK_STORAGE && last != NULL && os_service_is_versioned (last);
}

/* One call */

typedef struct
{
  OsClient       *client;       /* (owned) */
  OsRequest      *request;      /* (owned) */
  gboolean        is_refused;   /* a token was, and another one is being tried */
  gboolean        is_versioned; /* asks for its microversion */
  gboolean        puts_project; /* into the URL, for the first time */
  OsToken        *token;        /* (owned) the one that is being tried */
  char           *endpoint;     /* (owned) the same */
  WkHttpRequest  *http_request; /* (owned) */
  WkHttpResponse *response;     /* (owned) */
} Send;

static void
send_free (Send *self)
{
  g_clear_pointer (&self->request, os_request_unref);
  g_clear_pointer (&self->token, os_token_unref);
  g_free (self->endpoint);
  g_clear_pointer (&self->http_request, wk_http_request_unref);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_object_unref (self->client);
  g_free (self);
}

static gboolean
send_prepare (Send    *self,
              GError **error)
{
  OsServiceKind service = os_request_get_service (self->request);
  const char *version = os_request_get_microversion (self->request);

  g_clear_pointer (&self->http_request, wk_http_request_unref);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_free (self->endpoint);
  self->endpoint = dup_endpoint (self->client, self->token, service);
  if (self->endpoint == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                   _("region \"%s\" of this cloud has no %s service"),
                   os_client_get_region (self->client), os_service_get_name (service));
      return FALSE;
    }
  if (version != NULL)
    {
      g_autofree char *former = self->endpoint;

      self->endpoint = os_microversion_get_endpoint (former);
    }
  if ((self->puts_project || self->client->puts_project)
      && lacks_project (service, self->endpoint))
    {
      g_autofree char *former = self->endpoint;

      self->endpoint = wk_uri_join (former, os_token_get_project_id (self->token), NULL);
    }
  self->http_request = os_request_to_http (self->request, self->endpoint,
                                           os_token_get_text (self->token), self->client->timeout);
  self->is_versioned = version != NULL
                       && os_microversions_set_headers (self->client->microversions,
                                                        self->http_request, version);
  return TRUE;
}

/* Whether there is something else to try: a token may be revoked at any time, and one that is
 * refused is good for one new login; a microversion that is refused is done without; where nothing
 * is found, there may be something behind the project. */
static gboolean
send_tries_again (Send *self)
{
  OsServiceKind service = os_request_get_service (self->request);
  guint status = wk_http_response_get_status (self->response);

  if (status == 401 && !self->is_refused && !os_request_is_anonymous (self->request))
    {
      self->is_refused = TRUE;
      reject_token (self->client, self->token);
      return TRUE;
    }
  if (status == 406 && self->is_versioned)
    {
      os_microversions_forget (self->client->microversions);
      return TRUE;
    }
  if (status == 404 && !self->puts_project && !self->client->puts_project)
    {
      self->puts_project = lacks_project (service, self->endpoint);
      return self->puts_project;
    }
  return FALSE;
}

static GError *
send_make_error (Send *self)
{
  const char *service = os_service_get_name (os_request_get_service (self->request));
  g_autofree char *uri = wk_uri_for_display (wk_http_request_get_uri (self->http_request));
  GError *error = os_error_new_from_response (service, self->http_request, self->response);

  if (self->is_refused && wk_http_response_get_status (self->response) == 401)
    g_prefix_error (&error, _("the %s service at %s does not accept the token of a fresh login: "),
                    service, uri);
  /* Who asks for more rights has to say what for. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
      && strstr (error->message, uri) == NULL)
    g_prefix_error (&error, "%s %s: ", wk_http_request_get_method (self->http_request), uri);
  return error;
}

static void
send_run (WkFlow *flow,
          gpointer user_data)
{
  Send *self = user_data;
  OsClient *client = self->client;
  OsServiceKind service = os_request_get_service (self->request);
  g_autofree char *versions_url = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      if (!prepare_login (client, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_memo_get_async (client->tokens, "", WK_RESUME (flow)));
      g_clear_pointer (&self->token, os_token_unref);
      self->token = wk_memo_get_finish (client->tokens, WK_RESULT (flow), &error);
      if (self->token == NULL)
        WK_FAIL (flow, &error, NULL);
      versions_url = dup_versions_url (client, self->token, service);
      if (versions_url != NULL)
        {
          WK_AWAIT (flow, os_versions_load_async (client->versions, versions_url,
                                                  os_token_get_text (self->token),
                                                  WK_RESUME (flow)));
          /* What is wrong will be seen: the catalog may be right as it is. */
          os_versions_load_finish (client->versions, WK_RESULT (flow), NULL);
        }
      if (!send_prepare (self, &error))
        WK_FAIL (flow, &error, NULL);

      WK_AWAIT (flow, wk_http_send_async (client->http, self->http_request, WK_RESUME (flow)));
      self->response = wk_http_send_finish (client->http, WK_RESULT (flow), &error);
      if (self->response == NULL)
        {
          os_error_explain (error);
          WK_FAIL (flow, &error, NULL);
        }
      os_request_add_sends (self->request, wk_http_response_get_sends (self->response));
    }
  while (send_tries_again (self));

  if (!wk_http_response_is_success (self->response))
    {
      error = send_make_error (self);
      WK_FAIL (flow, &error, NULL);
    }
  client->puts_project = client->puts_project || self->puts_project;
  if (self->is_versioned)
    os_request_set_honoured (self->request,
                             os_microversion_is_honoured (
                               self->response, os_request_get_microversion (self->request)));
  wk_flow_return_pointer (flow, g_steal_pointer (&self->response),
                          (GDestroyNotify) wk_http_response_unref);

  WK_FLOW_END (flow);
}

void
os_client_send_async (OsClient            *self,
                      gpointer             source,
                      OsRequest           *request,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  Send *send = g_new0 (Send, 1);

  send->client = g_object_ref (self);
  send->request = os_request_ref (request);
  wk_flow_start (source, cancellable, callback, user_data, os_client_send_async, send_run, send,
                 (GDestroyNotify) send_free);
}

WkHttpResponse *
os_client_send_finish (gpointer       source,
                       GAsyncResult  *result,
                       GError       **error)
{
  return wk_flow_finish_pointer (result, source, os_client_send_async, error);
}

gboolean
os_client_delete_finish (gpointer       source,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(WkHttpResponse) response = os_client_send_finish (source, result, &local_error);

  if (response != NULL || g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/* Microversions */

typedef struct
{
  char    *version;
  OsToken *token;    /* (owned) */
  char    *document; /* (owned) URL */
} HasMicroversion;

static void
has_microversion_free (HasMicroversion *self)
{
  g_clear_pointer (&self->token, os_token_unref);
  g_free (self->version);
  g_free (self->document);
  g_free (self);
}

static void
has_microversion_run (WkFlow *flow,
                      gpointer user_data)
{
  HasMicroversion *self = user_data;
  OsClient *client = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) versions = NULL;
  g_autofree char *endpoint = NULL;
  g_autofree char *versions_url = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!prepare_login (client, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_memo_get_async (client->tokens, "", WK_RESUME (flow)));
  self->token = wk_memo_get_finish (client->tokens, WK_RESULT (flow), &error);
  if (self->token == NULL)
    WK_FAIL (flow, &error, NULL);

  versions_url = dup_versions_url (client, self->token, OS_SERVICE_COMPUTE);
  if (versions_url != NULL)
    {
      WK_AWAIT (flow, os_versions_load_async (client->versions, versions_url,
                                              os_token_get_text (self->token), WK_RESUME (flow)));
      if (!os_versions_load_finish (client->versions, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  endpoint = dup_endpoint (client, self->token, OS_SERVICE_COMPUTE);
  self->document = os_microversion_get_document (endpoint);
  WK_AWAIT (flow, os_versions_load_async (client->versions, self->document,
                                          os_token_get_text (self->token), WK_RESUME (flow)));
  if (!os_versions_load_finish (client->versions, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  versions = os_versions_peek (client->versions, self->document);
  wk_flow_return_boolean (flow, versions != NULL
                                  && os_microversions_has (client->microversions, versions,
                                                           self->version));

  WK_FLOW_END (flow);
}

void
os_client_has_microversion_async (OsClient            *self,
                                  const char          *version,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  HasMicroversion *has = g_new0 (HasMicroversion, 1);

  has->version = g_strdup (version);
  wk_flow_start (self, cancellable, callback, user_data, os_client_has_microversion_async,
                 has_microversion_run, has, (GDestroyNotify) has_microversion_free);
}

gboolean
os_client_has_microversion_finish (OsClient     *self,
                                   GAsyncResult *result)
{
  g_autoptr(GError) error = NULL;
  gboolean has = wk_flow_finish_boolean (result, self, os_client_has_microversion_async, &error);

  if (error != NULL)
    g_debug ("nothing is known of microversions: %s", error->message);
  return has;
}

/* What it knows */

WkHttp *
os_client_get_http (OsClient *self)
{
  return self->http;
}

WkClock *
os_client_get_clock (OsClient *self)
{
  return self->clock;
}

const char *
os_client_get_auth_url (OsClient *self)
{
  return os_credentials_get (self->credentials, OS_CREDENTIAL_AUTH_URL);
}

const char *
os_client_get_project_id (OsClient *self)
{
  return self->first_token != NULL ? os_token_get_project_id (self->first_token) : NULL;
}

const char *
os_client_get_user_id (OsClient *self)
{
  return self->first_token != NULL ? os_token_get_user_id (self->first_token) : NULL;
}

const char *
os_client_get_region (OsClient *self)
{
  if (self->first_token == NULL)
    return os_credentials_get (self->credentials, OS_CREDENTIAL_REGION);
  return os_catalog_get_region (os_token_get_catalog (self->first_token));
}

const char *const *
os_client_get_roles (OsClient *self)
{
  return self->first_token != NULL ? os_token_get_roles (self->first_token) : NULL;
}

const char *
os_client_get_endpoint (OsClient      *self,
                        OsServiceKind  service)
{
  if (self->first_token == NULL)
    return NULL;
  return os_catalog_get_endpoint (os_token_get_catalog (self->first_token), service);
}

/* Making one */

/* What there is for each service under names such as "compute" with the ending; the texts belong to
 * effective. */
static void
list_by_service (WelkinConfig *effective,
                 const char   *ending,
                 const char   *texts[OS_N_SERVICES])
{
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    {
      g_autofree char *name = g_strconcat (os_service_get_name (kind), ending, NULL);
      const char *text = welkin_config_get_string (effective, name);

      texts[kind] = *text != '\0' ? text : NULL;
    }
}

/* All that makes a client beside the credentials, as texts to compare. */
static char **
list_settings (WelkinConfig       *effective,
               WelkinSurroundings *surroundings)
{
  static const char *const variables[] = {
    "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
    "NO_PROXY", "WELKIN_TIME_SCALE",
  };
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  const char *overrides[OS_N_SERVICES];
  const char *types[OS_N_SERVICES];

  g_strv_builder_add (builder, welkin_config_get_string (effective, "compute-api-version"));
  g_strv_builder_add (builder, welkin_config_get_string (effective, "api-timeout"));
  g_strv_builder_add (builder, welkin_config_get_string (effective, "max-connections"));
  list_by_service (effective, ENDPOINT, overrides);
  list_by_service (effective, SERVICE_TYPE, types);
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    {
      g_strv_builder_add (builder, overrides[kind] != NULL ? overrides[kind] : "");
      g_strv_builder_add (builder, types[kind] != NULL ? types[kind] : "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      const char *value = welkin_surroundings_get_variable (surroundings, variables[i]);

      g_strv_builder_add (builder, value != NULL ? value : "");
    }
  return g_strv_builder_end (builder);
}

/* Without TLS, everybody on the way reads the password. */
static void
warn_of_plain_http (const char *auth_url)
{
  g_autoptr(GUri) uri = g_uri_parse (auth_url, G_URI_FLAGS_ENCODED, NULL);
  g_autoptr(GInetAddress) address = g_inet_address_new_from_string (g_uri_get_host (uri));

  if (g_str_equal (g_uri_get_scheme (uri), "https")
      || g_str_equal (g_uri_get_host (uri), "localhost")
      || (address != NULL && g_inet_address_get_is_loopback (address)))
    return;
  g_warning ("auth-url %s has no TLS: whoever is on the way can read the password", auth_url);
}

static void
add_to_trace (gpointer    trace,
              const char *entry)
{
  welkin_trace_add_entry (trace, entry);
}

/* Said once: a program may open many environments, each of them time and again. */
static void
warn_of_no_verification (OsClient *self)
{
  g_warning_once ("certificates of this cloud are not checked: whoever is on the way can read "
                  "passwords and change everything");
  if (os_credentials_get (self->credentials, OS_CREDENTIAL_CA_CERTIFICATES) != NULL)
    g_warning_once ("ca-certificates has no effect while certificates are not checked");
}

/* Whom we trust, and who we are, on connections with TLS. The objects are the caller's. */
static gboolean
set_tls_options (OsClient         *self,
                 WkHttpOptions    *options,
                 GTlsDatabase    **database,
                 GTlsCertificate **certificate,
                 GError          **error)
{
  const char *authorities = os_credentials_get (self->credentials, OS_CREDENTIAL_CA_CERTIFICATES);
  const char *chain = os_credentials_get (self->credentials, OS_CREDENTIAL_CLIENT_CERTIFICATE);
  const char *key = os_credentials_get (self->credentials, OS_CREDENTIAL_CLIENT_KEY);

  options->accept_any_certificate = !os_credentials_verifies (self->credentials);
  if (options->accept_any_certificate)
    warn_of_no_verification (self);
  if (authorities != NULL)
    {
      *database = os_tls_database_new (authorities, error);
      if (*database == NULL)
        return FALSE;
      options->tls_database = *database;
    }
  if (chain != NULL)
    {
      *certificate = os_tls_client_certificate_new (chain, key, error);
      if (*certificate == NULL)
        return FALSE;
      options->client_certificate = *certificate;
    }
  return TRUE;
}

/* Logins have a session, and so a gate, of their own: those who wait for a token may not stand
 * behind others who hold all places. */
static gboolean
make_sessions (OsClient            *self,
               WelkinConfig        *effective,
               WelkinSurroundings  *surroundings,
               gboolean             is_read_only,
               GError             **error)
{
  WelkinTrace *trace = welkin_surroundings_get_trace (surroundings);
  g_autoptr(GTlsDatabase) database = NULL;
  g_autoptr(GTlsCertificate) certificate = NULL;
  g_autoptr(WkHttp) login_http = NULL;
  const char *overrides[OS_N_SERVICES];
  const char *types[OS_N_SERVICES];
  g_autoptr(GProxyResolver) resolver = welkin_surroundings_make_proxy_resolver (surroundings);
  WkHttpOptions options = {
    .user_agent = "welkin/" PACKAGE_VERSION " openstack",
    .proxy_resolver = resolver,
    .max_connections = (guint) welkin_config_get_int (effective, "max-connections"),
    .clock = self->clock,
    .trace = trace != NULL ? add_to_trace : NULL,
    .trace_data = (GObject *) trace,
  };

  if (!welkin_surroundings_check_proxies (surroundings, error)
      || !set_tls_options (self, &options, &database, &certificate, error))
    return FALSE;
  options.is_read_only = is_read_only;
  self->http = wk_http_new (&options);
  options.is_read_only = FALSE;
  self->versions = os_versions_new (self->http);
  self->microversions =
    os_microversions_new (welkin_config_get_string (effective, "compute-api-version"));
  login_http = wk_http_new (&options);
  list_by_service (effective, ENDPOINT, overrides);
  list_by_service (effective, SERVICE_TYPE, types);
  self->identity = os_identity_new (login_http, self->credentials, overrides, types);
  return TRUE;
}

WkClock *
os_client_make_clock (WelkinSurroundings *surroundings)
{
  const char *scale = welkin_surroundings_get_variable (surroundings, "WELKIN_TIME_SCALE");
  double value = scale != NULL ? g_ascii_strtod (scale, NULL) : 1;

  return wk_clock_new (value > 0 ? value : 1);
}

static OsClient *
make_client (WelkinConfig        *config,
             WelkinSurroundings  *surroundings,
             OsClient            *former,
             gboolean             is_read_only,
             GError             **error)
{
  g_autoptr(OsClient) self = g_object_new (OS_TYPE_CLIENT, NULL);
  g_autoptr(WelkinConfig) effective = os_clouds_fill (config, surroundings, error);

  if (effective == NULL)
    return NULL;
  self->credentials = os_credentials_new (effective, error);
  if (self->credentials == NULL)
    return NULL;
  self->settings = list_settings (effective, surroundings);
  if (former != NULL && os_credentials_equal (self->credentials, former->credentials)
      && g_strv_equal ((const char *const *) self->settings,
                       (const char *const *) former->settings))
    return g_object_ref (former);

  self->clock = os_client_make_clock (surroundings);
  self->timeout = (double) welkin_config_get_int (effective, "api-timeout");
  if (!make_sessions (self, effective, surroundings, is_read_only, error))
    return NULL;
  os_clouds_tell (config, surroundings);
  warn_of_plain_http (os_client_get_auth_url (self));
  self->tokens = wk_memo_new (self, -1, load_token, load_token_finish,
                              (WkMemoCopy) os_token_ref, (GDestroyNotify) os_token_unref);
  return g_steal_pointer (&self);
}

OsClient *
os_client_new (WelkinConfig        *config,
               WelkinSurroundings  *surroundings,
               OsClient            *former,
               GError             **error)
{
  return make_client (config, surroundings, former, FALSE, error);
}

OsClient *
os_client_new_read_only (WelkinConfig        *config,
                         WelkinSurroundings  *surroundings,
                         GError             **error)
{
  return make_client (config, surroundings, NULL, TRUE, error);
}

static void
os_client_dispose (GObject *object)
{
  OsClient *self = OS_CLIENT (object);

  if (self->tokens != NULL)
    wk_memo_close (self->tokens);
  g_clear_pointer (&self->tokens, wk_memo_unref);

  G_OBJECT_CLASS (os_client_parent_class)->dispose (object);
}

static void
os_client_finalize (GObject *object)
{
  OsClient *self = OS_CLIENT (object);

  g_clear_pointer (&self->credentials, os_credentials_unref);
  g_clear_pointer (&self->settings, g_strfreev);
  g_clear_pointer (&self->first_token, os_token_unref);
  g_clear_error (&self->refusal);
  g_clear_object (&self->identity);
  g_clear_pointer (&self->versions, os_versions_free);
  g_clear_pointer (&self->microversions, os_microversions_free);
  g_clear_pointer (&self->http, wk_http_unref);
  g_clear_pointer (&self->clock, wk_clock_unref);

  G_OBJECT_CLASS (os_client_parent_class)->finalize (object);
}

static void
os_client_class_init (OsClientClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = os_client_dispose;
  object_class->finalize = os_client_finalize;
}

static void
os_client_init (OsClient *self)
{
}
