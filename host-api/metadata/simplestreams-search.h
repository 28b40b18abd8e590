/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/simplestreams-attempt.h"

G_BEGIN_DECLS

/* What a source has to say that had nothing for us. */
typedef struct
{
  char   *source; /* (owned) its description */
  GError *error;  /* (owned) */
} WelkinStreamsFailure;

typedef struct
{
  GPtrArray         *records;  /* (owned) (nullable) of the first source that has any */
  WelkinDataSource  *source;   /* (owned) (nullable) where their files are: that one, or a mirror */
  WelkinResolveInfo *info;     /* (owned) (nullable) of the last attempt */
  GPtrArray         *failures; /* (owned) of WelkinStreamsFailure: the sources before it */
} WelkinStreamsFound;

void                welkin_streams_found_free    (WelkinStreamsFound   *self);
/* What all the sources have to say, one line each. (transfer full): "" when there are none */
char               *welkin_streams_found_explain (WelkinStreamsFound   *self);

/*
 * Looks in the sources in their order, until one has what is wanted: in its signed files if the
 * query has a key, and then, unless the source must be signed, in the others. A source that fails
 * is warned of, and the next one asked. sources: of WelkinDataSource
 */
void                welkin_streams_search_async  (GPtrArray            *sources,
                                                  WelkinStreamsQuery   *query,
                                                  GCancellable         *cancellable,
                                                  GAsyncReadyCallback   callback,
                                                  gpointer              user_data);
/* (transfer full): NULL only when it was cancelled */
WelkinStreamsFound *welkin_streams_search_finish (GAsyncResult         *result,
                                                  GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStreamsFound, welkin_streams_found_free)

G_END_DECLS
