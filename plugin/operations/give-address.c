/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/give-address.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/floating-ip.h"
#include "operations/keep-floating-ip.h"
#include "operations/nova-assign-address.h"
#include "operations/nova-release-address.h"
#include "operations/nova-reserve-address.h"
#include "operations/outcome.h"
#include "operations/sweep.h"
#include "operations/wanted-addresses.h"

struct _OsGivenAddress
{
  /* inputs */
  OsSnapshot   *snapshot;   /* (owned) */
  char         *network_id; /* (owned) (nullable) that it is from; NULL: none is wanted */
  gboolean      is_novas;
  char         *mark;       /* (owned) */
  WkUndo       *undo;       /* (owned) */

  /* of the step that runs */
  const OsPort *port;       /* (nullable) the caller's */
  char         *server_id;  /* (owned) (nullable) */
  gboolean      is_late;    /* nova has just made the port */

  OsFloatingIp *ip;         /* (owned) (nullable) */
};

OsGivenAddress *
os_given_address_new (OsSnapshot          *snapshot,
                      const OsNetworkPlan *networks,
                      const char          *mark,
                      WkUndo              *undo)
{
  OsGivenAddress *self = g_new0 (OsGivenAddress, 1);

  self->snapshot = g_object_ref (snapshot);
  self->network_id = g_strdup (networks->external_network_id);
  self->is_novas = networks->is_novas;
  self->mark = g_strdup (mark);
  self->undo = wk_undo_ref (undo);
  return self;
}

/* Now that a server has it, or none will, the list of them says so. */
static void
let_go (OsGivenAddress *self)
{
  if (self->ip != NULL && self->is_novas)
    os_let_go_of_address (os_snapshot_get_client (self->snapshot), self->ip->id);
}

void
os_given_address_free (OsGivenAddress *self)
{
  let_go (self);
  g_clear_pointer (&self->ip, os_floating_ip_free);
  g_free (self->server_id);
  wk_undo_unref (self->undo);
  g_free (self->mark);
  g_free (self->network_id);
  g_object_unref (self->snapshot);
  g_free (self);
}

const OsFloatingIp *
os_given_address_get_ip (OsGivenAddress *self)
{
  return self->ip;
}

void
os_given_address_take_up (OsGivenAddress     *self,
                          const OsFloatingIp *ip)
{
  self->ip = os_floating_ip_copy (ip);
}

gboolean
os_given_address_is_settled (OsGivenAddress *self)
{
  if (self->network_id == NULL)
    return TRUE;
  return self->ip != NULL && !self->is_novas && !self->ip->was_there;
}

/* One that was there before stays: neutron's is given back with the things marked, nova's is free
 * again when its server is gone. */
static void
push_ip (OsGivenAddress *self)
{
  if (self->ip == NULL || self->ip->was_there)
    return;
  if (self->is_novas)
    wk_undo_push (self->undo, _("floating IP"), self->snapshot, self->ip->id,
                  os_nova_release_free_address_async, os_nova_release_free_address_finish);
  else
    wk_undo_push (self->undo, _("floating IP"), os_snapshot_get_network_service (self->snapshot),
                  self->ip->id, (WkUndoAsync) os_network_service_delete_floating_ip_async,
                  (WkUndoFinish) os_network_service_delete_floating_ip_finish);
}

/* One that nobody has learnt of may be known by its port alone: it is looked for before that
 * goes. */
