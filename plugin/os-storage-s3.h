/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "transport/os-client.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

#define OS_TYPE_STORAGE_S3 (os_storage_s3_get_type ())

/*
 * An environment's files in a bucket of S3. It is made when the first file is put, and an object in
 * it says whose it is: a bucket without that one, or with another environment's, is left alone.
 */
G_DECLARE_FINAL_TYPE (OsStorageS3, os_storage_s3, OS, STORAGE_S3, GObject)

/* config: of the snapshot that the client belongs to */
WelkinStorage *os_storage_s3_new (OsClient     *client,
                                  WelkinConfig *config);

G_END_DECLS
