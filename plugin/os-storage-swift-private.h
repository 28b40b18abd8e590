/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "os-storage-common.h"
#include "os-storage-swift.h"
#include "services/os-object-store.h"

G_BEGIN_DECLS

/*
 * The files of the class: os-storage-swift.c reads and lists, -put.c, -large.c and -segments.c
 * write, -remove.c removes, -container.c makes and marks the container, -uri.c makes URLs.
 */

#define OS_CONTAINER_MARK_HEADER "X-Container-Meta-Welkin-Env"
#define OS_CONTAINER_LARGE_HEADER "X-Container-Meta-Welkin-Large"
#define OS_CONTAINER_KEY_HEADER "X-Container-Meta-Temp-URL-Key"
#define OS_CONTAINER_READ_HEADER "X-Container-Read"

struct _OsStorageSwift
{
  GObject parent;

  OsClient      *client;     /* (owned) */
  OsObjectStore *store;      /* (owned) */
  char          *container;
  char          *uuid;       /* of the environment */
  OsAccess       access;
  WkMemo        *containers; /* (owned) OsContainer, under "": that it is there and ours */
  gboolean       has_warned; /* that everybody may read it */
  gboolean       has_tried_uri; /* and temporary URLs work */
};

/* What is known of the container. Refcounted. */
typedef struct
{
  char     *key;               /* (nullable) for temporary URLs */
  gboolean  has_large_objects; /* or had */
} OsContainer;

void         os_container_unref              (OsContainer          *container);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsContainer, os_container_unref)

/* Makes the container if need be, and marks it as ours. (transfer full) */
void         os_storage_swift_ensure_async   (OsStorageSwift       *self,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
OsContainer *os_storage_swift_ensure_finish  (OsStorageSwift       *self,
                                              GAsyncResult         *result,
                                              GError              **error);
/* WELKIN_ERROR_FOREIGN_ENVIRONMENT unless these headers say that the container is ours. */
gboolean     os_storage_swift_check_mark     (OsStorageSwift       *self,
                                              WkHttpResponse       *container,
                                              GError              **error);
/* Whether it carries no mark and holds nothing, so that we may mark it. */
gboolean     os_storage_swift_may_take       (WkHttpResponse       *container);
WkMemo      *os_storage_swift_new_memo       (OsStorageSwift       *self);

/*
 * A large file is a manifest under its name, and segments under names that nobody else sees:
 * ".segments/HASH/UPLOAD/NUMBER". They lie in the same container, for whoever may read that, by a
 * temporary URL or because everybody may, can then read them. UPLOAD begins with the time.
 */
#define OS_SEGMENTS_PREFIX ".segments/"

/* What the names of all segments of a file begin with. (transfer full) */
char        *os_segments_prefix              (const char           *name);
/* By what upload an object came, as its headers say: NULL for one that is not large, or not there.
 * object: (nullable) (transfer full) */
char        *os_storage_swift_dup_upload     (WkHttpResponse       *object);
/* WELKIN_ERROR_INVALID_ARGUMENT for a name that no file can have, or that is a segment's. */
gboolean     os_storage_swift_check_name     (const char           *name,
                                              GError              **error);

/* Writes a file in segments. */
void         os_storage_swift_put_large_async  (OsStorageSwift       *self,
                                                const char           *name,
                                                GInputStream         *stream,
                                                goffset               length,
                                                gboolean              replace,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
gboolean     os_storage_swift_put_large_finish (OsStorageSwift       *self,
                                                GAsyncResult         *result,
                                                GError              **error);
/* Puts the segments of a file under this prefix and their numbers. names: gets the name of each
 * before there may be something of it. Returns their MD5s, in hexadecimal. (transfer full) */
void         os_storage_swift_put_segments_async  (OsStorageSwift      *self,
                                                   GInputStream        *stream,
                                                   goffset              length,
                                                   goffset              segment_size,
                                                   const char          *prefix,
                                                   GPtrArray           *names,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
GPtrArray   *os_storage_swift_put_segments_finish (OsStorageSwift      *self,
                                                   GAsyncResult        *result,
                                                   GError             **error);
/* Removes segments of a file: those of the upload former (nullable), and those of uploads that came
 * to nothing long ago; all of them when keep is NULL. */
void         os_storage_swift_sweep_async    (OsStorageSwift       *self,
                                              const char           *name,
                                              const char           *former,
                                              const char           *keep,
                                              GCancellable         *cancellable,
                                              GAsyncReadyCallback   callback,
                                              gpointer              user_data);
gboolean     os_storage_swift_sweep_finish   (OsStorageSwift       *self,
                                              GAsyncResult         *result,
                                              GError              **error);

/* The interface's calls that have files of their own. */
void         os_storage_swift_put_async         (WelkinStorage       *storage,
                                                 const char          *name,
                                                 GInputStream        *stream,
                                                 goffset              length,
                                                 WelkinStorageFlags   flags,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean     os_storage_swift_put_finish        (WelkinStorage       *storage,
                                                 GAsyncResult        *result,
                                                 GError             **error);
void         os_storage_swift_remove_async      (WelkinStorage       *storage,
                                                 const char          *name,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean     os_storage_swift_remove_finish     (WelkinStorage       *storage,
                                                 GAsyncResult        *result,
                                                 GError             **error);
void         os_storage_swift_remove_all_async  (WelkinStorage       *storage,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean     os_storage_swift_remove_all_finish (WelkinStorage       *storage,
                                                 GAsyncResult        *result,
                                                 GError             **error);
void         os_storage_swift_get_uri_async     (WelkinStorage       *storage,
                                                 const char          *name,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
char        *os_storage_swift_get_uri_finish    (WelkinStorage       *storage,
                                                 GAsyncResult        *result,
                                                 GDateTime          **expires,
                                                 GError             **error);

G_END_DECLS
