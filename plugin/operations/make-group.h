/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-firewall.h"

G_BEGIN_DECLS

/* Of several that carry the mark (made by processes that did not know of each other) all choose the
 * oldest; NULL when there is none. description: the mark */
const OsSecurityGroup *os_choose_group      (GPtrArray           *groups,
                                             const char          *name,
                                             const char          *description);

/* Makes a group without looking whether there is one: what a machine has for itself. Cannot be
 * cancelled. */
void                   os_make_group_async  (OsFirewall          *firewall,
                                             const char          *name,
                                             const char          *description,
                                             GCancellable        *cancellable,
                                             GAsyncReadyCallback  callback,
                                             gpointer             user_data);
OsSecurityGroup       *os_make_group_finish (GAsyncResult        *result,
                                             GError             **error);

G_END_DECLS
