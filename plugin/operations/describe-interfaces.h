/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-floating-ip.h"
#include "model/os-port.h"
#include "model/os-server.h"
#include "operations/plan-networks.h"
#include "values/welkin-network-interface.h"

G_BEGIN_DECLS

/* What connects a machine to the networks of its plan: ports (of OsPort), one for each; where nova
 * has connected it, what the server tells. ip: (nullable) of the network that the plan says.
 * (element-type WelkinNetworkInterface) (transfer full) */
GPtrArray *os_describe_interfaces (const OsServer      *server,
                                   GPtrArray           *ports,
                                   const OsNetworkPlan *networks,
                                   const OsFloatingIp  *ip);

G_END_DECLS
