/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The last lines of what a server printed at boot, fit for a terminal: without control characters,
 * without what looks like a secret, and not too long. NULL when there is nothing to be seen.
 * (transfer full) */
char *os_tidy_console    (const char *text);

/* Adds to the text of an error, which begins with the fault, what was tried (element-type utf8) if
 * that is more than one thing, and what os_tidy_console() made. console: (nullable) */
void  os_explain_failure (GError     *error,
                          GPtrArray  *tries,
                          const char *console);

G_END_DECLS
