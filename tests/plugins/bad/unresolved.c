/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

/* Found nowhere: the loader says so at once, and not when it is called. */
GType test_function_that_is_nowhere (void);

static GType
get_type (void)
{
  return test_function_that_is_nowhere ();
}

WELKIN_PLUGIN_DEFINE (unresolved,
                      .summary = "Made for a library that is not there",
                      .version = "1",
                      .license = "LGPL-2.1-or-later",
                      .get_type = get_type)
