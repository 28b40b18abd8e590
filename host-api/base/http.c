/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/backoff.h"
#include "base/flow.h"
#include "base/http-private.h"
#include "base/uri.h"
#include "values/welkin-error.h"

/* The session, and the flow of a request through hold, gate and sends. */

#define BACK_OFF_SECONDS 1.0
#define MAX_BACK_OFF_SECONDS 60.0

typedef struct
{
  /* inputs */
  WkHttp        *http;      /* (owned) */
  WkHttpRequest *request;   /* (owned) */

  /* while running */
  GUri          *uri;       /* (owned) where it goes now */
  char          *origin;    /* (owned) */
  WkGate        *gate;      /* of the session */
  WkHttpHold    *hold;      /* of the session */
  gboolean       is_probe;
  double         held;      /* seconds for which it was held back */
  double         held_since;
  double         due;       /* seconds of the clock; 0: none */
  double         lost;      /* seconds of timeouts */
  double         pause;     /* seconds before the next send */
  guint          sends;     /* those that may have been executed */
  guint          redirects;
  WkBackoff      backoff;
  WkHttpVerdict  verdict;
  WkHttpOutcome *outcome;   /* (owned) (nullable) of the last send */
} Call;

/* The limits of libsoup's own pool count at construction only. Nobody may have to wait there, which
 * a thread that sends does without an ear for its cancellable: whoever has a place at the gate of
 * an origin finds one of its connections free or idle, and there is no limit of all origins. The
 * time-out is what watches over a body that the caller reads himself. */
static SoupSession *
session_new (WkHttp              *self,
             const WkHttpOptions *options)
{
  g_autoptr(GProxyResolver) direct = g_simple_proxy_resolver_new ("direct://", NULL);
  guint timeout = wk_clock_get_interval (self->clock, WK_HTTP_PROGRESS_SECONDS) / 1000 + 1;
  SoupSession *session;

  session = g_object_new (SOUP_TYPE_SESSION,
                          "max-conns-per-host", self->width,
                          "max-conns", G_MAXINT,
                          "proxy-resolver",
                          options->proxy_resolver != NULL ? options->proxy_resolver : direct,
                          "timeout", timeout,
                          NULL);
  if (options->user_agent != NULL)
    soup_session_set_user_agent (session, options->user_agent);
  if (options->tls_database != NULL)
    soup_session_set_tls_database (session, options->tls_database);
  /* Credentials come with each request, or not at all. */
  soup_session_remove_feature_by_type (session, SOUP_TYPE_AUTH_MANAGER);
  return session;
}

WkHttp *
wk_http_new (const WkHttpOptions *options)
{
  WkHttp *self = g_new0 (WkHttp, 1);

  g_ref_count_init (&self->ref_count);
  self->width = options->max_connections > 0 ? options->max_connections : WK_HTTP_DEFAULT_WIDTH;
  if (options->clock != NULL)
    self->clock = wk_clock_ref (options->clock);
  if (options->client_certificate != NULL)
    self->client_certificate = g_object_ref (options->client_certificate);
  self->accept_any_certificate = options->accept_any_certificate;
  self->certificate_advice = options->certificate_advice;
  if (self->certificate_advice == NULL)
    self->certificate_advice = _("name the certificate of a private issuer in ca-certificates, or "
                                 "set ssl-hostname-verification to false to go without any check");
  self->is_read_only = options->is_read_only;
  self->trace = options->trace;
  g_set_object (&self->trace_data, options->trace_data);
  self->gates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) wk_gate_unref);
  self->holds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) wk_http_hold_free);
  self->session = session_new (self, options);
  wk_http_watch_tunnels (self);
  return self;
}

WkHttp *
wk_http_ref (WkHttp *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
wk_http_unref (WkHttp *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->client_certificate);
  g_clear_object (&self->trace_data);
  g_hash_table_unref (self->gates);
  g_hash_table_unref (self->holds);
  g_clear_pointer (&self->clock, wk_clock_unref);
  g_free (self);
}

guint
wk_http_get_sends (WkHttp *self)
{
  return self->sends;
}

WkClock *
wk_http_get_clock (WkHttp *self)
{
  return self->clock;
}

static WkGate *
http_ensure_gate (WkHttp     *self,
                  const char *origin)
{
  WkGate *gate = g_hash_table_lookup (self->gates, origin);

  if (gate == NULL)
    {
      gate = wk_gate_new (self->width);
      g_hash_table_insert (self->gates, g_strdup (origin), gate);
    }
  return gate;
}

static WkHttpHold *
http_ensure_hold (WkHttp     *self,
                  const char *service)
{
  WkHttpHold *hold = g_hash_table_lookup (self->holds, service);

  if (hold == NULL)
    {
      hold = wk_http_hold_new (service, self->clock);
      g_hash_table_insert (self->holds, g_strdup (service), hold);
    }
  return hold;
}

