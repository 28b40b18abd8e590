/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_PROGRESS (welkin_progress_get_type ())

/* How far long work has come, as a tree: properties "fraction" (0 to 1, -1 unknown), "message"
 * (translated) and "finished", which notify at most five times a second, the last state always; and
 * the signal "said" with a line that is to be kept, as often as there is one. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinProgress, welkin_progress, WELKIN, PROGRESS, GObject)

WELKIN_AVAILABLE_IN_0_1
WelkinProgress *welkin_progress_new          (void);
/* weight: this child's share among its siblings; (transfer full). A NULL self is allowed and
 * gives NULL: whoever works reports without asking whether anybody looks. */
WELKIN_AVAILABLE_IN_0_1
WelkinProgress *welkin_progress_add_child    (WelkinProgress *self,
                                              double          weight);
WELKIN_AVAILABLE_IN_0_1
double          welkin_progress_get_fraction (WelkinProgress *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_progress_get_message  (WelkinProgress *self);
WELKIN_AVAILABLE_IN_0_1
gboolean        welkin_progress_get_finished (WelkinProgress *self);
/* The setters take a NULL self, too. */
WELKIN_AVAILABLE_IN_0_1
void            welkin_progress_set_fraction (WelkinProgress *self,
                                              double          fraction);
WELKIN_AVAILABLE_IN_0_1
void            welkin_progress_set_message  (WelkinProgress *self,
                                              const char     *message);
WELKIN_AVAILABLE_IN_0_1
void            welkin_progress_say          (WelkinProgress *self,
                                              const char     *line);
WELKIN_AVAILABLE_IN_0_1
void            welkin_progress_finish       (WelkinProgress *self);

G_END_DECLS
