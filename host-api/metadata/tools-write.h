/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "metadata/tools-stream.h"

G_BEGIN_DECLS

/* Where tools lie in a storage. */
#define WELKIN_TOOLS_PREFIX "tools/"

/*
 * Writes metadata of tools of one stream into a storage: of these items and of those that its
 * metadata know already; what they say of other streams, and what we do not know of any, stays.
 * What cannot be read is not written over, and what was left out (nullable: binary versions) is not
 * told of any more. What is public tells where its mirrors are, too. items: of WelkinStreamsItem
 */
void   welkin_tools_write_async  (GPtrArray            *items,
                                  GPtrArray            *left_out,
                                  WelkinStorage        *storage,
                                 WelkinToolsStream    *stream,
                                  gboolean              is_public,
                                  GCancellable         *cancellable,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
/* The names of what was written. (transfer full) */
char **welkin_tools_write_finish (GAsyncResult         *result,
                                  GError              **error);

G_END_DECLS
