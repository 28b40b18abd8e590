/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "base/clock.h"

G_BEGIN_DECLS

/*
 * HTTP with the rules that every request keeps, in one place: a gate per origin before
 * the session, a deadline per send, retries and waits, no redirects across origins,
 * bounded bodies, no secret in any message. It knows nothing of tokens or of the cloud:
 * the owner's authorisation headers come with each request.
 *
 * An answer of any HTTP status is a response, not an error, once the rules for repeating
 * are used up. An error means that there is no answer to show: G_IO_ERROR_CANCELLED,
 * WELKIN_ERROR_UNAVAILABLE (connection), _TIMED_OUT, _RATE_LIMITED (asked to wait for
 * longer than is allowed), _PROTOCOL (a cut or senseless answer, a redirect that is not
 * followed, a body that is too long), _INVALID_ARGUMENT (a request that cannot or must not be
 * sent), or G_TLS_ERROR and G_RESOLVER_ERROR; each with "METHOD URL: " in front.
 *
 * libsoup takes the end of a connection between two chunks for the end of the body, and so it does
 * anywhere in a body that the caller reads himself when the answer says that it closes the
 * connection: who reads a text that knows its own end, as JSON does, is safe; others compare a
 * checksum.
 */

/* What holds for every request, and for whoever reads a body himself. */
#define WK_HTTP_MAX_SENDS 4
#define WK_HTTP_PROGRESS_SECONDS 60.0
/* How long one request may wait in vain, over all its sends. */
#define WK_HTTP_SILENCE_SECONDS 120.0

typedef struct _WkHttp WkHttp;
typedef struct _WkHttpRequest WkHttpRequest;
typedef struct _WkHttpResponse WkHttpResponse;

/* Gets an entry of an HTTP archive (HAR 1.2), as JSON, for each send when it is over. No secret is
 * in it. Called in the context of the session. */
typedef void (*WkHttpTrace) (gpointer    data,
                             const char *entry);

typedef struct
{
  const char      *user_agent;
  GTlsDatabase    *tls_database;       /* (nullable) the system's */
  GTlsCertificate *client_certificate; /* (nullable) */
  gboolean         accept_any_certificate;
  const char      *certificate_advice; /* (nullable) (static) what is to do about a wrong one */
  gboolean         is_read_only;       /* sends nothing but GET and HEAD */
  GProxyResolver  *proxy_resolver;     /* (nullable) none */
  guint            max_connections;    /* width of the gate of each origin; 0: 32 */
  WkClock         *clock;              /* (nullable) */
  WkHttpTrace      trace;              /* (nullable) */
  GObject         *trace_data;         /* (nullable) */
} WkHttpOptions;

WkHttp *wk_http_new   (const WkHttpOptions *options);
WkHttp *wk_http_ref   (WkHttp              *http);
void    wk_http_unref (WkHttp              *http);

/* What the session did so far, for status lines, tests and benchmarks. */
guint   wk_http_get_sends (WkHttp *http);
/* (transfer none) (nullable) */
WkClock *wk_http_get_clock (WkHttp *http);

/* Gets a success body as it arrives; FALSE ends the request with the error. */
typedef gboolean (*WkHttpSink)  (gpointer    data,
                                 const char *bytes,
                                 gsize       length,
                                 GError    **error);
/* The answer is going to come again from its start. */
typedef void     (*WkHttpReset) (gpointer    data);
/* Gives the body of one send, from its start (transfer full). */
typedef GInputStream *(*WkHttpOpenBody) (gpointer   data,
                                         GError   **error);

WkHttpRequest *wk_http_request_new             (const char     *method,
                                                const char     *uri);
WkHttpRequest *wk_http_request_ref             (WkHttpRequest  *request);
void           wk_http_request_unref           (WkHttpRequest  *request);
const char    *wk_http_request_get_method      (WkHttpRequest  *request);
const char    *wk_http_request_get_uri         (WkHttpRequest  *request);
/* Replaces; a NULL value removes. */
void           wk_http_request_set_header      (WkHttpRequest  *request,
                                                const char     *name,
                                                const char     *value);
void           wk_http_request_set_body        (WkHttpRequest  *request,
                                                GBytes         *body,
                                                const char     *content_type);
/* A body of exactly this length, which is opened for each send, and read by a thread, 8 KiB at a
 * time, in blocking calls. The answer is kept in memory. Takes data. */
void           wk_http_request_set_body_source (WkHttpRequest *request,
                                                WkHttpOpenBody  open_body,
                                                gpointer        data,
                                                GDestroyNotify  free_data,
                                                goffset         length,
                                                const char     *content_type);
