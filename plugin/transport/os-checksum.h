/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define OS_TYPE_CHECKSUM (os_checksum_get_type ())

/* A stream that fails when the MD5 of what was read of another one is not what was promised: of all
 * of it at its end, of each of its parts, or of their MD5s. */
G_DECLARE_FINAL_TYPE (OsChecksum, os_checksum, OS, CHECKSUM, GFilterInputStream)

/* md5: in hexadecimal */
GInputStream *os_checksum_new           (GInputStream *stream,
                                         const char   *md5);

/* An empty array of parts. (transfer full) */
GArray       *os_checksum_parts_new     (void);
void          os_checksum_parts_add     (GArray       *parts,
                                         const char   *md5,
                                         goffset       size);
/* parts: of all that will go through */
GInputStream *os_checksum_new_for_parts (GInputStream *stream,
                                         GArray       *parts);

/* etag: the MD5 of the MD5s of parts, "-", and how many there are; each but the last is of this
 * size */
GInputStream *os_checksum_new_of_parts  (GInputStream *stream,
                                         const char   *etag,
                                         goffset       part_size);

/* WELKIN_ERROR_PROTOCOL: that one checksum is not the other. */
void          os_checksum_set_error     (GError      **error,
                                         const char   *checksum,
                                         const char   *expected);
/* Whether an answer is one about an object: it has an etag. One that has none comes from something
 * else than the object store, such as a page to log in at. etag: (nullable) without quotes */
gboolean      os_checksum_check_told    (const char   *etag,
                                         GError      **error);
/* Whether the answer to a PUT tells of what was sent. etag: as above */
gboolean      os_checksum_check_stored  (const char   *etag,
                                         const char   *md5,
                                         GError      **error);

G_END_DECLS
