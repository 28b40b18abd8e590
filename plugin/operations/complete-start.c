/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/complete-start.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/adopt-ports.h"
#include "operations/complete-marks.h"
#include "operations/give-address.h"
#include "operations/mark-volumes.h"
#include "operations/ownership.h"
#include "operations/plan-networks.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  OsSnapshot         *snapshot;  /* (owned) */
  WelkinStartParams  *params;    /* (owned) */
  char               *server_id; /* (owned) */

  /* while running */
  char               *mark;      /* (owned) of ports and floating IP */
  OsServer           *server;    /* (owned) (nullable) */
  OsNetworkPlan      *networks;  /* (owned) (nullable) */
  GPtrArray          *ports;     /* (owned) (nullable) of OsPort, in the order of the networks */
  const OsPort       *port;      /* (nullable) of them, that the floating IP leads to */
  OsGivenAddress     *address;   /* (owned) (nullable) */
} Complete;

static const char *
get_machine_id (Complete *self)
{
  return welkin_machine_config_get_machine_id (
    welkin_start_params_get_machine_config (self->params));
}

/* Those which nova has made carry no mark yet; with the others it is as it was. */
static void
begin_ports (Complete           *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  g_autofree char *name =
    os_name_port (os_snapshot_get_prefix (self->snapshot),
                  os_snapshot_get_environ_uuid (self->snapshot), get_machine_id (self),
                  welkin_start_params_get_start_id (self->params));
  OsPortsRequest request = { .networks = self->networks, .name = name, .mark = self->mark };

  os_adopt_ports_async (self->snapshot, &request, self->server_id, cancellable, callback,
                        user_data);
}

static OsAddresses *
get_addresses (Complete *self)
{
  OsNovaNetwork *nova_network = os_snapshot_get_nova_network (self->snapshot);

  return nova_network != NULL ? OS_ADDRESSES (nova_network)
                              : OS_ADDRESSES (os_snapshot_get_network_service (self->snapshot));
}

static void
begin_addresses (Complete           *self,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  const char *query[] = { "port_id", self->port != NULL ? self->port->id : NULL, NULL };

  os_addresses_list_async (get_addresses (self), self->networks->is_novas ? NULL : query,
                           cancellable, callback, user_data);
}

static gboolean
has_address (Complete  *self,
             GPtrArray *ips)
{
  for (guint i = 0; i < ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (ips, i);
      gboolean is_on_server = self->networks->is_novas
                                ? g_strcmp0 (ip->server_id, self->server_id) == 0
                                : g_strcmp0 (ip->port_id, self->port->id) == 0;

      if (is_on_server)
        return TRUE;
    }
  return FALSE;
}

/* The one that was allocated for the server before it was made. */
static const OsFloatingIp *
find_reserved (Complete  *self,
               GPtrArray *ips)
{
  const char *id = os_server_get_metadata (self->server, OS_METADATA_FLOATING_IP);

  for (guint i = 0; id != NULL && i < ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (g_str_equal (ip->id, id))
        return ip;
    }
  return NULL;
}

static void
complete_run (WkFlow  *flow,
              gpointer user_data)
{
  Complete *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_autofree char *context =
    g_strdup_printf (_("Cannot complete the start of machine %s"), get_machine_id (self));
  const OsFloatingIp *reserved;
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);
  WK_AWAIT (flow, os_compute_get_volumes_async (compute, self->server_id, WK_RESUME (flow)));
  self->server = os_compute_get_volumes_finish (compute, WK_RESULT (flow), &error);
  if (self->server == NULL)
    WK_FAIL (flow, &error, context);
  if (os_server_is_on_volume (self->server))
    {
      WK_AWAIT (flow, os_mark_volumes_async (self->snapshot, self->server, WK_RESUME (flow)));
      os_mark_volumes_finish (self->snapshot, WK_RESULT (flow));
    }

  WK_AWAIT (flow, os_plan_networks_async (self->snapshot,
                                          welkin_start_params_get_constraints (self->params),
                                          WK_RESUME (flow)));
  self->networks = os_plan_networks_finish (self->snapshot, WK_RESULT (flow), &error);
  if (self->networks == NULL)
    WK_FAIL (flow, &error, context);
  if (!self->networks->is_novas)
    {
      WK_AWAIT (flow, begin_ports (self, WK_RESUME (flow)));
      self->ports = os_adopt_ports_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->ports == NULL)
        WK_FAIL (flow, &error, context);
      self->port = g_ptr_array_index (self->ports, self->networks->floating_index);
    }
  if (self->networks->external_network_id == NULL)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  WK_AWAIT (flow, os_complete_marks_async (self->snapshot, WK_RESUME (flow)));
  if (!os_complete_marks_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);
  WK_AWAIT (flow, begin_addresses (self, WK_RESUME (flow)));
  ips = os_addresses_list_finish (get_addresses (self), WK_RESULT (flow), &error);
  if (ips == NULL)
    WK_FAIL (flow, &error, context);
  if (has_address (self, ips))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  self->address =
    os_given_address_new (self->snapshot, self->networks, self->mark, wk_flow_get_undo (flow));
  if (self->networks->is_novas)
    {
      reserved = find_reserved (self, ips);
      if (reserved == NULL)
        {
          error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                               _("the floating IP that was meant for it is gone"));
          WK_FAIL (flow, &error, context);
        }
      os_given_address_take_up (self->address, reserved);
    }
  WK_AWAIT (flow, os_bear_address_async (self->address, self->port, WK_RESUME (flow)));
  if (!os_bear_address_finish (self->address, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);
  if (!os_given_address_is_settled (self->address))
    {
      WK_AWAIT (flow, os_settle_address_async (self->address, self->port, self->server_id,
                                               WK_RESUME (flow)));
      if (!os_settle_address_finish (self->address, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
complete_free (gpointer user_data)
{
  Complete *self = user_data;

  g_clear_pointer (&self->address, os_given_address_free);
  g_clear_pointer (&self->ports, g_ptr_array_unref);
  g_clear_pointer (&self->networks, os_network_plan_free);
  g_clear_pointer (&self->server, os_server_free);
  g_free (self->mark);
  g_free (self->server_id);
  welkin_start_params_unref (self->params);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_complete_start_async (OsSnapshot         *snapshot,
                         WelkinStartParams  *params,
                         const char         *server_id,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  Complete *self = g_new0 (Complete, 1);
  g_autofree char *start = os_mark_format_start (welkin_start_params_get_start_id (params), 1);

  self->snapshot = g_object_ref (snapshot);
  self->params = welkin_start_params_ref (params);
  self->server_id = g_strdup (server_id);
  self->mark =
    os_mark_format (os_snapshot_get_environ_uuid (snapshot), get_machine_id (self), start);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_complete_start_async, complete_run,
                 self, complete_free);
}

gboolean
os_complete_start_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_complete_start_async, error);
}
