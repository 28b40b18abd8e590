/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/*
 * A server that answers byte for byte what a test tells it to, however wrong that is, over real
 * sockets. Each connection is served by a thread of its own with blocking calls, so that an answer
 * reads from top to bottom; the test's main context accepts the connections.
 */
typedef struct _HttpPeer HttpPeer;

typedef struct
{
  char  *method;
  char  *target;     /* path and query */
  char  *head;       /* all of it, each line with "\r\n" */
  char  *body;       /* terminated, without the framing */
  gsize  body_length;
  guint  number;     /* from 1, over all connections */
  guint  connection; /* from 1 */
} HttpPeerRequest;

/* Writes an answer; FALSE closes the connection. Runs in a thread of the connection. */
typedef gboolean (*HttpPeerAnswer) (HttpPeer              *peer,
                                    const HttpPeerRequest *request,
                                    GOutputStream         *output,
                                    gpointer               data);

/* certificate: (nullable) speaks TLS with it. */
HttpPeer        *http_peer_new                 (HttpPeerAnswer         answer,
                                                gpointer               data,
                                                GTlsCertificate       *certificate);
/* Answers with these texts in turn, the last one again and again. One that begins with "!" is
 * written without that, and then the connection is closed. */
HttpPeer        *http_peer_new_with_answers    (const char *const     *answers);
void             http_peer_free                (HttpPeer              *peer);
/* (transfer full) */
char            *http_peer_get_uri             (HttpPeer              *peer,
                                                const char            *path);
void             http_peer_set_wants_client_certificate (HttpPeer     *peer);
/* Reads no more of a body before it answers; if the answer lets the connection go on, it then reads
 * the rest, of which nothing comes. */
void             http_peer_set_max_read        (HttpPeer              *peer,
                                                gsize                  bytes);
/* From now on each connection gets this, whatever it says, and is closed. */
void             http_peer_hang_up             (HttpPeer              *peer,
                                                const char            *farewell);
guint            http_peer_get_n_requests      (HttpPeer              *peer);
guint            http_peer_get_n_connections   (HttpPeer              *peer);
/* Of requests that were being answered at the same time. */
guint            http_peer_get_max_at_once     (HttpPeer              *peer);
/* (transfer none) index from 0 */
const HttpPeerRequest *http_peer_get_request   (HttpPeer              *peer,
                                                guint                  index);
/* The value of a header of a request, or NULL. (transfer full) */
char            *http_peer_request_dup_header  (const HttpPeerRequest *request,
                                                const char            *name);
/* Sleeps in an answer; FALSE when the peer is being freed. */
gboolean         http_peer_sleep               (HttpPeer              *peer,
                                                guint                  milliseconds);

/* A session whose clock runs this many times as fast as the wall's. */
WkHttp          *http_peer_new_client          (double                 scale);
/* Sends, and runs the main loop until there is an answer. */
WkHttpResponse  *http_peer_send                (WkHttp                *http,
                                                WkHttpRequest         *request,
                                                GCancellable          *cancellable,
                                                GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HttpPeer, http_peer_free)

G_END_DECLS
