/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

/* What is the same in every kind of storage. */

/* WELKIN_ERROR_INVALID_ARGUMENT for a name that no file in storage can have: it is 1 to 1024 bytes
 * of UTF-8, and "/" separates parts of it that are neither empty nor "." or "..". */
gboolean os_storage_check_name (const char  *name,
                                GError     **error);

/* Makes WELKIN_ERROR_STORAGE_NOT_WRITABLE of WELKIN_ERROR_FORBIDDEN, with what cannot be written
 * before the cloud's own words. */
void     os_storage_explain    (GError     **error,
                                const char  *format,
                                ...) G_GNUC_PRINTF (2, 3);

typedef enum
{
  OS_ACCESS_AUTO,    /* temporary URLs, if there can be any */
  OS_ACCESS_TEMPURL,
  OS_ACCESS_PUBLIC,  /* everybody may read what he knows the name of */
  OS_ACCESS_PRIVATE, /* nobody without credentials */
} OsAccess;

/* The value of attribute storage-access. */
OsAccess      os_storage_parse_access (const char          *word);

/* Opens an object of a store. */
typedef void          (*OsOpen)       (gpointer             store,
                                       const char          *container,
                                       const char          *name,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
typedef GInputStream *(*OsOpenFinish) (gpointer             store,
                                       GAsyncResult        *result,
                                       GError             **error);

/* Opens a file of a storage, and waits for one that was written a moment ago to be seen. */
void          os_storage_open_async   (WelkinStorage       *storage,
                                       gpointer             store,
                                       const char          *container,
                                       const char          *name,
                                       WelkinStorageFlags   flags,
                                       WkClock             *clock,
                                       OsOpen               open,
                                       OsOpenFinish         open_finish,
                                       GCancellable        *cancellable,
                                       GAsyncReadyCallback  callback,
                                       gpointer             user_data);
GInputStream *os_storage_open_finish  (WelkinStorage       *storage,
                                       GAsyncResult        *result,
                                       GError             **error);

/* For an OsDeleter: a listing may lag behind, so that what looked empty is not, and has to be
 * emptied again. */
gboolean      os_storage_is_not_empty  (GError             *error);
#define OS_STORAGE_REMOVAL_STRATEGY { .delay = 1, .min_tries = 5 }

/* For g_ptr_array_sort(). */
int           os_storage_compare_names (gconstpointer       a,
                                        gconstpointer       b);

G_END_DECLS
