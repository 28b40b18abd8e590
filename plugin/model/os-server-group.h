/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char      *id;
  char      *name;
  GPtrArray *member_ids; /* (nullable) of servers */
} OsServerGroup;

OS_DECLARE_RECORD (OsServerGroup, os_server_group)

G_END_DECLS
