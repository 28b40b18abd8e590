/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* What a project may have only so much of. */
typedef enum
{
  OS_QUOTA_SERVERS,
  OS_QUOTA_CORES,
  OS_QUOTA_RAM, /* MiB */
  OS_QUOTA_SERVER_GROUPS,
  OS_QUOTA_PORTS,
  OS_QUOTA_FLOATING_IPS,
  OS_QUOTA_GROUPS,
  OS_QUOTA_RULES,
  OS_N_QUOTAS,
} OsQuotaKind;

typedef struct
{
  gint64 limits[OS_N_QUOTAS]; /* -1: none, or not known */
  gint64 used[OS_N_QUOTAS];   /* -1: not known */
} OsQuotas;

/* What would be missing if so many of each were made, as in "cores (2 wanted, 1 left)";
 * NULL: nothing. (transfer full) */
char       *os_quotas_list_missing  (const OsQuotas      *self,
                                     const gint64        *needs);
/* What is left of each that is wanted when they have been made; NULL: there is no limit to any.
 * (transfer full) */
char       *os_quotas_describe_left (const OsQuotas      *self,
                                     const gint64        *needs);

/* Asks nova and neutron. */
void        os_load_quotas_async    (OsSnapshot          *snapshot,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
/* (transfer full), free with g_free() */
OsQuotas   *os_load_quotas_finish   (OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
