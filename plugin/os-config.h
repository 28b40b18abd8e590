/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-provider.h"
#include "values/welkin-config.h"
#include "values/welkin-schema.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* (transfer full), as all that these return */
WelkinSchema *os_config_new_schema      (void);
/* Pure: looks at nothing but its arguments. old_config: nullable. */
WelkinConfig *os_config_validate        (WelkinConfig        *config,
                                         WelkinConfig        *old_config,
                                         WelkinSurroundings  *surroundings,
                                         GError             **error);
WelkinConfig *os_config_prepare         (WelkinConfig        *config,
                                         WelkinPrepareFlags   flags,
                                         WelkinSurroundings  *surroundings,
                                         GError             **error);
/* The attributes, filled in from clouds.yaml and variables; something may be missing still. */
WelkinConfig *os_config_get_effective   (WelkinConfig        *config,
                                         WelkinSurroundings  *surroundings,
                                         GError             **error);
char         *os_config_get_boilerplate (void);

G_END_DECLS
