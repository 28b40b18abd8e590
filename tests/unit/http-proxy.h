/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * An HTTP proxy on the loopback, for CONNECT and for requests with a whole URL. It believes every
 * name to be this machine's own: "nova.cloud.test:8774" is port 8774 of 127.0.0.1. Each connection
 * is served by a thread of its own.
 */
typedef struct _HttpProxy HttpProxy;

HttpProxy *http_proxy_new           (void);
void       http_proxy_free          (HttpProxy  *proxy);
/* From now on each request is answered with this text; NULL: they are passed on. */
void       http_proxy_refuse        (HttpProxy  *proxy,
                                     const char *answer);
/* "http://USERINFO127.0.0.1:PORT", where userinfo is "" or ends in "@". (transfer full) */
char      *http_proxy_get_uri       (HttpProxy  *proxy,
                                     const char *userinfo);
guint      http_proxy_get_n_requests (HttpProxy *proxy);
/* The head of a request, from 0, each line with "\r\n". (transfer none) */
const char *http_proxy_get_head     (HttpProxy  *proxy,
                                     guint       index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HttpProxy, http_proxy_free)

G_END_DECLS
