/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the choice of a zone goes by. */
typedef struct
{
  GPtrArray         *zones;              /* (nullable) of OsZone: NULL where the cloud shows none */
  const char        *placement;          /* "" or a directive, as in "zone=az1" */
  const char *const *configured;         /* zones to keep to, in order; may be empty */
  const char *const *constrained;        /* (nullable) the same of the machine */
  GHashTable        *populations;        /* (nullable) zone → GUINT_TO_POINTER of how many there are
                                          * to be apart from */
} OsZoneWishes;

/* FALSE when the directive is none; "" is one. Asks nobody. */
gboolean os_check_placement (const char  *placement,
                             GError     **error);

/* The zones to try, in this order: those with fewest to be apart from first. Never empty; one ""
 * stands for leaving it to nova. */
char **os_choose_zones (const OsZoneWishes *wishes,
                        GError            **error);

/* The names of those zones (of OsZone) in which a machine can be started now, sorted. */
char **os_list_available_zones (GPtrArray *zones);

G_END_DECLS
