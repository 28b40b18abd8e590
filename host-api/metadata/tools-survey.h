/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "metadata/tools-stream.h"

G_BEGIN_DECLS

/*
 * Lists the archives of a stream that lie in a storage, of versions with this major number (-1: of
 * any). Those that known items (nullable) tell of are taken as they say, and the others are read:
 * their items have no build, and what is no archive is left out with a warning. known: of
 * WelkinStreamsItem; left_out: (nullable) gets the binary versions of what is
 */
void       welkin_tools_survey_async  (WelkinStorage        *storage,
                                       WelkinToolsStream    *stream,
                                       GPtrArray            *known,
                                       int                   major,
                                       GPtrArray            *left_out,
                                       GCancellable         *cancellable,
                                       GAsyncReadyCallback   callback,
                                       gpointer              user_data);
/* (element-type WelkinStreamsItem) (transfer full): perhaps empty */
GPtrArray *welkin_tools_survey_finish (GAsyncResult         *result,
                                       GError              **error);

G_END_DECLS
