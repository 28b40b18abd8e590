/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* What http_proxy, https_proxy, all_proxy and no_proxy say, in either case of letters; NULL when
 * they name no proxy. Not the process's own resolver: two environments may differ. (transfer
 * full) */
GProxyResolver *os_proxy_resolver_new (WelkinSurroundings *surroundings);

G_END_DECLS
