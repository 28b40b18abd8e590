/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-network.h"

G_BEGIN_DECLS

/* What is asked of a network: machines live on it, or floating IPs come from it. */
typedef enum
{
  OS_NETWORK_FOR_MACHINES,
  OS_NETWORK_FOR_FLOATING_IPS,
} OsNetworkUse;

/* The id that a text is, in neutron's form (lower case, with dashes); NULL when it is a name. */
char            *os_network_parse_id       (const char   *text);
const OsNetwork *os_choose_network_by_id   (GPtrArray    *networks,
                                            const char   *id,
                                            OsNetworkUse  use,
                                            GError      **error);
/* The one network of the name among those that neutron's inexact filter let through. */
const OsNetwork *os_choose_network_by_name (GPtrArray    *networks,
                                            const char   *name,
                                            const char   *project_id,
                                            OsNetworkUse  use,
                                            GError      **error);
/* The network for machines where the configuration names none: the project's own if it has just
 * one, else the only shared one. */
const OsNetwork *os_choose_network         (GPtrArray    *networks,
                                            const char   *project_id,
                                            GError      **error);
guint            os_count_external_networks (GPtrArray   *networks);
/* Has one of the routers (of OsRouter) its gateway in that network? */
gboolean         os_routers_lead_to        (GPtrArray    *routers,
                                            const char   *network_id);
/* The external network, where the configuration names none: the only one, or the only one that
 * routers (nullable, of OsRouter: those of the machines' network) lead to. */
const OsNetwork *os_choose_external_network (GPtrArray   *networks,
                                            GPtrArray    *routers,
                                            GError      **error);
/* That the network can be used so: found out here, because nova says it only after it has made a
 * server. */
gboolean         os_check_network          (const OsNetwork *network,
                                            const char      *project_id,
                                            OsNetworkUse     use,
                                            GError         **error);

G_END_DECLS
