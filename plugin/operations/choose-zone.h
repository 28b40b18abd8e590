/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the choice of a zone goes by. */
typedef struct
{
  GPtrArray         *zones;              /* (nullable) of OsZone: NULL where the cloud has none */
  const char        *placement;          /* "" or a directive, as in "zone=az1" */
  const char *const *configured;         /* zones to keep to, in order; may be empty */
  const char *const *constrained;        /* (nullable) the same of the machine */
  const char *const *distribution_group; /* servers to be apart from; may be empty */
  GHashTable        *server_zones;       /* (nullable) the environment's servers: id → zone */
} OsZoneWishes;

/* The zones to try, in this order: those with fewest servers of the distribution group first (of
 * the environment when the group is empty). Never empty; one "" stands for leaving it to nova. */
char **os_choose_zones (const OsZoneWishes *wishes,
                        GError            **error);

/* The names of those zones (of OsZone) in which a machine can be started now, sorted. */
char **os_list_available_zones (GPtrArray *zones);

G_END_DECLS
