/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * A stream that a test gives to what it tests: its bytes are made where they are read, and tell
 * their place. It fails the test when two threads read it at once.
 */
#define ODD_TYPE_STREAM (odd_stream_get_type ())
G_DECLARE_FINAL_TYPE (OddStream, odd_stream, ODD, STREAM, GInputStream)

typedef enum
{
  ODD_STREAM_ENDS,
  ODD_STREAM_FAILS,
  ODD_STREAM_STALLS, /* for so long, deaf to a cancellation; again at twice the offset, and so on */
} OddFlaw;

#define ODD_STREAM_STALL_MS 300

OddStream *odd_stream_new          (goffset    length);
/* It cannot go back any more, as a pipe. */
void       odd_stream_set_one_way  (OddStream *self);
void       odd_stream_set_flaw     (OddStream *self,
                                    OddFlaw    flaw,
                                    goffset    offset);
goffset    odd_stream_get_position (OddStream *self);
/* What stands there. (transfer full) */
GBytes    *odd_stream_make_bytes   (goffset    offset,
                                    gsize      length);

G_END_DECLS
