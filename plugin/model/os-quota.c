/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-quota.h"

static const WkJsonField limits_fields[] = {
  { "absolute", WK_JSON_MAP, G_STRUCT_OFFSET (OsLimits, absolute) },
};

OS_DEFINE_RECORD (OsLimits, os_limits, limits_fields)

static const WkJsonField detail_fields[] = {
  { "limit", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaDetail, limit), WK_JSON_TRISTATE },
  { "used", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaDetail, used), WK_JSON_TRISTATE },
  { "reserved", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaDetail, reserved) },
};
static const WkJsonTable detail_table = WK_JSON_TABLE (OsQuotaDetail, detail_fields);

static const WkJsonField details_fields[] = {
  { "port", WK_JSON_RECORD, G_STRUCT_OFFSET (OsQuotaDetails, port), 0, &detail_table },
  { "floatingip", WK_JSON_RECORD, G_STRUCT_OFFSET (OsQuotaDetails, floating_ip), 0,
    &detail_table },
  { "security_group", WK_JSON_RECORD, G_STRUCT_OFFSET (OsQuotaDetails, group), 0, &detail_table },
  { "security_group_rule", WK_JSON_RECORD, G_STRUCT_OFFSET (OsQuotaDetails, rule), 0,
    &detail_table },
};

OS_DEFINE_RECORD (OsQuotaDetails, os_quota_details, details_fields)

static const WkJsonField plain_fields[] = {
  { "port", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaLimits, port), WK_JSON_TRISTATE },
  { "floatingip", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaLimits, floating_ip), WK_JSON_TRISTATE },
  { "security_group", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaLimits, group), WK_JSON_TRISTATE },
  { "security_group_rule", WK_JSON_INT, G_STRUCT_OFFSET (OsQuotaLimits, rule), WK_JSON_TRISTATE },
};

OS_DEFINE_RECORD (OsQuotaLimits, os_quota_limits, plain_fields)
