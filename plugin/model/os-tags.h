/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A mark, "welkin NAME=VALUE …" (see operations/ownership.h), as tags: "welkin-NAME=VALUE" for each
 * of its words, because older releases of neutron take no tag of more than 60 characters.
 */
char **os_tags_split (const char *mark);
/* tags: (nullable) (element-type utf8) in any order, and others among them. NULL: there is no mark.
 * (transfer full) */
char  *os_tags_join  (GPtrArray  *tags);

G_END_DECLS
