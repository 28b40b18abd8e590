/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * The effective configuration: that of the environment, and where it leaves something open what
 * clouds.yaml or the variables of the surroundings say, as os-settings.h ranks them. Each value has
 * its origin: where the attribute was written, FILE:LINE of clouds.yaml or secure.yaml, or the name
 * of the variable.
 *
 * It holds secrets that the environment's own configuration does not, so it is never stored.
 *
 * Pure: looks at nothing but its arguments and the files that the surroundings name.
 * WELKIN_ERROR_INVALID_CONFIG when a file or a value makes no sense, WELKIN_ERROR_NOT_FOUND when
 * there is no such cloud. (transfer full)
 */
WelkinConfig *os_clouds_fill (WelkinConfig        *config,
                              WelkinSurroundings  *surroundings,
                              GError             **error);

G_END_DECLS
