/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

/*
 * Writes files of metadata below a directory (nullable) or else a prefix of a storage, one behind
 * the other, so that an index is never there before what it names.
 */
void     welkin_streams_save_async  (GPtrArray            *files,
                                     const char           *directory,
                                     WelkinStorage        *storage,
                                     const char           *prefix,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data);
/* What was written, by its path or its name in the storage. (transfer full) */
char   **welkin_streams_save_finish (GAsyncResult         *result,
                                     GError              **error);

G_END_DECLS
