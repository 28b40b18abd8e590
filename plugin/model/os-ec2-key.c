/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-ec2-key.h"

static const WkJsonField ec2_key_fields[] = {
  { "access", WK_JSON_STRING, G_STRUCT_OFFSET (OsEc2Key, access), WK_JSON_REQUIRED },
  { "secret", WK_JSON_STRING, G_STRUCT_OFFSET (OsEc2Key, secret), WK_JSON_REQUIRED },
  { "tenant_id", WK_JSON_ID, G_STRUCT_OFFSET (OsEc2Key, tenant_id) },
};

OS_DEFINE_RECORD (OsEc2Key, os_ec2_key, ec2_key_fields)
