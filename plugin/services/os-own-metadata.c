/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "services/os-own-metadata.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "values/welkin-error.h"

#define SECONDS_PER_TRY 5.0
/* What the service does not know now, it will not know later; but it may have just begun. */
#define MAX_SETTLED_TRIES 3
/* Its own data of a machine may be 128 items of 255 bytes, and there are keys. */
#define MAX_BYTES ((gsize) 1024 * 1024)

typedef struct
{
  /* inputs */
  WkHttp   *http;    /* (owned) */
  char     *uri;     /* (owned) */

  /* while running */
  WkAttempt attempt;
  guint     settled; /* tries that ended in what trying again hardly changes */
  GBytes   *body;    /* (owned) (nullable) */
  GError   *refusal; /* (owned) (nullable) of the last try */
} Fetch;

static void
send (Fetch              *self,
      GCancellable       *cancellable,
      GAsyncReadyCallback callback,
      gpointer            user_data)
{
  g_autoptr(WkHttpRequest) request = wk_http_request_new ("GET", self->uri);

  wk_http_request_set_deadline (request, SECONDS_PER_TRY);
  wk_http_request_set_total (request, SECONDS_PER_TRY);
  wk_http_request_set_refuses_pages (request, TRUE);
  wk_http_request_set_max_body (request, MAX_BYTES);
  wk_http_send_async (self->http, request, cancellable, callback, user_data);
}

static void
take_answer (Fetch        *self,
             GAsyncResult *result)
{
  g_autoptr(WkHttpResponse) response = NULL;
  guint status;

  g_clear_error (&self->refusal);
  response = wk_http_send_finish (self->http, result, &self->refusal);
  if (response == NULL)
    return;
  status = wk_http_response_get_status (response);
  if (status == SOUP_STATUS_OK)
    self->body = g_bytes_ref (wk_http_response_get_body (response));
  else
    g_set_error (&self->refusal, WELKIN_ERROR,
                 status == SOUP_STATUS_NOT_FOUND ? WELKIN_ERROR_NOT_FOUND
                                                 : WELKIN_ERROR_UNAVAILABLE,
                 _("GET %s: the metadata service answered with HTTP %u"), self->uri, status);
}

static gboolean
may_try_again (Fetch *self)
{
  if (g_error_matches (self->refusal, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || g_error_matches (self->refusal, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT))
    return FALSE;
  if (g_error_matches (self->refusal, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      || g_error_matches (self->refusal, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL))
    self->settled++;
  return self->settled < MAX_SETTLED_TRIES;
}

static void
fetch_run (WkFlow  *flow,
           gpointer user_data)
{
  Fetch *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      WK_AWAIT (flow, send (self, WK_RESUME (flow)));
      take_answer (self, WK_RESULT (flow));
      if (self->body != NULL)
        {
          wk_flow_return_pointer (flow, g_steal_pointer (&self->body),
                                  (GDestroyNotify) g_bytes_unref);
          return;
        }
      if (!may_try_again (self))
        WK_FAIL (flow, &self->refusal, NULL);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
  if (error == NULL)
    error = g_steal_pointer (&self->refusal);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static void
fetch_free (gpointer user_data)
{
  Fetch *self = user_data;

  g_clear_error (&self->refusal);
  g_clear_pointer (&self->body, g_bytes_unref);
  wk_attempt_clear (&self->attempt);
  g_free (self->uri);
  wk_http_unref (self->http);
  g_free (self);
}

void
os_fetch_own_metadata_async (WkHttp             *http,
                             const char         *uri,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  Fetch *self = g_new0 (Fetch, 1);

  self->http = wk_http_ref (http);
  self->uri = g_strdup (uri);
  wk_attempt_init (&self->attempt, &wk_attempt_short, wk_http_get_clock (http));
  wk_flow_start (NULL, cancellable, callback, user_data, os_fetch_own_metadata_async, fetch_run,
                 self, fetch_free);
}

GBytes *
os_fetch_own_metadata_finish (GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_fetch_own_metadata_async, error);
}
