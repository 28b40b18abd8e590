/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/http-private.h"
#include "base/uri.h"
#include "values/welkin-error.h"

/* One send: from a place at the gate to an answer with its body, or to the reason why
 * there is none. It always succeeds as an operation; its outcome says what happened. */

#define BUFFER_SIZE ((gsize) 32 * 1024)
/* Nobody reads more than this of a complaint. */
#define MAX_ERROR_BODY ((gsize) 64 * 1024)

/* A place at the gate that outlives its exchange, with a body that is still being read. */
typedef struct
{
  WkHttp      *http;    /* (owned) the session lives until the body has ended */
  WkGate      *gate;    /* (owned) (nullable) until it is given back */
  SoupMessage *message; /* (owned) (nullable) while its end is waited for */
  gulong       finished_id;
} Place;

typedef struct
{
  /* inputs */
  WkHttp         *http;         /* (owned) */
  WkHttpRequest  *request;      /* (owned) */
  GUri           *uri;          /* (owned) */
  char           *proxy;        /* (owned) (nullable) by which it goes, with its userinfo */
  WkGate         *gate;         /* (owned) (nullable) whose place we hold */

  /* while running */
  SoupMessage    *message;      /* (owned) */
  GInputStream   *body_stream;  /* (owned) (nullable) that is being sent */
  WkHttpRecord   *record;       /* (owned) (nullable) */
  GInputStream   *stream;       /* (owned) (nullable) of the answer */
  WkHttpDecoder  *decoder;      /* (owned) (nullable) of a compressed body */
  GCancellable   *cancellable;  /* (owned) ends the send, whoever wants it to end */
  GCancellable   *caller;       /* (owned) (nullable) */
  gulong          cancelled_id;
  GSource        *timer;        /* (owned) */
  double          seconds;      /* for all of it; 0: no limit */
  double          deadline;     /* seconds of the clock; 0: none */
  GMutex          lock;         /* of what a thread that sends tells of its progress */
  double          next_sign;    /* seconds of the clock by which something must have moved */
  gboolean        is_connecting;
  gboolean        is_greeting;  /* TLS is being agreed upon */
  char           *late;         /* (owned) (nullable) what has run out */
  gboolean        has_sent;     /* the head of the request went out */
  goffset         written;      /* bytes of the body */
  gboolean        is_short;     /* the body's stream ended too early */
  char           *buffer;       /* (owned) (nullable) */
  GByteArray     *body;         /* (owned) (nullable) */
  gssize          n_read;
  goffset         received;     /* bytes of the answer's body, as they came */
  GError         *certificate_error; /* (owned) (nullable) */

  /* results */
  WkHttpOutcome  *outcome;      /* (owned) */
} Exchange;

void
wk_http_outcome_free (WkHttpOutcome *outcome)
{
  g_clear_error (&outcome->error);
  g_clear_pointer (&outcome->response, wk_http_response_unref);
  g_free (outcome);
}

static void
place_leave (Place *place)
{
  WkGate *gate = g_steal_pointer (&place->gate);

  if (gate == NULL)
    return;

  g_clear_signal_handler (&place->finished_id, place->message);
  g_clear_object (&place->message);
  wk_gate_leave (gate, WK_GATE_SUCCESS);
  wk_gate_unref (gate);
}

static void
message_finished_cb (SoupMessage *message,
                     gpointer     user_data)
{
  place_leave (user_data);
}

/* The stream is no more: whoever did not read it to its end does not want the rest. */
static void
stream_gone_cb (gpointer user_data,
                GObject *stream)
{
  Place *place = user_data;

  place_leave (place);
  wk_http_unref (place->http);
  g_free (place);
}

