/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "base/http.h"
#include "transport/os-body.h"
#include "transport/os-service.h"

G_BEGIN_DECLS

/* One call to a service, before its URL and its token are known. Refcounted. */
typedef struct _OsRequest OsRequest;

/* segments: NULL-terminated; each is percent-encoded, so ids may be anything but empty. */
OsRequest     *os_request_new             (OsServiceKind   service,
                                           const char     *method,
                                           ...) G_GNUC_NULL_TERMINATED;
OsRequest     *os_request_ref             (OsRequest      *self);
void           os_request_unref           (OsRequest      *self);
OsServiceKind  os_request_get_service     (OsRequest      *self);
/* Below the service's URL without its version and what follows that. */
void           os_request_set_unversioned (OsRequest      *self);
/* Below the segments: the name of an object, in which "/" stays. */
void           os_request_set_object      (OsRequest      *self,
                                           const char     *name);
/* value: (nullable) nothing is added then */
void           os_request_add_query       (OsRequest      *self,
                                           const char     *key,
                                           const char     *value);
/* A link to the next page, of which the query is taken and nothing else: its host is often one
 * that only the cloud itself can reach. */
void           os_request_set_link        (OsRequest      *self,
                                           const char     *link);
void           os_request_set_header      (OsRequest      *self,
                                           const char     *name,
                                           const char     *value);
/* The body is {"MEMBER": value}. value: (transfer full) */
void           os_request_set_json        (OsRequest      *self,
                                           const char     *member,
                                           JsonNode       *value);
void           os_request_set_json_object (OsRequest      *self,
                                           const char     *member,
                                           JsonObject     *value);
/* The object has these members: names and texts in turn, then NULL. */
void           os_request_set_json_texts  (OsRequest      *self,
                                           const char     *member,
                                           ...) G_GNUC_NULL_TERMINATED;
void           os_request_set_body        (OsRequest      *self,
                                           GBytes         *body,
                                           const char     *content_type);
void           os_request_set_body_stream (OsRequest      *self,
                                           OsBody         *body,
                                           const char     *content_type);
/* That this POST may be sent twice. */
void           os_request_set_repeatable  (OsRequest      *self);
/* Asks compute for this microversion, as in "2.67": the lowest one that has what the request is
 * for, and none that os_client_has_microversion_finish() has not told of. Compute may refuse it
 * all the same, and is then asked once more without: whose answer depends on it looks whether it
 * was honoured. version: (nullable) none */
void           os_request_set_microversion (OsRequest     *self,
                                            const char    *version);
/* (nullable) */
const char    *os_request_get_microversion (OsRequest     *self);
/* TRUE when the answer is in the version that was asked for. */
gboolean       os_request_is_honoured      (OsRequest     *self);
void           os_request_set_honoured     (OsRequest     *self,
                                            gboolean       is_honoured);
/* These are as in WkHttpRequest. */
void           os_request_set_deadline    (OsRequest      *self,
                                           double          seconds);
void           os_request_set_sink        (OsRequest      *self,
                                           WkHttpSink      sink,
                                           WkHttpReset     reset,
                                           gpointer        data);
/* That it goes out without the token: whoever serves this need not be part of the cloud. */
void           os_request_set_anonymous  (OsRequest      *self);
gboolean       os_request_is_anonymous   (OsRequest      *self);
void           os_request_set_max_body   (OsRequest      *self,
                                           gsize           bytes);
/* That the answer is data, and no page for a browser. */
void           os_request_set_refuses_pages (OsRequest *self);
void           os_request_set_streaming   (OsRequest      *self);
gboolean       os_request_is_streaming    (OsRequest      *self);

/* How often it went out so far: above 1, an earlier send may have been executed. */
guint          os_request_get_sends       (OsRequest      *self);
void           os_request_add_sends       (OsRequest      *self,
                                           guint           sends);

/* What goes out: endpoint is the base of the service, token the text of one; timeout: seconds for
 * what has no deadline of its own, 0: as is usual. (transfer full) */
WkHttpRequest *os_request_to_http         (OsRequest      *self,
                                           const char     *endpoint,
                                           const char     *token,
                                           double          timeout);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsRequest, os_request_unref)

G_END_DECLS
