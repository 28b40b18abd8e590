/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "contracts/welkin-progress.h"

G_BEGIN_DECLS

/* An archive that has come as a whole, in a file that goes with the record. */
typedef struct
{
  GInputStream *contents;  /* (owned) (nullable) at their start */
  char         *sha256;    /* (owned) */
  gint64        size;
  char         *complaint; /* (owned) (nullable) why it is no archive of tools */
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
/* Only finds out what it is: there are no contents. */
void              welkin_tools_measure_async (WelkinDataSource    *source,
                                             const char           *path,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
/* Whether it is an archive of tools; WELKIN_ERROR_PROTOCOL says what it is not. */
gboolean          welkin_tools_spool_check  (const WelkinToolsSpool *self,
                                             GError              **error);
/* Of both. (transfer full) */
WelkinToolsSpool *welkin_tools_spool_finish (WelkinDataSource     *source,
                                             GAsyncResult         *result,
                                             GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinToolsSpool, welkin_tools_spool_free)

G_END_DECLS
