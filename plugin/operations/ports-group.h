/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

typedef enum
{
  OS_PORTS_OPEN,
  OS_PORTS_CLOSE,
  OS_PORTS_LIST,
} OsPortsCall;

/* Does the environment's firewall-mode give machines (or with NULL the environment) ports of their
 * own? WELKIN_ERROR_NOT_SUPPORTED if not. */
gboolean      os_ports_check_mode        (OsSnapshot          *snapshot,
                                          const OsDetail      *machine,
                                          OsPortsCall          call,
                                          GError             **error);

/* What an error of the call begins with: "Cannot open ports of machine 3". (transfer full) */
char         *os_ports_dup_context       (OsSnapshot          *snapshot,
                                          const OsDetail      *machine,
                                          OsPortsCall          call);

/* The group whose rules are the open ports of a machine or of the environment. */
typedef struct
{
  OsSecurityGroup *group;      /* (owned) (nullable) there is none */
  gboolean         is_guarded; /* FALSE: none is needed, nothing keeps packets away */
} OsPortsGroup;

void          os_ports_group_free        (OsPortsGroup        *self);

/* machine: (nullable). is_expected: one that was just made may not be seen at once, and is waited
 * for. */
void          os_find_ports_group_async  (OsSnapshot          *snapshot,
                                          OsDetail            *machine,
                                          gboolean             is_expected,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* (transfer full) */
OsPortsGroup *os_find_ports_group_finish (OsSnapshot          *snapshot,
                                          GAsyncResult        *result,
                                          GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsPortsGroup, os_ports_group_free)

G_END_DECLS
