/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-volume.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_BLOCK_STORAGE (os_block_storage_get_type ())

/* Cinder, which not every cloud has. Nova makes our volumes; here they are marked, and deleted when
 * nova has left one behind. */
G_DECLARE_FINAL_TYPE (OsBlockStorage, os_block_storage, OS, BLOCK_STORAGE, GObject)

OsBlockStorage *os_block_storage_new                 (OsClient            *client);
/* There is a cinder; known after a login. */
gboolean        os_block_storage_exists              (OsBlockStorage      *self);

/* The project's volumes with this item in their metadata.
 * (element-type OsVolume) (transfer full) */
void            os_block_storage_list_volumes_async  (OsBlockStorage      *self,
                                                      const char          *key,
                                                      const char          *value,
                                                      GCancellable        *cancellable,
                                                      GAsyncReadyCallback  callback,
                                                      gpointer             user_data);
GPtrArray      *os_block_storage_list_volumes_finish (OsBlockStorage      *self,
                                                      GAsyncResult        *result,
                                                      GError             **error);
/* metadata: of char * to char *, added to what the volume has. */
void            os_block_storage_add_metadata_async  (OsBlockStorage      *self,
                                                      const char          *id,
                                                      GHashTable          *metadata,
                                                      GCancellable        *cancellable,
                                                      GAsyncReadyCallback  callback,
                                                      gpointer             user_data);
gboolean        os_block_storage_add_metadata_finish (OsBlockStorage      *self,
                                                      GAsyncResult        *result,
                                                      GError             **error);
/* That there is no such volume is a success. WELKIN_ERROR_INVALID_ARGUMENT: it is in use, or being
 * deleted. */
void            os_block_storage_delete_volume_async (OsBlockStorage      *self,
                                                      const char          *id,
                                                      GCancellable        *cancellable,
                                                      GAsyncReadyCallback  callback,
                                                      gpointer             user_data);
gboolean        os_block_storage_delete_volume_finish (OsBlockStorage     *self,
                                                      GAsyncResult        *result,
                                                      GError             **error);

G_END_DECLS
