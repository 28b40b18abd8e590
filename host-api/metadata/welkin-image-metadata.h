/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "values/welkin-image.h"

G_BEGIN_DECLS

/* Adds images to the metadata in a directory or a storage, below "images/streams/v1". What is
 * there of the same series, architecture and region is replaced, the rest stays.
 * images: (element-type WelkinImage): each has an arch; directory, storage: one of them is NULL */
WELKIN_AVAILABLE_IN_0_1
void     welkin_image_metadata_write_async   (GPtrArray            *images,
                                              const char           *series,
                                              const char           *region,
                                              const char           *endpoint,
                                              const char           *directory,
                                              WelkinStorage        *storage,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
/* The files, by their paths or names. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char   **welkin_image_metadata_write_finish  (GAsyncResult         *result,
                                              GError              **error);

/* Puts the metadata of images that lie in a directory into a storage; none there is no error. */
WELKIN_AVAILABLE_IN_0_1
void     welkin_image_metadata_upload_async  (const char           *directory,
                                              WelkinStorage        *storage,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean welkin_image_metadata_upload_finish (GAsyncResult         *result,
                                              GError              **error);

G_END_DECLS
