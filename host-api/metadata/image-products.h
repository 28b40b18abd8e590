/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/simplestreams-attempt.h"

G_BEGIN_DECLS

/* The id of a product of images: version: of the series, as in "24.04"; stream: (nullable)
 * (transfer full) */
char      *welkin_image_product_id (const char               *stream,
                                    const char               *version,
                                    const char               *arch);
/* Those of a series, of each arch (nullable: of every one there is) by all its names, in order.
 * NULL with an error when there is no such series. (transfer full) */
char     **welkin_image_product_ids (const char              *stream,
                                    const char               *series,
                                    const char *const        *arches,
                                    GError                  **error);
/* A WelkinStreamsCollect: images of the region, the newest of each kind. */
GPtrArray *welkin_images_collect   (GPtrArray                *items,
                                    const WelkinStreamsQuery *query);

G_END_DECLS
