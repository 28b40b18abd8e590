/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/* What an answer that is no success says, as a WELKIN_ERROR: its code, the service's own words
 * (bounded, without markup and without what we sent), its status and its request id. service: as in
 * "compute". (transfer full) */
GError *os_error_new_from_response (const char     *service,
                                    WkHttpRequest  *request,
                                    WkHttpResponse *response);

/* Adds to an error what to do about a shortage, if it is one that every service may tell of. */
void    os_error_explain_shortage  (GError         *error);

/* Adds to an error of a request that got no answer what to do about it. */
void    os_error_explain           (GError         *error);

G_END_DECLS
