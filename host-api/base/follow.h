/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Cancels one cancellable when another one is, which is the caller's, so that an operation can end
 * all that it waits for by itself, too. It is done from the main loop of the caller and not from
 * the signal: whoever cancels must not find callbacks of the operation on top of himself, and
 * g_cancellable_disconnect() would wait for them for ever.
 *
 * leader: (nullable). When it is cancelled already, the follower is at once. (transfer full)
 * (nullable): what wk_unfollow() takes.
 */
GSource *wk_follow   (GCancellable *follower,
                      GCancellable *leader);
/* From now on the leader is nothing to the follower. Takes NULL as well, and sets to NULL. */
void     wk_unfollow (GSource     **following);

G_END_DECLS
