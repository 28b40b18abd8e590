/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

/*
 * The file `bootstrap-verify` says that Welkin wrote to this storage, and proves that it
 * can. Its content is fixed: anything else means that the storage is somebody else's.
 */

/* Whether this is why nothing can be kept: an environment may do without a storage. */
gboolean welkin_storage_check_is_missing   (GError             *error);
/* Absent or as expected is fine; WELKIN_ERROR_FOREIGN_ENVIRONMENT otherwise. */
void     welkin_storage_check_read_async   (WelkinStorage      *storage,
                                            GCancellable       *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer            user_data);
gboolean welkin_storage_check_read_finish  (WelkinStorage      *storage,
                                            GAsyncResult       *result,
                                            GError            **error);
/* WELKIN_ERROR_STORAGE_NOT_WRITABLE when that is not allowed. */
void     welkin_storage_check_write_async  (WelkinStorage      *storage,
                                            GCancellable       *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer            user_data);
gboolean welkin_storage_check_write_finish (WelkinStorage      *storage,
                                            GAsyncResult       *result,
                                            GError            **error);

G_END_DECLS
