/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/machine-record.h"

G_BEGIN_DECLS

/* What a machine is called where host keys are compared: its address may be another machine's
 * tomorrow. (transfer full) */
char *welkin_known_hosts_make_alias (WelkinConfig        *config,
                                     const char          *machine_id);

/* DATA_DIR/ssh/known_hosts-NAME, in which the machine is as its record has it. (transfer full) */
char *welkin_known_hosts_write      (WelkinInfo          *info,
                                     WelkinMachineRecord *record,
                                     const char          *alias,
                                     GError             **error);

G_END_DECLS
