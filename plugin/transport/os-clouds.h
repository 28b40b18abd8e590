/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-cloud.h"
#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * The cloud that is meant is the one that the attribute "cloud" names, else OS_CLOUD. Without
 * either, and where neither attributes nor variables give credentials, it is the only one that
 * clouds.yaml has.
 */

/*
 * The effective configuration: that of the environment, and where it leaves something open what
 * clouds.yaml or the variables of the surroundings say, as os-settings.h ranks them. Each value has
 * its origin: where the attribute was written, FILE:LINE of clouds.yaml or secure.yaml, or the name
 * of the variable.
 *
 * It holds secrets that the environment's own configuration does not, so it is never stored.
 *
 * Pure: looks at nothing but its arguments and the files that the surroundings name.
 * WELKIN_ERROR_INVALID_CONFIG when a value makes no sense, or when there is no such cloud.
 * (transfer full)
 */
WelkinConfig *os_clouds_fill         (WelkinConfig        *config,
                                      WelkinSurroundings  *surroundings,
                                      GError             **error);
/* The clouds that can be chosen: those of the files, and that of the variables; what is wrong with
 * the files is logged. (element-type WelkinCloud) (transfer container) */
GPtrArray    *os_clouds_list         (WelkinSurroundings  *surroundings);
/* Adds to an error of os_credentials_new() which clouds there are to choose, if nothing was. */
void          os_clouds_explain      (GError              *error,
                                      WelkinConfig        *config,
                                      WelkinSurroundings  *surroundings);
/* What is wrong with the files, for people. (transfer full) */
char        **os_clouds_list_notices (WelkinConfig        *config,
                                      WelkinSurroundings  *surroundings);
/* Logs that, and that another cloud is used than OS_CLOUD says. */
void          os_clouds_tell         (WelkinConfig        *config,
                                      WelkinSurroundings  *surroundings);

G_END_DECLS
