/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-data-source.h"
#include "contracts/welkin-environ.h"
#include "contracts/welkin-progress.h"
#include "contracts/welkin-storage.h"
#include "metadata/welkin-data-sources.h"
#include "metadata/welkin-resolve-info.h"
#include "values/welkin-constraints.h"
#include "values/welkin-surroundings.h"
#include "values/welkin-tools.h"

G_BEGIN_DECLS

typedef enum /*< flags >*/
{
  WELKIN_TOOLS_NONE = 0,
  WELKIN_TOOLS_ALL_VERSIONS = 1 << 0, /* not only the newest */
  WELKIN_TOOLS_DEVELOPMENT = 1 << 1,  /* versions that are tried out, too */
  WELKIN_TOOLS_DRY_RUN = 1 << 2,      /* nothing is written */
  WELKIN_TOOLS_FOR_MACHINES = 1 << 3, /* by URLs that need no credentials: secrets */
  WELKIN_TOOLS_PUBLIC = 1 << 4,       /* for everybody: there may be mirrors of them */
} WelkinToolsFlags;

/* Tools in metadata. sources: (element-type WelkinDataSource); stream: (nullable) what is released;
 * series, arch, region, endpoint: (nullable) any; version: (nullable) "1", "1.2", "1.2.3" */
WELKIN_AVAILABLE_IN_0_1
void       welkin_tools_find_async      (GPtrArray           *sources,
                                         const char          *stream,
                                         const char          *series,
                                         const char          *arch,
                                         const char          *version,
                                         const char          *region,
                                         const char          *endpoint,
                                         WelkinToolsFlags     flags,
                                         WelkinSurroundings  *surroundings,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
/* (element-type WelkinTools) (transfer container): WELKIN_ERROR_NO_TOOLS when there are none
 * info: (out) (optional) (transfer full): where they were found */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_tools_find_finish     (GAsyncResult        *result,
                                         WelkinResolveInfo  **info,
                                         GError             **error);

/* Where tools are published for everybody: $WELKIN_PUBLIC_TOOLS, or what Welkin was built with;
 * NULL when there is no such place. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char      *welkin_tools_get_public_place (WelkinSurroundings *surroundings);
/* Where tools are published: a URL, or a directory that holds "tools". (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinDataSource *welkin_tools_source_new (const char            *location,
                                         const char            *description,
                                         WelkinDataSourceFlags  flags,
                                         WelkinSurroundings    *surroundings,
                                         GError               **error);

/* Copies tools that a storage lacks, and writes its metadata. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_tools_sync_async      (GPtrArray           *sources,
                                         WelkinStorage       *storage,
                                         const char          *stream,
                                         const char          *version,
                                         WelkinToolsFlags     flags,
                                         WelkinSurroundings  *surroundings,
                                         WelkinProgress      *progress,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
/* (transfer full): the names of the archives that were copied */
WELKIN_AVAILABLE_IN_0_1
char     **welkin_tools_sync_finish     (GAsyncResult        *result,
                                         GError             **error);

/* Writes metadata of the archives that lie in a storage, or of what is public if there are none.
 * source: (nullable) of what is public */
WELKIN_AVAILABLE_IN_0_1
void       welkin_tools_generate_async  (WelkinStorage       *storage,
                                         WelkinDataSource    *source,
                                         const char          *stream,
                                         WelkinToolsFlags     flags,
                                         WelkinSurroundings  *surroundings,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
/* (transfer full): the names of the files that were written */
WELKIN_AVAILABLE_IN_0_1
char     **welkin_tools_generate_finish (GAsyncResult        *result,
                                         GError             **error);

/* Unpacks an archive for an agent that is to become another version. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_tools_unpack_async    (WelkinTools         *self,
                                         const char          *archive,
                                         const char          *data_directory,
                                         GCancellable        *cancellable,
                                         GAsyncReadyCallback  callback,
                                         gpointer             user_data);
/* The directory. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char      *welkin_tools_unpack_finish   (WelkinTools         *self,
                                         GAsyncResult        *result,
                                         GError             **error);

/* The sources of an environment, in order: "tools-metadata-url", its own storage, what the cloud
 * offers, and directory (nullable) or else what is public. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_environ_list_tools_sources_async  (WelkinEnviron       *environment,
                                                     const char          *directory,
                                                     WelkinSurroundings  *surroundings,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
/* (element-type WelkinDataSource) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_environ_list_tools_sources_finish (WelkinEnviron       *environment,
                                                     GAsyncResult        *result,
                                                     GError             **error);

/* Tools that an environment's machines can fetch: what lies in a directory is copied into its
 * storage first. version: (nullable) exactly that; NULL for the newest that go with this Welkin */
WELKIN_AVAILABLE_IN_0_1
void       welkin_environ_find_tools_async   (WelkinEnviron       *environment,
                                              const char          *series,
                                              WelkinConstraints   *constraints,
                                              const char          *version,
                                              const char          *directory,
                                              WelkinSurroundings  *surroundings,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
/* (element-type WelkinTools) (transfer container): of one version; WELKIN_ERROR_NO_TOOLS when there
 * are none */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_environ_find_tools_finish  (WelkinEnviron       *environment,
                                              GAsyncResult        *result,
                                              GError             **error);

G_END_DECLS
