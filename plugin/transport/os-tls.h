/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define OS_TYPE_TLS_DATABASE (os_tls_database_get_type ())

/* The system's certificate authorities and some of one's own. */
G_DECLARE_FINAL_TYPE (OsTlsDatabase, os_tls_database, OS, TLS_DATABASE, GTlsDatabase)

/* authorities: the absolute path of a PEM file, or the text of one. */
GTlsDatabase    *os_tls_database_new           (const char  *authorities,
                                                GError     **error);
/* certificate, key: absolute paths of PEM files, or the text of such; key: (nullable) it is with
 * the certificate. (transfer full) */
GTlsCertificate *os_tls_client_certificate_new (const char  *certificate,
                                                const char  *key,
                                                GError     **error);

G_END_DECLS
