/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "metadata/simplestreams-products.h"

G_BEGIN_DECLS

/* One file of metadata. */
typedef struct
{
  char   *path;     /* (owned) below the base of the source */
  GBytes *contents; /* (owned) */
} WelkinStreamsFile;

/* Takes contents. */
WelkinStreamsFile *welkin_streams_file_new  (const char        *path,
                                             GBytes            *contents);
void               welkin_streams_file_free (WelkinStreamsFile *self);

/* How the metadata of one kind of thing are laid out. */
typedef struct
{
  const char               *content_id;
  const char               *cloud_name;     /* (nullable) */
  const char               *datatype;
  const char               *products_path;
  gboolean                  comes_first;    /* in an index: who asks for any content gets it */
  const WelkinStreamsField *product_fields; /* what a product says for all its items */
  gsize                     n_product_fields;
  const WelkinStreamsField *item_fields;
  gsize                     n_item_fields;
} WelkinStreamsLayout;

/* The files of these items, which are sorted by the first. former: (nullable): what was there, of
 * which all stays that is not ours; path: of the index; others: (nullable): what it says of other
 * contents; clouds: (nullable) of WelkinCloudSpec. (transfer full) */
WelkinStreamsFile *welkin_streams_make_products (const WelkinStreamsLayout *layout,
                                                 JsonNode                  *former,
                                                 GPtrArray                 *items,
                                                 GDateTime                 *now);
WelkinStreamsFile *welkin_streams_make_index    (const WelkinStreamsLayout *layout,
                                                 const char                *path,
                                                 JsonNode                  *former,
                                                 JsonObject                *others,
                                                 GPtrArray                 *items,
                                                 GPtrArray                 *clouds,
                                                 GDateTime                 *now);
/* The file that tells where the mirrors of public metadata are listed: those of the layout, and
 * others (nullable). (transfer full) */
WelkinStreamsFile *welkin_streams_make_mirrors  (const WelkinStreamsLayout *layout,
                                                 JsonObject                *others,
                                                 const char                *build);
/* The name of a version that is made now: "20240528". (transfer full) */
char      *welkin_streams_make_build (GDateTime                 *now);

G_END_DECLS
