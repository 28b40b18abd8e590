/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-machine-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* The machine lets in who has one of the client's own keys, whatever authorized-keys says. That
 * there are none is a warning: others may log in. (transfer full) */
WelkinMachineConfig *welkin_own_keys_add (WelkinMachineConfig *config,
                                          WelkinSurroundings  *surroundings);

G_END_DECLS
