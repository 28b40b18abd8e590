/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What each target defines: the entry of libFuzzer. */
int LLVMFuzzerTestOneInput (const guint8 *data,
                            gsize         size);

G_END_DECLS
