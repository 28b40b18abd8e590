/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"
#include "operations/examine-check.h"

G_BEGIN_DECLS

/* What the first answer of a server, or the lack of one, tells of it. */
void os_examine_answer (OsCheck        *server,
                        OsCheck        *tls,
                        OsCheck        *clock,
                        const char     *url,
                        const char     *way,
                        WkHttpResponse *response,
                        const GError   *error);

/* In words by which way a request goes there, as in "directly". resolver: (nullable)
 * (transfer full) */
char *os_describe_way  (GProxyResolver *resolver,
                        const char     *url);

G_END_DECLS
