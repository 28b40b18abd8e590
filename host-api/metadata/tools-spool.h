/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "contracts/welkin-progress.h"

G_BEGIN_DECLS

/* An archive that has come as a whole, in a file that goes with the record. */
typedef struct
{
  GInputStream *contents; /* (owned) (nullable) at their start */
  char         *sha256;   /* (owned) */
  gint64        size;
} WelkinToolsSpool;

void              welkin_tools_spool_free   (WelkinToolsSpool     *self);

/*
 * Fetches a file of a source into a temporary one, so that nobody gets to see it before it is
 * known to be right, and memory stays as it is. expected: its size, or -1; a file that is larger
 * is given up as soon as that is seen. progress: (nullable)
 */
void              welkin_tools_spool_async  (WelkinDataSource     *source,
                                             const char           *path,
                                             gint64                expected,
                                             WelkinProgress       *progress,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
/* Only finds out its size and its checksum: there are no contents. */
void              welkin_tools_measure_async (WelkinDataSource    *source,
                                             const char           *path,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
/* Of both. (transfer full) */
WelkinToolsSpool *welkin_tools_spool_finish (WelkinDataSource     *source,
                                             GAsyncResult         *result,
                                             GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinToolsSpool, welkin_tools_spool_free)

G_END_DECLS
