/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "metadata/cloud-spec.h"
#include "metadata/resolve-info-private.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

typedef struct _WelkinStreamsQuery WelkinStreamsQuery;

/* Makes records of those items that are wanted. items: of WelkinStreamsItem, in order. (transfer
 * full): perhaps empty */
typedef GPtrArray *(*WelkinStreamsCollect) (GPtrArray                *items,
                                            const WelkinStreamsQuery *query);

/* What is looked for. */
struct _WelkinStreamsQuery
{
  char                *datatype;        /* (owned) */
  char               **content_ids;     /* (owned) (nullable) any */
  gboolean             follows_mirrors; /* of these contents */
  WelkinCloudSpec     *cloud;           /* (owned) */
  char               **product_ids;     /* (owned) (nullable) all */
  char                *key_path;        /* (owned) (nullable) of signatures */
  WelkinStreamsCollect collect;
  gconstpointer        collect_data;    /* for collect; stays until the search has ended */
  WelkinSurroundings  *surroundings;    /* (owned) (nullable) */
};

/* A new one for any cloud and all products. (transfer full) */
WelkinStreamsQuery *welkin_streams_query_new      (const char               *datatype,
                                                   WelkinStreamsCollect      collect);
WelkinStreamsQuery *welkin_streams_query_ref      (WelkinStreamsQuery       *self);
void                welkin_streams_query_unref    (WelkinStreamsQuery       *self);

/* Looks in the signed or in the plain files of one source. info: (inout) is replaced, also when it
 * fails; origin: (inout): is what holds the files that the records name, the source or a mirror of
 * it, and is replaced when there are any. Both must stay until then. */
void                welkin_streams_attempt_async  (WelkinDataSource         *source,
                                                   WelkinStreamsQuery       *query,
                                                   gboolean                  is_signed,
                                                   WelkinResolveInfo       **info,
                                                   WelkinDataSource        **origin,
                                                   GCancellable             *cancellable,
                                                   GAsyncReadyCallback       callback,
                                                   gpointer                  user_data);
/* (transfer full): the records, never none: WELKIN_ERROR_NO_MATCH then */
GPtrArray          *welkin_streams_attempt_finish (WelkinDataSource         *source,
                                                   GAsyncResult             *result,
                                                   GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStreamsQuery, welkin_streams_query_unref)

G_END_DECLS
