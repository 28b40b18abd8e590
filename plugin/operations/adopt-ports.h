/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/make-ports.h"

G_BEGIN_DECLS

/*
 * The ports that nova has made for a server because we may make none: waits until there is one with
 * an address in each network, and puts our mark on them. Nova deletes them with the server. Where
 * we may not even change them they stay without a mark, which is told.
 */
void       os_adopt_ports_async  (OsSnapshot           *snapshot,
                                  const OsPortsRequest *request,
                                  const char           *server_id,
                                  GCancellable         *cancellable,
                                  GAsyncReadyCallback   callback,
                                  gpointer              user_data);
/* (element-type OsPort) (transfer full), in the order of the networks. */
GPtrArray *os_adopt_ports_finish (OsSnapshot           *snapshot,
                                  GAsyncResult         *result,
                                  GError              **error);

G_END_DECLS
