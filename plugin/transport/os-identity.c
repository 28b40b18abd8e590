/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/json.h"
#include "base/uri.h"
#include "transport/os-errors.h"
#include "transport/os-identity.h"
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
  char          *version_url; /* (owned) (nullable) as in https://…/v3, once it is known */
};

G_DEFINE_FINAL_TYPE (OsIdentity, os_identity, G_TYPE_OBJECT)

/* Discovery */

typedef struct
{
  const char *href;     /* (nullable) */
  int         minor;
  gboolean    is_usable; /* FALSE: deprecated */
} Version;

static const char *
get_text (JsonObject *object,
          const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
}

static const char *
find_self_link (JsonObject *version)
{
  JsonNode *links = json_object_get_member (version, "links");
  JsonArray *array;

  if (links == NULL || !JSON_NODE_HOLDS_ARRAY (links))
    return NULL;
  array = json_node_get_array (links);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *link = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (link)
          && g_strcmp0 (get_text (json_node_get_object (link), "rel"), "self") == 0)
        return get_text (json_node_get_object (link), "href");
    }
  return NULL;
}

/* Whether the node is a version 3 that may be used, and what it says. */
static gboolean
read_version (JsonNode *node,
              Version  *version)
{
  JsonObject *object;
  const char *id;
  const char *status;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  object = json_node_get_object (node);
  id = get_text (object, "id");
  status = get_text (object, "status");
  if (id == NULL || status == NULL || !g_regex_match_simple ("^v3(\\.\\d+)?$", id, 0, 0))
    return FALSE;
  version->href = find_self_link (object);
  version->minor = id[2] == '.' ? atoi (id + 3) : 0;
  version->is_usable = g_ascii_strcasecmp (status, "stable") == 0
                       || g_ascii_strcasecmp (status, "current") == 0
                       || g_ascii_strcasecmp (status, "supported") == 0;
  return version->is_usable || g_ascii_strcasecmp (status, "deprecated") == 0;
}

static gboolean
is_better (const Version *version,
           const Version *than)
{
  if (version->is_usable != than->is_usable)
    return version->is_usable;
  return version->minor > than->minor;
}

/* {"versions": {"values": […]}}, {"versions": […]} or {"version": {…}}. */
static JsonNode *
find_versions (JsonNode *document)
{
  JsonObject *object;
  JsonNode *node;

  if (!JSON_NODE_HOLDS_OBJECT (document))
    return NULL;
  object = json_node_get_object (document);
  node = json_object_get_member (object, "versions");
  if (node == NULL)
    return json_object_get_member (object, "version");
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_member (json_node_get_object (node), "values");
  return node;
}

static gboolean
choose_version (JsonNode *document,
                Version  *best)
{
  JsonNode *node = find_versions (document);
  gboolean is_found = FALSE;
  JsonArray *array;

  if (node == NULL)
    return FALSE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return read_version (node, best);
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      Version version;

      if (!read_version (json_array_get_element (array, i), &version))
        continue;
      if (!is_found || is_better (&version, best))
        *best = version;
      is_found = TRUE;
    }
  return is_found;
}

