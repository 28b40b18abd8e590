/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"

G_BEGIN_DECLS

/* Are rules for IPv6 wanted, where it does not go without saying? */
gboolean os_config_wants_ipv6_rules (WelkinConfig       *config);
/* Networks in their normal form, each once; empty or NULL: everywhere. with_twins: whoever opens a
 * door to all does not mean all but those with a modern address. (transfer full) */
char   **os_rule_sources_complete   (const char *const  *sources,
                                     gboolean            with_twins);
/* "IPv4" or "IPv6": what a rule for this network is for. */
const char *os_rule_source_get_ethertype (const char *source);

G_END_DECLS
