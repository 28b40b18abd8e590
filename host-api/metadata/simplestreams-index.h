/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/cloud-spec.h"

G_BEGIN_DECLS

/*
 * What an index, or a list of mirrors, says of one file of products, or of one place that has a
 * copy of it.
 */
typedef struct
{
  char       *content_id; /* (owned) */
  char       *datatype;   /* (owned) (nullable) */
  char       *path;       /* (owned) (nullable) below the base of the source */
  char       *mirror;     /* (owned) (nullable) another base for the path */
  GPtrArray  *clouds;     /* (owned) of WelkinCloudSpec; empty: good for each */
  GHashTable *products;   /* (owned) set of ids */
} WelkinStreamsEntry;

void       welkin_streams_entry_free    (WelkinStreamsEntry    *self);

/* The entries of an index in the order of the file. uri: for messages. (element-type
 * WelkinStreamsEntry) (transfer full) */
GPtrArray *welkin_streams_parse_index   (GBytes                *bytes,
                                         const char            *uri,
                                         GError               **error);
/* The same of a list of mirrors, or of a list of such lists. */
GPtrArray *welkin_streams_parse_mirrors (GBytes                *bytes,
                                         const char            *uri,
                                         GError               **error);

/* The first entry of an index with the wanted kind of data, of one of the contents (nullable: any),
 * for the wanted cloud, that has one of the products (nullable: any): WELKIN_ERROR_NOT_FOUND, or
 * _NO_MATCH when only the products are missing. */
const WelkinStreamsEntry *
           welkin_streams_choose_entry  (GPtrArray             *entries,
                                         const char            *datatype,
                                         const char *const     *content_ids,
                                         const WelkinCloudSpec *wanted,
                                         const char *const     *product_ids,
                                         GError               **error);
/* The list of mirrors for one of the contents: the first for the cloud, else the first for any;
 * NULL when there is none. */
const WelkinStreamsEntry *
           welkin_streams_choose_mirrors (GPtrArray            *entries,
                                         const char *const     *content_ids,
                                         const char            *datatype,
                                         const WelkinCloudSpec *wanted);
/* The first mirror that names the cloud, or NULL. */
const WelkinStreamsEntry *
           welkin_streams_choose_mirror (GPtrArray             *entries,
                                         const char *const     *content_ids,
                                         const WelkinCloudSpec *wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStreamsEntry, welkin_streams_entry_free)

G_END_DECLS
