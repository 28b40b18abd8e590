/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The authority of an environment: a certificate that signs itself, and its
 * key, both PEM. Takes long enough to be felt: an RSA key of 2048 bits is made. */
gboolean welkin_certificates_make_authority (const char  *environment,
                                             char       **certificate,
                                             char       **private_key,
                                             GError     **error);
/* The same in a thread, for callers with a main loop. */
void     welkin_certificates_make_authority_async  (const char         *environment,
                                                    GCancellable       *cancellable,
                                                    GAsyncReadyCallback callback,
                                                    gpointer            user_data);
gboolean welkin_certificates_make_authority_finish (GAsyncResult       *result,
                                                    char              **certificate,
                                                    char              **private_key,
                                                    GError            **error);
/* A certificate for the servers of the environment, signed by its authority,
 * and its key, both PEM. */
gboolean welkin_certificates_make_server    (const char  *authority_certificate,
                                             const char  *authority_private_key,
                                             char       **certificate,
                                             char       **private_key,
                                             GError     **error);
/* The same in a thread. */
void     welkin_certificates_make_server_async  (const char         *authority_certificate,
                                                 const char         *authority_private_key,
                                                 GCancellable       *cancellable,
                                                 GAsyncReadyCallback callback,
                                                 gpointer            user_data);
gboolean welkin_certificates_make_server_finish (GAsyncResult       *result,
                                                 char              **certificate,
                                                 char              **private_key,
                                                 GError            **error);
/* That the text holds a certificate, and that the key, if there is one, is its.
 * private_key: nullable */
gboolean welkin_certificates_check          (const char  *certificate,
                                             const char  *private_key,
                                             GError     **error);

G_END_DECLS
