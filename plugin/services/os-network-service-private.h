/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "services/os-network-service.h"

G_BEGIN_DECLS

struct _OsNetworkService
{
  GObject parent;

  OsClient *client;     /* (owned) */
  WkMemo   *extensions; /* (owned) GHashTable of aliases */
  WkMemo   *networks;   /* (owned) GPtrArray of OsNetwork, by the query that gave them */
  WkMemo   *routers;    /* (owned) GPtrArray of OsRouter, by the network they lead to */
};

/* Drops what neutron's filter took for one of the names: databases compare without case and without
 * spaces at the end. */
void os_network_service_keep_exact_names (GPtrArray          *records,
                                          gsize               name_offset,
                                          const char * const *names);

G_END_DECLS
