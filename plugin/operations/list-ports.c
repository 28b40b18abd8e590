/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/list-ports.h"

#include "base/flow.h"
#include "operations/port-rules.h"
#include "operations/ports-group.h"
#include "operations/rule-sources.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  OsDetail   *machine;  /* (owned) (nullable) */
} ListPorts;

static GPtrArray *
make_ranges (ListPorts          *self,
             const OsPortsGroup *found)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);

  if (found == NULL || found->group == NULL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
  return os_port_rules_dup_ranges (found->group, os_firewall_has_ipv6 (firewall)
                                                   && os_config_wants_ipv6_rules (config));
}

/* Where there are no ports to be opened, none are open. */
static gboolean
has_no_firewall (ListPorts *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);

  return g_str_equal (welkin_config_get_string (config, "firewall-mode"), "none");
}

static void
list_ports_run (WkFlow  *flow,
                gpointer user_data)
{
  ListPorts *self = user_data;
  g_autofree char *context = os_ports_dup_context (self->snapshot, self->machine, OS_PORTS_LIST);
  g_autoptr(OsPortsGroup) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!has_no_firewall (self))
    {
      if (!os_ports_check_mode (self->snapshot, self->machine, OS_PORTS_LIST, &error))
        WK_FAIL (flow, &error, context);
      WK_AWAIT (flow, os_find_ports_group_async (self->snapshot, self->machine, FALSE,
                                                 WK_RESUME (flow)));
      found = os_find_ports_group_finish (self->snapshot, WK_RESULT (flow), &error);
      if (found == NULL)
        WK_FAIL (flow, &error, context);
    }
  wk_flow_return_pointer (flow, make_ranges (self, found), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
list_ports_free (gpointer user_data)
{
  ListPorts *self = user_data;

  g_clear_pointer (&self->machine, os_detail_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_list_ports_async (OsSnapshot         *snapshot,
                     OsDetail           *machine,
                     gpointer            source,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  ListPorts *self = g_new0 (ListPorts, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine = machine != NULL ? os_detail_ref (machine) : NULL;
  wk_flow_start (source, cancellable, callback, user_data, os_list_ports_async, list_ports_run,
                 self, list_ports_free);
}

GPtrArray *
os_list_ports_finish (gpointer      source,
                      GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_pointer (result, source, os_list_ports_async, error);
}
