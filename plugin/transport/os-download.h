/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

#define OS_TYPE_DOWNLOAD (os_download_get_type ())

/* The body of an answer, read at the reader's own pace. Where it is cut off the rest is asked for,
 * as often as any request goes out: as long as the server has the same thing as before, of which
 * its etag tells, or nothing of it was read yet. WELKIN_ERROR_PROTOCOL when that does not help. */
G_DECLARE_FINAL_TYPE (OsDownload, os_download, OS, DOWNLOAD, GInputStream)

/* Puts one in place of the response's stream. */
void os_download_begin (WkHttp         *http,
                        WkHttpRequest  *request,
                        WkHttpResponse *response);

G_END_DECLS
