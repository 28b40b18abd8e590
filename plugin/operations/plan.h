/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/choose-root-disk.h"
#include "operations/find-images.h"
#include "operations/plan-networks.h"
#include "operations/quotas.h"
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
  gboolean           lacks_networks;     /* they are not looked at, nor planned */
  const char        *start_id;           /* (nullable) of the start that the plan is for, which then
                                          * counts in the zone that it gets */
} OsPlanRequest;

/* What is going to be made from what, and where. */
typedef struct
{
  GPtrArray      *flavors;       /* (owned) of OsFlavor: the chosen one, and others just like it */
  const OsImage  *image;
  const char     *flavor_reason; /* why that flavor, in words */
  gboolean        is_on_volume;
  OsRootVolume    volume;        /* if it is on one; of the snapshot's configuration */
  OsNetworkPlan  *networks;      /* (owned) (nullable) when they are not looked at */
  char          **zones;         /* (owned) to be tried in this order; "" is nova's choice */
  OsZoneClaim    *claim;         /* (owned) (nullable) to the first of the zones */

  /* who the pointers above belong to */
  GPtrArray      *all_flavors;   /* (owned) */
  OsFoundImages  *images;        /* (owned) */
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

/* How much of each quota machines take, and the groups that they are in if none of those is there.
 * plan, networks: (nullable) what is not known is left out; is_first: nothing that machines share
 * is there yet; needs: OS_N_QUOTAS numbers */
void    os_plan_count_needs (OsSnapshot          *snapshot,
                             const OsPlan        *plan,
                             const OsNetworkPlan *networks,
                             guint                n_machines,
                             gboolean             is_first,
                             gint64              *needs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsPlan, os_plan_free)

G_END_DECLS