static void
exchange_free (gpointer data)
{
  Exchange *self = data;

  g_source_destroy (self->timer);
  g_source_unref (self->timer);
  /* Not g_cancellable_disconnect(), which waits for ever below g_cancellable_cancel(). */
  g_clear_signal_handler (&self->cancelled_id, self->caller);
  g_clear_object (&self->caller);
  g_signal_handlers_disconnect_by_data (self->message, self);
  g_clear_object (&self->stream);
  g_clear_object (&self->body_stream);
  g_clear_pointer (&self->decoder, wk_http_decoder_free);
  g_clear_pointer (&self->record, wk_http_record_free);
  g_clear_object (&self->message);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->certificate_error);
  g_clear_pointer (&self->body, g_byte_array_unref);
  g_clear_pointer (&self->outcome, wk_http_outcome_free);
  g_clear_pointer (&self->gate, wk_gate_unref);
  g_free (self->buffer);
  g_free (self->late);
  g_free (self->proxy);
  g_uri_unref (self->uri);
  wk_http_request_unref (self->request);
  wk_http_unref (self->http);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static void
exchange_set_timer (Exchange *self)
{
  double due = self->next_sign;
  double rest;

  if (self->deadline > 0.0)
    due = MIN (due, self->deadline);
  rest = due - wk_clock_get_seconds (self->http->clock);
  g_source_set_ready_time (self->timer,
                           g_get_monotonic_time ()
                               + (gint64) wk_clock_get_interval (self->http->clock, rest)
                                     * G_TIME_SPAN_MILLISECOND);
}

/* Something has moved, which is at each few KiB of a body: where there is more time than before,
 * the timer finds that out by itself, since to set it takes a system call. */
static void
exchange_note_phase (Exchange *self,
                     gboolean  is_connecting,
                     gboolean  is_greeting)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  double former = self->next_sign;

  self->is_connecting = is_connecting;
  self->is_greeting = is_greeting;
  self->next_sign = wk_clock_get_seconds (self->http->clock)
                    + (is_connecting || is_greeting ? WK_HTTP_CONNECT_SECONDS
                                                    : WK_HTTP_PROGRESS_SECONDS);
  if (self->next_sign < former)
    exchange_set_timer (self);
}

/* What was connected to has begun to take the request, or to answer. */
static void
exchange_note_sign (Exchange *self)
{
  exchange_note_phase (self, FALSE, FALSE);
}

/* What has run out, and for how long it was waited for. */
static void
exchange_note_late (Exchange *self,
                    gboolean  is_over)
{
  WkHttpOutcome *outcome = self->outcome;

  outcome->lost = WK_HTTP_PROGRESS_SECONDS;
  if (is_over)
    outcome->lost = self->seconds;
  else if (self->is_connecting || self->is_greeting)
    outcome->lost = WK_HTTP_CONNECT_SECONDS;

  if (self->is_greeting)
    self->late = g_strdup_printf (_("the server has not begun to speak TLS within %.0f seconds; "
                                    "is it one of https?"),
                                  outcome->lost);
  else if (is_over)
    self->late = g_strdup_printf (_("there was no whole answer in time, which is %.0f seconds"),
                                  outcome->lost);
  else if (self->is_connecting)
    self->late = g_strdup_printf (_("the connection could not be made within %.0f seconds"),
                                  outcome->lost);
  else
    self->late = g_strdup_printf (_("nothing has come for %.0f seconds"), outcome->lost);
}

