/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/*
 * The microversions of compute: what its API has learnt since version 2.1, to be asked for with
 * each request as "2.N". Which there are is in the version document of version 2.1.
 */
typedef struct _OsMicroversions OsMicroversions;

/* bound: (nullable) no later one than this is asked for, as in "2.60"; "2" and "latest" bound
 * nothing. */
OsMicroversions *os_microversions_new          (const char      *bound);
void             os_microversions_free         (OsMicroversions *self);

/* Whether it may be asked for. versions: (element-type OsApiVersion) of the document */
gboolean         os_microversions_has          (OsMicroversions *self,
                                                GPtrArray       *versions,
                                                const char      *version);
/* Asks for a version in both headers that there are; FALSE when nothing is asked for because
 * compute has refused a microversion before. */
gboolean         os_microversions_set_headers  (OsMicroversions *self,
                                                WkHttpRequest   *request,
                                                const char      *version);
/* Compute has refused one: from now on there are none. */
void             os_microversions_forget       (OsMicroversions *self);

/* The base URL of compute for a request with a microversion: version 2.1, where the catalog has
 * the one before it. (transfer full) */
char            *os_microversion_get_endpoint  (const char      *endpoint);
/* Where the document is. (transfer full) */
char            *os_microversion_get_document  (const char      *endpoint);
/* Whether the answer is in this version; one that does not say so is in 2.1. */
gboolean         os_microversion_is_honoured   (WkHttpResponse  *response,
                                                const char      *version);

G_END_DECLS
