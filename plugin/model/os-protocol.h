/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one name of a protocol that rules give by name or by number, in any case: "icmp" also for
 * that of IPv6, "any" for all (NULL). (transfer full) */
char    *os_protocol_normalise (const char *protocol);
/* protocol: its one name */
gboolean os_protocol_has_ports (const char *protocol);

G_END_DECLS
