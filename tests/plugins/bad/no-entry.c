/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

/* A library like any other. */
WELKIN_EXTERN int welkin_no_entry (void);

int
welkin_no_entry (void)
{
  return 0;
}