char *
os_identity_choose_version (const char *base,
                            JsonNode   *document)
{
  g_autofree char *fallback = g_strconcat (base, "/v3", NULL);
  g_autoptr(GUri) base_uri = g_uri_parse (base, G_URI_FLAGS_ENCODED, NULL);
  g_autoptr(GUri) link = NULL;
  g_autofree char *origin = wk_uri_get_origin (base);
  g_autofree char *path = NULL;
  Version version;

  if (!choose_version (document, &version))
    return NULL;
  if (version.href != NULL)
    link = g_uri_parse (version.href, G_URI_FLAGS_ENCODED, NULL);
  /* The link often names a host that only the cloud itself can reach, so its path is all that is
   * taken, and only if it lies below where we asked. */
  if (link == NULL || !g_str_has_prefix (g_uri_get_path (link), g_uri_get_path (base_uri)))
    return g_steal_pointer (&fallback);
  path = g_strdup (g_uri_get_path (link));
  while (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  if (*path == '\0')
    return g_steal_pointer (&fallback);
  return g_strconcat (origin, path, NULL);
}

/* Login */

typedef struct
{
  double          due;      /* seconds of the clock */
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

static double
get_seconds (OsIdentity *self)
{
  return wk_clock_get_seconds (wk_http_get_clock (self->http));
}

static void
set_request (Login      *self,
             OsIdentity *identity,
             const char *method,
             char       *uri)
{
  g_clear_pointer (&self->request, wk_http_request_unref);
  self->request = wk_http_request_new (method, uri);
  g_free (uri);
  wk_http_request_set_header (self->request, "Accept", "application/json");
  wk_http_request_set_service (self->request, SERVICE);
  /* All requests of a login have one limit: somebody waits for it before anything is done. */
  wk_http_request_set_total (self->request,
                             MAX (self->due - get_seconds (identity), LEAST_SECONDS));
}

static void
set_login_request (Login      *self,
                   OsIdentity *identity)
{
  g_autoptr(JsonNode) node = os_credentials_to_login (identity->credentials);
  char *text = json_to_string (node, FALSE);
  g_autoptr(GBytes) body = g_bytes_new_take (text, strlen (text));

  set_request (self, identity, "POST", wk_uri_join (identity->version_url, "auth", "tokens", NULL));
  wk_http_request_set_body (self->request, body, "application/json");
  wk_http_request_set_repeatable (self->request, TRUE);
  wk_http_request_set_refuses_pages (self->request, TRUE);
}

/* Whatever is wrong with the version document: version 3 has been at /v3 for ever. */
static void
take_versions (OsIdentity     *identity,
               const char     *base,
               WkHttpResponse *response)
{
  guint status = response != NULL ? wk_http_response_get_status (response) : 0;
  g_autoptr(JsonNode) document = NULL;

  if (status == 200 || status == 300)
    document = wk_json_parse (wk_http_response_get_body (response), NULL);
  if (document != NULL)
    identity->version_url = os_identity_choose_version (base, document);
  if (identity->version_url == NULL)
    {
      g_debug ("%s tells no version of identity, taking v3", base);
      identity->version_url = g_strconcat (base, "/v3", NULL);
    }
}

/* Reads what the login answered; an error names who was refused and where. */
static gboolean
take_login (Login       *self,
            OsIdentity  *identity,
            GError     **error)
{
  g_autofree char *who = os_credentials_describe (identity->credentials);
  g_autofree char *context = g_strdup_printf (_("Cannot log in as %s: "), who);
  const char *text = wk_http_response_get_header (self->response, "X-Subject-Token");

  if (!wk_http_response_is_success (self->response))
    {
      GError *local_error = os_error_new_from_response (SERVICE, self->request, self->response);

      if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED))
        welkin_error_set_hint (local_error,
                               _("Check the user name, the password, the project and their "
                                 "domains: a wrong project looks like a wrong password."));
      g_propagate_prefixed_error (error, local_error, "%s", context);
      return FALSE;
    }
  self->body = wk_json_decode_record (&os_token_body_table, "token",
                                      wk_http_response_get_body (self->response), error);
  if (self->body == NULL)
    {
      g_prefix_error (error, "%s", context);
      return FALSE;
    }
  if (text == NULL || *text == '\0')
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("%sthe answer has no header X-Subject-Token"), context);
      return FALSE;
    }
  self->text = g_strdup (text);
  /* Nova gives such a token an empty list of servers, as if there were none. */
  if (self->body->project == NULL || self->body->project->id == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED,
                   _("%sthe login is right, but it is for no project: set attribute tenant-name or "
                     "environment variable OS_PROJECT_NAME"),
                   context);
      return FALSE;
    }
  return TRUE;
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
  return self->body->services != NULL;
}

static OsToken *
make_token (Login       *self,
            OsIdentity  *identity,
            GError     **error)
{
  OsCatalog *catalog = os_catalog_new (self->body->services,
                                       os_credentials_get (identity->credentials,
                                                           OS_CREDENTIAL_INTERFACE),
                                       os_credentials_get (identity->credentials,
                                                           OS_CREDENTIAL_REGION),
                                       1u << OS_SERVICE_COMPUTE, error);

  if (catalog == NULL)
    return NULL;
  return os_token_new (self->text, self->body, self->response, catalog);
}

static void
login_run (WkFlow *flow,
           gpointer user_data)
{
  Login *self = user_data;
  OsIdentity *identity = wk_flow_get_source (flow);
  const char *auth_url = os_credentials_get (identity->credentials, OS_CREDENTIAL_AUTH_URL);
  const char *version = os_auth_url_get_version (auth_url);
  g_autofree char *base = os_auth_url_get_base (auth_url);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  OsToken *token;

  WK_FLOW_BEGIN (flow);

  self->due = get_seconds (identity) + LOGIN_SECONDS;
  if (identity->version_url == NULL && version != NULL && version[1] == '3')
    identity->version_url = g_strdup (auth_url);
  if (identity->version_url == NULL)
    {
      set_request (self, identity, "GET", g_strconcat (base, "/", NULL));
      WK_AWAIT (flow, wk_http_send_async (identity->http, self->request, WK_RESUME (flow)));
      response = wk_http_send_finish (identity->http, WK_RESULT (flow), &error);
      if (response == NULL)
        {
          os_error_explain (error);
          WK_FAIL (flow, &error, _("Cannot reach the identity service"));
        }
      take_versions (identity, base, response);
    }

  set_login_request (self, identity);
  WK_AWAIT (flow, wk_http_send_async (identity->http, self->request, WK_RESUME (flow)));
  self->response = wk_http_send_finish (identity->http, WK_RESULT (flow), &error);
  if (self->response == NULL)
    {
      os_error_explain (error);
      WK_FAIL (flow, &error, _("Cannot reach the identity service"));
    }
  if (!take_login (self, identity, &error))
    WK_FAIL (flow, &error, NULL);

  if (self->body->services == NULL || self->body->services->len == 0)
    {
      set_request (self, identity, "GET",
                   wk_uri_join (identity->version_url, "auth", "catalog", NULL));
      wk_http_request_set_header (self->request, "X-Auth-Token", self->text);
      wk_http_request_set_refuses_pages (self->request, TRUE);
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
                 OsCredentials *credentials)
{
  OsIdentity *self = g_object_new (OS_TYPE_IDENTITY, NULL);

  self->http = wk_http_ref (http);
  self->credentials = os_credentials_ref (credentials);
  return self;
}

static void
os_identity_finalize (GObject *object)
{
  OsIdentity *self = OS_IDENTITY (object);

  g_clear_pointer (&self->http, wk_http_unref);
  g_clear_pointer (&self->credentials, os_credentials_unref);
  g_free (self->version_url);

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