static void
call_free (gpointer data)
{
  Call *self = data;

  if (self->is_probe)
    wk_http_hold_end_probe (self->hold, FALSE);
  g_clear_pointer (&self->outcome, wk_http_outcome_free);
  g_clear_pointer (&self->uri, g_uri_unref);
  g_free (self->origin);
  wk_http_request_unref (self->request);
  wk_http_unref (self->http);
  g_free (self);
}

/* Takes the uri. */
static void
call_set_uri (Call *self,
              GUri *uri)
{
  g_autofree char *text = g_uri_to_string (uri);

  g_clear_pointer (&self->uri, g_uri_unref);
  self->uri = uri;
  g_free (self->origin);
  self->origin = wk_uri_get_origin (text);
  self->gate = http_ensure_gate (self->http, self->origin);
  self->hold = http_ensure_hold (self->http, self->request->service != NULL
                                                 ? self->request->service
                                                 : self->origin);
}

/* Whether the request changes nothing, whatever it is for. */
static gboolean
call_is_safe (Call *self)
{
  return g_str_equal (self->request->method, "GET") || g_str_equal (self->request->method, "HEAD");
}

static gboolean
call_prepare (Call    *self,
              GError **error)
{
  GUri *uri;

  wk_backoff_init (&self->backoff, BACK_OFF_SECONDS, MAX_BACK_OFF_SECONDS);
  if (self->request->total > 0.0)
    self->due = wk_clock_get_seconds (self->http->clock) + self->request->total;
  if (self->request->flaw != NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, self->request->flaw);
      return FALSE;
    }

  if (self->http->is_read_only && !call_is_safe (self))
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("not sent, because nothing is to be changed here"));
      return FALSE;
    }

  uri = g_uri_parse (self->request->uri, SOUP_HTTP_URI_FLAGS, NULL);
  if (uri == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("not a URL"));
      return FALSE;
    }
  call_set_uri (self, uri);
  return TRUE;
}

/* Follows a redirect within its origin; whatever comes with the request must not go elsewhere. */
static gboolean
call_follow (Call    *self,
             GError **error)
{
  const char *location = wk_http_response_get_header (self->outcome->response, "Location");
  g_autoptr(GUri) target = g_uri_parse_relative (self->uri, location, SOUP_HTTP_URI_FLAGS, NULL);
  g_autofree char *text = target != NULL ? g_uri_to_string (target) : g_strdup (location);
  g_autofree char *shown = wk_uri_for_display (text);
  g_autofree char *origin = wk_uri_get_origin (text);

  if (!call_is_safe (self) || g_strcmp0 (origin, self->origin) != 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("the server says to go to %s instead (HTTP %u), which is not followed"), shown,
                   wk_http_response_get_status (self->outcome->response));
      return FALSE;
    }
  if (self->redirects == WK_HTTP_MAX_REDIRECTS)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("the server goes on to redirect, at last to %s (HTTP %u)"), shown,
                   wk_http_response_get_status (self->outcome->response));
      return FALSE;
    }

  self->redirects++;
  self->sends = 0;
  call_set_uri (self, g_steal_pointer (&target));
  return TRUE;
}

/* Seconds that are left for the whole call. */
static double
call_get_rest (Call *self)
{
  if (self->due <= 0.0)
    return G_MAXDOUBLE;
  return self->due - wk_clock_get_seconds (self->http->clock);
}

/* Seconds for which it may still be held back. */
static double
call_get_patience (Call *self)
{
  return MIN (WK_HTTP_PATIENCE - self->held, call_get_rest (self));
}

/* Seconds for the next send; 0: no limit. */
static double
call_get_deadline (Call *self)
{
  double rest = MAX (call_get_rest (self), 1.0);
  double deadline = self->request->deadline;

  if (deadline > 0.0 && self->lost > 0.0)
    deadline = MIN (deadline, WK_HTTP_SILENCE_SECONDS - self->lost);
  if (self->due > 0.0)
    deadline = deadline > 0.0 ? MIN (deadline, rest) : rest;
  return deadline;
}

/* Somebody waits for the answer: no pause or send that would go on for too long is begun. */
static void
call_limit (Call *self)
{
  self->lost += self->outcome->lost;
  self->pause = 0.0;
  if (self->verdict.step == WK_HTTP_BACK_OFF)
    self->pause = wk_backoff_next (&self->backoff);
  if (self->verdict.step != WK_HTTP_REDIRECT
      && (self->lost >= WK_HTTP_SILENCE_SECONDS || self->pause >= call_get_rest (self)))
    self->verdict.step = WK_HTTP_DONE;
}

