/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-object.h"

static const WkJsonField object_fields[] = {
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsObject, name) },
};

OS_DEFINE_RECORD (OsObject, os_object, object_fields)
