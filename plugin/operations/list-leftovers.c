/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/list-leftovers.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/address-intent.h"
#include "operations/complete-marks.h"
#include "operations/list-addresses.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  OsSnapshot *snapshot;      /* (owned) */
  char      **live;          /* (owned) start-ids */

  /* while running */
  WkJoin     *join;          /* (owned) (nullable) */
  GPtrArray  *servers;       /* (owned) (nullable) of OsServer */
  GPtrArray  *ports;         /* (owned) (nullable) of OsPort */
  GPtrArray  *ips;           /* (owned) (nullable) of OsFloatingIp */
  GPtrArray  *novas_ips;     /* (owned) (nullable) of OsFloatingIp, in place of these two */
  GPtrArray  *groups;        /* (owned) (nullable) of OsSecurityGroup */
  GPtrArray  *server_groups; /* (owned) (nullable) of OsServerGroup */
  GPtrArray  *volumes;       /* (owned) (nullable) of OsVolume */

  GHashTable *idle;          /* (owned) ids of servers and ports that are leftovers */
  GPtrArray  *leftovers;     /* (owned) of WelkinLeftover */
} List;

/* What there is. */

static void
servers_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->servers = os_compute_list_servers_finish (OS_COMPUTE (source), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list servers"));
}

static void
ports_listed_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->ports = os_network_service_list_ports_finish (OS_NETWORK_SERVICE (source), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list ports"));
}

static void
ips_listed_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->ips = os_network_service_list_floating_ips_finish (OS_NETWORK_SERVICE (source), result,
                                                           &error);
  wk_join_end_with_context (self->join, error, _("cannot list floating IPs"));
}

static void
novas_ips_listed_cb (GObject      *source,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->novas_ips = os_list_marked_addresses_finish (self->snapshot, result, &error);
  wk_join_end (self->join, error);
}

static void
groups_listed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->groups = os_firewall_list_groups_finish (OS_FIREWALL (source), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list security groups"));
}

/* Who may not see such things has made none. */
static void
forgive_forbidden (GError **error)
{
  if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
      || g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (error);
}

static void
server_groups_listed_cb (GObject      *source,
                         GAsyncResult *result,
                         gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->server_groups = os_compute_list_server_groups_finish (OS_COMPUTE (source), result, &error);
  forgive_forbidden (&error);
  wk_join_end_with_context (self->join, error, _("cannot list server groups"));
}

static void
volumes_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  List *self = user_data;
  GError *error = NULL;

  self->volumes = os_block_storage_list_volumes_finish (OS_BLOCK_STORAGE (source), result, &error);
  forgive_forbidden (&error);
  wk_join_end_with_context (self->join, error, _("cannot list volumes"));
}

/* Servers are asked for without a pattern: one that was renamed is ours as before. */
static void
begin_lists (List *self)
{
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  OsNetworkService *network = os_snapshot_get_network_service (self->snapshot);
  OsNovaNetwork *nova_network = os_snapshot_get_nova_network (self->snapshot);
  OsBlockStorage *block_storage = os_snapshot_get_block_storage (self->snapshot);

  os_compute_list_servers_async (compute, NULL, NULL, NULL, wk_join_begin (self->join),
                                 servers_listed_cb, self);
  if (nova_network != NULL)
    {
      os_list_marked_addresses_async (self->snapshot, wk_join_begin (self->join),
                                      novas_ips_listed_cb, self);
    }
  else
    {
      os_network_service_list_ports_async (network, NULL, wk_join_begin (self->join),
                                           ports_listed_cb, self);
      os_network_service_list_floating_ips_async (network, NULL, wk_join_begin (self->join),
                                                  ips_listed_cb, self);
    }
  os_firewall_list_groups_async (os_snapshot_get_firewall (self->snapshot), NULL,
                                 wk_join_begin (self->join), groups_listed_cb, self);
  os_compute_list_server_groups_async (compute, wk_join_begin (self->join),
                                       server_groups_listed_cb, self);
  if (os_block_storage_exists (block_storage))
    os_block_storage_list_volumes_async (block_storage, OS_METADATA_ENVIRON_UUID,
                                         os_snapshot_get_environ_uuid (self->snapshot),
                                         wk_join_begin (self->join), volumes_listed_cb, self);
}

