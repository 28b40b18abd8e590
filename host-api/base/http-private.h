/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "base/gate.h"
#include "base/http.h"
#include "base/secrets.h"

G_BEGIN_DECLS

/*
 * The parts, from the bottom up: http-request.c and http-response.c are values;
 * http-hold.c keeps the requests of a service back after "too many"; http-policy.c says
 * what an outcome means for the next step; http-exchange.c sends once; http.c is the
 * session, and the flow that puts them together.
 */

#define WK_HTTP_DEFAULT_WIDTH 32
#define WK_HTTP_MAX_REDIRECTS 3
/* How long one request may be held back in all. */
#define WK_HTTP_PATIENCE 180.0
#define WK_HTTP_CONNECT_SECONDS 10.0

/* http-hold.c: after "too many requests" all of a service waits; when the time is over
 * one goes ahead as a probe, and what it comes back with decides for the others. */
typedef struct _WkHttpHold WkHttpHold;

WkHttpHold     *wk_http_hold_new          (const char         *service,
                                           WkClock            *clock);
void            wk_http_hold_free         (WkHttpHold         *hold);
gboolean        wk_http_hold_is_closed    (WkHttpHold         *hold);
/* seconds: below 0 when the answer did not say. */
void            wk_http_hold_close        (WkHttpHold         *hold,
                                           gboolean            was_probe,
                                           double              seconds,
                                           guint               status);
/* The probe has come back: with an answer that lets the others go, or with none. */
void            wk_http_hold_end_probe    (WkHttpHold         *hold,
                                           gboolean            is_open);
/* patience: seconds that the caller may wait. */
void            wk_http_hold_enter_async  (WkHttpHold         *hold,
                                           double              patience,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            user_data);
/* A caller that is the probe must close the hold again or end the probe. */
gboolean        wk_http_hold_enter_finish (WkHttpHold         *hold,
                                           GAsyncResult       *result,
                                           gboolean           *is_probe,
                                           GError            **error);

struct _WkHttpRequest
{
  grefcount           ref_count;
  char               *method;
  char               *uri;
  SoupMessageHeaders *headers;
  GBytes             *body;        /* (nullable) */
  WkHttpOpenBody      open_body;   /* (nullable) in place of body */
  gpointer            source;      /* (owned) (nullable) for open_body */
  GDestroyNotify      free_source; /* (nullable) */
  goffset             source_length;
  char               *content_type; /* (nullable) */
  char               *service;      /* (nullable) */
  double              deadline;
  double              total;         /* 0: none */
  gboolean            is_repeatable;
  gboolean            is_streaming;
  gboolean            refuses_pages;
  WkHttpSink          sink;         /* (nullable) */
  WkHttpReset         reset;        /* (nullable) */
  gpointer            sink_data;
  gsize               max_body;
  char               *flaw;         /* (nullable) why it cannot be sent at all */
};

/* (transfer full) */
WkSecrets      *wk_http_request_list_secrets (WkHttpRequest    *request);
void            wk_http_request_copy_headers (WkHttpRequest    *request,
                                              SoupMessageHeaders *headers);
/* Puts "METHOD URL: " in front. */
void            wk_http_request_prefix_error (WkHttpRequest    *request,
                                              GError          **error);

WkHttpResponse *wk_http_response_new       (SoupMessage       *message);
void            wk_http_response_take_body (WkHttpResponse    *response,
                                            GBytes            *body);
/* Takes it. */
void            wk_http_response_take_proxy (WkHttpResponse   *response,
                                            char              *proxy);
void            wk_http_response_set_sends (WkHttpResponse    *response,
                                            guint              sends);

struct _WkHttp
{
  grefcount        ref_count;
  SoupSession     *session;
  WkClock         *clock;              /* (nullable) */
  GTlsCertificate *client_certificate; /* (nullable) */
  gboolean         accept_any_certificate;
  const char      *certificate_advice; /* (static) */
  gboolean         is_read_only;
  WkHttpTrace      trace;              /* (nullable) */
  GObject         *trace_data;         /* (owned) (nullable) */
  guint            width;
  GHashTable      *gates;              /* origin to WkGate */
  GHashTable      *holds;              /* service to WkHttpHold */
  guint            sends;
};

/* Why there is no answer to show. */
typedef enum
{
  WK_HTTP_FAILURE_NONE,
  WK_HTTP_FAILURE_BEFORE, /* nothing of the request went out */
  WK_HTTP_FAILURE_AFTER,  /* it may have been executed */
  WK_HTTP_FAILURE_FINAL,  /* no repetition will help, or none is wanted */
} WkHttpFailure;

