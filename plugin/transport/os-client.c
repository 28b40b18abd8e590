/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "transport/os-client-private.h"
#include "transport/os-clouds.h"
#include "transport/os-tls.h"
#include "values/welkin-error.h"

/* How long a refused login is believed, so that many callers do not lock the account. */
#define REFUSAL_SECONDS 1.0

/* What settings of a service end in. */
#define ENDPOINT "-endpoint"
#define SERVICE_TYPE "-service-type"

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

gboolean
os_client_prepare_login (OsClient  *self,
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

void
os_client_reject_token (OsClient *self,
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

  if (!os_client_prepare_login (client, &error))
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

GDateTime *
os_client_dup_cloud_time (OsClient *self)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_add (now, self->skew);
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

/* Says where it was written what was no use: in which file, or in which variable. */
static gboolean
blame_origin (WelkinConfig *effective,
              const char   *key,
              GError      **error)
{
  WelkinValue *value = welkin_config_lookup (effective, key);
  const char *origin = value != NULL ? welkin_value_get_origin (value) : NULL;

  if (origin != NULL)
    g_prefix_error (error, "%s: ", origin);
  return FALSE;
}

/* Whom we trust, and who we are, on connections with TLS. The objects are the caller's. */
static gboolean
set_tls_options (OsClient         *self,
                 WelkinConfig     *effective,
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
        return blame_origin (effective, "ca-certificates", error);
      options->tls_database = *database;
    }
  if (chain != NULL)
    {
      *certificate = os_tls_client_certificate_new (chain, key, error);
      if (*certificate == NULL)
        return blame_origin (effective, "client-cert", error);
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
  g_autoptr(GProxyResolver) resolver = NULL;
  WkHttpOptions options = {
    .user_agent = "welkin/" PACKAGE_VERSION " openstack",
    .max_connections = (guint) welkin_config_get_int (effective, "max-connections"),
    .clock = self->clock,
    .trace = trace != NULL ? add_to_trace : NULL,
    .trace_data = (GObject *) trace,
  };

  if (!welkin_surroundings_check_proxies (surroundings, error)
      || !set_tls_options (self, effective, &options, &database, &certificate, error))
    return FALSE;
  resolver = welkin_surroundings_make_proxy_resolver (surroundings);
  options.proxy_resolver = resolver;
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
  return wk_clock_new_parsed (welkin_surroundings_get_variable (surroundings,
                                                                "WELKIN_TIME_SCALE"));
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
