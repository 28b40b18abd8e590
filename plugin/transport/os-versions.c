/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/memo.h"
#include "transport/os-service.h"
#include "transport/os-versions.h"

/* No version that is asked for is worth waiting longer. */
#define LOAD_SECONDS 30.0

struct _OsVersions
{
  WkHttp *http;      /* (owned) */
  WkMemo *documents; /* (owned) by URL: GPtrArray of OsApiVersion */
  char   *token;     /* (owned) (nullable) */
};

static void
load_document (gpointer             owner,
               const char          *key,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  OsVersions *self = owner;
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", key);

  wk_http_request_set_header (request, "Accept", "application/json");
  wk_http_request_set_header (request, "X-Auth-Token", self->token);
  wk_http_request_set_service (request, os_service_get_name (OS_SERVICE_COMPUTE));
  wk_http_request_set_total (request, LOAD_SECONDS);
  wk_http_send_async (self->http, request, cancellable, callback, user_data);
}

/* A document that is none, or that is refused, tells of nothing. */
static gpointer
load_document_finish (gpointer       owner,
                      GAsyncResult  *result,
                      GError       **error)
{
  OsVersions *self = owner;
  g_autoptr(WkHttpResponse) response = wk_http_send_finish (self->http, result, error);
  GPtrArray *versions;
  guint status;

  if (response == NULL)
    return NULL;
  status = wk_http_response_get_status (response);
  versions = os_discovery_read (wk_http_response_get_body (response));
  if (status != 200 && status != 300)
    g_ptr_array_set_size (versions, 0);
  if (versions->len == 0)
    g_debug ("a version document of compute tells nothing (HTTP %u)", status);
  return versions;
}

OsVersions *
os_versions_new (WkHttp *http)
{
  OsVersions *self = g_new0 (OsVersions, 1);

  self->http = wk_http_ref (http);
  self->documents = wk_memo_new (self, -1, load_document, load_document_finish,
                                 (WkMemoCopy) g_ptr_array_ref,
                                 (GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
os_versions_free (OsVersions *self)
{
  wk_memo_close (self->documents);
  wk_memo_unref (self->documents);
  wk_http_unref (self->http);
  g_free (self->token);
  g_free (self);
}

void
os_versions_load_async (OsVersions          *self,
                        const char          *url,
                        const char          *token,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  g_free (self->token);
  self->token = g_strdup (token);
  wk_memo_get_async (self->documents, url, cancellable, callback, user_data);
}

gboolean
os_versions_load_finish (OsVersions    *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_autoptr(GPtrArray) versions = wk_memo_get_finish (self->documents, result, error);

  return versions != NULL;
}

GPtrArray *
os_versions_peek (OsVersions *self,
                  const char *url)
{
  return wk_memo_peek (self->documents, url);
}