static gboolean
timer_cb (gpointer user_data)
{
  Exchange *self = user_data;
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  double now = wk_clock_get_seconds (self->http->clock);

  if (now < self->next_sign && (self->deadline <= 0.0 || now < self->deadline))
    {
      exchange_set_timer (self);
      return G_SOURCE_CONTINUE;
    }

  exchange_note_late (self, self->deadline > 0.0 && now >= self->deadline);
  g_source_set_ready_time (self->timer, -1);
  g_clear_pointer (&locker, g_mutex_locker_free);
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
timer_dispatch (GSource    *source,
                GSourceFunc callback,
                gpointer    user_data)
{
  return callback (user_data);
}

static void
exchange_start_timer (Exchange *self)
{
  static const GSourceFuncs funcs = { .dispatch = timer_dispatch };

  self->timer = g_source_new ((GSourceFuncs *) &funcs, sizeof (GSource));
  g_source_set_callback (self->timer, timer_cb, self, NULL);
  g_source_attach (self->timer, g_main_context_get_thread_default ());
  if (self->seconds > 0.0)
    self->deadline = wk_clock_get_seconds (self->http->clock) + self->seconds;
  self->next_sign = wk_clock_get_seconds (self->http->clock) + WK_HTTP_PROGRESS_SECONDS;
  exchange_set_timer (self);
}

static void
network_event_cb (SoupMessage       *message,
                  GSocketClientEvent event,
                  GIOStream         *connection,
                  Exchange          *self)
{
  exchange_note_phase (self, event == G_SOCKET_CLIENT_CONNECTING,
                       event == G_SOCKET_CLIENT_TLS_HANDSHAKING);
}

static void
wrote_headers_cb (SoupMessage *message,
                  Exchange    *self)
{
  self->has_sent = TRUE;
  self->written = 0;
  exchange_note_sign (self);
}

static void
wrote_body_data_cb (SoupMessage *message,
                    guint        size,
                    Exchange    *self)
{
  self->written += size;
  exchange_note_sign (self);
}

/* The server would wait for the rest, and we for the server. */
static void
wrote_body_cb (SoupMessage *message,
               Exchange    *self)
{
  self->is_short = self->body_stream != NULL && self->written < self->request->source_length;
  if (self->is_short)
    g_cancellable_cancel (self->cancellable);
}

static void
got_headers_cb (SoupMessage *message,
                Exchange    *self)
{
  exchange_note_sign (self);
}

/* libsoup has found a dead connection and sends again by itself. On a connection that is there
 * already it does so at once, before it has heard of the first end, and then crashes (3.2.3). It
 * would read the body from where it was left, which is its end. */
static void
restarted_cb (SoupMessage *message,
              Exchange    *self)
{
  WkHttpRequest *request = self->request;

  if (request->body != NULL)
    soup_message_set_request_body_from_bytes (message, request->content_type, request->body);
  soup_message_add_flags (message, SOUP_MESSAGE_NEW_CONNECTION);
  self->outcome->sends++;
  self->http->sends++;
  exchange_note_sign (self);
}

static gboolean
accept_certificate_cb (SoupMessage         *message,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags flags,
                       Exchange            *self)
{
  if (self->http->accept_any_certificate)
    return TRUE;

  g_clear_error (&self->certificate_error);
  self->certificate_error
      = wk_http_error_new_certificate (certificate, flags, g_uri_get_host (self->uri),
                                       self->http->certificate_advice);
  return FALSE;
}

static gboolean
exchange_set_body (Exchange *self,
                   GError  **error)
{
  WkHttpRequest *request = self->request;
  gboolean may_have_body = g_str_equal (request->method, "POST")
                           || g_str_equal (request->method, "PUT")
                           || g_str_equal (request->method, "PATCH");

  if (request->open_body != NULL)
    {
      self->body_stream = request->open_body (request->source, error);
      if (self->body_stream == NULL)
        return FALSE;
    }
  if (request->body != NULL)
    soup_message_set_request_body_from_bytes (self->message, request->content_type, request->body);
  else if (self->body_stream != NULL)
    {
      soup_message_set_request_body (self->message, request->content_type, self->body_stream,
                                     request->source_length);
      /* libsoup would send it again from where it was left: on a new connection it never does. */
      soup_message_add_flags (self->message, SOUP_MESSAGE_NEW_CONNECTION);
    }
  else if (may_have_body)
    soup_message_headers_set_content_length (soup_message_get_request_headers (self->message), 0);
  return TRUE;
}

static void
exchange_make_message (Exchange *self)
{
  SoupMessage *message = soup_message_new_from_uri (self->request->method, self->uri);

  self->message = message;
  wk_http_request_copy_headers (self->request, soup_message_get_request_headers (message));
  /* In a tunnel it would go to the service. */
  if (self->proxy != NULL && g_str_equal (g_uri_get_scheme (self->uri), "http"))
    wk_http_authorize_to_proxy (self->proxy, soup_message_get_request_headers (message));
  /* X-Auth-Token would go to wherever it is sent; and a POST would open a connection each time. */
  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_IDEMPOTENT);
  /* See http-decoder.c. */
  soup_message_disable_feature (message, SOUP_TYPE_CONTENT_DECODER);
  if (!self->request->is_streaming)
    soup_message_headers_replace (soup_message_get_request_headers (message), "Accept-Encoding",
                                  "gzip");
  if (self->http->client_certificate != NULL)
    soup_message_set_tls_client_certificate (message, self->http->client_certificate);

  self->record = wk_http_record_new (self->http, self->request, message);

  g_signal_connect (message, "network-event", G_CALLBACK (network_event_cb), self);
  g_signal_connect (message, "wrote-headers", G_CALLBACK (wrote_headers_cb), self);
  g_signal_connect (message, "wrote-body-data", G_CALLBACK (wrote_body_data_cb), self);
  g_signal_connect (message, "wrote-body", G_CALLBACK (wrote_body_cb), self);
  g_signal_connect (message, "got-headers", G_CALLBACK (got_headers_cb), self);
  g_signal_connect (message, "restarted", G_CALLBACK (restarted_cb), self);
  g_signal_connect (message, "accept-certificate", G_CALLBACK (accept_certificate_cb), self);
}

