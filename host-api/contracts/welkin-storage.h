/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_STORAGE (welkin_storage_get_type ())

/* Where an environment keeps its files: a flat space of names in which "/" means nothing beyond
 * listing by prefix. It stays what it was when the environment's configuration changes later. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinStorage, welkin_storage, WELKIN, STORAGE, GObject)

typedef enum /*< flags >*/
{
  WELKIN_STORAGE_NONE = 0,
  WELKIN_STORAGE_EXPECT_SOON = 1 << 0, /* get: written a moment ago; wait until it is seen */
  WELKIN_STORAGE_NO_REPLACE = 1 << 1,  /* put: WELKIN_ERROR_ALREADY_EXISTS when the name is taken */
} WelkinStorageFlags;

struct _WelkinStorageInterface
{
  GTypeInterface parent;

  void          (*get_async)         (WelkinStorage       *self,
                                      const char          *name,
                                      WelkinStorageFlags   flags,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  GInputStream *(*get_finish)        (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GError             **error);
  void          (*put_async)         (WelkinStorage       *self,
                                      const char          *name,
                                      GInputStream        *stream,
                                      goffset              length,
                                      WelkinStorageFlags   flags,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  gboolean      (*put_finish)        (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GError             **error);
  void          (*list_async)        (WelkinStorage       *self,
                                      const char          *prefix,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  char        **(*list_finish)       (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GError             **error);
  void          (*remove_async)      (WelkinStorage       *self,
                                      const char          *name,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  gboolean      (*remove_finish)     (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GError             **error);
  void          (*remove_all_async)  (WelkinStorage       *self,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  gboolean      (*remove_all_finish) (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GError             **error);
  void          (*get_uri_async)     (WelkinStorage       *self,
                                      const char          *name,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data);
  char         *(*get_uri_finish)    (WelkinStorage       *self,
                                      GAsyncResult        *result,
                                      GDateTime          **expires,
                                      GError             **error);

  gpointer reserved[8];
};

/* WELKIN_ERROR_NOT_FOUND when there is none of the name. A wrong checksum is an error of the last
 * read. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_get_async         (WelkinStorage       *self,
                                                const char          *name,
                                                WelkinStorageFlags   flags,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GInputStream *welkin_storage_get_finish        (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* A whole small object (at most 64 MiB). */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_load_async        (WelkinStorage       *self,
                                                const char          *name,
                                                WelkinStorageFlags   flags,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
GBytes       *welkin_storage_load_finish       (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* Exactly length bytes; a short stream is an error, and nothing is then under the name but what
 * was before. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_put_async         (WelkinStorage       *self,
                                                const char          *name,
                                                GInputStream        *stream,
                                                goffset              length,
                                                WelkinStorageFlags   flags,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_storage_put_finish        (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_save_async        (WelkinStorage       *self,
                                                const char          *name,
                                                GBytes              *contents,
                                                WelkinStorageFlags   flags,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_storage_save_finish       (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* Names, sorted; nothing there at all lists as empty. prefix: "" for all */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_list_async        (WelkinStorage       *self,
                                                const char          *prefix,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
char        **welkin_storage_list_finish       (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* No error when it is not there. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_remove_async      (WelkinStorage       *self,
                                                const char          *name,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_storage_remove_finish     (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* Everything that the environment stored, and the place itself. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_remove_all_async  (WelkinStorage       *self,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean      welkin_storage_remove_all_finish (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GError             **error);
/* A URL by which a machine without credentials can read the object: a secret. It need not exist
 * yet. */
WELKIN_AVAILABLE_IN_0_1
void          welkin_storage_get_uri_async     (WelkinStorage       *self,
                                                const char          *name,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
/* expires: (out) (optional) (nullable) (transfer full): NULL when it does not expire */
WELKIN_AVAILABLE_IN_0_1
char         *welkin_storage_get_uri_finish    (WelkinStorage       *self,
                                                GAsyncResult        *result,
                                                GDateTime          **expires,
                                                GError             **error);

G_END_DECLS
