/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/open-ports.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/make-rules.h"
#include "operations/port-rules.h"
#include "operations/ports-group.h"
#include "operations/rule-sources.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot   *snapshot; /* (owned) */
  OsDetail     *machine;  /* (owned) (nullable) */
  GPtrArray    *ranges;   /* (owned) of WelkinPortRange */

  OsPortsGroup *found;    /* (owned) (nullable) */
  GPtrArray    *missing;  /* (owned) (nullable) of OsSecurityGroupRule */
} OpenPorts;

/* The rules that it takes and that are not there yet. */
static void
find_missing (OpenPorts *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  const OsSecurityGroup *group = self->found->group;

  self->missing =
    os_port_ranges_dup_rules (self->ranges, group->id, os_config_wants_ipv6_rules (config));
  for (guint i = self->missing->len; i > 0; i--)
    {
      if (os_security_group_rule_find (group->rules, g_ptr_array_index (self->missing, i - 1))
          != NULL)
        g_ptr_array_remove_index (self->missing, i - 1);
    }
}

static GError *
make_missing_error (void)
{
  return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                              _("there is no security group whose ports could be opened"));
}

static void
open_ports_run (WkFlow  *flow,
                gpointer user_data)
{
  OpenPorts *self = user_data;
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);
  g_autofree char *context = os_ports_dup_context (self->snapshot, self->machine, OS_PORTS_OPEN);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_ports_check_mode (self->snapshot, self->machine, OS_PORTS_OPEN, &error)
      || !os_port_ranges_check (self->ranges, &error))
    WK_FAIL (flow, &error, context);

  if (self->ranges->len > 0)
    {
      WK_AWAIT (flow, os_find_ports_group_async (self->snapshot, self->machine, TRUE,
                                                 WK_RESUME (flow)));
      self->found = os_find_ports_group_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->found != NULL && self->found->group == NULL && self->found->is_guarded)
        error = make_missing_error ();
      if (error != NULL)
        WK_FAIL (flow, &error, context);
    }

  if (self->found != NULL && self->found->group != NULL)
    {
      find_missing (self);
      WK_AWAIT (flow, os_make_rules_async (firewall, self->missing, WK_RESUME (flow)));
      if (!os_make_rules_finish (firewall, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
open_ports_free (gpointer user_data)
{
  OpenPorts *self = user_data;

  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->found, os_ports_group_free);
  g_ptr_array_unref (self->ranges);
  g_clear_pointer (&self->machine, os_detail_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_open_ports_async (OsSnapshot         *snapshot,
                     OsDetail           *machine,
                     GPtrArray          *ranges,
                     gpointer            source,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  OpenPorts *self = g_new0 (OpenPorts, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine = machine != NULL ? os_detail_ref (machine) : NULL;
  self->ranges = os_port_ranges_copy (ranges);
  wk_flow_start (source, cancellable, callback, user_data, os_open_ports_async, open_ports_run,
                 self, open_ports_free);
}

gboolean
os_open_ports_finish (gpointer      source,
                      GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_boolean (result, source, os_open_ports_async, error);
}
