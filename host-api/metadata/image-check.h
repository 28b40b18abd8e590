/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-image.h"

G_BEGIN_DECLS

/* Whether an image can be one of a cloud: others are going to believe what metadata tell of it.
 * WELKIN_ERROR_INVALID_ARGUMENT says what is allowed. */
gboolean welkin_image_check_cloud (const char   *region,
                                   const char   *endpoint,
                                   GError      **error);
gboolean welkin_image_check       (WelkinImage  *image,
                                   GError      **error);

G_END_DECLS
