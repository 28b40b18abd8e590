/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/plan-networks.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

/* What the ports of a machine are made from; nothing of it is kept beyond the call. */
typedef struct
{
  OsNetworkPlan     *networks;
  const char        *name;
  const char        *mark;
  const char *const *group_ids; /* for the networks that know of groups */
} OsPortsRequest;

/* Makes a port in each network, side by side, and none in nova's; each runs to its end even when it
 * is cancelled. */
void       os_make_ports_async  (OsSnapshot           *snapshot,
                                 const OsPortsRequest *request,
                                 GCancellable         *cancellable,
                                 GAsyncReadyCallback   callback,
                                 gpointer              user_data);
/* (element-type OsPort) (transfer full), in the order of the networks; on failure none is left. */
GPtrArray *os_make_ports_finish (OsSnapshot           *snapshot,
                                 GAsyncResult         *result,
                                 GError              **error);

G_END_DECLS
