/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-tools.h"

G_BEGIN_DECLS

/* Beside the agent on a machine: what was unpacked there. Its URL may be secret. */
#define WELKIN_TOOLS_RECORD_FILE "downloaded-tools.txt"

/* "1.2.3-noble-amd64" (transfer full) */
char    *welkin_tools_make_binary (WelkinTools  *tools);
/* What that file holds. (transfer full) */
char    *welkin_tools_make_record (WelkinTools  *tools);
/* Whether a file's text is of the same version for the same machines. */
gboolean welkin_tools_is_record   (WelkinTools  *tools,
                                   const char   *text);

G_END_DECLS
