/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-body.h"

G_BEGIN_DECLS

typedef enum
{
  OS_SPOOL_MD5 = 1 << 0,
  OS_SPOOL_SHA256 = 1 << 1,
} OsSpoolDigests;

/* What is read from a stream before it is sent: it can then be sent again, and its checksums are
 * known from the start. A stream that can go back is only read; of others, what is short is kept in
 * memory, and the rest in a file that has no name. */
typedef struct
{
  OsBody    *body;   /* (owned) good as long as this is */
  GIOStream *file;   /* (owned) (nullable) where it is */
  char      *md5;    /* (owned) (nullable) in hexadecimal */
  char      *sha256; /* (owned) (nullable) in hexadecimal */
} OsSpool;

void      os_spool_free        (OsSpool              *self);

/* Whether a stream is read where it is. */
gboolean  os_spool_can_go_back (GInputStream         *stream);
/* Exactly length bytes; WELKIN_ERROR_INVALID_ARGUMENT when the stream is shorter. */
void      os_spool_read_async  (GInputStream         *stream,
                                goffset               length,
                                OsSpoolDigests        digests,
                                GCancellable         *cancellable,
                                GAsyncReadyCallback   callback,
                                gpointer              user_data);
OsSpool  *os_spool_read_finish (GAsyncResult         *result,
                                GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsSpool, os_spool_free)

G_END_DECLS
