/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define BOUNDED_TYPE_STREAM (bounded_stream_get_type ())
G_DECLARE_FINAL_TYPE (BoundedStream, bounded_stream, BOUNDED, STREAM, GInputStream)

/* What comes in by base, which ends after so many bytes: who sends more speaks to nobody. libsoup
 * itself reads a head of any length. It keeps base alive. */
GInputStream *bounded_stream_new (GIOStream *base,
                                  gsize      max_bytes);

G_END_DECLS
