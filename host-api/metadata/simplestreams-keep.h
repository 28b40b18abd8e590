/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "metadata/simplestreams-writer.h"

G_BEGIN_DECLS

/*
 * Adds to a file that is about to be written what the one before said that is not ours to say:
 * members that we do not know, of the file itself and of everything that is still in it. former:
 * (nullable): nothing is added.
 */
void welkin_streams_keep_in_index    (JsonNode                  *index,
                                      JsonNode                  *former);
void welkin_streams_keep_in_products (JsonNode                  *products,
                                      JsonNode                  *former,
                                      const WelkinStreamsLayout *layout);

G_END_DECLS
