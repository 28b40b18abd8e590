/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "operations/inventory-private.h"
#include "operations/list-addresses.h"
#include "operations/ownership.h"
#include "operations/release-floating-ip.h"
#include "operations/remove-group.h"
#include "operations/remove-volumes.h"
#include "operations/stop-instances.h"

/* What stands in metadata, as a mark. environ_uuid: (nullable) */
static char *
format_mark (const char *environ_uuid,
             const char *machine_id,
             const char *start)
{
  return environ_uuid != NULL ? os_mark_format (environ_uuid, machine_id, start) : NULL;
}

static gboolean
is_neutrons (OsSnapshot *snapshot)
{
  return os_snapshot_get_nova_network (snapshot) == NULL;
}

/* Servers: without a pattern, for one that was renamed is ours as before. */

static void
servers_list_async (OsSnapshot         *snapshot,
                    const char *const  *query,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  os_compute_list_servers_async (os_snapshot_get_compute (snapshot), NULL, NULL, NULL, cancellable,
                                 callback, user_data);
}

static GPtrArray *
servers_list_finish (OsSnapshot   *snapshot,
                     GAsyncResult *result,
                     GError      **error)
{
  return os_compute_list_servers_finish (os_snapshot_get_compute (snapshot), result, error);
}

static gboolean
server_read (OsSnapshot   *snapshot,
             gconstpointer record,
             OsThing      *thing)
{
  const OsServer *server = record;

  thing->id = g_strdup (server->id);
  thing->name = g_strdup (server->name);
  thing->mark = format_mark (os_server_get_metadata (server, OS_METADATA_ENVIRON_UUID),
                             os_server_get_metadata (server, OS_METADATA_MACHINE_ID),
                             os_server_get_metadata (server, OS_METADATA_START));
  thing->reserved = g_strdup (os_server_get_metadata (server, OS_METADATA_FLOATING_IP));
  thing->changed = g_strdup (server->created);
  return !os_server_is_gone (server);
}

static void
server_remove_async (const OsThing      *thing,
                     OsSnapshot         *snapshot,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  const char *ids[] = { thing->id, NULL };

  os_stop_instances_async (snapshot, ids, NULL, cancellable, callback, user_data);
}

/* Ports. */

static void
ports_list_async (OsSnapshot         *snapshot,
                  const char *const  *query,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  os_network_service_list_ports_async (os_snapshot_get_network_service (snapshot), query,
                                       cancellable, callback, user_data);
}

static GPtrArray *
ports_list_finish (OsSnapshot   *snapshot,
                   GAsyncResult *result,
                   GError      **error)
{
  return os_network_service_list_ports_finish (os_snapshot_get_network_service (snapshot), result,
                                               error);
}

static gboolean
port_read (OsSnapshot   *snapshot,
           gconstpointer record,
           OsThing      *thing)
{
  const OsPort *port = record;

  thing->id = g_strdup (port->id);
  thing->name = g_strdup (port->name);
  thing->mark = g_strdup (port->description);
  thing->holder_id = g_strdup (port->device_id);
  thing->is_used = port->device_id != NULL && *port->device_id != '\0';
  thing->changed = g_strdup (port->updated != NULL ? port->updated : port->created);
  return TRUE;
}

static void
port_remove_async (const OsThing      *thing,
                   OsSnapshot         *snapshot,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  os_network_service_delete_port_async (os_snapshot_get_network_service (snapshot), thing->id,
                                        cancellable, callback, user_data);
}

static gboolean
port_remove_finish (OsSnapshot   *snapshot,
                    GAsyncResult *result,
                    GError      **error)
{
  return os_network_service_delete_port_finish (os_snapshot_get_network_service (snapshot), result,
                                                error);
}

/* Floating IPs. */

static void
ips_list_async (OsSnapshot         *snapshot,
                const char *const  *query,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  if (is_neutrons (snapshot))
    os_network_service_list_floating_ips_async (os_snapshot_get_network_service (snapshot), query,
                                                cancellable, callback, user_data);
  else
    os_list_marked_addresses_async (snapshot, cancellable, callback, user_data);
}

static GPtrArray *
ips_list_finish (OsSnapshot   *snapshot,
                 GAsyncResult *result,
                 GError      **error)
{
  if (is_neutrons (snapshot))
    return os_network_service_list_floating_ips_finish (os_snapshot_get_network_service (snapshot),
                                                        result, error);
  return os_list_marked_addresses_finish (snapshot, result, error);
}

static gboolean
ip_read (OsSnapshot   *snapshot,
         gconstpointer record,
         OsThing      *thing)
{
  const OsFloatingIp *ip = record;

  thing->id = g_strdup (ip->id);
  thing->name = g_strdup (ip->address);
  thing->mark = g_strdup (ip->description);
  thing->holder_id = g_strdup (ip->port_id);
  thing->is_used = !os_floating_ip_is_free (ip);
  thing->changed = g_strdup (ip->updated != NULL ? ip->updated : ip->created);
  return TRUE;
}

static void
ip_remove_async (const OsThing      *thing,
                 OsSnapshot         *snapshot,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  OsFloatingIp ip = { .id = thing->id, .description = thing->mark };

  os_release_floating_ip_async (snapshot, &ip, cancellable, callback, user_data);
}

/* Security groups: whether one is in use, the cloud tells when it is to go. */

static void
groups_list_async (OsSnapshot         *snapshot,
                   const char *const  *query,
                   GCancellable       *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer            user_data)
{
  os_firewall_list_groups_async (os_snapshot_get_firewall (snapshot), query, cancellable, callback,
                                 user_data);
}