static void
caller_cancelled_cb (GCancellable *caller,
                     gpointer      cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
exchange_watch_caller (Exchange     *self,
                       GCancellable *caller)
{
  self->cancellable = g_cancellable_new ();
  if (caller == NULL)
    return;

  self->caller = g_object_ref (caller);
  self->cancelled_id = g_cancellable_connect (caller, G_CALLBACK (caller_cancelled_cb),
                                              g_object_ref (self->cancellable), g_object_unref);
}

static void
exchange_leave_gate (Exchange *self)
{
  WkHttpOutcome *outcome = self->outcome;
  WkGate *gate = g_steal_pointer (&self->gate);
  WkGateOutcome mark = WK_GATE_NEUTRAL;

  if (gate == NULL)
    return;

  if (outcome->is_timeout
      || (outcome->response != NULL
          && wk_http_response_get_status (outcome->response) == SOUP_STATUS_SERVICE_UNAVAILABLE))
    mark = WK_GATE_OVERLOADED;
  else if (outcome->response != NULL)
    mark = WK_GATE_SUCCESS;
  wk_gate_leave (gate, mark);
  wk_gate_unref (gate);
}

/* Whoever reads of a failure must know that there was somebody else on the way. */
static void
exchange_name_proxy (Exchange *self)
{
  g_autofree char *proxy = NULL;

  if (self->proxy == NULL)
    return;
  proxy = wk_uri_for_display (self->proxy);
  /* TRANSLATORS: the URL of a proxy; then what went wrong */
  g_prefix_error (&self->outcome->error, _("through proxy %s: "), proxy);
}

/* Takes the error. */
static void
exchange_fail (Exchange *self,
               GError   *error)
{
  g_autoptr(GError) owned_error = error;
  WkHttpOutcome *outcome = self->outcome;
  /* The response is made only when all of an answer to an upload was read. */
  gboolean has_answer = soup_message_get_status (self->message) != SOUP_STATUS_NONE;

  g_clear_pointer (&outcome->response, wk_http_response_unref);
  outcome->failure = self->has_sent ? WK_HTTP_FAILURE_AFTER : WK_HTTP_FAILURE_BEFORE;
  if (g_cancellable_set_error_if_cancelled (self->caller, &outcome->error))
    outcome->failure = WK_HTTP_FAILURE_FINAL;
  else if (self->late != NULL)
    {
      outcome->is_timeout = TRUE;
      outcome->error = g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT, self->late);
    }
  else if (self->is_short)
    {
      outcome->failure = WK_HTTP_FAILURE_FINAL;
      outcome->error = g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                                            _("the data to send is shorter than announced"));
    }
  else if (self->certificate_error != NULL)
    {
      outcome->failure = WK_HTTP_FAILURE_FINAL;
      outcome->error = g_steal_pointer (&self->certificate_error);
    }
  else
    outcome->error =
        wk_http_error_translate (owned_error, has_answer, &outcome->failure, &outcome->is_timeout);
  if (!g_error_matches (outcome->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    exchange_name_proxy (self);
}

/* Takes the error, which is ours or the sink's and no matter of the connection. */
static void
exchange_refuse (Exchange *self,
                 GError   *error)
{
  g_clear_pointer (&self->outcome->response, wk_http_response_unref);
  self->outcome->failure = WK_HTTP_FAILURE_FINAL;
  self->outcome->error = error;
}

/* A proxy that makes no tunnel, or wants to know who we are, answers in place of the service. */
static gboolean
exchange_is_answered_by_proxy (Exchange *self)
{
  return !self->has_sent
         || soup_message_get_status (self->message) == SOUP_STATUS_PROXY_AUTHENTICATION_REQUIRED;
}

static void
exchange_fail_at_proxy (Exchange *self)
{
  self->outcome->error = wk_http_error_new_proxy (soup_message_get_status (self->message),
                                                  &self->outcome->failure);
  exchange_name_proxy (self);
}

static GError *
exchange_make_page_error (Exchange *self)
{
  WkHttpResponse *response = self->outcome->response;
  const char *type = wk_http_response_get_header (response, "Content-Type");
  const char *proxy = wk_http_response_get_proxy (response);

  if (proxy != NULL)
    /* TRANSLATORS: a content type, the URL of a proxy */
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                        _("the answer is a web page (%s), which came through proxy %s"), type,
                        proxy);
  /* TRANSLATORS: a content type */
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                      _("the answer is a web page (%s), so this is not the URL of a service"),
                      type);
}

