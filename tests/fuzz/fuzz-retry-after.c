/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>

#include "base/backoff.h"
#include "fuzz-driver.h"

/* The first line is Retry-After, and what follows is Date. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto(GStrv) lines = g_strsplit (text, "\n", 2);
  double seconds = -1.0;

  if (lines[0] == NULL)
    return 0;
  if (wk_backoff_parse_after (lines[0], lines[1], &seconds))
    {
      g_assert_true (isfinite (seconds));
      g_assert_cmpfloat (seconds, >=, 0.0);
    }
  else
    g_assert_cmpfloat (seconds, ==, -1.0);
  return 0;
}
