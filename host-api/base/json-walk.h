/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/json.h"

G_BEGIN_DECLS

/*
 * Large documents whose keys are data, which no table describes: each value is shown with the way
 * that leads to it, in the order of the text, and nothing is kept.
 *
 * path: the keys from the outermost in, an index for an element of an array ("products",
 * "a:b", "versions", …), NULL-terminated; depth: how many there are. text: a string, or how a
 * number or boolean was written; NULL where an array or object begins. A null is not shown. FALSE
 * with an error ends the walk. Keys and texts are valid UTF-8, or the walk fails.
 */
typedef gboolean (*WkJsonVisit) (const char *const *path,
                                 guint              depth,
                                 const char        *text,
                                 gpointer           data,
                                 GError           **error);

/* limits: (nullable); max_records is that of values in all. */
gboolean wk_json_walk (GBytes             *bytes,
                       const WkJsonLimits *limits,
                       WkJsonVisit         visit,
                       gpointer            data,
                       GError            **error);

G_END_DECLS
