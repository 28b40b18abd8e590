/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * Packs a directory of agent binaries, see welkin_tools_bundle_async(), and puts the archive into a
 * storage with its metadata: for the series that it is made for, and for others. Where a series is
 * not known, nothing is done. stream: (nullable): what is released
 */
void   welkin_tools_upload_async  (WelkinStorage        *storage,
                                   const char           *stream,
                                   const char           *directory,
                                   const char           *version,
                                   const char *const    *series,
                                   WelkinSurroundings   *surroundings,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
/* The number of their version. (transfer full) */
char  *welkin_tools_upload_finish (WelkinStorage        *storage,
                                   GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
