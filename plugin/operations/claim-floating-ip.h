/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/* What neutron calls that it compares revisions before it changes a thing. */
#define OS_REVISION_EXTENSION "revision-if-match"

/* What a floating IP is for; nothing of it is kept beyond the call. */
typedef struct
{
  char *network_id;    /* the external one */
  char *port_id;
  char *fixed_address; /* (nullable) which of the port's addresses */
  char *mark;
  gboolean is_new;     /* nova has just made the port: it may not be ready yet */
} OsFloatingIpRequest;

void          os_floating_ip_request_copy  (const OsFloatingIpRequest *self,
                                             OsFloatingIpRequest       *copy);
void          os_floating_ip_request_clear  (OsFloatingIpRequest       *self);

/*
 * Puts a floating IP that is there and that nothing uses on the port, with our mark. Neutron lets
 * several who do so at the same time believe that they succeeded, so each looks again a moment
 * later, and takes another one when somebody else has it by then. What carries our mark after a
 * failure is to be swept.
 */
void          os_claim_floating_ip_async  (OsSnapshot                *snapshot,
                                           const OsFloatingIpRequest *request,
                                           GCancellable              *cancellable,
                                           GAsyncReadyCallback        callback,
                                           gpointer                   user_data);
/* NULL without an error: there is none. */
OsFloatingIp *os_claim_floating_ip_finish (OsSnapshot                *snapshot,
                                           GAsyncResult              *result,
                                           GError                   **error);

G_END_DECLS
