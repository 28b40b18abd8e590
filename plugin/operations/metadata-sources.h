/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* Where the cloud itself says that metadata are: none when its catalog does not tell. */
void       os_list_metadata_sources_async  (OsSnapshot          *snapshot,
                                            OsServiceKind        service,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
/* (element-type WelkinDataSource) (transfer full) */
GPtrArray *os_list_metadata_sources_finish (OsSnapshot          *snapshot,
                                            GAsyncResult        *result,
                                            GError             **error);

G_END_DECLS
