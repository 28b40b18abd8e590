/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-compute.h"

G_BEGIN_DECLS

/*
 * How many servers of an environment are in each zone, so that a new one can be put where there
 * are fewest. Asked for once a minute at most; starts that are under way, or have ended since, are
 * counted by their claims.
 */
typedef struct _OsZoneTally OsZoneTally;

/* That a start goes to a zone. It must go before its tally does. */
typedef struct _OsZoneClaim OsZoneClaim;

OsZoneTally *os_zone_tally_new         (OsCompute           *compute,
                                        const char          *server_filter,
                                        const char          *environ_uuid);
void         os_zone_tally_free        (OsZoneTally         *self);
void         os_zone_tally_load_async  (OsZoneTally         *self,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
gboolean     os_zone_tally_load_finish (OsZoneTally         *self,
                                        GAsyncResult        *result,
                                        GError             **error);
/* Zone → number (GUINT_TO_POINTER) of servers with these ids, and of starts which are to be apart
 * from them, too; of all when there are no ids. (transfer full) */
GHashTable  *os_zone_tally_count       (OsZoneTally         *self,
                                        const char *const   *group);
/* zone: "" is not counted. (transfer full) */
OsZoneClaim *os_zone_tally_claim       (OsZoneTally         *self,
                                        const char          *start_id,
                                        const char          *zone,
                                        const char *const   *group);

/* The start tries another zone. */
void         os_zone_claim_move        (OsZoneClaim         *self,
                                        const char          *zone);
/* (transfer full): the start has ended well, with this server. */
void         os_zone_claim_keep        (OsZoneClaim         *self,
                                        const char          *server_id);
void         os_zone_claim_free        (OsZoneClaim         *self);

G_END_DECLS
