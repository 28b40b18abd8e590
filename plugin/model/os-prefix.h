/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The addresses that a text like "10.1.2.3/8", "10.1.2.3" or "2001:0db8::/32" means, in the one
 * form that is compared and sent: "10.0.0.0/8". NULL when it means none. (transfer full) */
char *os_prefix_normalise (const char *text);

G_END_DECLS
