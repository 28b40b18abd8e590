/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/change-ports.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/make-rules.h"
#include "operations/port-rules.h"
#include "operations/ports-group.h"
#include "operations/rule-sources.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot   *snapshot; /* (owned) */
  OsDetail     *machine;  /* (owned) (nullable) */
  OsPortsCall   call;     /* to open or to close */
  GPtrArray    *ranges;   /* (owned) of WelkinPortRange */

  OsPortsGroup *found;    /* (owned) (nullable) */
  GPtrArray    *missing;  /* (owned) (nullable) of OsSecurityGroupRule, when opening */
  WkJoin       *join;     /* (owned) (nullable) when closing */
} ChangePorts;

/* Opening. */

/* The rules that it takes and that are not there yet. */
static void
find_missing (ChangePorts *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);
  const OsSecurityGroup *group = self->found->group;

  self->missing = os_port_ranges_dup_rules (self->ranges, group->id,
                                            os_firewall_has_ipv6 (firewall)
                                              && os_config_wants_ipv6_rules (config));
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

/* Closing. */

static void
rule_deleted_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  ChangePorts *self = user_data;
  GError *error = NULL;

  os_firewall_delete_rule_finish (OS_FIREWALL (source), result, &error);
  wk_join_end (self->join, error);
}

static void
begin_rules (ChangePorts *self)
{
  g_autoptr(GPtrArray) ids = os_port_ranges_find_rules (self->ranges, self->found->group);

  for (guint i = 0; i < ids->len; i++)
    os_firewall_delete_rule_async (os_snapshot_get_firewall (self->snapshot),
                                   g_ptr_array_index (ids, i), wk_join_begin (self->join),
                                   rule_deleted_cb, self);
}

/* The whole. */

static gboolean
has_group (ChangePorts *self)
{
  return self->found != NULL && self->found->group != NULL;
}

static void
change_ports_run (WkFlow  *flow,
                  gpointer user_data)
{
  ChangePorts *self = user_data;
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);
  g_autofree char *context = os_ports_dup_context (self->snapshot, self->machine, self->call);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_ports_check_mode (self->snapshot, self->machine, self->call, &error)
      || !os_port_ranges_check (self->ranges, &error))
    WK_FAIL (flow, &error, context);

  if (self->ranges->len > 0)
    {
      WK_AWAIT (flow, os_find_ports_group_async (self->snapshot, self->machine,
                                                 self->call == OS_PORTS_OPEN, WK_RESUME (flow)));
      self->found = os_find_ports_group_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->found != NULL && self->found->group == NULL && self->found->is_guarded
          && self->call == OS_PORTS_OPEN)
        error = make_missing_error ();
      if (error != NULL)
        WK_FAIL (flow, &error, context);
    }

  if (has_group (self) && self->call == OS_PORTS_OPEN)
    {
      find_missing (self);
      WK_AWAIT (flow, os_make_rules_async (firewall, self->missing, WK_RESUME (flow)));
      if (!os_make_rules_finish (firewall, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  else if (has_group (self))
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
change_ports_free (gpointer user_data)
{
  ChangePorts *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->found, os_ports_group_free);
  g_ptr_array_unref (self->ranges);
  g_clear_pointer (&self->machine, os_detail_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_change_ports_async (OsSnapshot         *snapshot,
                       OsDetail           *machine,
                       OsPortsCall         call,
                       GPtrArray          *ranges,
                       gpointer            source,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  ChangePorts *self = g_new0 (ChangePorts, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine = machine != NULL ? os_detail_ref (machine) : NULL;
  self->call = call;
  self->ranges = os_port_ranges_copy (ranges);
  wk_flow_start (source, cancellable, callback, user_data, os_change_ports_async, change_ports_run,
                 self, change_ports_free);
}

gboolean
os_change_ports_finish (gpointer      source,
                        GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_boolean (result, source, os_change_ports_async, error);
}
