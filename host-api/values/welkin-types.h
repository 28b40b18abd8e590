/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WELKIN_EXTERN __attribute__ ((visibility ("default"))) extern

/* Which version of the library a symbol came with. */
#define WELKIN_AVAILABLE_IN_0_1 WELKIN_EXTERN

G_END_DECLS
