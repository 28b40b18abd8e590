/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-port.h"

static const WkJsonField fixed_ip_fields[] = {
  { "ip_address", WK_JSON_STRING, G_STRUCT_OFFSET (OsFixedIp, address) },
};
static const WkJsonTable fixed_ip_table = WK_JSON_TABLE (OsFixedIp, fixed_ip_fields);

static const WkJsonField port_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsPort, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, name) },
  { "description", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, description) },
  { "device_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, device_id) },
  { "network_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, network_id) },
  { "mac_address", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, mac_address) },
  { "fixed_ips", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsPort, fixed_ips), 0, &fixed_ip_table },
  { "security_groups", WK_JSON_STRINGS, G_STRUCT_OFFSET (OsPort, group_ids) },
  { "port_security_enabled", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsPort, is_guarded),
    WK_JSON_TRISTATE },
  { "created_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, created) },
  { "updated_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsPort, updated) },
};

OS_DEFINE_RECORD (OsPort, os_port, port_fields)

const char *
os_port_get_ipv4 (const OsPort *self)
{
  for (guint i = 0; self->fixed_ips != NULL && i < self->fixed_ips->len; i++)
    {
      const OsFixedIp *fixed_ip = g_ptr_array_index (self->fixed_ips, i);

      if (fixed_ip->address != NULL && strchr (fixed_ip->address, ':') == NULL)
        return fixed_ip->address;
    }
  return NULL;
}
