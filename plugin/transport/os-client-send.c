/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "base/flow.h"
#include "base/uri.h"
#include "transport/os-client-private.h"
#include "transport/os-download.h"
#include "transport/os-errors.h"
#include "values/welkin-error.h"

/* Older block storage has a project in its URLs, which the catalog may leave out. */
static gboolean
lacks_project (OsServiceKind  service,
               const char    *endpoint)
{
  const char *last = strrchr (endpoint, '/');

  return service == OS_SERVICE_BLOCK_STORAGE && last != NULL && os_service_is_versioned (last);
}

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
  self->endpoint = os_client_dup_endpoint (self->client, self->token, service);
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
      os_client_reject_token (self->client, self->token);
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
send_note_time (Send *self)
{
  const char *date = wk_http_response_get_header (self->response, "Date");
  g_autoptr(GDateTime) theirs = date != NULL ? soup_date_time_new_from_http_string (date) : NULL;
  g_autoptr(GDateTime) ours = g_date_time_new_now_utc ();

  if (theirs != NULL)
    self->client->skew = g_date_time_difference (theirs, ours);
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
      if (!os_client_prepare_login (client, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_memo_get_async (client->tokens, "", WK_RESUME (flow)));
      g_clear_pointer (&self->token, os_token_unref);
      self->token = wk_memo_get_finish (client->tokens, WK_RESULT (flow), &error);
      if (self->token == NULL)
        WK_FAIL (flow, &error, NULL);
      versions_url = os_client_dup_versions_url (client, self->token, service);
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
      send_note_time (self);
      os_request_add_sends (self->request, wk_http_response_get_sends (self->response));
    }
  while (send_tries_again (self));

  if (!wk_http_response_is_success (self->response))
    {
      error = send_make_error (self);
      WK_FAIL (flow, &error, NULL);
    }
  if (os_request_is_streaming (self->request))
    os_download_begin (client->http, self->http_request, self->response);
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
os_client_done_finish (gpointer       source,
                       GAsyncResult  *result,
                       GError       **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (source, result, error);

  return response != NULL;
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
