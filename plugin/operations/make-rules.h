/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-firewall.h"

G_BEGIN_DECLS

/* Makes rules (element-type OsSecurityGroupRule), all of one group; none are no request. Those that
 * are there already are a success, whatever the cloud says of them. All are tried before the first
 * error is returned. */
void     os_make_rules_async  (OsFirewall          *firewall,
                               GPtrArray           *rules,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
gboolean os_make_rules_finish (OsFirewall          *firewall,
                               GAsyncResult        *result,
                               GError             **error);

G_END_DECLS
