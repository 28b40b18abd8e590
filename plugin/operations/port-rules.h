/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-security-group.h"
#include "values/welkin-port-range.h"

G_BEGIN_DECLS

/*
 * Ports that a host speaks of, as rules of a security group, and back. ranges: (element-type
 * WelkinPortRange), without sources for everywhere. with_twins: everywhere is IPv6 as well.
 */

/* Another list of the same ranges. (transfer full) */
GPtrArray *os_port_ranges_copy       (GPtrArray             *ranges);
/* WELKIN_ERROR_INVALID_ARGUMENT for what no rule can say. */
gboolean   os_port_ranges_check      (GPtrArray             *ranges,
                                      GError               **error);
/* The rules that open them, each once. (element-type OsSecurityGroupRule) (transfer full) */
GPtrArray *os_port_ranges_dup_rules  (GPtrArray             *ranges,
                                      const char            *group_id,
                                      gboolean               with_twins);
/* The ids of the rules that have to go to close them: those of the same ports, neither wider nor
 * narrower, for the same sources. (transfer full) */
GPtrArray *os_port_ranges_find_rules (GPtrArray             *ranges,
                                      const OsSecurityGroup *group);
/* What the rules open to addresses, sorted. (element-type WelkinPortRange) (transfer full) */
GPtrArray *os_port_rules_dup_ranges  (const OsSecurityGroup *group,
                                      gboolean               with_twins);

G_END_DECLS
