/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-floating-ip.h"
#include "model/os-port.h"
#include "model/os-server.h"
#include "operations/plan-networks.h"
#include "values/welkin-network-interface.h"

G_BEGIN_DECLS

/* What connects a machine to the networks of its plan: ports (of OsPort), one for each; ip:
 * (nullable) of the one that the plan says.
 * (element-type WelkinNetworkInterface) (transfer full) */
GPtrArray *os_describe_interfaces (GPtrArray           *ports,
                                   const OsNetworkPlan *networks,
                                   const OsFloatingIp  *ip);

/* The same where nova has connected it, as the server tells: nova has no names for its cards but
 * their hardware addresses, and puts floating IPs on the first one. */
GPtrArray *os_describe_novas_interfaces (const OsServer      *server,
                                         const OsNetworkPlan *networks,
                                         const OsFloatingIp  *ip);

G_END_DECLS