/* What of it is left behind. */

/* start: (nullable) */
static gboolean
is_live (List       *self,
         const char *start)
{
  g_autofree char *start_id = start != NULL ? os_mark_get_start_id (start) : NULL;

  return start_id != NULL && g_strv_contains ((const char *const *) self->live, start_id);
}

WelkinLeftover *
os_date_leftover (OsSnapshot     *snapshot,
                  WelkinLeftover *leftover,
                  GDateTime      *changed)
{
  g_autoptr(WelkinLeftover) ageless = leftover;
  g_autoptr(GDateTime) now = os_client_dup_cloud_time (os_snapshot_get_client (snapshot));

  return welkin_leftover_with_age (ageless,
                                   g_date_time_difference (now, changed) / G_TIME_SPAN_SECOND);
}

/* machine_id, start, changed: (nullable) */
static void
add_marked (List              *self,
            WelkinLeftoverKind kind,
            const char        *id,
            const char        *name,
            const char        *machine_id,
            const char        *start,
            const char        *changed)
{
  g_autofree char *start_id = start != NULL ? os_mark_get_start_id (start) : NULL;
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr(GDateTime) time = changed != NULL ? g_date_time_new_from_iso8601 (changed, utc) : NULL;
  WelkinLeftover *leftover =
    welkin_leftover_new (kind, id, name, machine_id, start_id, time, TRUE,
                         start_id != NULL ? _("of a start that is not recorded")
                                          : _("of no start that is known"));

  g_ptr_array_add (self->leftovers, time != NULL ? os_date_leftover (self->snapshot, leftover, time)
                                                 : leftover);
}

/* By its description. */
static void
add_described (List              *self,
               WelkinLeftoverKind kind,
               const char        *id,
               const char        *name,
               const char        *description,
               const char        *changed)
{
  g_autofree char *machine_id = os_mark_get_word (description, "machine");
  g_autofree char *start = os_mark_get_word (description, "start");

  add_marked (self, kind, id, name, machine_id, start, changed);
}

static void
add_unmarked (List              *self,
              WelkinLeftoverKind kind,
              const char        *id,
              const char        *name)
{
  g_ptr_array_add (self->leftovers,
                   welkin_leftover_new (kind, id, name, NULL, NULL, NULL, FALSE,
                                        _("named like this environment's, without its mark")));
}

static gboolean
is_described_live (List       *self,
                   const char *description)
{
  g_autofree char *start = os_mark_get_word (description, "start");

  return is_live (self, start);
}

static gboolean
is_ours (List       *self,
         const char *description)
{
  return os_mark_is_ours (description, os_snapshot_get_environ_uuid (self->snapshot), NULL);
}

/* "PREFIX" and a number: any other rest may belong to an environment with a longer name. */
static gboolean
is_numbered (const char *name,
             const char *prefix)
{
  return name != NULL && g_str_has_prefix (name, prefix) && name[strlen (prefix)] != '\0'
         && strspn (name + strlen (prefix), "0123456789") == strlen (name + strlen (prefix));
}

static void
judge_servers (List *self)
{
  g_autofree char *prefix =
    os_name_server (os_snapshot_get_prefix (self->snapshot),
                    welkin_config_get_name (os_snapshot_get_config (self->snapshot)), "");

  for (guint i = 0; i < self->servers->len; i++)
    {
      const OsServer *server = g_ptr_array_index (self->servers, i);
      const char *start = os_server_get_metadata (server, OS_METADATA_START);

      if (os_server_is_gone (server))
        continue;
      if (os_snapshot_owns_server (self->snapshot, server))
        {
          if (is_live (self, start))
            continue;
          g_hash_table_add (self->idle, server->id);
          add_marked (self, WELKIN_LEFTOVER_SERVER, server->id, server->name,
                      os_server_get_metadata (server, OS_METADATA_MACHINE_ID), start,
                      server->created);
        }
      else if (os_server_get_metadata (server, OS_METADATA_ENVIRON_UUID) == NULL
               && is_numbered (server->name, prefix))
        add_unmarked (self, WELKIN_LEFTOVER_SERVER, server->id, server->name);
    }
}