static void
push_unknown (OsGivenAddress *self,
              const GError   *error)
{
  if (os_error_leaves_doubt (error) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    wk_undo_push (self->undo, _("floating IP"), self->snapshot, self->mark, os_sweep_mark_async,
                  os_sweep_mark_finish);
}

/* Before the server. */

static void
allocate_run (WkFlow  *flow,
              gpointer user_data)
{
  OsGivenAddress *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->is_novas && self->network_id != NULL)
    {
      WK_AWAIT (flow, os_nova_reserve_address_async (self->snapshot, self->network_id, self->mark,
                                                     TRUE, WK_RESUME (flow)));
      self->ip = os_nova_reserve_address_finish (self->snapshot, WK_RESULT (flow), &error);
      push_ip (self);
      if (self->ip == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_allocate_address_async (OsGivenAddress     *self,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  wk_flow_start (self->snapshot, cancellable, callback, user_data, os_allocate_address_async,
                 allocate_run, self, NULL);
}

gboolean
os_allocate_address_finish (OsGivenAddress *self,
                            GAsyncResult   *result,
                            GError        **error)
{
  return wk_flow_finish_boolean (result, self->snapshot, os_allocate_address_async, error);
}

/* Beside the server. */

static OsFloatingIpRequest
make_request (OsGivenAddress *self)
{
  return (OsFloatingIpRequest) {
    .network_id = self->network_id,
    .port_id = self->port->id,
    .fixed_address = (char *) os_port_get_ipv4 (self->port),
    .mark = self->mark,
    .is_new = self->is_late,
  };
}

static void
begin_bearing (OsGivenAddress     *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  OsFloatingIpRequest request = make_request (self);

  os_get_floating_ip_async (self->snapshot, &request, cancellable, callback, user_data);
}

static void
bear_run (WkFlow  *flow,
          gpointer user_data)
{
  OsGivenAddress *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!self->is_novas && self->network_id != NULL && self->port != NULL)
    {
      WK_AWAIT (flow, begin_bearing (self, WK_RESUME (flow)));
      self->ip = os_get_floating_ip_finish (self->snapshot, WK_RESULT (flow), &error);
      push_ip (self);
      if (self->ip == NULL)
        {
          push_unknown (self, error);
          WK_FAIL (flow, &error, NULL);
        }
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_bear_address_async (OsGivenAddress     *self,
                       const OsPort       *port,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  self->port = port;
  wk_flow_start (self->snapshot, cancellable, callback, user_data, os_bear_address_async, bear_run,
                 self, NULL);
}

gboolean
os_bear_address_finish (OsGivenAddress *self,
                        GAsyncResult   *result,
                        GError        **error)
{
  return wk_flow_finish_boolean (result, self->snapshot, os_bear_address_async, error);
}

/* With the server. */

/* It may be another one than that which was reserved. */
static void
take_assigned (OsGivenAddress *self,
               OsFloatingIp   *ip)
{
  if (g_str_equal (ip->id, self->ip->id))
    {
      os_floating_ip_free (ip);
      return;
    }
  wk_undo_forget (self->undo, self->ip->id);
  let_go (self);
  os_floating_ip_free (self->ip);
  self->ip = ip;
  push_ip (self);
}

static void
begin_keeping (OsGivenAddress     *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  OsFloatingIpRequest request = make_request (self);

  os_keep_floating_ip_async (self->snapshot, &request, g_steal_pointer (&self->ip), cancellable,
                             callback, user_data);
}

static void
settle_run (WkFlow  *flow,
            gpointer user_data)
{
  OsGivenAddress *self = user_data;
  OsFloatingIp *assigned;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->ip != NULL && self->is_novas)
    {
      /* The server names it now. */
      WK_AWAIT (flow, os_forget_address_async (self->snapshot, self->ip->id, wk_flow_resume_cb,
                                               flow));
      os_forget_address_finish (self->snapshot, WK_RESULT (flow));
      WK_AWAIT (flow, os_nova_assign_address_async (self->snapshot, self->ip, self->server_id,
                                                    self->mark, WK_RESUME (flow)));
      assigned = os_nova_assign_address_finish (self->snapshot, WK_RESULT (flow), &error);
      if (assigned == NULL)
        WK_FAIL (flow, &error, NULL);
      take_assigned (self, assigned);
    }
  else if (self->ip == NULL)
    {
      self->is_late = TRUE;
      WK_AWAIT (flow, os_bear_address_async (self, self->port, WK_RESUME (flow)));
      if (!os_bear_address_finish (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->ip != NULL && self->ip->was_there && !self->is_novas)
    {
      WK_AWAIT (flow, begin_keeping (self, WK_RESUME (flow)));
      self->ip = os_keep_floating_ip_finish (self->snapshot, WK_RESULT (flow), &error);
      push_ip (self);
      if (self->ip == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_settle_address_async (OsGivenAddress     *self,
                         const OsPort       *port,
                         const char         *server_id,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  self->port = port;
  g_free (self->server_id);
  self->server_id = g_strdup (server_id);
  wk_flow_start (self->snapshot, cancellable, callback, user_data, os_settle_address_async,
                 settle_run, self, NULL);
}

gboolean
os_settle_address_finish (OsGivenAddress *self,
                          GAsyncResult   *result,
                          GError        **error)
{
  return wk_flow_finish_boolean (result, self->snapshot, os_settle_address_async, error);
}
