/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define OS_TYPE_CHECKSUM (os_checksum_get_type ())

/* A converter that changes nothing, and fails when the MD5 of what went through is not the one that
 * was promised: of all of it at its end, of each of its parts, or of their MD5s. */
G_DECLARE_FINAL_TYPE (OsChecksum, os_checksum, OS, CHECKSUM, GObject)

/* md5: in hexadecimal */
GConverter *os_checksum_new           (const char  *md5);

/* An empty array of parts. (transfer full) */
GArray     *os_checksum_parts_new     (void);
void        os_checksum_parts_add     (GArray      *parts,
                                       const char  *md5,
                                       goffset      size);
/* parts: of all that will go through */
GConverter *os_checksum_new_for_parts (GArray      *parts);

/* etag: the MD5 of the MD5s of parts, "-", and how many there are; each but the last is of this
 * size */
GConverter *os_checksum_new_of_parts  (const char  *etag,
                                       goffset      part_size);

/* WELKIN_ERROR_PROTOCOL: that one checksum is not the other. */
void        os_checksum_set_error     (GError     **error,
                                       const char  *checksum,
                                       const char  *expected);

G_END_DECLS
