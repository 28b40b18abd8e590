/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-client.h"

G_BEGIN_DECLS

/*
 * The floating IPs that starts of this process are after. Environments of one project share its
 * addresses, and each may be in a thread of its own: all of this may be called from any.
 *
 * client: one that has logged in; it tells which cloud and project it is about.
 */

/* FALSE: another start is after it, and has not let it go. */
gboolean os_want_address               (OsClient            *client,
                                        const char          *id);
void     os_let_go_of_address          (OsClient            *client,
                                        const char          *id);

/* For whoever allocates where addresses carry no mark: one after another, so that nobody takes what
 * somebody else of this process is being given for his own. On the callback it is the caller's turn
 * until he ends it, in whichever way he ends himself. */
void     os_take_address_turn_async    (OsClient            *client,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
void     os_take_address_turn_finish   (GAsyncResult        *result);
void     os_end_address_turn           (OsClient            *client);

G_END_DECLS
