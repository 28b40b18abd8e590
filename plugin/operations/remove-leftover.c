/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-leftover.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/list-addresses.h"
#include "operations/ownership.h"
#include "operations/release-floating-ip.h"
#include "operations/remove-group.h"
#include "operations/remove-volumes.h"
#include "operations/stop-instances.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot     *snapshot; /* (owned) */
  WelkinLeftover *leftover; /* (owned) */
  char           *mark;     /* (owned) (nullable) of a floating IP */
} Remove;

typedef enum
{
  VERDICT_GONE,
  VERDICT_FOREIGN,
  VERDICT_USED,
  VERDICT_LEFT,
} Verdict;

/*
 * One kind of thing: how to look at it, and how to remove it. What is looked at is a list, of which
 * one thing is judged.
 */
typedef struct
{
  void       (*look_async)    (Remove              *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  GPtrArray *(*look_finish)   (Remove              *self,
                               GAsyncResult        *result,
                               GError             **error);
  Verdict    (*judge)         (Remove              *self,
                               gconstpointer        thing);
  void       (*remove_async)  (Remove              *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data);
  gboolean   (*remove_finish) (Remove              *self,
                               GAsyncResult        *result,
                               GError             **error);
} Kind;

static const char *
get_id (Remove *self)
{
  return welkin_leftover_get_id (self->leftover);
}

static Verdict
judge (Remove     *self,
       const char *description,
       gboolean    is_used)
{
  if (!os_mark_is_ours (description, os_snapshot_get_environ_uuid (self->snapshot), NULL))
    return VERDICT_FOREIGN;
  return is_used ? VERDICT_USED : VERDICT_LEFT;
}

/* Servers: whoever stops them looks at them himself. */

static void
server_remove_async (Remove              *self,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  const char *ids[] = { get_id (self), NULL };

  os_stop_instances_async (self->snapshot, ids, NULL, cancellable, callback, user_data);
}

static gboolean
server_remove_finish (Remove        *self,
                      GAsyncResult  *result,
                      GError       **error)
{
  return os_stop_instances_finish (self->snapshot, result, error);
}

/* Ports. */

static void
port_look_async (Remove              *self,
                 GCancellable        *cancellable,
                 GAsyncReadyCallback  callback,
                 gpointer             user_data)
{
  const char *query[] = { "id", get_id (self), NULL };

  os_network_service_list_ports_async (os_snapshot_get_network_service (self->snapshot), query,
                                       cancellable, callback, user_data);
}

static GPtrArray *
port_look_finish (Remove        *self,
                  GAsyncResult  *result,
                  GError       **error)
{
  return os_network_service_list_ports_finish (os_snapshot_get_network_service (self->snapshot),
                                               result, error);
}

static Verdict
port_judge (Remove        *self,
            gconstpointer  thing)
{
  const OsPort *port = thing;

  if (g_strcmp0 (port->id, get_id (self)) != 0)
    return VERDICT_GONE;
  return judge (self, port->description, port->device_id != NULL && *port->device_id != '\0');
}

static void
port_remove_async (Remove              *self,
                   GCancellable        *cancellable,
                   GAsyncReadyCallback  callback,
                   gpointer             user_data)
{
  os_network_service_delete_port_async (os_snapshot_get_network_service (self->snapshot),
                                        get_id (self), cancellable, callback, user_data);
}

static gboolean
port_remove_finish (Remove        *self,
                    GAsyncResult  *result,
                    GError       **error)
{
  return os_network_service_delete_port_finish (os_snapshot_get_network_service (self->snapshot),
                                                result, error);
}

/* Floating IPs. */

static void
ip_look_async (Remove              *self,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  const char *query[] = { "id", get_id (self), NULL };

  if (os_snapshot_get_nova_network (self->snapshot) != NULL)
    {
      os_list_marked_addresses_async (self->snapshot, cancellable, callback, user_data);
      return;
    }
  os_network_service_list_floating_ips_async (os_snapshot_get_network_service (self->snapshot),
                                              query, cancellable, callback, user_data);
}

static GPtrArray *
ip_look_finish (Remove        *self,
                GAsyncResult  *result,
                GError       **error)
{
  if (os_snapshot_get_nova_network (self->snapshot) != NULL)
    return os_list_marked_addresses_finish (self->snapshot, result, error);
  return os_network_service_list_floating_ips_finish (
    os_snapshot_get_network_service (self->snapshot), result, error);
}

static Verdict
ip_judge (Remove        *self,
          gconstpointer  thing)
{
  const OsFloatingIp *ip = thing;

  if (g_strcmp0 (ip->id, get_id (self)) != 0)
    return VERDICT_GONE;
  g_free (self->mark);
  self->mark = g_strdup (ip->description);
  return judge (self, ip->description, !os_floating_ip_is_free (ip));
}

static void
ip_remove_async (Remove              *self,
                 GCancellable        *cancellable,
                 GAsyncReadyCallback  callback,
                 gpointer             user_data)
{
  OsFloatingIp ip = { .id = (char *) get_id (self), .description = self->mark };

  os_release_floating_ip_async (self->snapshot, &ip, cancellable, callback, user_data);
}

static gboolean
ip_remove_finish (Remove        *self,
                  GAsyncResult  *result,
                  GError       **error)
{
  return os_release_floating_ip_finish (self->snapshot, result, error);
}

/* Security groups: whether one is in use, the cloud tells when it is to go. */

static void
group_look_async (Remove              *self,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  const char *query[] = { "id", get_id (self), NULL };

  os_firewall_list_groups_async (os_snapshot_get_firewall (self->snapshot), query, cancellable,
                                 callback, user_data);
}

static GPtrArray *
group_look_finish (Remove        *self,
                   GAsyncResult  *result,
                   GError       **error)
{
  return os_firewall_list_groups_finish (os_snapshot_get_firewall (self->snapshot), result, error);
}

static Verdict
group_judge (Remove        *self,
             gconstpointer  thing)
{
  const OsSecurityGroup *group = thing;

  if (g_strcmp0 (group->id, get_id (self)) != 0)
    return VERDICT_GONE;
  return judge (self, group->description, FALSE);
}

static void
group_remove_async (Remove              *self,
                    GCancellable        *cancellable,
                    GAsyncReadyCallback  callback,
                    gpointer             user_data)
{
  os_remove_group_async (os_snapshot_get_firewall (self->snapshot), get_id (self), cancellable,
                         callback, user_data);
}

static gboolean
group_remove_finish (Remove        *self,
                     GAsyncResult  *result,
                     GError       **error)
{
  return os_remove_group_finish (os_snapshot_get_firewall (self->snapshot), result, error);
}

/* Server groups. */

static void
server_group_look_async (Remove              *self,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  os_compute_list_server_groups_async (os_snapshot_get_compute (self->snapshot), cancellable,
                                       callback, user_data);
}

static GPtrArray *
server_group_look_finish (Remove        *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  return os_compute_list_server_groups_finish (os_snapshot_get_compute (self->snapshot), result,
                                               error);
}

static Verdict
server_group_judge (Remove        *self,
                    gconstpointer  thing)
{
  const OsServerGroup *group = thing;

  if (g_strcmp0 (group->id, get_id (self)) != 0)
    return VERDICT_GONE;
  if (!os_apart_group_is_ours (os_snapshot_get_apart_group (self->snapshot), group))
    return VERDICT_FOREIGN;
  return group->member_ids != NULL && group->member_ids->len > 0 ? VERDICT_USED : VERDICT_LEFT;
}

static void
server_group_remove_async (Remove              *self,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  os_compute_delete_server_group_async (os_snapshot_get_compute (self->snapshot), get_id (self),
                                        cancellable, callback, user_data);
}

static gboolean
server_group_remove_finish (Remove        *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return os_compute_delete_server_group_finish (os_snapshot_get_compute (self->snapshot), result,
                                                error);
}

/* Volumes. */

static void
volume_look_async (Remove              *self,
                   GCancellable        *cancellable,
                   GAsyncReadyCallback  callback,
                   gpointer             user_data)
{
  os_block_storage_list_volumes_async (os_snapshot_get_block_storage (self->snapshot),
                                       OS_METADATA_ENVIRON_UUID,
                                       os_snapshot_get_environ_uuid (self->snapshot), cancellable,
                                       callback, user_data);
}

static GPtrArray *
volume_look_finish (Remove        *self,
                    GAsyncResult  *result,
                    GError       **error)
{
  return os_block_storage_list_volumes_finish (os_snapshot_get_block_storage (self->snapshot),
                                               result, error);
}

static Verdict
volume_judge (Remove        *self,
              gconstpointer  thing)
{
  const OsVolume *volume = thing;
  const char *uuid = os_volume_get_metadata (volume, OS_METADATA_ENVIRON_UUID);

  if (g_strcmp0 (volume->id, get_id (self)) != 0)
    return VERDICT_GONE;
  if (g_strcmp0 (uuid, os_snapshot_get_environ_uuid (self->snapshot)) != 0)
    return VERDICT_FOREIGN;
  return os_volume_is_used (volume) ? VERDICT_USED : VERDICT_LEFT;
}

static void
volume_remove_async (Remove              *self,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  const char *ids[] = { get_id (self), NULL };

  os_remove_volumes_async (self->snapshot, ids, cancellable, callback, user_data);
}

static gboolean
volume_remove_finish (Remove        *self,
                      GAsyncResult  *result,
                      GError       **error)
{
  return os_remove_volumes_finish (self->snapshot, result, error);
}

/* All kinds. */

static const Kind kinds[] = {
  [WELKIN_LEFTOVER_SERVER] = { NULL, NULL, NULL, server_remove_async, server_remove_finish },
  [WELKIN_LEFTOVER_PORT] = { port_look_async, port_look_finish, port_judge, port_remove_async,
                             port_remove_finish },
  [WELKIN_LEFTOVER_FLOATING_IP] = { ip_look_async, ip_look_finish, ip_judge, ip_remove_async,
                                    ip_remove_finish },
  [WELKIN_LEFTOVER_SECURITY_GROUP] = { group_look_async, group_look_finish, group_judge,
                                       group_remove_async, group_remove_finish },
  [WELKIN_LEFTOVER_SERVER_GROUP] = { server_group_look_async, server_group_look_finish,
                                     server_group_judge, server_group_remove_async,
                                     server_group_remove_finish },
  [WELKIN_LEFTOVER_VOLUME] = { volume_look_async, volume_look_finish, volume_judge,
                               volume_remove_async, volume_remove_finish },
};

/* What is not to be removed: an error is set, or it is gone. */
static Verdict
find_verdict (Remove     *self,
              const Kind *kind,
              GPtrArray  *things,
              GError    **error)
{
  Verdict verdict = VERDICT_GONE;

  for (guint i = 0; i < things->len && verdict == VERDICT_GONE; i++)
    verdict = kind->judge (self, g_ptr_array_index (things, i));
  if (verdict == VERDICT_FOREIGN)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN,
                         _("it does not carry the mark of the environment"));
  if (verdict == VERDICT_USED)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE, _("it has come into use"));
  return verdict;
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  const Kind *kind = &kinds[welkin_leftover_get_kind (self->leftover)];
  g_autoptr(GPtrArray) things = NULL;
  g_autoptr(GError) error = NULL;
  Verdict verdict;

  WK_FLOW_BEGIN (flow);

  if (kind->look_async != NULL)
    {
      WK_AWAIT (flow, kind->look_async (self, WK_RESUME (flow)));
      things = kind->look_finish (self, WK_RESULT (flow), &error);
      if (things == NULL)
        WK_FAIL (flow, &error, NULL);
      verdict = find_verdict (self, kind, things, &error);
      if (error != NULL)
        WK_FAIL (flow, &error, NULL);
      if (verdict == VERDICT_GONE)
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
    }

  WK_AWAIT (flow, kind->remove_async (self, WK_RESUME (flow)));
  if (!kind->remove_finish (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_free (gpointer user_data)
{
  Remove *self = user_data;

  g_free (self->mark);
  welkin_leftover_unref (self->leftover);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_remove_leftover_async (OsSnapshot         *snapshot,
                          WelkinLeftover     *leftover,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->leftover = welkin_leftover_ref (leftover);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_leftover_async, remove_run,
                 self, remove_free);
}

gboolean
os_remove_leftover_finish (OsSnapshot   *snapshot,
                           GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_leftover_async, error);
}
