/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/*
 * The microversions of compute: what its API has learnt since version 2.1, to be asked for with
 * each request as "2.N". Which there are is found out once, and only when somebody wants to know.
 */
typedef struct _OsMicroversions OsMicroversions;

/* bound: (nullable) no later one than this is asked for, as in "2.60"; "2" and "latest" bound
 * nothing. */
OsMicroversions *os_microversions_new           (WkHttp              *http,
                                                 const char          *bound);
void             os_microversions_free          (OsMicroversions     *self);

/* endpoint: the base URL of compute; token: the text of one. TRUE: now it is known which there
 * are, be it none. */
void             os_microversions_load_async    (OsMicroversions     *self,
                                                 const char          *endpoint,
                                                 const char          *token,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean         os_microversions_load_finish   (OsMicroversions     *self,
                                                 GAsyncResult        *result,
                                                 GError             **error);
/* What is known of one: FALSE as long as that is nothing. */
gboolean         os_microversions_has           (OsMicroversions     *self,
                                                 const char          *version);
/* The base URL for a request with a microversion: version 2.1, where the catalog has the one
 * before it. (transfer full) */
char            *os_microversions_get_endpoint  (OsMicroversions     *self,
                                                 const char          *endpoint);

/* Asks for a version in both headers that there are; FALSE when nothing is asked for because
 * compute has refused a microversion before. */
gboolean         os_microversions_set_headers   (OsMicroversions     *self,
                                                 WkHttpRequest       *request,
                                                 const char          *version);
/* Compute has refused one: from now on there are none. */
void             os_microversions_forget        (OsMicroversions     *self);
/* Whether the answer is in this version; one that does not say so is in 2.1. */
gboolean         os_microversions_is_honoured   (WkHttpResponse      *response,
                                                 const char          *version);

G_END_DECLS
