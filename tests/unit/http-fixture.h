/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http-private.h"
#include "http-peer.h"
#include "values/welkin-error.h"

G_BEGIN_DECLS

/* How fast the clock runs where a test waits for little, and may itself be run slowly. */
#define HTTP_FIXTURE_SCALE 10.0

/* A session and a server, either of which a test may make itself. */
typedef struct
{
  double    scale; /* of the clock; 0: HTTP_FIXTURE_SCALE */
  WkHttp   *http;
  HttpPeer *peer;
} HttpFixture;

/* Answers in turn, NULL-terminated, as for http_peer_new_with_answers(). */
void            http_fixture_begin          (HttpFixture    *fixture,
                                             const char     *first,
                                             ...) G_GNUC_NULL_TERMINATED;
/* Checks that no place at a gate was forgotten. */
void            http_fixture_end            (HttpFixture    *fixture);
WkHttpRequest  *http_fixture_make_request   (HttpFixture    *fixture,
                                             const char     *method,
                                             const char     *path);
/* Makes it an upload of this text, which lives as long as the request. */
void            http_fixture_set_upload     (WkHttpRequest  *request,
                                             const char     *text);
/* The request must be answered. */
WkHttpResponse *http_fixture_send           (HttpFixture    *fixture,
                                             WkHttpRequest  *request);
WkHttpResponse *http_fixture_get            (HttpFixture    *fixture,
                                             const char     *path);
/* The request must fail with this code, and a message that holds this. */
void            http_fixture_assert_refused (HttpFixture    *fixture,
                                             WkHttpRequest  *request,
                                             WelkinError     code,
                                             const char     *message);
void            http_fixture_assert_body    (WkHttpResponse *response,
                                             const char     *text);
void            http_fixture_assert_header  (HttpFixture    *fixture,
                                             guint           index,
                                             const char     *name,
                                             const char     *value);
guint           http_fixture_get_in_use     (HttpFixture    *fixture);

/* Answers: a text (data); a head (data) with a body that never ends; a GBytes (data) as gzip
 * writes it. */
gboolean        http_fixture_answer            (HttpPeer              *peer,
                                                const HttpPeerRequest *request,
                                                GOutputStream         *output,
                                                gpointer               data);
gboolean        http_fixture_answer_for_ever   (HttpPeer              *peer,
                                                const HttpPeerRequest *request,
                                                GOutputStream         *output,
                                                gpointer               data);
gboolean        http_fixture_answer_compressed (HttpPeer              *peer,
                                                const HttpPeerRequest *request,
                                                GOutputStream         *output,
                                                gpointer               data);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HttpFixture, http_fixture_end)

G_END_DECLS
