/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-network-service.h"
#include "transport/os-client.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/*
 * The floating IPs of our project that nothing uses, as far as "floating-ip-reuse" lets us take
 * them. They are asked for once a minute at most, for all starts together, and each start is given
 * another one: no two starts of this process are ever after the same address.
 */
typedef struct _OsFloatingPool OsFloatingPool;

OsFloatingPool *os_floating_pool_new         (OsClient            *client,
                                              OsNetworkService    *service,
                                              WelkinConfig        *config);
void            os_floating_pool_free        (OsFloatingPool      *self);

/* Asks which there are, beside other questions; nothing is asked where none may be reused. */
void            os_floating_pool_load_async  (OsFloatingPool      *self,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
gboolean        os_floating_pool_load_finish (OsFloatingPool      *self,
                                              GAsyncResult        *result,
                                              GError             **error);
/* The next one from this external network, ours before those of others; NULL when there is none.
 * It must be let go of, whatever came of it. (transfer full) */
OsFloatingIp   *os_floating_pool_take        (OsFloatingPool      *self,
                                              const char          *network_id);
void            os_floating_pool_let_go      (OsFloatingPool      *self,
                                              const OsFloatingIp  *ip);
/* TRUE once an hour: when there is a shortage, it may be time to look for what was left over. */
gboolean        os_floating_pool_may_sweep   (OsFloatingPool      *self,
                                              WkClock             *clock);

G_END_DECLS
