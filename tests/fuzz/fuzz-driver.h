/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What each target defines: the entry of libFuzzer, and texts to begin with, NULL-terminated. */
int                      LLVMFuzzerTestOneInput (const guint8 *data,
                                                 gsize         size);
extern const char *const fuzz_seeds[];

G_END_DECLS
