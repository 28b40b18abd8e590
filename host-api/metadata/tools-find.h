/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/simplestreams-search.h"
#include "metadata/tools-products.h"

G_BEGIN_DECLS

/* WELKIN_ERROR_NO_TOOLS with what each source had to say. */
void welkin_tools_fail_to_find (WelkinStreamsFound  *found,
                                GError             **error);

/* Where tools are published for everybody; NULL when there is no such place. (transfer full) */
char *welkin_tools_get_public_place (WelkinSurroundings *surroundings);

G_END_DECLS
