/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-firewall.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

#define OS_TYPE_SHARED_GROUPS (os_shared_groups_get_type ())

/*
 * The security groups that all machines of an environment are in: its base group, the global one
 * where firewall-mode is "global", and the project's "default" on request. They are looked after
 * once for all starts, and a start that fails takes them away again if it was for them that they
 * were made and nobody else uses them.
 */
G_DECLARE_FINAL_TYPE (OsSharedGroups, os_shared_groups, OS, SHARED_GROUPS, GObject)

OsSharedGroups *os_shared_groups_new            (OsFirewall          *firewall,
                                                 WelkinConfig        *config,
                                                 const char          *prefix);

/* Asks which groups there are, beside other questions, so that ensuring them need not. */
void            os_shared_groups_prepare_async  (OsSharedGroups      *self,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean        os_shared_groups_prepare_finish (OsSharedGroups      *self,
                                                 GAsyncResult        *result,
                                                 GError             **error);
/* Makes them if need be, and puts the rules of the base group right. */
void            os_shared_groups_ensure_async   (OsSharedGroups      *self,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
/* The ids (transfer full). Whoever got them says keep() or release() when he has done. */
char          **os_shared_groups_ensure_finish  (OsSharedGroups      *self,
                                                 GAsyncResult        *result,
                                                 GError             **error);
/* One of them has turned out not to be there any more. */
void            os_shared_groups_forget         (OsSharedGroups      *self);
/* A machine now is in them: they stay. */
void            os_shared_groups_keep           (OsSharedGroups      *self);
/* In the shape of an undo; id is ignored. */
void            os_shared_groups_release_async  (OsSharedGroups      *self,
                                                 const char          *id,
                                                 GCancellable        *cancellable,
                                                 GAsyncReadyCallback  callback,
                                                 gpointer             user_data);
gboolean        os_shared_groups_release_finish (OsSharedGroups      *self,
                                                 GAsyncResult        *result,
                                                 GError             **error);

G_END_DECLS
