/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/sweep.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/ownership.h"
#include "operations/remove-group.h"

/* Marks in one question: more would make a URL that proxies refuse. */
#define MARKS_PER_QUERY 16

typedef struct
{
  /* inputs */
  OsSnapshot *snapshot; /* (owned) */
  GHashTable *marks;    /* (owned) (nullable) */

  /* while running */
  WkJoin     *join;     /* (owned) (nullable) */
  GPtrArray  *ips;      /* (owned) of OsFloatingIp */
  GPtrArray  *ports;    /* (owned) of OsPort */
  GPtrArray  *groups;   /* (owned) of OsSecurityGroup */

  GError     *error;    /* (owned) (nullable) the first one */
} Sweep;

/* A group that is being removed. */
typedef struct
{
  Sweep                 *sweep;
  const OsSecurityGroup *group;
} GroupCall;

/* What there is. */

static void
ips_listed_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;
  GPtrArray *ips =
    os_network_service_list_floating_ips_finish (OS_NETWORK_SERVICE (source), result, &error);

  if (ips != NULL)
    g_ptr_array_extend_and_steal (self->ips, ips);
  wk_join_end_with_context (self->join, error, _("cannot list floating IPs"));
}

static void
ports_listed_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;
  GPtrArray *ports =
    os_network_service_list_ports_finish (OS_NETWORK_SERVICE (source), result, &error);

  if (ports != NULL)
    g_ptr_array_extend_and_steal (self->ports, ports);
  wk_join_end_with_context (self->join, error, _("cannot list ports"));
}

static void
groups_listed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;
  GPtrArray *groups = os_firewall_list_groups_finish (OS_FIREWALL (source), result, &error);

  if (groups != NULL)
    g_ptr_array_extend_and_steal (self->groups, groups);
  wk_join_end_with_context (self->join, error, _("cannot list security groups"));
}

/* query: (nullable) */
static void
begin_lists (Sweep              *self,
             const char *const  *query)
{
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);

  /* Nova's addresses have no marks: they go with their servers. */
  if (os_snapshot_get_nova_network (self->snapshot) == NULL)
    {
      os_network_service_list_floating_ips_async (service, query, wk_join_begin (self->join),
                                                  ips_listed_cb, self);
      os_network_service_list_ports_async (service, query, wk_join_begin (self->join),
                                           ports_listed_cb, self);
    }
  os_firewall_list_groups_async (os_snapshot_get_firewall (self->snapshot), query,
                                 wk_join_begin (self->join), groups_listed_cb, self);
}

static void
begin_marked_lists (Sweep *self)
{
  const char *query[2 * MARKS_PER_QUERY + 1];
  GHashTableIter iter;
  gpointer mark;
  gsize n = 0;

  g_hash_table_iter_init (&iter, self->marks);
  while (g_hash_table_iter_next (&iter, &mark, NULL))
    {
      query[n++] = "description";
      query[n++] = mark;
      query[n] = NULL;
      if (n == 2 * MARKS_PER_QUERY)
        {
          begin_lists (self, query);
          n = 0;
        }
    }
  if (n > 0)
    begin_lists (self, query);
}

/* Neutron's filters match more than what is asked for: the mark is looked at again. */
static gboolean
has_to_go (Sweep      *self,
           const char *description)
{
  if (self->marks == NULL)
    return os_mark_is_ours (description, os_snapshot_get_environ_uuid (self->snapshot), NULL);
  return description != NULL && g_hash_table_contains (self->marks, description);
}

/* Removing it. */

static void
ip_deleted_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;

  os_network_service_delete_floating_ip_finish (OS_NETWORK_SERVICE (source), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot release a floating IP"));
}

static void
port_deleted_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;

  os_network_service_delete_port_finish (OS_NETWORK_SERVICE (source), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot delete a port"));
}

static void
group_removed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  g_autofree GroupCall *call = user_data;
  Sweep *self = call->sweep;
  GError *error = NULL;

  if (!os_remove_group_finish (source, result, &error))
    /* TRANSLATORS: the name of a security group, and why it stays */
    g_prefix_error (&error, _("security group %s stays: "), call->group->name);
  wk_join_end (self->join, error);
}

static void
begin_ips_and_ports (Sweep *self)
{
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);

  for (guint i = 0; i < self->ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (self->ips, i);

      if (has_to_go (self, ip->description))
        os_network_service_delete_floating_ip_async (service, ip->id, wk_join_begin (self->join),
                                                     ip_deleted_cb, self);
    }
  for (guint i = 0; i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);

      if (has_to_go (self, port->description))
        os_network_service_delete_port_async (service, port->id, wk_join_begin (self->join),
                                              port_deleted_cb, self);
    }
}

static void
begin_groups (Sweep *self)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (self->groups, i);

      GroupCall *call;

      if (!has_to_go (self, group->description))
        continue;
      call = g_new0 (GroupCall, 1);
      call->sweep = self;
      call->group = group;
      os_remove_group_async (os_snapshot_get_firewall (self->snapshot), group->id,
                             wk_join_begin (self->join), group_removed_cb, call);
    }
}

static void
end_step (Sweep        *self,
          GAsyncResult *result)
{
  g_autoptr(GError) error = NULL;

  if (!wk_join_wait_finish (self->join, result, &error) && self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_clear_pointer (&self->join, wk_join_unref);
}

static void
sweep_run (WkFlow  *flow,
           gpointer user_data)
{
  Sweep *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &self->error))
    WK_FAIL (flow, &self->error, NULL);
  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  if (self->marks != NULL)
    begin_marked_lists (self);
  else
    begin_lists (self, NULL);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  end_step (self, WK_RESULT (flow));

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_ips_and_ports (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  end_step (self, WK_RESULT (flow));

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_groups (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  end_step (self, WK_RESULT (flow));

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
sweep_free (gpointer user_data)
{
  Sweep *self = user_data;

  g_clear_error (&self->error);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->ports);
  g_ptr_array_unref (self->ips);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->marks, g_hash_table_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_sweep_async (OsSnapshot         *snapshot,
                GHashTable         *marks,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  Sweep *self = g_new0 (Sweep, 1);

  self->snapshot = g_object_ref (snapshot);
  self->ips = g_ptr_array_new_with_free_func ((GDestroyNotify) os_floating_ip_free);
  self->ports = g_ptr_array_new_with_free_func ((GDestroyNotify) os_port_free);
  self->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_free);
  if (marks != NULL)
    self->marks = g_hash_table_ref (marks);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_sweep_async, sweep_run, self,
                 sweep_free);
}

gboolean
os_sweep_finish (OsSnapshot   *snapshot,
                 GAsyncResult *result,
                 GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_sweep_async, error);
}

void
os_sweep_mark_async (gpointer            snapshot,
                     const char         *mark,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  g_autoptr(GHashTable) marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_hash_table_add (marks, g_strdup (mark));
  os_sweep_async (snapshot, marks, cancellable, callback, user_data);
}

gboolean
os_sweep_mark_finish (gpointer      snapshot,
                      GAsyncResult *result,
                      GError      **error)
{
  return os_sweep_finish (snapshot, result, error);
}
