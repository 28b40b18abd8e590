/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Every architecture that images and tools are made for, up to NULL. */
const char *const *welkin_arch_list        (void);
/* How an architecture is called now, that metadata of 2014 may call otherwise. arch: nullable */
const char        *welkin_arch_get_present (const char *arch);
/* How metadata of 2014 calls it; NULL when it is the same. */
const char        *welkin_arch_get_former  (const char *arch);

G_END_DECLS
