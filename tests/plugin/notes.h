/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"

G_BEGIN_DECLS

/* A host that keeps what a provider notes in memory. */
#define TYPE_NOTES (notes_get_type ())
G_DECLARE_FINAL_TYPE (Notes, notes, TEST, NOTES, GObject)

/* From now on the environment's. */
Notes      *notes_new_for   (WelkinEnviron *environ);
/* Texts by their keys (transfer none). */
GHashTable *notes_get_lines (Notes         *self);
/* Nothing can be noted any more. */
void        notes_break     (Notes         *self);

G_END_DECLS
