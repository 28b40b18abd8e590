/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/surroundings-clock.h"

WkClock *
welkin_surroundings_make_clock (WelkinSurroundings *surroundings)
{
  return wk_clock_new_parsed (welkin_surroundings_get_variable (surroundings,
                                                                "WELKIN_TIME_SCALE"));
}
