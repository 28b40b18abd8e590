/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-ports.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/make-port.h"

typedef struct
{
  /* inputs */
  OsSnapshot    *snapshot;    /* (owned) */
  OsNetworkPlan *networks;    /* the caller's, while the ports are begun */
  char          *name;        /* (owned) */
  char          *mark;        /* (owned) */
  char         **group_ids;   /* (owned) */

  /* while running */
  WkFlow        *flow;
  WkJoin        *join;        /* (owned) (nullable) */
  GPtrArray     *ports;       /* (owned) of OsPort */
} MakePorts;

/* One of them. */
typedef struct
{
  MakePorts *ports;
  guint      index;
} PortCall;

static void
port_made_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autofree PortCall *call = user_data;
  MakePorts *self = call->ports;
  GError *error = NULL;
  OsPort *port = os_make_port_finish (self->snapshot, result, &error);

  self->ports->pdata[call->index] = port;
  if (port != NULL)
    wk_undo_push (wk_flow_get_undo (self->flow), _("port"),
                  os_snapshot_get_network_service (self->snapshot), port->id,
                  (WkUndoAsync) os_network_service_delete_port_async,
                  (WkUndoFinish) os_network_service_delete_port_finish);
  wk_join_end (self->join, error);
}

static void
begin_ports (MakePorts    *self,
             GCancellable *cancellable)
{
  for (guint i = 0; i < self->ports->len; i++)
    {
      OsPlannedNetwork *network = g_ptr_array_index (self->networks->networks, i);
      PortCall *call = g_new0 (PortCall, 1);
      OsPortRequest request = {
        .network_id = network->id,
        .name = self->name,
        .description = self->mark,
      };

      /* Neutron refuses to hear of groups on a network that has no port security. */
      if (network->has_port_security)
        request.security_group_ids = (const char *const *) self->group_ids;
      call->ports = self;
      call->index = i;
      wk_join_begin (self->join);
      os_make_port_async (self->snapshot, &request, cancellable, port_made_cb, call);
    }
}

static void
make_ports_run (WkFlow  *flow,
                gpointer user_data)
{
  MakePorts *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->flow = flow;
  self->join = wk_join_new (WK_JOIN_COLLECT, NULL);
  begin_ports (self, wk_flow_get_cancellable (flow));
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error)
      || wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ports),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
make_ports_free (gpointer user_data)
{
  MakePorts *self = user_data;

  g_clear_pointer (&self->ports, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_strfreev (self->group_ids);
  g_free (self->mark);
  g_free (self->name);
  g_object_unref (self->snapshot);
  g_free (self);
}

static void
free_port (gpointer port)
{
  if (port != NULL)
    os_port_free (port);
}

void
os_make_ports_async (OsSnapshot           *snapshot,
                     const OsPortsRequest *request,
                     GCancellable         *cancellable,
                     GAsyncReadyCallback   callback,
                     gpointer              user_data)
{
  MakePorts *self = g_new0 (MakePorts, 1);

  self->snapshot = g_object_ref (snapshot);
  self->networks = request->networks;
  self->name = g_strdup (request->name);
  self->mark = g_strdup (request->mark);
  self->group_ids = g_strdupv ((char **) request->group_ids);
  self->ports = g_ptr_array_new_with_free_func (free_port);
  if (!request->networks->is_novas)
    g_ptr_array_set_size (self->ports, request->networks->networks->len);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_make_ports_async, make_ports_run,
                 self, make_ports_free);
}

GPtrArray *
os_make_ports_finish (OsSnapshot   *snapshot,
                      GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_make_ports_async, error);
}
