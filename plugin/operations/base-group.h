/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-security-group.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/* The ingress rules of the base group, which every machine is in: ssh and the API from where
 * administrators are, everything between the machines.
 * (element-type OsSecurityGroupRule) (transfer full) */
GPtrArray *os_base_group_dup_rules (WelkinConfig          *config,
                                    const char            *group_id);
/* What it takes to make the ingress rules of the group those that are desired: missing takes
 * rules out of desired, surplus gets the ids of others. */
void       os_base_group_compare   (const OsSecurityGroup *group,
                                    GPtrArray             *desired,
                                    GPtrArray            **missing,
                                    GPtrArray            **surplus);

G_END_DECLS
