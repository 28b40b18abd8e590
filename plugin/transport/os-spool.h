/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is read from a stream before it is sent: it can then be sent again, and its checksum is
 * known from the start. Small ones are kept in memory, others in a file that has no name. */
typedef struct
{
  GInputStream *stream; /* (owned) seekable, at its start; good as long as this is */
  GIOStream    *file;   /* (owned) (nullable) whose stream it is */
  char         *md5;    /* (owned) in hexadecimal */
} OsSpool;

void     os_spool_free        (OsSpool              *self);

/* Exactly length bytes; WELKIN_ERROR_INVALID_ARGUMENT when the stream is shorter. */
void     os_spool_read_async  (GInputStream         *stream,
                               goffset               length,
                               GCancellable         *cancellable,
                               GAsyncReadyCallback   callback,
                               gpointer              user_data);
OsSpool *os_spool_read_finish (GAsyncResult         *result,
                               GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsSpool, os_spool_free)

G_END_DECLS
