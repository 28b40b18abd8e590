/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"

G_BEGIN_DECLS

/* The container, or bucket, that a storage keeps its files in. */
typedef struct
{
  char      *name;
  gboolean   is_ours; /* by its mark; one without a mark may be another's */
  GDateTime *created; /* (nullable) by the clock of the cloud */
} OsStorageContainer;

void                os_storage_container_free          (OsStorageContainer   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsStorageContainer, os_storage_container_free)

/* Looks for it (transfer full). NULL without an error: there is none, or it carries the mark of
 * another environment, or what a storage of this kind has is none. */
void                os_storage_find_container_async    (WelkinStorage        *storage,
                                                        GCancellable         *cancellable,
                                                        GAsyncReadyCallback   callback,
                                                        gpointer              user_data);
OsStorageContainer *os_storage_find_container_finish   (WelkinStorage        *storage,
                                                        GAsyncResult         *result,
                                                        GError              **error);

G_END_DECLS
