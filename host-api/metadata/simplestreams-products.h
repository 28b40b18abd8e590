/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is known of an item: of an image, or of an archive of tools. */
typedef enum
{
  WELKIN_STREAMS_ID,
  WELKIN_STREAMS_RELEASE, /* the series */
  WELKIN_STREAMS_VERSION, /* of the series, or of the tools */
  WELKIN_STREAMS_ARCH,
  WELKIN_STREAMS_REGION,
  WELKIN_STREAMS_ENDPOINT,
  WELKIN_STREAMS_CRSN, /* another name of the region */
  WELKIN_STREAMS_VIRT,
  WELKIN_STREAMS_ROOT_STORE,
  WELKIN_STREAMS_PATH,
  WELKIN_STREAMS_SIZE,
  WELKIN_STREAMS_SHA256,
  WELKIN_STREAMS_FTYPE,
  WELKIN_STREAMS_N_FIELDS,
} WelkinStreamsField;

typedef struct
{
  char *product_id; /* (owned) */
  char *build;      /* (owned) the version of the product that it belongs to, as in "20240423" */
  char *name;       /* (owned) */
  char *fields[WELKIN_STREAMS_N_FIELDS]; /* (owned) (nullable) */
} WelkinStreamsItem;

void        welkin_streams_item_free      (WelkinStreamsItem        *self);
/* "" when it is not known. */
const char *welkin_streams_item_get       (const WelkinStreamsItem  *self,
                                           WelkinStreamsField        field);
/* The key that a field has in the file. */
const char *welkin_streams_field_get_name (WelkinStreamsField        field);

/*
 * The items of some products (nullable: of all), with what their product and its version say of
 * them: products in the order of the ids, of each the newest version first. Everything else in the
 * file is passed over and costs no memory. uri: for messages. (element-type WelkinStreamsItem)
 * (transfer full): empty when none of the products is there
 */
GPtrArray  *welkin_streams_parse_products (GBytes                   *bytes,
                                           const char *const        *product_ids,
                                           const char               *uri,
                                           GError                  **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStreamsItem, welkin_streams_item_free)

G_END_DECLS
