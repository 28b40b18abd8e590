/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "os-storage-common.h"
#include "os-storage-s3.h"
#include "services/os-s3.h"

G_BEGIN_DECLS

/* The object that marks a bucket: it holds the uuid of its environment. */
#define OS_BUCKET_MARK ".welkin-environment"

struct _OsStorageS3
{
  GObject parent;

  OsClient *client;  /* (owned) */
  OsS3     *s3;      /* (owned) */
  char     *bucket;
  char     *uuid;    /* of the environment */
  OsAccess  access;
  WkMemo   *buckets; /* (owned) "", under "": that the bucket is there and ours */
};

/* Makes the bucket if need be, and marks it as ours. */
void       os_storage_s3_ensure_async     (OsStorageS3          *self,
                                           GCancellable         *cancellable,
                                           GAsyncReadyCallback   callback,
                                           gpointer              user_data);
gboolean   os_storage_s3_ensure_finish    (OsStorageS3          *self,
                                           GAsyncResult         *result,
                                           GError              **error);
WkMemo    *os_storage_s3_new_memo         (OsStorageS3          *self);
/* What there is. WELKIN_ERROR_FOREIGN_ENVIRONMENT for a bucket in which there is something, and no
 * mark of ours. */
typedef enum
{
  OS_BUCKET_OURS,
  OS_BUCKET_EMPTY, /* whoever made it */
  OS_BUCKET_MISSING,
} OsBucketState;

void       os_storage_s3_check_async      (OsStorageS3          *self,
                                           GCancellable         *cancellable,
                                           GAsyncReadyCallback   callback,
                                           gpointer              user_data);
gboolean   os_storage_s3_check_finish     (OsStorageS3          *self,
                                           GAsyncResult         *result,
                                           OsBucketState        *state,
                                           GError              **error);
/* WELKIN_ERROR_INVALID_ARGUMENT for a name that no file can have, or that is the mark's. */
gboolean   os_storage_s3_check_name       (const char           *name,
                                           GError              **error);

/* The interface's calls that have a file of their own. */
void       os_storage_s3_remove_async      (WelkinStorage       *storage,
                                            const char          *name,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
gboolean   os_storage_s3_remove_finish     (WelkinStorage       *storage,
                                            GAsyncResult        *result,
                                            GError             **error);
void       os_storage_s3_remove_all_async  (WelkinStorage       *storage,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
gboolean   os_storage_s3_remove_all_finish (WelkinStorage       *storage,
                                            GAsyncResult        *result,
                                            GError             **error);

G_END_DECLS
