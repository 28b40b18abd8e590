/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* The clock that waits go by: WELKIN_TIME_SCALE makes it run faster, for tests. */
WkClock *welkin_surroundings_make_clock (WelkinSurroundings *surroundings);

G_END_DECLS
