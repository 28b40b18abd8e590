/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "services/os-compute.h"

G_BEGIN_DECLS

/*
 * Which zone each server of an environment is in, so that a new one can be put where there are
 * fewest. Asked for once a minute at most; starts that are under way count from the moment they
 * chose.
 */
typedef struct _OsZoneTally OsZoneTally;

OsZoneTally *os_zone_tally_new         (OsCompute           *compute,
                                        const char          *server_filter,
                                        const char          *environ_uuid);
void         os_zone_tally_free        (OsZoneTally         *self);
void         os_zone_tally_load_async  (OsZoneTally         *self,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data);
/* Id of each server → its zone (transfer full); what is added later shows up in it. */
GHashTable  *os_zone_tally_load_finish (OsZoneTally         *self,
                                        GAsyncResult        *result,
                                        GError             **error);
/* A server that is on its way to a zone; start: stands for its id. */
void         os_zone_tally_add         (GHashTable          *zones,
                                        const char          *start,
                                        const char          *zone);

G_END_DECLS
