/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-zone.h"

static const WkJsonField state_fields[] = {
  { "available", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsZoneState, is_available) },
};
static const WkJsonTable state_table = WK_JSON_TABLE (OsZoneState, state_fields);

static const WkJsonField zone_fields[] = {
  { "zoneName", WK_JSON_STRING, G_STRUCT_OFFSET (OsZone, name), WK_JSON_REQUIRED },
  { "zoneState", WK_JSON_RECORD, G_STRUCT_OFFSET (OsZone, state), 0, &state_table },
};

OS_DEFINE_RECORD (OsZone, os_zone, zone_fields)

gboolean
os_zone_is_available (const OsZone *self)
{
  return self->state != NULL && self->state->is_available;
}
