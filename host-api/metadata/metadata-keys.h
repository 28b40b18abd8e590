/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* The file of the keys that image metadata is signed with: $WELKIN_IMAGE_KEY, one that is
 * installed with us, or the distribution's. NULL when there is none. (transfer full) */
char *welkin_image_key_find (WelkinSurroundings *surroundings);
/* The same of the keys that metadata of tools are signed with: $WELKIN_TOOLS_KEY, or one that is
 * installed with us. (transfer full) */
char *welkin_tools_key_find (WelkinSurroundings *surroundings);

G_END_DECLS
