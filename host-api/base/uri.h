/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * URLs by parts: each path segment and each query value is percent-encoded exactly
 * once, and there is exactly one slash at each join.
 */

/* base + "/" + segments, NULL-terminated. A query that base has stays behind them. */
char *wk_uri_join            (const char *base,
                              ...) G_GNUC_NULL_TERMINATED;
/* An object name in which "/" separates segments and stays, at its start as well. */
char *wk_uri_join_path       (const char *base,
                              const char *path);
/* key, value pairs, NULL-terminated; a pair whose value is NULL is left out. Keeps a query that
 * uri has. */
char *wk_uri_add_query       (const char *uri,
                              ...) G_GNUC_NULL_TERMINATED;
/* The uri with the query of link in place of its own: how a "next" link is followed without
 * trusting its host. */
char *wk_uri_with_query_of   (const char *uri,
                              const char *link);
/* scheme://host:port in canonical form, default port left out; NULL when uri is not http(s) with
 * a host. */
char *wk_uri_get_origin      (const char *uri);
/* For messages: without user, password, query and fragment, which may be secret. */
char *wk_uri_for_display     (const char *uri);

G_END_DECLS
