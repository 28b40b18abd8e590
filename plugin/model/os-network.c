/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-network.h"

/* Nova calls the name a label. */
static const WkJsonField network_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsNetwork, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsNetwork, name) },
  { "label", WK_JSON_STRING, G_STRUCT_OFFSET (OsNetwork, name) },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (OsNetwork, status) },
  { "tenant_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsNetwork, project_id) },
  { "router:external", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsNetwork, is_external) },
  { "shared", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsNetwork, is_shared) },
  { "admin_state_up", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsNetwork, is_up), WK_JSON_TRISTATE },
  { "port_security_enabled", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsNetwork, has_port_security),
    WK_JSON_TRISTATE },
  { "subnets", WK_JSON_STRINGS, G_STRUCT_OFFSET (OsNetwork, subnets) },
};

OS_DEFINE_RECORD (OsNetwork, os_network, network_fields)

static const WkJsonField gateway_fields[] = {
  { "network_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsGateway, network_id) },
};
static const WkJsonTable gateway_table = WK_JSON_TABLE (OsGateway, gateway_fields);

static const WkJsonField router_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsRouter, id), WK_JSON_REQUIRED },
  { "external_gateway_info", WK_JSON_RECORD, G_STRUCT_OFFSET (OsRouter, gateway), 0,
    &gateway_table },
};

OS_DEFINE_RECORD (OsRouter, os_router, router_fields)

static const WkJsonField extension_fields[] = {
  { "alias", WK_JSON_STRING, G_STRUCT_OFFSET (OsExtension, alias), WK_JSON_REQUIRED },
};

OS_DEFINE_RECORD (OsExtension, os_extension, extension_fields)
