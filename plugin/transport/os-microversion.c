/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/memo.h"
#include "base/uri.h"
#include "transport/os-discovery.h"
#include "transport/os-microversion.h"
#include "transport/os-service.h"

#define COMPUTE_VERSION "v2.1"
/* What came later changes answers in ways that nobody here has read about. */
#define HIGHEST 67
/* No version that is asked for is worth waiting longer. */
#define LOAD_SECONDS 30.0

struct _OsMicroversions
{
  WkHttp *http;    /* (owned) */
  WkMemo *highest; /* (owned) by URL: guint *, the highest N of 2.N; 0: none */
  char   *url;     /* (owned) (nullable) the one that was asked last */
  char   *token;   /* (owned) (nullable) */
  guint   bound;
};

/* The N of "2.N"; 0 for all else. */
static guint
parse_version (const char *version)
{
  guint64 minor;

  if (version == NULL || !g_str_has_prefix (version, "2.")
      || !g_ascii_string_to_unsigned (version + 2, 10, 1, G_MAXUINT16, &minor, NULL))
    return 0;
  return minor;
}

static guint
parse_bound (const char *bound)
{
  guint minor = parse_version (bound);

  if (minor > 0)
    return MIN (minor, HIGHEST);
  if (bound != NULL && *bound != '\0' && !g_str_equal (bound, "2")
      && !g_str_has_suffix (bound, "latest"))
    g_warning ("compute-api-version \"%s\" is no version of compute as in \"2.60\": it bounds "
               "nothing",
               bound);
  return HIGHEST;
}

/* Version documents */

/* Where version 2.1 tells of itself: without a project, which it would take for a path of its
 * own, and with a slash, for the same reason. */
static char *
make_url (OsMicroversions *self,
          const char      *endpoint)
{
  g_autofree char *base = os_service_strip_version (endpoint);

  return g_strconcat (base, "/" COMPUTE_VERSION "/", NULL);
}

static void
load_highest (gpointer             owner,
              const char          *key,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  OsMicroversions *self = owner;
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", key);

  wk_http_request_set_header (request, "Accept", "application/json");
  wk_http_request_set_header (request, "X-Auth-Token", self->token);
  wk_http_request_set_service (request, os_service_get_name (OS_SERVICE_COMPUTE));
  wk_http_request_set_total (request, LOAD_SECONDS);
  wk_http_send_async (self->http, request, cancellable, callback, user_data);
}

/* A document that is none, or that is refused, tells of no microversions; and so does one of a
 * compute that has none. */
static gpointer
load_highest_finish (gpointer       owner,
                     GAsyncResult  *result,
                     GError       **error)
{
  OsMicroversions *self = owner;
  g_autoptr(WkHttpResponse) response = wk_http_send_finish (self->http, result, error);
  g_autoptr(GPtrArray) versions = NULL;
  guint highest = 0;

  if (response == NULL)
    return NULL;
  versions = os_discovery_read (wk_http_response_get_body (response));
  for (guint i = 0; wk_http_response_is_success (response) && i < versions->len; i++)
    {
      const OsApiVersion *version = g_ptr_array_index (versions, i);

      if (version->major == 2)
        highest = MAX (highest, parse_version (version->highest));
    }
  g_debug ("compute has microversions to 2.%u", MAX (highest, 1));
  return g_memdup2 (&highest, sizeof highest);
}

static gpointer
copy_highest (gpointer value)
{
  return g_memdup2 (value, sizeof (guint));
}

OsMicroversions *
os_microversions_new (WkHttp     *http,
                      const char *bound)
{
  OsMicroversions *self = g_new0 (OsMicroversions, 1);

  self->http = wk_http_ref (http);
  self->bound = parse_bound (bound);
  self->highest = wk_memo_new (self, -1, load_highest, load_highest_finish, copy_highest, g_free);
  return self;
}

void
os_microversions_free (OsMicroversions *self)
{
  wk_memo_close (self->highest);
  wk_memo_unref (self->highest);
  wk_http_unref (self->http);
  g_free (self->url);
  g_free (self->token);
  g_free (self);
}

void
os_microversions_load_async (OsMicroversions     *self,
                             const char          *endpoint,
                             const char          *token,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_free (self->token);
  self->token = g_strdup (token);
  g_free (self->url);
  self->url = make_url (self, endpoint);
  wk_memo_get_async (self->highest, self->url, cancellable, callback, user_data);
}

gboolean
os_microversions_load_finish (OsMicroversions  *self,
                              GAsyncResult     *result,
                              GError          **error)
{
  g_autofree guint *highest = wk_memo_get_finish (self->highest, result, error);

  return highest != NULL;
}

gboolean
os_microversions_has (OsMicroversions *self,
                      const char      *version)
{
  g_autofree guint *highest = self->url != NULL ? wk_memo_peek (self->highest, self->url) : NULL;
  guint minor = parse_version (version);

  return highest != NULL && minor > 0 && minor <= MIN (*highest, self->bound);
}

/* Requests */

char *
os_microversions_get_endpoint (OsMicroversions *self,
                               const char      *endpoint)
{
  g_autofree char *base = os_service_strip_version (endpoint);
  const char *version = endpoint + strlen (base);

  if (!g_str_has_prefix (version, "/v2/") && !g_str_equal (version, "/v2"))
    return g_strdup (endpoint);
  return g_strconcat (base, "/" COMPUTE_VERSION, version + strlen ("/v2"), NULL);
}

gboolean
os_microversions_set_headers (OsMicroversions *self,
                              WkHttpRequest   *request,
                              const char      *version)
{
  g_autofree char *with_service = NULL;

  if (self->bound == 0)
    return FALSE;
  /* The first is understood by every nova that has microversions, the second is what others
   * look at. */
  with_service = g_strconcat ("compute ", version, NULL);
  wk_http_request_set_header (request, "X-OpenStack-Nova-API-Version", version);
  wk_http_request_set_header (request, "OpenStack-API-Version", with_service);
  return TRUE;
}

void
os_microversions_forget (OsMicroversions *self)
{
  g_debug ("compute refuses a microversion: none is asked for from now on");
  self->bound = 0;
}

gboolean
os_microversions_is_honoured (WkHttpResponse *response,
                              const char     *version)
{
  const char *header = wk_http_response_get_header (response, "OpenStack-API-Version");

  if (header != NULL && g_str_has_prefix (header, "compute "))
    return g_str_equal (header + strlen ("compute "), version);
  return g_strcmp0 (wk_http_response_get_header (response, "X-OpenStack-Nova-API-Version"),
                    version) == 0;
}
