/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-machine-config-private.h"

G_BEGIN_DECLS

/* The file that tells systemd how to run the agent of a machine, without a newline at its end.
 * (transfer full) */
char *welkin_systemd_unit_print (WelkinMachineConfig *config);

G_END_DECLS
