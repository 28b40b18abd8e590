/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-flavor.h"

static const WkJsonField flavor_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsFlavor, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsFlavor, name) },
  { "ram", WK_JSON_INT, G_STRUCT_OFFSET (OsFlavor, ram) },
  { "vcpus", WK_JSON_INT, G_STRUCT_OFFSET (OsFlavor, vcpus) },
  { "disk", WK_JSON_INT, G_STRUCT_OFFSET (OsFlavor, disk) },
  { "OS-FLV-DISABLED:disabled", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsFlavor, is_disabled) },
};

OS_DEFINE_RECORD (OsFlavor, os_flavor, flavor_fields)