/* What a "too many requests" of one request holds back: all of its service. Default: the origin. */
void           wk_http_request_set_service     (WkHttpRequest  *request,
                                                const char     *service);
/* Seconds for each send, after the gate. Default 120; 0: no limit but 60 s without progress.
 * What timed out goes out again only while less than 120 s were lost in this way. */
void           wk_http_request_set_deadline    (WkHttpRequest  *request,
                                                double          seconds);
/* Seconds for all sends and the pauses between them. Default 0: no limit but the others. */
void           wk_http_request_set_total       (WkHttpRequest  *request,
                                                double          seconds);
/* That sending a POST twice cannot make a second thing. GET, HEAD, PUT and DELETE always are. */
void           wk_http_request_set_repeatable  (WkHttpRequest  *request,
                                                gboolean        repeatable);
/* Success bodies go to the sink instead of into the response. */
void           wk_http_request_set_sink        (WkHttpRequest  *request,
                                                WkHttpSink      sink,
                                                WkHttpReset     reset,
                                                gpointer        data);
/* Success bodies are read by the caller from wk_http_response_steal_stream(), at his own pace, and
 * as they were sent: nothing decompresses them. */
void           wk_http_request_set_streaming   (WkHttpRequest  *request,
                                                gboolean        streaming);
/* That a web page in place of a success body is an error: something else than the service has
 * answered. */
void           wk_http_request_set_refuses_pages (WkHttpRequest *request,
                                                gboolean        refuses);
/* The same request for the bytes from there on, if it is still the thing of this etag (nullable).
 * (transfer full) */
WkHttpRequest *wk_http_request_new_rest        (WkHttpRequest  *request,
                                                goffset         from,
                                                const char     *etag);
/* What became of reading a body, as the errors above are. (transfer full) */
GError        *wk_http_request_explain_cut     (WkHttpRequest  *request,
                                                const GError   *error);
/* Bytes of a body that is kept in memory. Default 8 MiB. */
void           wk_http_request_set_max_body    (WkHttpRequest  *request,
                                                gsize           bytes);

/* A text that came back, without any secret that the request has in a header or in its JSON: some
 * services repeat what they do not like. is_cut: see wk_secrets_hide(). (transfer full) */
char          *wk_http_request_hide_secrets    (WkHttpRequest  *request,
                                                const char     *text,
                                                gboolean        is_cut);

void            wk_http_send_async  (WkHttp             *http,
                                     WkHttpRequest      *request,
                                     GCancellable       *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer            user_data);
/* (transfer full) */
WkHttpResponse *wk_http_send_finish (WkHttp             *http,
                                     GAsyncResult       *result,
                                     GError            **error);

WkHttpResponse *wk_http_response_ref          (WkHttpResponse *response);
void            wk_http_response_unref        (WkHttpResponse *response);
guint           wk_http_response_get_status   (WkHttpResponse *response);
gboolean        wk_http_response_is_success   (WkHttpResponse *response);
/* Names are compared without case; NULL when absent. */
const char     *wk_http_response_get_header   (WkHttpResponse *response,
                                               const char     *name);
/* The answer is meant for a browser. */
gboolean        wk_http_response_is_page      (WkHttpResponse *response);
/* The proxy by which a page came; NULL for none, and for other answers. */
const char     *wk_http_response_get_proxy    (WkHttpResponse *response);
/* Puts "METHOD URL: ", of what was asked, in front of what is wrong with the answer. */
void            wk_http_response_prefix_error (WkHttpResponse *response,
                                               GError        **error);
/* Whom the answer came from; NULL without TLS. */
GTlsCertificate *wk_http_response_get_certificate (WkHttpResponse *response);
/* Never NULL; empty when the body went to a sink or is a stream. */
GBytes         *wk_http_response_get_body     (WkHttpResponse *response);
/* (transfer full) once; it holds its place at the gate until it is closed. */
GInputStream   *wk_http_response_steal_stream (WkHttpResponse *response);
/* Takes another one in its place. */
void            wk_http_response_take_stream  (WkHttpResponse *response,
                                               GInputStream   *stream);
/* Bytes of the body as they come; below 0 when the answer does not say. */
goffset         wk_http_response_get_length   (WkHttpResponse *response);
/* How often the request went out for this answer, not counting the times when it was refused as
 * one too many: above 1, an earlier send may have been executed. */
guint           wk_http_response_get_sends    (WkHttpResponse *response);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkHttp, wk_http_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkHttpRequest, wk_http_request_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkHttpResponse, wk_http_response_unref)

G_END_DECLS
