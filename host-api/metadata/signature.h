/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The text that was signed, out of an OpenPGP clear-signed one, if its signature is by a key of
 * this file (armoured or not) and of no other. gpgv does it, in a process of its own.
 *
 * WELKIN_ERROR_FORBIDDEN: somebody has changed the text. _FAILED: it is signed by a key that is
 * not known. _PROTOCOL: it is not signed at all. _INVALID_CONFIG: the file holds no key.
 * _NOT_SUPPORTED: there is no gpgv.
 */
void    welkin_signature_verify_async  (const char          *key_path,
                                        GBytes              *text,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
/* (transfer full) */
GBytes *welkin_signature_verify_finish (GAsyncResult        *result,
                                        GError             **error);

G_END_DECLS
