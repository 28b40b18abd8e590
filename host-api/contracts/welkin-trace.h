/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_TRACE (welkin_trace_get_type ())

/* What went over the wire, in a file that browsers show: an HTTP archive (HAR 1.2). A host puts it
 * into the surroundings of what it opens, and a provider adds an entry for each request. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinTrace, welkin_trace, WELKIN, TRACE, GObject)

/* Makes the file, which only its owner can read, or goes on with one that is a trace already. */
WELKIN_AVAILABLE_IN_0_1
WelkinTrace *welkin_trace_new_for_file (const char   *path,
                                        GError      **error);
/* entry: one of the archive's "entries", as JSON, without any secret. */
WELKIN_AVAILABLE_IN_0_1
void         welkin_trace_add_entry    (WelkinTrace  *self,
                                        const char   *entry);
/* FALSE when an entry could not be written. */
WELKIN_AVAILABLE_IN_0_1
gboolean     welkin_trace_close        (WelkinTrace  *self,
                                        GError      **error);

G_END_DECLS
