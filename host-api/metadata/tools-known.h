/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "metadata/tools-stream.h"

G_BEGIN_DECLS

/* What the metadata of a storage itself tell of a stream. Metadata that are there and cannot be
 * read are an error. */
void       welkin_tools_known_async  (WelkinStorage        *storage,
                                      WelkinToolsStream    *stream,
                                      GCancellable         *cancellable,
                                      GAsyncReadyCallback   callback,
                                      gpointer              user_data);
/* (element-type WelkinStreamsItem) (transfer full): perhaps empty */
GPtrArray *welkin_tools_known_finish (GAsyncResult         *result,
                                      GError              **error);

G_END_DECLS
