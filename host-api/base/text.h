/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text between double quotes, as messages show what a user gave: quotes,
 * backslashes and control characters are escaped, and what is not UTF-8 is
 * replaced. */
char *wk_quote       (const char *text);

/* The text as one word of a POSIX shell. */
char *wk_shell_quote (const char *text);

/* So many random bytes as lower-case hexadecimal digits, from the kernel's
 * generator: good for secrets. */
char *wk_random_hex  (gsize n_bytes);

G_END_DECLS