/* A piece of the body as it was before it was compressed; FALSE when no more of it is wanted. */
static gboolean
take_piece (gpointer    data,
            const char *bytes,
            gsize       length,
            GError    **error)
{
  Exchange *self = data;
  WkHttpRequest *request = self->request;
  gboolean is_success = wk_http_response_is_success (self->outcome->response);
  gsize limit = is_success ? request->max_body : MAX_ERROR_BODY;
  GError *refusal = NULL;

  if (self->record != NULL)
    wk_http_record_add_body (self->record, bytes, length);
  if (is_success && request->refuses_pages && wk_http_response_is_page (self->outcome->response))
    {
      exchange_refuse (self, exchange_make_page_error (self));
      return FALSE;
    }
  if (is_success && request->sink != NULL)
    {
      self->outcome->has_fed = TRUE;
      if (request->sink (request->sink_data, bytes, length, &refusal))
        return TRUE;
      exchange_refuse (self, refusal);
      return FALSE;
    }

  if (length > limit - self->body->len && is_success)
    {
      exchange_refuse (self, g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                                          _("the answer is longer than %lu bytes"),
                                          (gulong) limit));
      return FALSE;
    }
  length = MIN (length, limit - self->body->len);
  g_byte_array_append (self->body, (const guint8 *) bytes, length);
  return self->body->len < limit || is_success;
}

static void
exchange_begin_body (Exchange *self)
{
  const char *encoding = wk_http_response_get_header (self->outcome->response, "Content-Encoding");

  self->decoder = wk_http_decoder_new (encoding);
  self->buffer = g_malloc (BUFFER_SIZE);
  self->body = g_byte_array_new ();
}

