/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/adopt-ports.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "base/join.h"
#include "values/welkin-error.h"

/* How long after a server its ports may be seen. */
static const WkAttemptStrategy port_strategy = { .total = 60, .delay = 1 };

typedef struct
{
  /* inputs */
  OsSnapshot    *snapshot;  /* (owned) */
  OsNetworkPlan *networks;  /* the caller's */
  char          *name;      /* (owned) */
  char          *mark;      /* (owned) */
  char          *server_id; /* (owned) */

  /* while running */
  WkAttempt      attempt;
  WkJoin        *join;      /* (owned) (nullable) */
  GPtrArray     *ports;     /* (owned) (nullable) of OsPort */
} Adopt;

static OsPort *
steal_port_in (GPtrArray  *ports,
               const char *network_id)
{
  for (guint i = 0; i < ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (ports, i);

      if (g_strcmp0 (port->network_id, network_id) == 0 && port->fixed_ips != NULL
          && port->fixed_ips->len > 0)
        return g_ptr_array_steal_index (ports, i);
    }
  return NULL;
}

/* NULL while one is missing. (transfer full) */
static GPtrArray *
put_in_order (Adopt     *self,
              GPtrArray *found)
{
  g_autoptr(GPtrArray) ports = g_ptr_array_new_with_free_func ((GDestroyNotify) os_port_free);

  for (guint i = 0; i < self->networks->networks->len; i++)
    {
      const OsPlannedNetwork *network = g_ptr_array_index (self->networks->networks, i);
      OsPort *port = steal_port_in (found, network->id);

      if (port == NULL)
        return NULL;
      g_ptr_array_add (ports, port);
    }
  return g_steal_pointer (&ports);
}

static void
port_described_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Adopt *self = user_data;
  GError *error = NULL;
  g_autoptr(OsPort) port =
    os_network_service_describe_port_finish (OS_NETWORK_SERVICE (source), result, &error);

  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    {
      os_snapshot_notice (self->snapshot,
                          _("the cloud lets us neither make nor mark ports of machines"));
      g_clear_error (&error);
    }
  wk_join_end_with_context (self->join, error, _("cannot mark a port"));
}

static void
begin_marks (Adopt *self)
{
  for (guint i = 0; i < self->ports->len; i++)
    os_network_service_describe_port_async (os_snapshot_get_network_service (self->snapshot),
                                            ((OsPort *) g_ptr_array_index (self->ports, i))->id,
                                            self->name, self->mark, wk_join_begin (self->join),
                                            port_described_cb, self);
}

static void
adopt_run (WkFlow  *flow,
           gpointer user_data)
{
  Adopt *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  const char *query[] = { "device_id", self->server_id, NULL };
  g_autoptr(GPtrArray) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  wk_attempt_init (&self->attempt, &port_strategy, os_snapshot_get_clock (self->snapshot));
  do
    {
      WK_AWAIT (flow, os_network_service_list_ports_async (service, query, WK_RESUME (flow)));
      found = os_network_service_list_ports_finish (service, WK_RESULT (flow), &error);
      if (found == NULL)
        WK_FAIL (flow, &error, _("cannot list ports"));
      self->ports = put_in_order (self, found);
      if (self->ports != NULL)
        break;
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
  if (self->ports == NULL && error == NULL)
    error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
                         _("server %s has no port in each of its networks"), self->server_id);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_marks (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ports),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
adopt_free (gpointer user_data)
{
  Adopt *self = user_data;

  g_clear_pointer (&self->ports, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  wk_attempt_clear (&self->attempt);
  g_free (self->server_id);
  g_free (self->mark);
  g_free (self->name);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_adopt_ports_async (OsSnapshot           *snapshot,
                      const OsPortsRequest *request,
                      const char           *server_id,
                      GCancellable         *cancellable,
                      GAsyncReadyCallback   callback,
                      gpointer              user_data)
{
  Adopt *self = g_new0 (Adopt, 1);

  self->snapshot = g_object_ref (snapshot);
  self->networks = request->networks;
  self->name = g_strdup (request->name);
  self->mark = g_strdup (request->mark);
  self->server_id = g_strdup (server_id);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_adopt_ports_async, adopt_run, self,
                 adopt_free);
}

GPtrArray *
os_adopt_ports_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_adopt_ports_async, error);
}
