/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_S3 (os_s3_get_type ())

/* The other interface of an object store: S3, with the bucket in the path of each URL. To delete
 * what is not there is a success everywhere. */
G_DECLARE_FINAL_TYPE (OsS3, os_s3, OS, S3, GObject)

/* How many names one request can delete. */
#define OS_S3_MAX_DELETES 1000

/* url: NULL for that of the catalog; access, secret: NULL for keys that identity has for the user,
 * which are made if there are none */
OsS3           *os_s3_new                   (OsClient             *client,
                                             const char           *url,
                                             const char           *region,
                                             const char           *access,
                                             const char           *secret);

/* Makes it, or finds that it is ours already; WELKIN_ERROR_CONFLICT when it is somebody else's. */
void            os_s3_create_bucket_async   (OsS3                 *self,
                                             const char           *bucket,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_create_bucket_finish  (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* WELKIN_ERROR_CONFLICT while there is something in it. */
void            os_s3_delete_bucket_async   (OsS3                 *self,
                                             const char           *bucket,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_delete_bucket_finish  (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);

/* A page of names. */
typedef struct
{
  GPtrArray  *names;      /* (owned) (element-type utf8) */
  char       *next;       /* (owned) (nullable) where the next page begins: NULL for the last */
  gboolean    is_v1;      /* it is of the older list, whose next is a name */
  gboolean    is_missing; /* there is no such bucket */
  GHashTable *seen;       /* (owned) (nullable) where this page and those before it led */
} OsS3Page;

void            os_s3_page_free             (OsS3Page             *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsS3Page, os_s3_page_free)
/* WELKIN_ERROR_PROTOCOL for what is no such list. */
OsS3Page       *os_s3_page_new_from_xml     (GBytes               *bytes,
                                             GError              **error);

/* after: the page before (nullable). A bucket that is not there lists as empty. */
void            os_s3_list_page_async       (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *prefix,
                                             const OsS3Page       *after,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
OsS3Page       *os_s3_list_page_finish      (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);

/* md5 (nullable), sha256: of the body. replace FALSE: WELKIN_ERROR_ALREADY_EXISTS when there is one
 * of the name; not atomic between clients. WELKIN_ERROR_NOT_FOUND when there is no such bucket. */
void            os_s3_put_object_async      (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             OsBody               *body,
                                             const char           *md5,
                                             const char           *sha256,
                                             gboolean              replace,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_put_object_finish     (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* A stream whose last read fails when the bytes are not what S3 said they are (transfer full). */
void            os_s3_get_object_async      (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
GInputStream   *os_s3_get_object_finish     (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* The answer, for its headers (transfer full). */
void            os_s3_head_object_async     (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
WkHttpResponse *os_s3_head_object_finish    (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
void            os_s3_delete_object_async   (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_delete_object_finish  (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* names: (element-type utf8) however many. */
void            os_s3_delete_objects_async  (OsS3                 *self,
                                             const char           *bucket,
                                             GPtrArray            *names,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_delete_objects_finish (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);

/* Writes a large object in parts, and nothing at all when it fails. */
void            os_s3_put_large_async       (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             GInputStream         *stream,
                                             goffset               length,
                                             gboolean              replace,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_put_large_finish      (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* Ends all uploads of large objects that were begun and came to no end. */
void            os_s3_abort_uploads_async   (OsS3                 *self,
                                             const char           *bucket,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_s3_abort_uploads_finish  (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GError              **error);

/* A URL by which everybody can get the object, for as long as that may be, which is seven days.
 * (transfer full) */
void            os_s3_presign_async         (OsS3                 *self,
                                             const char           *bucket,
                                             const char           *name,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
char           *os_s3_presign_finish        (OsS3                 *self,
                                             GAsyncResult         *result,
                                             GDateTime           **expires,
                                             GError              **error);

G_END_DECLS
