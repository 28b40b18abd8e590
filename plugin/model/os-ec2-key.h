/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* A pair of keys that identity keeps for a user in a project. */
typedef struct
{
  char *access;
  char *secret;
  char *tenant_id; /* (nullable) */
} OsEc2Key;

OS_DECLARE_RECORD (OsEc2Key, os_ec2_key)

G_END_DECLS
