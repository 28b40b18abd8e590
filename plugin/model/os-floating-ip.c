/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-floating-ip.h"

/* As neutron tells it; as nova does, what is "ip", "pool" and "instance_id". */
static const WkJsonField floating_ip_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsFloatingIp, id), WK_JSON_REQUIRED },
  { "floating_ip_address", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, address) },
  { "ip", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, address) },
  { "description", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, description) },
  { "tags", WK_JSON_STRINGS, G_STRUCT_OFFSET (OsFloatingIp, tags) },
  { "floating_network_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, network_id) },
  { "pool", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, network_id) },
  { "port_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, port_id) },
  { "instance_id", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, server_id) },
  { "revision_number", WK_JSON_INT, G_STRUCT_OFFSET (OsFloatingIp, revision), WK_JSON_TRISTATE },
  { "created_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, created) },
  { "updated_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsFloatingIp, updated) },
};

OS_DEFINE_RECORD (OsFloatingIp, os_floating_ip, floating_ip_fields)

OsFloatingIp *
os_floating_ip_copy (const OsFloatingIp *self)
{
  OsFloatingIp *copy = wk_json_record_new (&os_floating_ip_table);

  copy->id = g_strdup (self->id);
  copy->address = g_strdup (self->address);
  copy->description = g_strdup (self->description);
  copy->network_id = g_strdup (self->network_id);
  copy->port_id = g_strdup (self->port_id);
  copy->server_id = g_strdup (self->server_id);
  copy->revision = self->revision;
  copy->created = g_strdup (self->created);
  copy->updated = g_strdup (self->updated);
  copy->was_there = self->was_there;
  copy->may_be_two = self->may_be_two;
  return copy;
}

gboolean
os_floating_ip_is_free (const OsFloatingIp *self)
{
  return (self->port_id == NULL || *self->port_id == '\0') && self->server_id == NULL;
}
