/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/undo.h"
#include "operations/plan-networks.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * The floating IP of one machine, whichever service has those. It is given in three steps around
 * the making of the server, and each does what the cloud leaves to do in it: neutron's is born on a
 * port beside the server, or after it where nova makes the port; nova's is allocated before, so
 * that the server's metadata can name it, and is put on it afterwards. Where the plan has none, all
 * of them do nothing.
 */
typedef struct _OsGivenAddress OsGivenAddress;

/* mark: of the start. undo: what is made is unmade with it. */
OsGivenAddress     *os_given_address_new          (OsSnapshot          *snapshot,
                                                   const OsNetworkPlan *networks,
                                                   const char          *mark,
                                                   WkUndo              *undo);
/* When a server has it, or none will. */
void                os_given_address_free         (OsGivenAddress      *self);
/* NULL: there is none, or not yet. */
const OsFloatingIp *os_given_address_get_ip       (OsGivenAddress      *self);
/* The first step is done: an earlier start allocated this one. */
void                os_given_address_take_up      (OsGivenAddress      *self,
                                                   const OsFloatingIp  *ip);

/* FALSE: the last step has something to do. */
gboolean            os_given_address_is_settled   (OsGivenAddress      *self);

/* Before the server is made. */
void                os_allocate_address_async     (OsGivenAddress      *self,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
gboolean            os_allocate_address_finish    (OsGivenAddress      *self,
                                                   GAsyncResult        *result,
                                                   GError             **error);
/* Beside that. port: (nullable) that it is to lead to, as far as that is there */
void                os_bear_address_async         (OsGivenAddress      *self,
                                                   const OsPort        *port,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
gboolean            os_bear_address_finish        (OsGivenAddress      *self,
                                                   GAsyncResult        *result,
                                                   GError             **error);
/* When the server is there. Looks once more, too, at one that was there before and was taken: if it
 * is somebody else's by now, another one takes its place. */
void                os_settle_address_async       (OsGivenAddress      *self,
                                                   const OsPort        *port,
                                                   const char          *server_id,
                                                   GCancellable        *cancellable,
                                                   GAsyncReadyCallback  callback,
                                                   gpointer             user_data);
gboolean            os_settle_address_finish      (OsGivenAddress      *self,
                                                   GAsyncResult        *result,
                                                   GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsGivenAddress, os_given_address_free)

G_END_DECLS
