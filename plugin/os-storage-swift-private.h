/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "os-storage-swift.h"
#include "services/os-object-store.h"

G_BEGIN_DECLS

#define OS_MARK_HEADER "X-Container-Meta-Welkin-Env"
#define OS_KEY_HEADER "X-Container-Meta-Temp-URL-Key"

struct _OsStorageSwift
{
  GObject parent;

  OsClient      *client;     /* (owned) */
  OsObjectStore *store;      /* (owned) */
  char          *container;
  char          *uuid;       /* of the environment */
  gboolean       is_private; /* no URLs for anybody */
  WkMemo        *key;        /* (owned) char *: that the container is there, and its key for URLs */
};

/* Makes the container if need be. Gives its key for temporary URLs, or "" (transfer full). */
void      os_storage_swift_ensure_async  (OsStorageSwift       *self,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
char     *os_storage_swift_ensure_finish (OsStorageSwift       *self,
                                          GAsyncResult         *result,
                                          GError              **error);
/* WELKIN_ERROR_FOREIGN_ENVIRONMENT unless these headers say that the container is ours. */
gboolean  os_storage_swift_check_mark    (OsStorageSwift       *self,
                                          WkHttpResponse       *container,
                                          GError              **error);
WkMemo   *os_storage_swift_new_key_memo  (OsStorageSwift       *self);

/* The interface's calls that have files of their own. */
void      os_storage_swift_remove_all_async  (WelkinStorage       *storage,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean  os_storage_swift_remove_all_finish (WelkinStorage       *storage,
                                              GAsyncResult        *result,
                                              GError             **error);
void      os_storage_swift_get_uri_async     (WelkinStorage       *storage,
                                              const char          *name,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
char     *os_storage_swift_get_uri_finish    (WelkinStorage       *storage,
                                              GAsyncResult        *result,
                                              GDateTime          **expires,
                                              GError             **error);
/* WELKIN_ERROR_INVALID_ARGUMENT for a name that no object can have. */
gboolean  os_storage_swift_check_name        (const char          *name,
                                              GError             **error);

G_END_DECLS