/* The outcome of a send is there: what it means for the service and for the next step. */
static void
call_judge (Call *self)
{
  WkHttpOutcome *outcome = self->outcome;
  gboolean was_probe = self->is_probe;
  guint status = 0;

  if (outcome->response != NULL)
    status = wk_http_response_get_status (outcome->response);
  self->sends += outcome->sends;
  self->verdict = wk_http_judge (self->request, outcome, self->sends);
  if (self->verdict.is_free)
    self->sends--;
  call_limit (self);

  self->is_probe = FALSE;
  if (self->verdict.holds)
    wk_http_hold_close (self->hold, was_probe, self->verdict.hold_seconds, status);
  else if (was_probe)
    wk_http_hold_end_probe (self->hold, outcome->failure == WK_HTTP_FAILURE_NONE);

  if (self->verdict.step != WK_HTTP_DONE && outcome->has_fed && self->request->reset != NULL)
    self->request->reset (self->request->sink_data);
  g_debug ("%s %s: send %u, HTTP %u%s%s", self->request->method, self->origin, self->sends, status,
           outcome->error != NULL ? ", " : "",
           outcome->error != NULL ? outcome->error->message : "");
}

/* Fails with "METHOD URL: " in front; a cancellation needs no explanation. */
static void
call_fail (Call    *self,
           WkFlow  *flow,
           GError **error)
{
  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    wk_http_request_prefix_error (self->request, error);
  wk_flow_fail (flow, error, NULL);
}

static void
call_return (Call   *self,
             WkFlow *flow)
{
  WkHttpResponse *response = g_steal_pointer (&self->outcome->response);

  if (response == NULL)
    {
      call_fail (self, flow, &self->outcome->error);
      return;
    }
  wk_http_response_set_sends (response, self->sends);
  wk_flow_return_pointer (flow, response, (GDestroyNotify) wk_http_response_unref);
}

static void
call_run (WkFlow  *flow,
          gpointer user_data)
{
  Call *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!call_prepare (self, &error))
    {
      call_fail (self, flow, &error);
      return;
    }

  do
    {
      while (wk_http_hold_is_closed (self->hold) && !self->is_probe)
        {
          self->held_since = wk_clock_get_seconds (self->http->clock);
          WK_AWAIT (flow, wk_http_hold_enter_async (self->hold, call_get_patience (self),
                                                    WK_RESUME (flow)));
          self->held += wk_clock_get_seconds (self->http->clock) - self->held_since;
          if (!wk_http_hold_enter_finish (self->hold, WK_RESULT (flow), &self->is_probe, &error))
            {
              call_fail (self, flow, &error);
              return;
            }
        }

      WK_AWAIT (flow, wk_gate_enter_async (self->gate, WK_RESUME (flow)));
      if (!wk_gate_enter_finish (self->gate, WK_RESULT (flow), &error))
        {
          call_fail (self, flow, &error);
          return;
        }
      /* It was closed while we stood in the queue: whoever is held back holds no place. */
      if (wk_http_hold_is_closed (self->hold) && !self->is_probe)
        {
          wk_gate_leave (self->gate, WK_GATE_NEUTRAL);
          self->verdict.step = WK_HTTP_AGAIN;
          continue;
        }

      g_clear_pointer (&self->outcome, wk_http_outcome_free);
      WK_AWAIT (flow, wk_http_exchange_async (self->http, self->request, self->uri, self->gate,
                                              call_get_deadline (self), WK_RESUME (flow)));
      self->outcome = wk_http_exchange_finish (self->http, WK_RESULT (flow));
      call_judge (self);

      if (self->verdict.step == WK_HTTP_REDIRECT && !call_follow (self, &error))
        {
          call_fail (self, flow, &error);
          return;
        }
      if (self->verdict.step == WK_HTTP_BACK_OFF)
        {
          WK_AWAIT (flow, wk_clock_sleep_async (self->http->clock, self->pause, WK_RESUME (flow)));
          if (!wk_clock_sleep_finish (self->http->clock, WK_RESULT (flow), &error))
            {
              call_fail (self, flow, &error);
              return;
            }
        }
    }
  while (self->verdict.step != WK_HTTP_DONE);

  call_return (self, flow);

  WK_FLOW_END (flow);
}

void
wk_http_send_async (WkHttp             *self,
                    WkHttpRequest      *request,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  Call *call = g_new0 (Call, 1);

  call->http = wk_http_ref (self);
  call->request = wk_http_request_ref (request);
  wk_flow_start (NULL, cancellable, callback, user_data, wk_http_send_async, call_run, call,
                 call_free);
}

WkHttpResponse *
wk_http_send_finish (WkHttp       *self,
                     GAsyncResult *result,
                     GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, wk_http_send_async, error);
}