static void
judge_ports (List *self)
{
  g_autofree char *prefix =
    g_strdup_printf ("%s-%s-", os_snapshot_get_prefix (self->snapshot),
                     os_snapshot_get_environ_uuid (self->snapshot));

  for (guint i = 0; self->ports != NULL && i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);
      gboolean is_used = port->device_id != NULL && *port->device_id != '\0'
                         && !g_hash_table_contains (self->idle, port->device_id);

      if (is_used)
        continue;
      if (is_ours (self, port->description))
        {
          if (is_described_live (self, port->description))
            continue;
          g_hash_table_add (self->idle, port->id);
          add_described (self, WELKIN_LEFTOVER_PORT, port->id, port->name, port->description,
                         port->updated != NULL ? port->updated : port->created);
        }
      else if (port->name != NULL && g_str_has_prefix (port->name, prefix))
        add_unmarked (self, WELKIN_LEFTOVER_PORT, port->id, port->name);
    }
}

static void
judge_ips (List *self)
{
  for (guint i = 0; self->ips != NULL && i < self->ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (self->ips, i);
      gboolean is_used = ip->port_id != NULL && !g_hash_table_contains (self->idle, ip->port_id);

      if (!is_used && is_ours (self, ip->description)
          && !is_described_live (self, ip->description))
        add_described (self, WELKIN_LEFTOVER_FLOATING_IP, ip->id, ip->address, ip->description,
                       ip->updated != NULL ? ip->updated : ip->created);
    }
}

static gboolean
is_named_by_server (List       *self,
                    const char *ip_id)
{
  for (guint i = 0; i < self->servers->len; i++)
    {
      const char *named = os_server_get_metadata (g_ptr_array_index (self->servers, i),
                                                  OS_METADATA_FLOATING_IP);

      if (g_strcmp0 (named, ip_id) == 0)
        return TRUE;
    }
  return FALSE;
}

/* One of several, of which one is of that start. */
static void
add_doubtful (List               *self,
              const OsFloatingIp *ip,
              const char         *mark)
{
  g_autofree char *machine_id = os_mark_get_word (mark, "machine");
  g_autofree char *start = os_mark_get_word (mark, "start");
  g_autofree char *start_id = start != NULL ? os_mark_get_start_id (start) : NULL;

  g_ptr_array_add (self->leftovers,
                   welkin_leftover_new (WELKIN_LEFTOVER_FLOATING_IP, ip->id, ip->address,
                                        machine_id, start_id, NULL, FALSE,
                                        _("unused, and perhaps of a start that was cut off")));
}

/* Nova's carry no mark: those of servers go with them, and of the others only what was noted tells
 * whose they are. */
static void
judge_novas_ips (List *self)
{
  for (guint i = 0; self->novas_ips != NULL && i < self->novas_ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (self->novas_ips, i);
      g_autofree char *doubtful = os_get_doubtful_mark (ip);

      if (!os_floating_ip_is_free (ip) || is_named_by_server (self, ip->id)
          || is_described_live (self, doubtful != NULL ? doubtful : ip->description))
        continue;
      if (is_ours (self, ip->description))
        add_described (self, WELKIN_LEFTOVER_FLOATING_IP, ip->id, ip->address, ip->description,
                       NULL);
      else if (doubtful != NULL)
        add_doubtful (self, ip, doubtful);
      else
        g_ptr_array_add (self->leftovers,
                         welkin_leftover_new (WELKIN_LEFTOVER_FLOATING_IP, ip->id, ip->address,
                                              NULL, NULL, NULL, FALSE,
                                              _("unused, and nothing tells whose it is")));
    }
}

