/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/machine-record.h"
#include "environments/environment-getters.h"

G_BEGIN_DECLS

/*
 * What one pass of the provisioner is to do, as it follows from the records and from the instances
 * that there are. It asks and changes nothing.
 */
typedef struct
{
  GPtrArray  *dead;           /* (owned char *) machines whose records are to go */
  GPtrArray  *pending;        /* (owned char *) machines to start */
  GPtrArray  *adopted;        /* (owned char *) machines that run without their record knowing it */
  GPtrArray  *maintained;     /* (owned char *) machines that run */
  GPtrArray  *missing;        /* (owned char *) machines whose instances are gone */
  GPtrArray  *stopping;       /* (owned char *) instances */
  GPtrArray  *unknown;        /* (owned char *) instances of no machine that are left alone */
  GHashTable *instances;      /* machine to (owned) WelkinInstance: of all that have one */
  GPtrArray  *interrupted;    /* (owned char *) start-ids of starts that were cut off, and may have
                               * left something */
} WelkinProvisionerPlan;

/* Instances that outlive their machines: ids to start-ids, in the info. */
#define WELKIN_KEY_KEPT_INSTANCES "kept-instances"

/* records, instances: (element-type WelkinMachineRecord), (element-type WelkinInstance)
 * kept: (nullable): the map under WELKIN_KEY_KEPT_INSTANCES */
WelkinProvisionerPlan *welkin_provisioner_plan_new    (GPtrArray             *records,
                                                       GPtrArray             *instances,
                                                       WelkinValue           *kept,
                                                       WelkinHarvestMode      harvest_mode);
/* Undoes what a start has come to before the machine is started again. instance: (nullable) */
void                   welkin_provisioner_plan_start_anew
                                                      (WelkinProvisionerPlan *self,
                                                       WelkinMachineRecord   *record,
                                                       WelkinInstance        *instance);
void                   welkin_provisioner_plan_free   (WelkinProvisionerPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinProvisionerPlan, welkin_provisioner_plan_free)

G_END_DECLS
