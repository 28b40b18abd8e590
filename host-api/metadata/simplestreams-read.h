/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"

G_BEGIN_DECLS

/* Paths come from metadata: they must not lead out of the source. */
gboolean welkin_streams_check_path  (const char          *path,
                                     GError             **error);

/*
 * A file of a source. key_path: (nullable) its text must be signed by a key of that file; what
 * comes out is the text without the signature. Beside the errors of the source those of
 * welkin_signature_verify_async(); FORBIDDEN is only ever a bad signature.
 */
void     welkin_streams_read_async  (WelkinDataSource    *source,
                                     const char          *path,
                                     const char          *key_path,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
/* (transfer full) */
GBytes  *welkin_streams_read_finish (WelkinDataSource    *source,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
