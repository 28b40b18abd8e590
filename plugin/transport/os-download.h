/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

#define OS_TYPE_DOWNLOAD (os_download_get_type ())

/*
 * A server sums up an object that is read from its start, to see whether it is still whole, on the
 * processor that sends it; we compare it ourselves. A range from elsewhere it only sends. So a
 * first piece is asked for, with which small objects are done, and the rest as one more range.
 */
#define OS_DOWNLOAD_FIRST_PIECE (1024 * 1024)
#define OS_DOWNLOAD_FIRST_RANGE "bytes=0-1048575"

/* The body of an answer, read at the reader's own pace. Where it is cut off the rest is asked for,
 * as often as any request goes out: as long as the server has the same thing as before, of which
 * its etag tells, or nothing of it was read yet. WELKIN_ERROR_PROTOCOL when that does not help. */
G_DECLARE_FINAL_TYPE (OsDownload, os_download, OS, DOWNLOAD, GInputStream)

/* Puts one in place of the response's stream. */
void     os_download_begin            (WkHttp              *http,
                                       WkHttpRequest       *request,
                                       WkHttpResponse      *response);

/* Where the answer is such a piece, reads it into memory and asks for the rest; before anything
 * else is read. It fails when it is something else that is not whole, or when there is no rest of
 * the same thing. */
void     os_download_load_rest_async  (OsDownload          *self,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
gboolean os_download_load_rest_finish (OsDownload          *self,
                                       GAsyncResult        *result,
                                       GError             **error);
/* Whether all of it is to be asked for at once after a failure of the request for a piece, or for
 * the rest: what is empty has no ranges, and some servers do not. If so is_whole is set, as there
 * is only one such try, and the error is cleared. */
gboolean os_download_tries_whole      (gboolean            *is_whole,
                                       GError             **error);

G_END_DECLS
