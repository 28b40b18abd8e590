/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define OS_TYPE_ENVIRON (os_environ_get_type ())

/* An environment on an OpenStack cloud: also regional, and zoned. */
G_DECLARE_FINAL_TYPE (OsEnviron, os_environ, OS, ENVIRON, GObject)

/* config: validated; surroundings: nullable. Asks the cloud nothing. */
WelkinEnviron *os_environ_new (WelkinConfig       *config,
                               WelkinSurroundings *surroundings,
                               GError            **error);

G_END_DECLS
