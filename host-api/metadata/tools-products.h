/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/simplestreams-attempt.h"
#include "metadata/simplestreams-products.h"
#include "metadata/simplestreams-writer.h"
#include "metadata/tools-stream.h"
#include "metadata/tools-version.h"

G_BEGIN_DECLS

/* Which tools are wanted. */
typedef struct
{
  WelkinToolsStream *stream;      /* (owned) */
  char              *series;      /* (owned) (nullable) any */
  char              *arch;        /* (owned) (nullable) any */
  WelkinCloudSpec   *cloud;       /* (owned) (nullable) any */
  int                major;       /* -1: any */
  int                minor;       /* -1: any */
  gboolean           is_exact;    /* then it must be number */
  WelkinToolsVersion number;
  gboolean           is_released; /* nothing that is tried out */
} WelkinToolsFilter;

/* stream: (nullable) that of what is released; version: (nullable) "1", "1.2", "1.2.3"
 * or "current": that of this program */
gboolean           welkin_tools_filter_init    (WelkinToolsFilter        *self,
                                                const char               *stream,
                                                const char               *series,
                                                const char               *arch,
                                                const char               *version,
                                                gboolean                  is_released,
                                                GError                  **error);
/* Those that go with this program. */
void               welkin_tools_filter_take_host_version (WelkinToolsFilter *self,
                                                gboolean                  any_minor);
void               welkin_tools_filter_clear   (WelkinToolsFilter        *self);
/* (transfer full) */
WelkinStreamsQuery *welkin_tools_filter_query  (const WelkinToolsFilter  *self,
                                                WelkinSurroundings       *surroundings);

/* How the metadata of a stream are laid out; good as long as that is. */
WelkinStreamsLayout welkin_tools_make_layout   (const WelkinToolsStream  *stream);

/* The item of an archive in a directory, by its binary version; size: -1 when it is not known;
 * sha256: (nullable). WELKIN_ERROR_INVALID_ARGUMENT when it is none or of no series. (transfer
 * full) */
WelkinStreamsItem *welkin_tools_item_new       (const char               *directory,
                                                const char               *binary,
                                                const char               *sha256,
                                                gint64                    size,
                                                GError                  **error);
WelkinStreamsItem *welkin_tools_item_copy      (const WelkinStreamsItem  *item);
/* "1.2.3-noble-amd64" (transfer full) */
char              *welkin_tools_item_binary    (const WelkinStreamsItem  *item);
gboolean           welkin_tools_item_version   (const WelkinStreamsItem  *item,
                                                WelkinToolsVersion       *version);
/* -1 when it is not known */
gint64             welkin_tools_item_size      (const WelkinStreamsItem  *item);
/* The item of that binary version, or NULL. */
const WelkinStreamsItem *welkin_tools_find_binary (GPtrArray             *items,
                                                const char               *binary);
/* Leaves those of the newest number. */
void               welkin_tools_keep_newest    (GPtrArray                *items);
/* Adds items to others, each binary version once. What is known of both must be the same. */
gboolean           welkin_tools_merge          (GPtrArray                *items,
                                                GPtrArray                *others,
                                                GError                  **error);
/* Whether it is the file that the item tells of: its size and its checksum. */
gboolean           welkin_tools_item_check     (const WelkinStreamsItem  *item,
                                                const char               *sha256,
                                                gint64                    size,
                                                GError                  **error);

G_END_DECLS
