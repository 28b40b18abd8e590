/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define OS_TYPE_CHECKSUM (os_checksum_get_type ())

/* A converter that changes nothing, and fails at the end when the MD5 of all that went through is
 * not the one that was promised. */
G_DECLARE_FINAL_TYPE (OsChecksum, os_checksum, OS, CHECKSUM, GObject)

/* md5: in hexadecimal */
GConverter *os_checksum_new (const char *md5);

G_END_DECLS
