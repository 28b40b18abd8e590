/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-intents.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* Where they are in an info: a mapping of their keys to their texts. */
#define WELKIN_KEY_INTENTS "intents"

#define WELKIN_TYPE_INFO_INTENTS (welkin_info_intents_get_type ())
G_DECLARE_FINAL_TYPE (WelkinInfoIntents, welkin_info_intents, WELKIN, INFO_INTENTS, GObject)

/* Those of an environment, in its info, which has to be there only when something is noted.
 * surroundings: (nullable) */
WelkinIntents *welkin_info_intents_new    (WelkinSurroundings *surroundings,
                                           const char         *name);

/* Drops the lines of a start, in the info, which is not written yet. */
void           welkin_info_intents_forget (WelkinInfo         *info,
                                           const char         *start_id);

G_END_DECLS