/* libsoup does not compare where the answer says that it closes the connection. */
static gboolean
exchange_is_cut (Exchange *self)
{
  guint status = soup_message_get_status (self->message);

  if (self->decoder != NULL && !wk_http_decoder_is_whole (self->decoder))
    return TRUE;
  return self->received < wk_http_response_get_length (self->outcome->response)
         && soup_message_get_method (self->message) != SOUP_METHOD_HEAD
         && status != SOUP_STATUS_NO_CONTENT && status != SOUP_STATUS_NOT_MODIFIED;
}

/* What was read is in the buffer, and nothing at the end; FALSE when no more of it is wanted. */
static gboolean
exchange_take (Exchange *self)
{
  GError *error = NULL;

  exchange_note_sign (self);
  self->received += self->n_read;
  if (self->n_read == 0)
    {
      if (exchange_is_cut (self))
        exchange_fail (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, ""));
      return FALSE;
    }
  if (self->decoder == NULL)
    return take_piece (self, self->buffer, self->n_read, &error);
  if (wk_http_decoder_feed (self->decoder, self->buffer, self->n_read, take_piece, self, &error))
    return TRUE;
  if (error != NULL)
    exchange_fail (self, error);
  return FALSE;
}

/* Hands the stream over: the place at the gate goes with it. */
static void
exchange_give_stream (Exchange *self)
{
  Place *place = g_new0 (Place, 1);

  place->http = wk_http_ref (self->http);
  place->gate = g_steal_pointer (&self->gate);
  place->message = g_object_ref (self->message);
  place->finished_id
      = g_signal_connect (self->message, "finished", G_CALLBACK (message_finished_cb), place);
  g_object_weak_ref (G_OBJECT (self->stream), stream_gone_cb, place);
  wk_http_response_take_stream (self->outcome->response, g_steal_pointer (&self->stream));
}

/*
 * In a thread: of each 8 KiB of a body libsoup makes two turns of the main loop, which take longer
 * than to send them. It emits the message's signals there, and has to read the answer there, too;
 * it is kept in memory, where no more is wanted of it than is read here.
 */
static GInputStream *
read_answer (Exchange      *self,
             GInputStream  *stream,
             GError       **error)
{
  gsize limit = MAX (self->request->max_body, MAX_ERROR_BODY) + 1;
  g_autoptr(GByteArray) answer = g_byte_array_new ();
  g_autoptr(GBytes) bytes = NULL;
  guint8 buffer[8192];
  gssize n_read = 0;

  while (answer->len < limit
         && (n_read = g_input_stream_read (stream, buffer, sizeof buffer, self->cancellable,
                                           error)) > 0)
    {
      exchange_note_sign (self);
      g_byte_array_append (answer, buffer, (guint) n_read);
    }
  if (n_read < 0)
    return NULL;
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&answer));
  return g_memory_input_stream_new_from_bytes (bytes);
}

static gpointer
send_thread (gpointer data)
{
  g_autoptr(GTask) task = data;
  Exchange *self = g_task_get_task_data (task);
  g_autoptr(GInputStream) stream = NULL;
  GInputStream *answer = NULL;
  GError *error = NULL;

  stream = soup_session_send (self->http->session, self->message, self->cancellable, &error);
  if (stream != NULL)
    answer = read_answer (self, stream, &error);
  /* With its end libsoup ends the message: before anybody hears of it, and here. */
  g_clear_object (&stream);
  if (answer != NULL)
    g_task_return_pointer (task, answer, g_object_unref);
  else
    g_task_return_error (task, error);
  return NULL;
}

static void
send_in_thread_async (Exchange            *self,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_autoptr(GError) error = NULL;
  GThread *thread;

  g_task_set_source_tag (task, send_in_thread_async);
  g_task_set_task_data (task, self, NULL);
  thread = g_thread_try_new ("upload", send_thread, g_object_ref (task), &error);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    {
      g_object_unref (task);
      g_task_return_error (task, g_steal_pointer (&error));
    }
}

