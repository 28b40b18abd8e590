/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-server.h"

static const WkJsonField reference_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsReference, id) },
};
static const WkJsonTable reference_table = WK_JSON_TABLE (OsReference, reference_fields);

static const WkJsonField fault_fields[] = {
  { "code", WK_JSON_INT, G_STRUCT_OFFSET (OsFault, code) },
  { "message", WK_JSON_STRING, G_STRUCT_OFFSET (OsFault, message) },
};
static const WkJsonTable fault_table = WK_JSON_TABLE (OsFault, fault_fields);

static const WkJsonField address_fields[] = {
  { "addr", WK_JSON_STRING, G_STRUCT_OFFSET (OsServerAddress, address), WK_JSON_REQUIRED },
  { "OS-EXT-IPS:type", WK_JSON_STRING, G_STRUCT_OFFSET (OsServerAddress, type) },
  { "OS-EXT-IPS-MAC:mac_addr", WK_JSON_STRING, G_STRUCT_OFFSET (OsServerAddress, mac) },
};
static const WkJsonTable address_table = WK_JSON_TABLE (OsServerAddress, address_fields);

static const WkJsonField volume_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsAttachedVolume, id), WK_JSON_REQUIRED },
  { "delete_on_termination", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsAttachedVolume, goes_along),
    WK_JSON_TRISTATE },
};
static const WkJsonTable volume_table = WK_JSON_TABLE (OsAttachedVolume, volume_fields);

static const WkJsonField server_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsServer, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, name) },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, status) },
  { "OS-EXT-STS:task_state", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, task_state) },
  { "created", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, created) },
  { "OS-EXT-AZ:availability_zone", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, zone) },
  { "accessIPv4", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, access_ipv4) },
  { "accessIPv6", WK_JSON_STRING, G_STRUCT_OFFSET (OsServer, access_ipv6) },
  { "flavor", WK_JSON_RECORD, G_STRUCT_OFFSET (OsServer, flavor), 0, &reference_table },
  /* "" when the server was started from a volume. */
  { "image", WK_JSON_RECORD, G_STRUCT_OFFSET (OsServer, image), 0, &reference_table },
  { "fault", WK_JSON_RECORD, G_STRUCT_OFFSET (OsServer, fault), 0, &fault_table },
  { "os-extended-volumes:volumes_attached", WK_JSON_RECORDS, G_STRUCT_OFFSET (OsServer, volumes), 0,
    &volume_table },
  { "metadata", WK_JSON_MAP, G_STRUCT_OFFSET (OsServer, metadata) },
  { "addresses", WK_JSON_GROUPS, G_STRUCT_OFFSET (OsServer, addresses), 0, &address_table,
    G_STRUCT_OFFSET (OsServerAddress, network) },
};

OS_DEFINE_RECORD (OsServer, os_server, server_fields)

static const struct
{
  const char          *status;
  WelkinInstanceState  state;
} states[] = {
  { "ACTIVE", WELKIN_INSTANCE_RUNNING },
  { "BUILD", WELKIN_INSTANCE_PENDING },
  { "DELETED", WELKIN_INSTANCE_TERMINATED },
  { "ERROR", WELKIN_INSTANCE_FAILED },
  { "HARD_REBOOT", WELKIN_INSTANCE_REBOOTING },
  { "MIGRATING", WELKIN_INSTANCE_RUNNING },
  { "PASSWORD", WELKIN_INSTANCE_RUNNING },
  { "PAUSED", WELKIN_INSTANCE_STOPPED },
  { "REBOOT", WELKIN_INSTANCE_REBOOTING },
  { "REBUILD", WELKIN_INSTANCE_RUNNING },
  { "RESCUE", WELKIN_INSTANCE_RUNNING },
  { "RESIZE", WELKIN_INSTANCE_RUNNING },
  { "REVERT_RESIZE", WELKIN_INSTANCE_RUNNING },
  { "SHELVED", WELKIN_INSTANCE_STOPPED },
  { "SHELVED_OFFLOADED", WELKIN_INSTANCE_STOPPED },
  { "SHUTOFF", WELKIN_INSTANCE_STOPPED },
  { "SOFT_DELETED", WELKIN_INSTANCE_TERMINATED },
  { "SUSPENDED", WELKIN_INSTANCE_STOPPED },
  { "VERIFY_RESIZE", WELKIN_INSTANCE_RUNNING },
};

static WelkinInstanceState
get_state_of_status (const OsServer *self)
{
  gsize length;

  if (self->status == NULL)
    return WELKIN_INSTANCE_UNKNOWN;
  /* Some clouds add what they are at: "BUILD(spawning)". */
  length = strcspn (self->status, "(");
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (strlen (states[i].status) == length
        && g_ascii_strncasecmp (self->status, states[i].status, length) == 0)
      return states[i].state;
  return WELKIN_INSTANCE_UNKNOWN;
}

WelkinInstanceState
os_server_get_state (const OsServer *self)
{
  WelkinInstanceState state = get_state_of_status (self);

  if (state != WELKIN_INSTANCE_TERMINATED && self->task_state != NULL
      && g_str_has_suffix (self->task_state, "deleting"))
    return WELKIN_INSTANCE_STOPPING;
  return state;
}

gboolean
os_server_is_building (const OsServer *self)
{
  return get_state_of_status (self) == WELKIN_INSTANCE_PENDING;
}

gboolean
os_server_is_gone (const OsServer *self)
{
  return get_state_of_status (self) == WELKIN_INSTANCE_TERMINATED;
}

gboolean
os_server_is_on_volume (const OsServer *self)
{
  return self->image == NULL;
}

/* A nova that does not say deletes the one that it has made; any other one is somebody's. */
char **
os_server_list_doomed_volumes (const OsServer *self)
{
  g_autoptr(GStrvBuilder) doomed = g_strv_builder_new ();
  guint n_volumes = self->volumes != NULL && os_server_is_on_volume (self) ? self->volumes->len : 0;

  for (guint i = 0; i < n_volumes; i++)
    {
      OsAttachedVolume *volume = g_ptr_array_index (self->volumes, i);

      if (volume->goes_along == TRUE || (volume->goes_along < 0 && n_volumes == 1))
        g_strv_builder_add (doomed, volume->id);
    }
  return g_strv_builder_end (doomed);
}

const char *
os_server_get_metadata (const OsServer *self,
                        const char     *key)
{
  return self->metadata != NULL ? g_hash_table_lookup (self->metadata, key) : NULL;
}
