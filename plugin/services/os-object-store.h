/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-object.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_OBJECT_STORE (os_object_store_get_type ())

/* Swift. To delete what is not there is a success everywhere. */
G_DECLARE_FINAL_TYPE (OsObjectStore, os_object_store, OS, OBJECT_STORE, GObject)

/* What this swift can do beyond the basics. Refcounted. */
typedef struct
{
  const char *temp_url_digest;  /* (nullable) the best of its digests for temporary URLs */
  guint       max_bulk_deletes; /* 0: one by one */
} OsObjectStoreInfo;

void            os_object_store_info_unref              (OsObjectStoreInfo    *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsObjectStoreInfo, os_object_store_info_unref)

OsObjectStore  *os_object_store_new                     (OsClient             *client);

/* Asked for once (transfer full). A swift that does not tell can do nothing. */
void            os_object_store_load_info_async         (OsObjectStore        *self,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
OsObjectStoreInfo *os_object_store_load_info_finish     (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);

/* Makes it, or leaves it as it is; is_new: which of the two. */
void            os_object_store_create_container_async  (OsObjectStore        *self,
                                                         const char           *container,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_create_container_finish (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         gboolean             *is_new,
                                                         GError              **error);
/* headers: name, value, …, NULL */
void            os_object_store_update_container_async  (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char * const   *headers,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_update_container_finish (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* The answer, for its headers (transfer full). */
void            os_object_store_head_container_async    (OsObjectStore        *self,
                                                         const char           *container,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
WkHttpResponse *os_object_store_head_container_finish   (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* WELKIN_ERROR_CONFLICT while there is something in it. */
void            os_object_store_delete_container_async  (OsObjectStore        *self,
                                                         const char           *container,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_delete_container_finish (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);

/* Names that begin with a prefix (element-type utf8) (transfer full), in swift's order. One that is
 * not there lists as empty. */
void            os_object_store_list_objects_async      (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *prefix,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
GPtrArray      *os_object_store_list_objects_finish     (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);

/* stream: seekable, of this length; md5: in hexadecimal; replace FALSE: WELKIN_ERROR_ALREADY_EXISTS
 * when there is one of the name, which is not atomic between clients. WELKIN_ERROR_NOT_FOUND when
 * there is no such container. */
void            os_object_store_put_object_async        (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         GInputStream         *stream,
                                                         goffset               length,
                                                         const char           *md5,
                                                         gboolean              replace,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_put_object_finish       (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* A stream whose last read fails when the bytes are not what swift said they are
 * (transfer full). */
void            os_object_store_get_object_async        (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
GInputStream   *os_object_store_get_object_finish       (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
void            os_object_store_delete_object_async     (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_delete_object_finish    (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* names: (element-type utf8): in as few requests as this swift allows. */
void            os_object_store_delete_objects_async    (OsObjectStore        *self,
                                                         const char           *container,
                                                         GPtrArray            *names,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_delete_objects_finish   (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);

G_END_DECLS
