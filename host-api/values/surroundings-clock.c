/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/surroundings-clock.h"

WkClock *
welkin_surroundings_make_clock (WelkinSurroundings *surroundings)
{
  const char *scale = welkin_surroundings_get_variable (surroundings, "WELKIN_TIME_SCALE");
  double value = scale != NULL ? g_ascii_strtod (scale, NULL) : 1;

  return wk_clock_new (value > 0 ? value : 1);
}
