/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-firewall.h"

G_BEGIN_DECLS

/* Deletes a security group, again and again while something is still in it, half a minute at most;
 * then WELKIN_ERROR_IN_USE says who. In the shape of an undo: firewall is an OsFirewall. */
void     os_remove_group_async  (gpointer             firewall,
                                 const char          *id,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data);
gboolean os_remove_group_finish (gpointer             firewall,
                                 GAsyncResult        *result,
                                 GError             **error);

G_END_DECLS
