/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Requests signed as AWS signs them, by signature version 4. What is signed is the request as it
 * goes out: method, path, query, some headers, and the SHA-256 of its body.
 */
typedef struct
{
  const char *access;  /* the key pair */
  const char *secret;
  const char *region;
  const char *service; /* as in "s3" */
  GDateTime  *time;    /* in UTC; it must not be far from that of the server */
} OsSigner;

/* In place of the checksum of a body that is not signed. */
#define OS_UNSIGNED_PAYLOAD "UNSIGNED-PAYLOAD"

/* As in 20130524T000000Z. (transfer full) */
char *os_signer_format_time   (const OsSigner       *self);
/* What the header "host" of a request to this URL is. (transfer full) */
char *os_signature_get_host   (const char           *uri);

/* The signature. uri: each byte that can be encoded is; headers: name in lower case, value, …,
 * NULL, sorted by name, with "host" and "x-amz-date" among them. (transfer full) */
char *os_signer_sign          (const OsSigner       *self,
                               const char           *method,
                               const char           *uri,
                               const char *const    *headers,
                               const char           *payload_hash);
/* The header "Authorization", which has that signature. (transfer full) */
char *os_signer_authorize     (const OsSigner       *self,
                               const char           *method,
                               const char           *uri,
                               const char *const    *headers,
                               const char           *payload_hash);
/* The URL with a signature in its query, which is good for GET and so many seconds.
 * (transfer full) */
char *os_signer_presign       (const OsSigner       *self,
                               const char           *uri,
                               guint                 seconds);

G_END_DECLS
