/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/undo.h"
#include "operations/plan-networks.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * The groups that one machine is in: the security groups that all machines share, one of its own
 * where "firewall-mode" says so, and the server group that keeps the machines apart.
 */
typedef struct _OsMachineGroups OsMachineGroups;

/* mark: of the start, which its own group carries. undo: what is made is unmade with it, and what
 * is shared is let go. */
OsMachineGroups *os_machine_groups_new                 (OsSnapshot          *snapshot,
                                                        const OsNetworkPlan *networks,
                                                        const char          *machine_id,
                                                        const char          *mark,
                                                        WkUndo              *undo);
void             os_machine_groups_free                (OsMachineGroups     *self);

/* Sees that they are there. It runs to its end even when it is cancelled, so that it is known what
 * was made. May be repeated. */
void             os_machine_groups_ensure_async        (OsMachineGroups     *self,
                                                        GCancellable        *cancellable,
                                                        GAsyncReadyCallback  callback,
                                                        gpointer             user_data);
gboolean         os_machine_groups_ensure_finish       (OsMachineGroups     *self,
                                                        GAsyncResult        *result,
                                                        GError             **error);
/* Whoever used them got this error: TRUE if somebody deleted one of them since they were looked at,
 * and it helps to ensure them once more. */
gboolean         os_machine_groups_are_lost            (OsMachineGroups     *self,
                                                        const GError        *error);
/* The machine is in them now: what is shared stays. */
void             os_machine_groups_keep                (OsMachineGroups     *self);

/* Of the security groups. (transfer full) */
char           **os_machine_groups_list_ids            (OsMachineGroups     *self);
/* What nova calls them. (transfer full) */
char           **os_machine_groups_list_names          (OsMachineGroups     *self);
/* NULL: there is none. */
const char      *os_machine_groups_get_server_group_id (OsMachineGroups     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsMachineGroups, os_machine_groups_free)

G_END_DECLS
