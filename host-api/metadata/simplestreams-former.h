/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "contracts/welkin-data-source.h"
#include "metadata/simplestreams-search.h"

G_BEGIN_DECLS

/* What there is already of an index that is to be written: it may tell of more than is ours. */

/* Ends welkin_data_source_fetch_async(): NULL without an error when there is none. (transfer full)
 * (nullable) */
JsonNode   *welkin_streams_take_former (WelkinDataSource   *source,
                                        GAsyncResult       *result,
                                        GError            **error);
/* Of what a search for it came to: none where there is none; what cannot be read must not be
 * written over. (transfer full) (element-type WelkinStreamsItem) */
GPtrArray  *welkin_streams_take_items  (WelkinStreamsFound *found,
                                        GError            **error);
/* What it says of other contents, which stays. former: (nullable). (transfer full) */
JsonObject *welkin_streams_dup_others  (JsonNode           *former,
                                        const char *const  *content_ids);
/* Where it says that the products of a content are: where they are to be if it does not. former:
 * (nullable). */
const char *welkin_streams_get_path    (JsonNode           *former,
                                        const char         *content_id,
                                        const char         *path);

G_END_DECLS
