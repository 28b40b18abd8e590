/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-object.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_ACCOUNT_KEY_HEADER "X-Account-Meta-Temp-URL-Key"
/* By what upload a large object came. */
#define OS_OBJECT_UPLOAD_HEADER "X-Object-Meta-Welkin-Upload"

#define OS_TYPE_OBJECT_STORE (os_object_store_get_type ())

/* Swift. To delete what is not there is a success everywhere. */
G_DECLARE_FINAL_TYPE (OsObjectStore, os_object_store, OS, OBJECT_STORE, GObject)

/* What this swift can do beyond the basics. Refcounted. */
typedef struct
{
  gboolean    is_known;         /* it tells at all */
  const char *temp_url_digest;  /* (nullable) the best of its digests for temporary URLs */
  guint       max_bulk_deletes; /* names in one request; 0: one by one */
  gint64      max_object_size;  /* of one that is put whole */
  guint       max_segments;     /* of one that is put in segments; 0: there are none */
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

/* The answer, for its headers (transfer full). Not every object store shows it to everybody. */
void            os_object_store_head_account_async      (OsObjectStore        *self,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
WkHttpResponse *os_object_store_head_account_finish     (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* The first of the account's keys for temporary URLs, which others may be using: it must not be
 * there yet. */
void            os_object_store_set_account_key_async   (OsObjectStore        *self,
                                                         const char           *key,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_set_account_key_finish  (OsObjectStore        *self,
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

/* A page of the names that begin with a prefix and come behind a marker, which is "" at first
 * (element-type utf8) (transfer full), in swift's order; none on a page: that is the end. A
 * container that is not there lists as empty. WELKIN_ERROR_PROTOCOL when it does not go on. */
void            os_object_store_list_page_async         (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *prefix,
                                                         const char           *marker,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
GPtrArray      *os_object_store_list_page_finish        (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* WELKIN_ERROR_PROTOCOL when so many pages are more than a list can have. */
gboolean        os_object_store_check_pages             (const char           *container,
                                                         guint                 n_pages,
                                                         GError              **error);
/* All of them. */
void            os_object_store_list_objects_async      (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *prefix,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
GPtrArray      *os_object_store_list_objects_finish     (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);

/* md5: of the body, when it is known already: then damaged data do not come to be under the name.
 * Otherwise WELKIN_ERROR_PROTOCOL says afterwards that they are. replace FALSE:
 * WELKIN_ERROR_ALREADY_EXISTS when there is one of the name, which is not atomic between clients.
 * WELKIN_ERROR_NOT_FOUND when there is no such container. */
void            os_object_store_put_object_async        (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         OsBody               *body,
                                                         const char           *md5,
                                                         gboolean              replace,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_put_object_finish       (OsObjectStore        *self,
                                                         GAsyncResult         *result,
                                                         GError              **error);
/* An object that is made of others. manifest: [{"path", "etag", "size_bytes"}, …]; etag: the MD5 of
 * their etags, one behind the other; upload: the value of OS_OBJECT_UPLOAD_HEADER. */
void            os_object_store_put_manifest_async      (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         GBytes               *manifest,
                                                         const char           *etag,
                                                         const char           *upload,
                                                         gboolean              replace,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
gboolean        os_object_store_put_manifest_finish     (OsObjectStore        *self,
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
/* The answer, for its headers (transfer full). */
void            os_object_store_head_object_async       (OsObjectStore        *self,
                                                         const char           *container,
                                                         const char           *name,
                                                         GCancellable         *cancellable,
                                                         GAsyncReadyCallback   callback,
                                                         gpointer              user_data);
WkHttpResponse *os_object_store_head_object_finish      (OsObjectStore        *self,
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
