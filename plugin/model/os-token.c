/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-token.h"

static const WkJsonField project_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsProject, id) },
};
static const WkJsonTable project_table = WK_JSON_TABLE (OsProject, project_fields);

static const WkJsonField endpoint_fields[] = {
  { "interface", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, interface) },
  { "region", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, region) },
  { "region_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, region_id) },
  { "url", WK_JSON_STRING, G_STRUCT_OFFSET (OsEndpoint, url), WK_JSON_REQUIRED },
};
static const WkJsonTable endpoint_table = WK_JSON_TABLE (OsEndpoint, endpoint_fields);

static const WkJsonField service_fields[] = {
  { "type", WK_JSON_STRING, G_STRUCT_OFFSET (OsService, type), WK_JSON_REQUIRED },
  { "endpoints", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsService, endpoints), 0, &endpoint_table },
};
const WkJsonTable os_service_table = WK_JSON_TABLE (OsService, service_fields);

static const WkJsonField token_fields[] = {
  { "expires_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsTokenBody, expires) },
  { "project", WK_JSON_RECORD, G_STRUCT_OFFSET (OsTokenBody, project), 0, &project_table },
  { "catalog", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsTokenBody, services), 0, &os_service_table },
};

OS_DEFINE_RECORD (OsTokenBody, os_token_body, token_fields)

const char *
os_endpoint_get_region (const OsEndpoint *self)
{
  return self->region_id != NULL ? self->region_id : self->region;
}
