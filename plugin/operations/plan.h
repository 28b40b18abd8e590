/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/find-images.h"
#include "operations/snapshot.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/* What a machine is wanted for. */
typedef struct
{
  WelkinConstraints *constraints;
  const char        *series;
  GPtrArray         *images;             /* (nullable) of WelkinImage: what the host knows of */
  const char        *placement;          /* "" or a directive */
  const char *const *distribution_group;
} OsPlanRequest;

typedef struct
{
  char    *id;
  char    *name;
  gboolean has_port_security;
} OsPlannedNetwork;

/* What is going to be made from what, and where. */
typedef struct
{
  const OsFlavor *flavor;
  const OsImage  *image;
  GPtrArray      *networks;            /* (owned) of OsPlannedNetwork, the primary one first */
  char           *external_network_id; /* (owned) (nullable) of the floating IP; NULL: none */
  char          **zones;               /* (owned) to be tried in this order; "" is nova's choice */

  /* who the pointers above belong to */
  GPtrArray      *flavors;             /* (owned) */
  OsFoundImages  *images;              /* (owned) */
  GHashTable     *server_zones;        /* (owned) (nullable) see os_zone_tally_add() */
} OsPlan;

void    os_plan_free   (OsPlan              *self);

/* Logs in, looks around and decides; makes nothing. All questions are asked side by side, and
 * what was answered a moment ago is not asked again. */
void    os_plan_async  (OsSnapshot          *snapshot,
                        const OsPlanRequest *request,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data);
OsPlan *os_plan_finish (OsSnapshot          *snapshot,
                        GAsyncResult        *result,
                        GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsPlan, os_plan_free)

G_END_DECLS
