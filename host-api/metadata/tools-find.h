/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "metadata/simplestreams-search.h"
#include "metadata/tools-products.h"

G_BEGIN_DECLS

/* WELKIN_ERROR_NO_TOOLS, with what each source of a search without success had to say. */
void welkin_tools_fail_to_find (WelkinStreamsFound       *found,
                                const WelkinToolsFilter  *filter,
                                GError                  **error);

G_END_DECLS
