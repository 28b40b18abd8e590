/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/*
 * What metadata are asked for many machines at once depends on their series and their architecture
 * alone: machines with the same key get the same answer.
 */

/* (transfer full) */
char              *welkin_machine_key_new   (const char         *series,
                                             WelkinConstraints  *constraints);
/* (transfer full): as much of the constraints as the key knows. series: (out) (transfer full) */
WelkinConstraints *welkin_machine_key_parse (const char         *key,
                                             char              **series);

G_END_DECLS
