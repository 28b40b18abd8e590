/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a request sends: a part of a seekable stream, from its start each time that it is sent. Its
 * MD5 is made on the way. Refcounted. */
typedef struct _OsBody OsBody;

/* length bytes from where the stream stands now. Nobody else reads the stream meanwhile. */
OsBody       *os_body_new        (GInputStream  *stream,
                                  goffset        length);
OsBody       *os_body_ref        (OsBody        *self);
void          os_body_unref      (OsBody        *self);
goffset       os_body_get_length (OsBody        *self);
/* For one send (transfer full). What an earlier one gave is then of no use any more. */
GInputStream *os_body_open       (OsBody        *self,
                                  GError       **error);
/* Of what was sent, in hexadecimal; NULL when that was not all. (transfer full) */
char         *os_body_dup_md5    (OsBody        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsBody, os_body_unref)

G_END_DECLS
