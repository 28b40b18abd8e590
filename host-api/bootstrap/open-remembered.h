/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "environments/welkin-environments.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* Opens an environment that is bootstrapped, and what is remembered of it. environment, info:
 * (inout) (transfer full): NULL before; the first may be set when the second cannot be read */
gboolean welkin_open_remembered (WelkinEnvironments  *environments,
                                 const char          *name,
                                 WelkinEnviron      **environment,
                                 WelkinInfo         **info,
                                 GError             **error);

G_END_DECLS
