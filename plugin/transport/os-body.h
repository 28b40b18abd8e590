/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a request sends: a part of a seekable stream, from its start each time that it is sent. Its
 * MD5 is made on the way, unless it is known. Refcounted. */
typedef struct _OsBody OsBody;

typedef void (*OsBodyRead) (gpointer data);

/* length bytes from where the stream stands now. Nobody else reads the stream meanwhile.
 * md5: (nullable) in hexadecimal, when it is known */
OsBody       *os_body_new        (GInputStream  *stream,
                                  goffset        length,
                                  const char    *md5);
/* The bytes behind those of another one, of which it reads the stream, too; both may be sent at the
 * same time. */
OsBody       *os_body_new_behind (OsBody        *former,
                                  goffset        length);
OsBody       *os_body_ref        (OsBody        *self);
void          os_body_unref      (OsBody        *self);
goffset       os_body_get_length (OsBody        *self);
/* For one send, which may read it in a thread (transfer full). What an earlier one gave is then of
 * no use any more. */
GInputStream *os_body_open       (OsBody        *self,
                                  GError       **error);
/* watch is called once, in the thread-default context of now, when all was read for a send; it is
 * not called any more when there is another one, or NULL. */
void          os_body_watch      (OsBody        *self,
                                  OsBodyRead     watch,
                                  gpointer       data);
/* In hexadecimal; NULL when it is not known, and not all was sent. (transfer full) */
char         *os_body_dup_md5    (OsBody        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsBody, os_body_unref)

G_END_DECLS