static void
exchange_return (Exchange *self,
                 WkFlow   *flow)
{
  g_clear_object (&self->stream);
  exchange_leave_gate (self);
  if (self->record != NULL)
    wk_http_record_finish (self->record, self->outcome->error);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->outcome),
                          (GDestroyNotify) wk_http_outcome_free);
}

static void
exchange_run (WkFlow  *flow,
              gpointer user_data)
{
  Exchange *self = user_data;
  GError *error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!exchange_set_body (self, &error))
    {
      exchange_refuse (self, error);
      exchange_return (self, flow);
      return;
    }

  self->http->sends++;
  if (self->body_stream != NULL)
    {
      WK_AWAIT (flow, send_in_thread_async (self, wk_flow_resume_cb, flow));
      self->stream = g_task_propagate_pointer (G_TASK (WK_RESULT (flow)), &error);
    }
  else
    {
      WK_AWAIT (flow, soup_session_send_async (self->http->session, self->message,
                                               G_PRIORITY_DEFAULT, self->cancellable,
                                               wk_flow_resume_cb, flow));
      self->stream = soup_session_send_finish (self->http->session, WK_RESULT (flow), &error);
    }
  if (self->stream == NULL)
    {
      exchange_fail (self, error);
      exchange_return (self, flow);
      return;
    }

  if (exchange_is_answered_by_proxy (self))
    {
      exchange_fail_at_proxy (self);
      exchange_return (self, flow);
      return;
    }
  self->outcome->response = wk_http_response_new (self->message);
  if (self->proxy != NULL && wk_http_response_is_page (self->outcome->response))
    wk_http_response_take_proxy (self->outcome->response, wk_uri_for_display (self->proxy));
  if (self->request->is_streaming && wk_http_response_is_success (self->outcome->response))
    {
      exchange_give_stream (self);
      exchange_return (self, flow);
      return;
    }

  exchange_begin_body (self);
  do
    {
      WK_AWAIT (flow, g_input_stream_read_async (self->stream, self->buffer, BUFFER_SIZE,
                                                 G_PRIORITY_DEFAULT, self->cancellable,
                                                 wk_flow_resume_cb, flow));
      self->n_read = g_input_stream_read_finish (self->stream, WK_RESULT (flow), &error);
      if (self->n_read < 0)
        exchange_fail (self, error);
    }
  while (self->n_read >= 0 && exchange_take (self));

  if (self->outcome->response != NULL)
    wk_http_response_take_body (self->outcome->response,
                                g_byte_array_free_to_bytes (g_steal_pointer (&self->body)));
  exchange_return (self, flow);

  WK_FLOW_END (flow);
}

void
wk_http_exchange_async (WkHttp             *http,
                        WkHttpRequest      *request,
                        GUri               *uri,
                        WkGate             *gate,
                        double              deadline,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  Exchange *self = g_new0 (Exchange, 1);

  self->http = wk_http_ref (http);
  self->request = wk_http_request_ref (request);
  self->uri = g_uri_ref (uri);
  self->proxy = wk_http_find_proxy (http, uri);
  self->gate = wk_gate_ref (gate);
  self->seconds = deadline;
  self->outcome = g_new0 (WkHttpOutcome, 1);
  self->outcome->sends = 1;
  g_mutex_init (&self->lock);
  exchange_watch_caller (self, cancellable);
  exchange_make_message (self);
  exchange_start_timer (self);
  wk_flow_start (NULL, NULL, callback, user_data, wk_http_exchange_async, exchange_run, self,
                 exchange_free);
}

WkHttpOutcome *
wk_http_exchange_finish (WkHttp       *http,
                         GAsyncResult *result)
{
  return wk_flow_finish_pointer (result, NULL, wk_http_exchange_async, NULL);
}
