/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/close-ports.h"

#include "base/flow.h"
#include "base/join.h"
#include "operations/port-rules.h"
#include "operations/ports-group.h"

typedef struct
{
  OsSnapshot   *snapshot; /* (owned) */
  OsDetail     *machine;  /* (owned) (nullable) */
  GPtrArray    *ranges;   /* (owned) of WelkinPortRange */

  OsPortsGroup *found;    /* (owned) (nullable) */
  WkJoin       *join;     /* (owned) (nullable) */
} ClosePorts;

static void
rule_deleted_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  ClosePorts *self = user_data;
  GError *error = NULL;

  os_firewall_delete_rule_finish (OS_FIREWALL (source), result, &error);
  wk_join_end (self->join, error);
}

static void
begin_rules (ClosePorts *self)
{
  g_autoptr(GPtrArray) ids = os_port_ranges_find_rules (self->ranges, self->found->group);

  for (guint i = 0; i < ids->len; i++)
    os_firewall_delete_rule_async (os_snapshot_get_firewall (self->snapshot),
                                   g_ptr_array_index (ids, i), wk_join_begin (self->join),
                                   rule_deleted_cb, self);
}

static void
close_ports_run (WkFlow  *flow,
                 gpointer user_data)
{
  ClosePorts *self = user_data;
  g_autofree char *context = os_ports_dup_context (self->snapshot, self->machine, OS_PORTS_CLOSE);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_ports_check_mode (self->snapshot, self->machine, OS_PORTS_CLOSE, &error)
      || !os_port_ranges_check (self->ranges, &error))
    WK_FAIL (flow, &error, context);

  if (self->ranges->len > 0)
    {
      WK_AWAIT (flow, os_find_ports_group_async (self->snapshot, self->machine, FALSE,
                                                 WK_RESUME (flow)));
      self->found = os_find_ports_group_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->found == NULL)
        WK_FAIL (flow, &error, context);
    }

  if (self->found != NULL && self->found->group != NULL)
    {
      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_rules (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
close_ports_free (gpointer user_data)
{
  ClosePorts *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->found, os_ports_group_free);
  g_ptr_array_unref (self->ranges);
  g_clear_pointer (&self->machine, os_detail_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_close_ports_async (OsSnapshot         *snapshot,
                      OsDetail           *machine,
                      GPtrArray          *ranges,
                      gpointer            source,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  ClosePorts *self = g_new0 (ClosePorts, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine = machine != NULL ? os_detail_ref (machine) : NULL;
  self->ranges = os_port_ranges_copy (ranges);
  wk_flow_start (source, cancellable, callback, user_data, os_close_ports_async, close_ports_run,
                 self, close_ports_free);
}

gboolean
os_close_ports_finish (gpointer      source,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_boolean (result, source, os_close_ports_async, error);
}
