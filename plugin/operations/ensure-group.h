/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-firewall.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/* A group that is to be there. */
typedef struct
{
  OsFirewall   *firewall;
  const char   *name;
  const char   *description; /* the mark */
  WelkinConfig *config;      /* (nullable) whose base group it is; NULL: rules are not ours */
  GPtrArray    *groups;      /* of OsSecurityGroup: those that there are */
} OsGroupRequest;

typedef struct
{
  char    *id;
  gboolean was_made; /* by this call */
} OsEnsuredGroup;

void            os_ensured_group_free  (OsEnsuredGroup       *self);

/* Makes it if need be, and puts its rules right; nothing of the request is kept beyond the call. Of
 * those who make the same group at the same time one wins, and the others take his. */
void            os_ensure_group_async  (const OsGroupRequest *request,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
/* (transfer full) */
OsEnsuredGroup *os_ensure_group_finish (GAsyncResult         *result,
                                        GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsEnsuredGroup, os_ensured_group_free)

G_END_DECLS
