/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A checksum of many bytes, made in a thread of its own: MD5 takes half as long as to move what it
 * is of. GChecksum takes five times as long for SHA256. Not for secrets. */
typedef struct _OsDigest OsDigest;

typedef enum
{
  OS_DIGEST_MD5,
  OS_DIGEST_SHA256,
} OsDigestKind;

OsDigest *os_digest_new        (OsDigestKind  kind);
void      os_digest_free       (OsDigest     *self);
void      os_digest_update     (OsDigest     *self,
                                const void   *data,
                                gsize         size);
/* The same of bytes that need not be copied: for what is large. */
void      os_digest_update_bytes (OsDigest   *self,
                                GBytes       *bytes);
/* hex: a whole digest in hexadecimal, whose bytes are added */
void      os_digest_update_hex (OsDigest     *self,
                                const char   *hex);
/* What it is by now, in hexadecimal; it then begins anew. (transfer full) */
char     *os_digest_end        (OsDigest     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsDigest, os_digest_free)

G_END_DECLS
