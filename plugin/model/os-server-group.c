/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-server-group.h"

static const WkJsonField server_group_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsServerGroup, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsServerGroup, name) },
  { "members", WK_JSON_STRINGS, G_STRUCT_OFFSET (OsServerGroup, member_ids) },
};

OS_DEFINE_RECORD (OsServerGroup, os_server_group, server_group_fields)
