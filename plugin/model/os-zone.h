/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean is_available;
} OsZoneState;

/* An availability zone of nova. */
typedef struct
{
  char        *name;
  OsZoneState *state; /* (nullable) */
} OsZone;

OS_DECLARE_RECORD (OsZone, os_zone)

gboolean os_zone_is_available (const OsZone *self);

G_END_DECLS
