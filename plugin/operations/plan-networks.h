/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

typedef struct
{
  char    *id;
  char    *name;
  gboolean has_port_security;
} OsPlannedNetwork;

/* What a machine is going to be connected to. */
typedef struct
{
  GPtrArray *networks;            /* (owned) of OsPlannedNetwork, the primary one first */
  char      *external_network_id; /* (owned) (nullable) of the floating IP; NULL: none */
  char      *external_network_name; /* (owned) (nullable) */
  guint      floating_index;      /* of the network that the floating IP leads to */
  gboolean   is_novas;            /* nova connects it, where there is no network service: to all
                                   * these, or to what it chooses if there are none; the external
                                   * network is the name of a pool, or "" for nova's choice */
} OsNetworkPlan;

OsNetworkPlan *os_network_plan_new     (void);
void           os_network_plan_free    (OsNetworkPlan       *self);
/* Each network is in it once. */
void           os_network_plan_add     (OsNetworkPlan       *self,
                                        const OsNetwork     *network);

gboolean       os_wants_floating_ip    (WelkinConfig        *config,
                                        WelkinConstraints   *constraints);

/* Looks which networks there are, and decides; makes nothing. */
void           os_plan_networks_async  (OsSnapshot          *snapshot,
                                        WelkinConstraints   *constraints,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
OsNetworkPlan *os_plan_networks_finish (OsSnapshot          *snapshot,
                                        GAsyncResult        *result,
                                        GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsNetworkPlan, os_network_plan_free)

G_END_DECLS
