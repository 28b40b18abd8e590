/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/ports-group.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/make-group.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

static const WkAttemptStrategy look_strategy = {
  .total = 5, .delay = 1, .growth = 1.5, .max_delay = 5,
};

/* What is asked for in the wrong firewall-mode. */
static const char *const refusals[][2] = {
  [OS_PORTS_OPEN] = {
    N_("invalid firewall mode \"%s\" for opening ports on environment"),
    N_("invalid firewall mode \"%s\" for opening ports on instance"),
  },
  [OS_PORTS_CLOSE] = {
    N_("invalid firewall mode \"%s\" for closing ports on environment"),
    N_("invalid firewall mode \"%s\" for closing ports on instance"),
  },
  [OS_PORTS_LIST] = {
    N_("invalid firewall mode \"%s\" for retrieving ports from environment"),
    N_("invalid firewall mode \"%s\" for retrieving ports from instance"),
  },
};

gboolean
os_ports_check_mode (OsSnapshot     *snapshot,
                     const OsDetail *machine,
                     OsPortsCall     call,
                     GError        **error)
{
  const char *mode = welkin_config_get_string (os_snapshot_get_config (snapshot), "firewall-mode");

  if (g_str_equal (mode, machine != NULL ? "instance" : "global"))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _(refusals[call][machine != NULL ? 1 : 0]), mode);
  return FALSE;
}

static const char *const contexts[][2] = {
  [OS_PORTS_OPEN] = {
    N_("Cannot open ports of environment %s"), N_("Cannot open ports of machine %s"),
  },
  [OS_PORTS_CLOSE] = {
    N_("Cannot close ports of environment %s"), N_("Cannot close ports of machine %s"),
  },
  [OS_PORTS_LIST] = {
    N_("Cannot list ports of environment %s"), N_("Cannot list ports of machine %s"),
  },
};

char *
os_ports_dup_context (OsSnapshot     *snapshot,
                      const OsDetail *machine,
                      OsPortsCall     call)
{
  const char *name = welkin_config_get_name (os_snapshot_get_config (snapshot));

  if (machine != NULL)
    name = os_detail_get_machine_id (machine);
  if (name == NULL)
    name = os_detail_get_id (machine);
  return g_strdup_printf (_(contexts[call][machine != NULL ? 1 : 0]), name);
}

typedef struct
{
  /* inputs */
  OsSnapshot   *snapshot;    /* (owned) */
  OsDetail     *machine;     /* (owned) (nullable) */
  gboolean      is_expected;

  /* while running */
  WkAttempt     attempt;

  OsPortsGroup *found;       /* (owned) */
} FindGroup;

void
os_ports_group_free (OsPortsGroup *self)
{
  g_clear_pointer (&self->group, os_security_group_free);
  g_free (self);
}

static char *
name_global_group (FindGroup *self)
{
  const char *name = welkin_config_get_name (os_snapshot_get_config (self->snapshot));

  return os_name_group (os_snapshot_get_prefix (self->snapshot), name, "global");
}

static void
begin_list (FindGroup          *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);
  g_autofree char *name = NULL;

  if (self->machine != NULL)
    {
      os_firewall_list_server_groups_async (firewall, os_detail_get_id (self->machine),
                                            cancellable, callback, user_data);
    }
  else
    {
      name = name_global_group (self);
      os_firewall_list_groups_async (firewall, (const char *[]) { "name", name, NULL },
                                     cancellable, callback, user_data);
    }
}

static GPtrArray *
finish_list (FindGroup    *self,
             GAsyncResult *result,
             GError      **error)
{
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);

  self->found->is_guarded = TRUE;
  if (self->machine != NULL)
    return os_firewall_list_server_groups_finish (firewall, result, &self->found->is_guarded,
                                                  error);
  return os_firewall_list_groups_finish (firewall, result, error);
}

/* Of the groups that a machine is in, its own is known by its mark alone. */
static const OsSecurityGroup *
choose_machine_group (FindGroup *self,
                      GPtrArray *groups)
{
  const char *uuid = os_snapshot_get_environ_uuid (self->snapshot);
  const char *machine_id = os_detail_get_machine_id (self->machine);

  for (guint i = 0; machine_id != NULL && i < groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (groups, i);

      if (os_mark_is_ours (group->description, uuid, machine_id))
        return group;
    }
  return NULL;
}

static const OsSecurityGroup *
choose_global_group (FindGroup *self,
                     GPtrArray *groups)
{
  g_autofree char *name = name_global_group (self);
  g_autofree char *mark = os_mark_format (os_snapshot_get_environ_uuid (self->snapshot), NULL,
                                          NULL);

  return os_choose_group (groups, name, mark);
}

static void
take_group (FindGroup *self,
            GPtrArray *groups)
{
  const OsSecurityGroup *chosen = self->machine != NULL ? choose_machine_group (self, groups)
                                                        : choose_global_group (self, groups);

  for (guint i = groups->len; i > 0; i--)
    {
      if (g_ptr_array_index (groups, i - 1) == chosen)
        self->found->group = g_ptr_array_steal_index (groups, i - 1);
    }
}

/* Said once: nobody wants to hear it of each port. */
static void
note_unguarded (FindGroup *self)
{
  g_autofree char *message =
    g_strdup_printf ("the network has no port security: all ports of instance %s are open",
                     os_detail_get_id (self->machine));

  os_snapshot_notice (self->snapshot, message);
}

static void
find_group_run (WkFlow  *flow,
                gpointer user_data)
{
  FindGroup *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* Only then is it known which service has the groups. */
  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  do
    {
      WK_AWAIT (flow, begin_list (self, WK_RESUME (flow)));
      groups = finish_list (self, WK_RESULT (flow), &error);
      if (groups == NULL)
        WK_FAIL (flow, &error, _("cannot list security groups"));
      take_group (self, groups);
      if (self->found->group != NULL || !self->found->is_guarded || !self->is_expected)
        break;
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  if (!self->found->is_guarded)
    note_unguarded (self);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->found),
                          (GDestroyNotify) os_ports_group_free);

  WK_FLOW_END (flow);
}

static void
find_group_free (gpointer user_data)
{
  FindGroup *self = user_data;

  g_clear_pointer (&self->found, os_ports_group_free);
  wk_attempt_clear (&self->attempt);
  g_clear_pointer (&self->machine, os_detail_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_find_ports_group_async (OsSnapshot         *snapshot,
                           OsDetail           *machine,
                           gboolean            is_expected,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  FindGroup *self = g_new0 (FindGroup, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine = machine != NULL ? os_detail_ref (machine) : NULL;
  self->is_expected = is_expected;
  wk_attempt_init (&self->attempt, &look_strategy, os_snapshot_get_clock (snapshot));
  self->found = g_new0 (OsPortsGroup, 1);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_find_ports_group_async,
                 find_group_run, self, find_group_free);
}

OsPortsGroup *
os_find_ports_group_finish (OsSnapshot   *snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_find_ports_group_async, error);
}