/* What one exchange came to. */
typedef struct
{
  WkHttpFailure   failure;
  gboolean        is_timeout;
  double          lost;     /* seconds that a timeout of ours has waited for */
  GError         *error;    /* (owned) (nullable) with a failure */
  WkHttpResponse *response; /* (owned) (nullable) without one */
  guint           sends;    /* libsoup may send again by itself */
  gboolean        has_fed;  /* some of the body went to the sink */
} WkHttpOutcome;

void            wk_http_outcome_free      (WkHttpOutcome      *outcome);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkHttpOutcome, wk_http_outcome_free)

/* http-exchange.c: one send within this many seconds (0: no limit), with the answer's
 * body. Takes over the caller's place at the gate, and gives it back. */
void            wk_http_exchange_async    (WkHttp             *http,
                                           WkHttpRequest      *request,
                                           GUri               *uri,
                                           WkGate             *gate,
                                           double              deadline,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            user_data);
/* (transfer full), never NULL */
WkHttpOutcome  *wk_http_exchange_finish   (WkHttp             *http,
                                           GAsyncResult       *result);

/* http-error.c: foreign errors in our words. */
GError         *wk_http_error_translate   (const GError       *error,
                                           gboolean            has_answer,
                                           WkHttpFailure      *failure,
                                           gboolean           *is_timeout);
GError         *wk_http_error_new_certificate (GTlsCertificate     *certificate,
                                           GTlsCertificateFlags flags,
                                           const char          *host,
                                           const char          *advice);

/* http-proxy.c */
/* The proxy by which the session would send there, with its userinfo. (transfer full) (nullable) */
char           *wk_http_find_proxy        (WkHttp             *http,
                                           GUri               *uri);
/* The proxy's userinfo, where it has any, as a header. */
void            wk_http_authorize_to_proxy (const char        *proxy,
                                           SoupMessageHeaders *headers);
/* From now on the requests for tunnels have that header. */
void            wk_http_watch_tunnels     (WkHttp             *http);
/* The proxy itself has answered with this status; nothing went further. */
GError         *wk_http_error_new_proxy   (guint               status,
                                           WkHttpFailure      *failure);

/* http-decoder.c */
typedef struct _WkHttpDecoder WkHttpDecoder;

/* encoding: (nullable) of a body; NULL when there is nothing to decode, or nobody here can. */
WkHttpDecoder  *wk_http_decoder_new       (const char         *encoding);
void            wk_http_decoder_free      (WkHttpDecoder      *decoder);
/* FALSE without an error when the sink says so. */
gboolean        wk_http_decoder_feed      (WkHttpDecoder      *decoder,
                                           const char         *data,
                                           gsize               length,
                                           WkHttpSink          sink,
                                           gpointer            sink_data,
                                           GError            **error);
/* FALSE: there must be more to come. */
gboolean        wk_http_decoder_is_whole  (WkHttpDecoder      *decoder);

/* http-trace.c: what there is to tell of one send. */
typedef struct _WkHttpRecord WkHttpRecord;

/* NULL when nobody wants to know. */
WkHttpRecord   *wk_http_record_new        (WkHttp             *http,
                                           WkHttpRequest      *request,
                                           SoupMessage        *message);
void            wk_http_record_free       (WkHttpRecord       *record);
void            wk_http_record_add_body   (WkHttpRecord       *record,
                                           const char         *data,
                                           gsize               length);
/* error: (nullable) */
void            wk_http_record_finish     (WkHttpRecord       *record,
                                           const GError       *error);

/* http-policy.c */
typedef enum
{
  WK_HTTP_DONE,       /* the outcome is what the caller gets */
  WK_HTTP_BACK_OFF,   /* again, after a pause of its own */
  WK_HTTP_AGAIN,      /* again, as soon as its service is not held back */
  WK_HTTP_REDIRECT,   /* again, elsewhere */
} WkHttpStep;

typedef struct
{
  WkHttpStep step;
  gboolean   holds;        /* the service is to be held back */
  double     hold_seconds; /* below 0: the answer did not say */
  gboolean   is_free;      /* it was not executed, and spends no send */
} WkHttpVerdict;

/* sends: how often the request went out so far, this one included. */
WkHttpVerdict   wk_http_judge             (WkHttpRequest       *request,
                                           const WkHttpOutcome *outcome,
                                           guint                sends);

G_END_DECLS
