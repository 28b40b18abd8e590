/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/describe-server.h"

#include "operations/ownership.h"

static GHashTable *
make_metadata (OsSnapshot          *snapshot,
               WelkinMachineConfig *machine,
               const OsFloatingIp  *ip)
{
  GHashTable *metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  struct
  {
    const char *key;
    const char *value;
  } items[] = {
    { OS_METADATA_ENVIRON_UUID, os_snapshot_get_environ_uuid (snapshot) },
    { OS_METADATA_ENVIRON_NAME, welkin_config_get_name (os_snapshot_get_config (snapshot)) },
    { OS_METADATA_MACHINE_ID, welkin_machine_config_get_machine_id (machine) },
    { OS_METADATA_ROLE, welkin_machine_config_is_bootstrap (machine) ? "state" : "machine" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++)
    g_hash_table_insert (metadata, g_strdup (items[i].key), g_strdup (items[i].value));
  if (ip != NULL && !ip->was_there)
    g_hash_table_insert (metadata, g_strdup (OS_METADATA_FLOATING_IP), g_strdup (ip->id));
  return metadata;
}

static int
get_config_drive (OsSnapshot *snapshot)
{
  const char *wish = welkin_config_get_string (os_snapshot_get_config (snapshot), "config-drive");

  if (g_str_equal (wish, "true"))
    return TRUE;
  return g_str_equal (wish, "false") ? FALSE : -1;
}

static char **
list_port_ids (GPtrArray *ports)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < ports->len; i++)
    g_strv_builder_add (ids, ((OsPort *) g_ptr_array_index (ports, i))->id);
  return g_strv_builder_end (ids);
}

/* What nova is to connect the server to; NULL where that is its own choice. */
static char **
list_network_ids (GPtrArray *networks)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  if (networks->len == 0)
    return NULL;
  for (guint i = 0; i < networks->len; i++)
    g_strv_builder_add (ids, ((OsPlannedNetwork *) g_ptr_array_index (networks, i))->id);
  return g_strv_builder_end (ids);
}

OsServerDescription *
os_describe_server (OsSnapshot         *snapshot,
                    WelkinStartParams  *params,
                    const OsPlan       *plan,
                    OsMachineGroups    *groups,
                    GPtrArray          *ports,
                    const OsFloatingIp *ip,
                    GBytes             *user_data)
{
  OsServerDescription *self = g_new0 (OsServerDescription, 1);
  WelkinMachineConfig *machine = welkin_start_params_get_machine_config (params);

  self->name = os_name_server (os_snapshot_get_prefix (snapshot),
                               welkin_config_get_name (os_snapshot_get_config (snapshot)),
                               welkin_machine_config_get_machine_id (machine));
  self->port_ids = list_port_ids (ports);
  if (ports->len == 0)
    {
      self->network_ids = list_network_ids (plan->networks->networks);
      self->group_names = os_machine_groups_list_names (groups);
    }
  self->user_data = g_bytes_ref (user_data);
  self->metadata = make_metadata (snapshot, machine, ip);
  self->request = (OsServerRequest) {
    .name = self->name,
    .image_id = plan->image->id,
    .server_group_id = os_machine_groups_get_server_group_id (groups),
    .volume_gib = plan->is_on_volume ? plan->volume.gib : 0,
    .volume_type = plan->is_on_volume ? plan->volume.type : NULL,
    .port_ids = (const char *const *) self->port_ids,
    .network_ids = (const char *const *) self->network_ids,
    .group_names = (const char *const *) self->group_names,
    .user_data = self->user_data,
    .metadata = self->metadata,
    .config_drive = get_config_drive (snapshot),
  };
  return self;
}

void
os_server_description_free (OsServerDescription *self)
{
  g_hash_table_unref (self->metadata);
  g_bytes_unref (self->user_data);
  g_strfreev (self->group_names);
  g_strfreev (self->network_ids);
  g_strfreev (self->port_ids);
  g_free (self->name);
  g_free (self);
}
