/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-network-service.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/* The ingress rules of the base group, which every machine is in: ssh and the API from where
 * administrators are, everything between the machines.
 * (element-type OsSecurityGroupRule) (transfer full) */
GPtrArray             *os_base_group_dup_rules (WelkinConfig    *config,
                                                const char      *group_id);
/* Of several that carry the mark (made by processes that did not know of each other) all choose the
 * oldest; NULL when there is none. description: the mark */
const OsSecurityGroup *os_choose_group         (GPtrArray       *groups,
                                                const char      *name,
                                                const char      *description);
/* What it takes to make the ingress rules of the group those that are desired: missing takes
 * rules out of desired, surplus gets the ids of others. */
void                   os_compare_rules        (const OsSecurityGroup *group,
                                                GPtrArray       *desired,
                                                GPtrArray      **missing,
                                                GPtrArray      **surplus);

/* A group that is to be there. */
typedef struct
{
  OsNetworkService *network_service;
  WkClock          *clock;
  const char       *name;
  const char       *description; /* the mark */
  WelkinConfig     *config;      /* (nullable) whose base group it is; NULL: rules are not ours */
  GPtrArray        *groups;      /* of OsSecurityGroup: those that there are */
} OsGroupRequest;

typedef struct
{
  char    *id;
  gboolean was_made; /* by this call */
} OsEnsuredGroup;

void                   os_ensured_group_free   (OsEnsuredGroup  *self);

/* Makes it if need be, and its rules; nothing of the request is kept beyond the call. */
void                   os_ensure_group_async   (const OsGroupRequest *request,
                                                GCancellable    *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer         user_data);
/* (transfer full) */
OsEnsuredGroup        *os_ensure_group_finish  (GAsyncResult    *result,
                                                GError         **error);

/* Makes a group without looking whether there is one: what a machine has for itself. Cannot be
 * cancelled. */
void                   os_make_group_async     (OsNetworkService *network_service,
                                                WkClock         *clock,
                                                const char      *name,
                                                const char      *description,
                                                GCancellable    *cancellable,
                                                GAsyncReadyCallback callback,
                                                gpointer         user_data);
OsSecurityGroup       *os_make_group_finish    (GAsyncResult    *result,
                                                GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsEnsuredGroup, os_ensured_group_free)

G_END_DECLS
