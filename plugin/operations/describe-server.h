/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/machine-groups.h"
#include "operations/plan.h"
#include "values/welkin-start-params.h"

G_BEGIN_DECLS

/* What nova is asked to make of a machine. */
typedef struct
{
  OsServerRequest request;     /* all but its zone, its flavor and the start in its metadata */

  /* who the pointers in it belong to, beside the plan and the groups */
  char           *name;        /* (owned) */
  char          **port_ids;    /* (owned) */
  char          **network_ids; /* (owned) (nullable) */
  char          **group_names; /* (owned) (nullable) */
  GBytes         *user_data;   /* (owned) */
  GHashTable     *metadata;    /* (owned) */
} OsServerDescription;

/* ports (of OsPort): none: nova is to connect it. ip: (nullable) of nova, which is meant for it.
 * plan, groups: to be kept as long as the result. (transfer full) */
OsServerDescription *os_describe_server           (OsSnapshot          *snapshot,
                                                   WelkinStartParams   *params,
                                                   const OsPlan        *plan,
                                                   OsMachineGroups     *groups,
                                                   GPtrArray           *ports,
                                                   const OsFloatingIp  *ip,
                                                   GBytes              *user_data);
void                 os_server_description_free   (OsServerDescription *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsServerDescription, os_server_description_free)

G_END_DECLS