static GPtrArray *
groups_list_finish (OsSnapshot   *snapshot,
                    GAsyncResult *result,
                    GError      **error)
{
  return os_firewall_list_groups_finish (os_snapshot_get_firewall (snapshot), result, error);
}

static gboolean
group_read (OsSnapshot   *snapshot,
            gconstpointer record,
            OsThing      *thing)
{
  const OsSecurityGroup *group = record;

  thing->id = g_strdup (group->id);
  thing->name = g_strdup (group->name);
  thing->mark = g_strdup (group->description);
  thing->changed = g_strdup (group->created);
  return TRUE;
}

static void
group_remove_async (const OsThing      *thing,
                    OsSnapshot         *snapshot,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  os_remove_group_async (os_snapshot_get_firewall (snapshot), thing->id, cancellable, callback,
                         user_data);
}

static gboolean
group_remove_finish (OsSnapshot   *snapshot,
                     GAsyncResult *result,
                     GError      **error)
{
  return os_remove_group_finish (os_snapshot_get_firewall (snapshot), result, error);
}

/* Server groups: the name is the mark. */

static void
server_groups_list_async (OsSnapshot         *snapshot,
                          const char *const  *query,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  os_compute_list_server_groups_async (os_snapshot_get_compute (snapshot), cancellable, callback,
                                       user_data);
}

static GPtrArray *
server_groups_list_finish (OsSnapshot   *snapshot,
                           GAsyncResult *result,
                           GError      **error)
{
  return os_compute_list_server_groups_finish (os_snapshot_get_compute (snapshot), result, error);
}

static gboolean
server_group_read (OsSnapshot   *snapshot,
                   gconstpointer record,
                   OsThing      *thing)
{
  const OsServerGroup *group = record;

  thing->id = g_strdup (group->id);
  thing->name = g_strdup (group->name);
  if (os_apart_group_is_ours (os_snapshot_get_apart_group (snapshot), group))
    thing->mark = os_mark_format (os_snapshot_get_environ_uuid (snapshot), NULL, NULL);
  thing->is_used = group->member_ids != NULL && group->member_ids->len > 0;
  return TRUE;
}

static void
server_group_remove_async (const OsThing      *thing,
                           OsSnapshot         *snapshot,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  os_compute_delete_server_group_async (os_snapshot_get_compute (snapshot), thing->id, cancellable,
                                        callback, user_data);
}

static gboolean
server_group_remove_finish (OsSnapshot   *snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return os_compute_delete_server_group_finish (os_snapshot_get_compute (snapshot), result, error);
}

/* Volumes. */

static gboolean
volumes_exist (OsSnapshot *snapshot)
{
  return os_block_storage_exists (os_snapshot_get_block_storage (snapshot));
}

static void
volumes_list_async (OsSnapshot         *snapshot,
                    const char *const  *query,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  os_block_storage_list_volumes_async (os_snapshot_get_block_storage (snapshot),
                                       OS_METADATA_ENVIRON_UUID,
                                       os_snapshot_get_environ_uuid (snapshot), cancellable,
                                       callback, user_data);
}

static GPtrArray *
volumes_list_finish (OsSnapshot   *snapshot,
                     GAsyncResult *result,
                     GError      **error)
{
  return os_block_storage_list_volumes_finish (os_snapshot_get_block_storage (snapshot), result,
                                               error);
}

static gboolean
volume_read (OsSnapshot   *snapshot,
             gconstpointer record,
             OsThing      *thing)
{
  const OsVolume *volume = record;

  thing->id = g_strdup (volume->id);
  thing->mark = format_mark (os_volume_get_metadata (volume, OS_METADATA_ENVIRON_UUID),
                             os_volume_get_metadata (volume, OS_METADATA_MACHINE_ID),
                             os_volume_get_metadata (volume, OS_METADATA_START));
  thing->is_used = os_volume_is_used (volume);
  thing->changed = g_strdup (volume->created);
  return !os_volume_is_deleting (volume);
}

static void
volume_remove_async (const OsThing      *thing,
                     OsSnapshot         *snapshot,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  const char *ids[] = { thing->id, NULL };

  os_remove_volumes_async (snapshot, ids, cancellable, callback, user_data);
}

/* All kinds. */

const OsKind os_kinds[OS_N_KINDS] = {
  [WELKIN_LEFTOVER_SERVER] = {
    N_("cannot list servers"), FALSE, NULL,
    servers_list_async, servers_list_finish, server_read,
    server_remove_async, os_stop_instances_finish,
  },
  [WELKIN_LEFTOVER_PORT] = {
    N_("cannot list ports"), FALSE, is_neutrons,
    ports_list_async, ports_list_finish, port_read,
    port_remove_async, port_remove_finish,
  },
  [WELKIN_LEFTOVER_FLOATING_IP] = {
    N_("cannot list floating IPs"), FALSE, NULL,
    ips_list_async, ips_list_finish, ip_read,
    ip_remove_async, os_release_floating_ip_finish,
  },
  [WELKIN_LEFTOVER_SECURITY_GROUP] = {
    N_("cannot list security groups"), FALSE, NULL,
    groups_list_async, groups_list_finish, group_read,
    group_remove_async, group_remove_finish,
  },
  [WELKIN_LEFTOVER_SERVER_GROUP] = {
    N_("cannot list server groups"), TRUE, NULL,
    server_groups_list_async, server_groups_list_finish, server_group_read,
    server_group_remove_async, server_group_remove_finish,
  },
  [WELKIN_LEFTOVER_VOLUME] = {
    N_("cannot list volumes"), TRUE, volumes_exist,
    volumes_list_async, volumes_list_finish, volume_read,
    volume_remove_async, os_remove_volumes_finish,
  },
};