/* The environment's own group and the global one are of no start. */
static void
judge_groups (List *self)
{
  g_autofree char *prefix =
    os_name_group (os_snapshot_get_prefix (self->snapshot),
                   welkin_config_get_name (os_snapshot_get_config (self->snapshot)), "");

  for (guint i = 0; i < self->groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (self->groups, i);
      g_autofree char *environ = os_mark_get_word (group->description, "env");
      g_autofree char *start = os_mark_get_word (group->description, "start");

      if (is_ours (self, group->description))
        {
          if (start != NULL && !is_live (self, start))
            add_described (self, WELKIN_LEFTOVER_SECURITY_GROUP, group->id, group->name,
                           group->description, group->created);
        }
      else if (environ == NULL && is_numbered (group->name, prefix))
        add_unmarked (self, WELKIN_LEFTOVER_SECURITY_GROUP, group->id, group->name);
    }
}

static void
judge_server_groups (List *self)
{
  OsApartGroup *apart_group = os_snapshot_get_apart_group (self->snapshot);

  for (guint i = 0; self->server_groups != NULL && i < self->server_groups->len; i++)
    {
      const OsServerGroup *group = g_ptr_array_index (self->server_groups, i);

      if (os_apart_group_is_ours (apart_group, group)
          && (group->member_ids == NULL || group->member_ids->len == 0))
        g_ptr_array_add (self->leftovers,
                         welkin_leftover_new (WELKIN_LEFTOVER_SERVER_GROUP, group->id, group->name,
                                              NULL, NULL, NULL, TRUE, _("no machine is in it")));
    }
}

static void
judge_volumes (List *self)
{
  for (guint i = 0; self->volumes != NULL && i < self->volumes->len; i++)
    {
      const OsVolume *volume = g_ptr_array_index (self->volumes, i);
      const char *uuid = os_volume_get_metadata (volume, OS_METADATA_ENVIRON_UUID);
      const char *start = os_volume_get_metadata (volume, OS_METADATA_START);

      if (g_strcmp0 (uuid, os_snapshot_get_environ_uuid (self->snapshot)) != 0
          || os_volume_is_deleting (volume) || os_volume_is_used (volume) || is_live (self, start))
        continue;
      add_marked (self, WELKIN_LEFTOVER_VOLUME, volume->id, NULL,
                  os_volume_get_metadata (volume, OS_METADATA_MACHINE_ID), start,
                  volume->created);
    }
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  List *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* Which services there are is known after a login. */
  WK_AWAIT (flow, os_client_login_async (os_snapshot_get_client (self->snapshot),
                                         WK_RESUME (flow)));
  if (!os_client_login_finish (os_snapshot_get_client (self->snapshot), WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_complete_marks_async (self->snapshot, WK_RESUME (flow)));
  if (!os_complete_marks_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_lists (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  judge_servers (self);
  judge_ports (self);
  judge_ips (self);
  judge_novas_ips (self);
  judge_groups (self);
  judge_server_groups (self);
  judge_volumes (self);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->leftovers),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
list_free (gpointer user_data)
{
  List *self = user_data;

  g_clear_pointer (&self->leftovers, g_ptr_array_unref);
  g_hash_table_unref (self->idle);
  g_clear_pointer (&self->volumes, g_ptr_array_unref);
  g_clear_pointer (&self->server_groups, g_ptr_array_unref);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_clear_pointer (&self->novas_ips, g_ptr_array_unref);
  g_clear_pointer (&self->ips, g_ptr_array_unref);
  g_clear_pointer (&self->ports, g_ptr_array_unref);
  g_clear_pointer (&self->servers, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_strfreev (self->live);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_list_leftovers_async (OsSnapshot         *snapshot,
                         const char *const  *live_start_ids,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  List *self = g_new0 (List, 1);

  self->snapshot = g_object_ref (snapshot);
  self->live = g_strdupv ((char **) live_start_ids);
  self->idle = g_hash_table_new (g_str_hash, g_str_equal);
  self->leftovers = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_leftover_unref);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_leftovers_async, list_run,
                 self, list_free);
}

GPtrArray *
os_list_leftovers_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_leftovers_async, error);
}
