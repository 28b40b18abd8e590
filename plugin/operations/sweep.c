/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/sweep.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/complete-marks.h"
#include "operations/list-addresses.h"
#include "operations/live-starts.h"
#include "operations/ownership.h"
#include "operations/release-floating-ip.h"
#include "operations/remove-group.h"

/* Marks in one question: more would make a URL that proxies refuse. */
#define MARKS_PER_QUERY 16
/* Of what another host may be making a server for. */
#define ORPHAN_MINUTES 15

typedef struct
{
  /* inputs */
  OsSnapshot *snapshot; /* (owned) */
  GHashTable *marks;    /* (owned) (nullable) */
  char      **live;     /* (owned) (nullable) start-ids: what has another one goes */
  gboolean    is_late;  /* only what nobody has touched for a while goes */
  GPtrArray  *kept;     /* (owned) (nullable) ids of what stays; then all groups do */

  /* while running */
  WkJoin     *join;     /* (owned) (nullable) */
  GPtrArray  *ips;      /* (owned) of OsFloatingIp */
  GPtrArray  *ports;    /* (owned) of OsPort */
  GPtrArray  *groups;   /* (owned) of OsSecurityGroup */
  GDateTime  *deadline; /* (owned) (nullable) what was touched since stays, where is_late */

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
novas_ips_listed_cb (GObject      *source,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;
  GPtrArray *ips = os_list_marked_addresses_finish (self->snapshot, result, &error);

  if (ips != NULL)
    g_ptr_array_extend_and_steal (self->ips, ips);
  wk_join_end (self->join, error);
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

/* query: (nullable), and the same for floating IPs */
static void
begin_lists (Sweep              *self,
             const char *const  *query,
             const char *const  *ip_query)
{
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);

  if (os_snapshot_get_nova_network (self->snapshot) == NULL)
    {
      os_network_service_list_floating_ips_async (service, ip_query, wk_join_begin (self->join),
                                                  ips_listed_cb, self);
      os_network_service_list_ports_async (service, query, wk_join_begin (self->join),
                                           ports_listed_cb, self);
    }
  else if (os_snapshot_get_intents (self->snapshot) != NULL)
    {
      os_list_marked_addresses_async (self->snapshot, wk_join_begin (self->join),
                                      novas_ips_listed_cb, self);
    }
  os_firewall_list_groups_async (os_snapshot_get_firewall (self->snapshot), query,
                                 wk_join_begin (self->join), groups_listed_cb, self);
}

static char **
make_query (GPtrArray *marks,
            gboolean   is_for_ips)
{
  g_autoptr(GStrvBuilder) query = g_strv_builder_new ();

  for (guint i = 0; i < marks->len; i++)
    {
      const char *mark = g_ptr_array_index (marks, i);
      g_autofree char *borrowed = os_mark_format_borrowed (mark);

      g_strv_builder_add_many (query, "description", mark, NULL);
      if (is_for_ips)
        g_strv_builder_add_many (query, "description", borrowed, NULL);
    }
  return g_strv_builder_end (query);
}

static void
begin_lists_of (Sweep     *self,
                GPtrArray *marks)
{
  g_auto(GStrv) query = make_query (marks, FALSE);
  g_auto(GStrv) ip_query = make_query (marks, TRUE);

  begin_lists (self, (const char *const *) query, (const char *const *) ip_query);
}

static void
begin_marked_lists (Sweep *self)
{
  g_autoptr(GPtrArray) some = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer mark;

  g_hash_table_iter_init (&iter, self->marks);
  while (g_hash_table_iter_next (&iter, &mark, NULL))
    {
      g_ptr_array_add (some, mark);
      if (some->len == MARKS_PER_QUERY)
        {
          begin_lists_of (self, some);
          g_ptr_array_set_size (some, 0);
        }
    }
  if (some->len > 0)
    begin_lists_of (self, some);
}

/* How old things are. */

static GDateTime *
parse_stamp (const char *updated,
             const char *created)
{
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  const char *stamp = updated != NULL ? updated : created;

  return stamp != NULL ? g_date_time_new_from_iso8601 (stamp, utc) : NULL;
}

/* stamp: (transfer full) (nullable) */
static void
take_newest (GDateTime **newest,
             GDateTime  *stamp)
{
  g_autoptr(GDateTime) former = stamp;

  if (stamp == NULL || (*newest != NULL && g_date_time_compare (stamp, *newest) <= 0))
    return;
  former = *newest;
  *newest = stamp;
}

/* By the cloud's own clock, which is not ours: the newest port or group is that of the start which
 * asks. */
static void
set_deadline (Sweep *self)
{
  g_autoptr(GDateTime) newest = NULL;

  for (guint i = 0; i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);

      take_newest (&newest, parse_stamp (port->updated, port->created));
    }
  for (guint i = 0; i < self->groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (self->groups, i);

      take_newest (&newest, parse_stamp (NULL, group->created));
    }
  if (newest != NULL)
    self->deadline = g_date_time_add_minutes (newest, -ORPHAN_MINUTES);
}

/* Where the cloud keeps no times, everything is young. */
static gboolean
is_untouched (Sweep      *self,
              const char *updated,
              const char *created)
{
  g_autoptr(GDateTime) stamp = NULL;

  if (!self->is_late)
    return TRUE;
  stamp = parse_stamp (updated, created);
  return stamp != NULL && self->deadline != NULL
         && g_date_time_compare (stamp, self->deadline) < 0;
}

/* What has to go. */

static gboolean
is_of_dead_start (Sweep      *self,
                  const char *description)
{
  g_autofree char *start = os_mark_get_word (description, "start");
  g_autofree char *start_id = start != NULL ? os_mark_get_start_id (start) : NULL;

  return start_id != NULL && !g_strv_contains ((const char *const *) self->live, start_id);
}

/* Neutron's filters match more than what is asked for: the mark is looked at again. */
static gboolean
has_to_go (Sweep      *self,
           const char *description)
{
  g_autofree char *mark = os_mark_strip_borrowed (description);

  if (self->marks == NULL)
    return os_mark_is_ours (description, os_snapshot_get_environ_uuid (self->snapshot), NULL)
           && (self->live == NULL || is_of_dead_start (self, description));
  return mark != NULL && g_hash_table_contains (self->marks, mark);
}

static gboolean
is_kept (Sweep      *self,
         const char *id)
{
  return self->kept != NULL
         && g_ptr_array_find_with_equal_func (self->kept, id, g_str_equal, NULL);
}

/* A server that runs is not cut off, whatever is known of its start. */
static gboolean
port_has_to_go (Sweep        *self,
                const OsPort *port)
{
  if ((self->live != NULL && port->device_id != NULL && *port->device_id != '\0')
      || is_kept (self, port->id))
    return FALSE;
  return has_to_go (self, port->description)
         && is_untouched (self, port->updated, port->created);
}

static gboolean
ip_has_to_go (Sweep              *self,
              const OsFloatingIp *ip)
{
  if (!has_to_go (self, ip->description) || !is_untouched (self, ip->updated, ip->created)
      || is_kept (self, ip->id))
    return FALSE;
  if (self->live == NULL || os_floating_ip_is_free (ip))
    return TRUE;
  for (guint i = 0; i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);

      if (g_strcmp0 (port->id, ip->port_id) == 0)
        return port_has_to_go (self, port);
    }
  return FALSE;
}

/* Removing it. */

static void
ip_released_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Sweep *self = user_data;
  GError *error = NULL;

  os_release_floating_ip_finish (self->snapshot, result, &error);
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
begin_ips (Sweep *self)
{
  for (guint i = 0; i < self->ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (self->ips, i);

      if (ip_has_to_go (self, ip))
        os_release_floating_ip_async (self->snapshot, ip, wk_join_begin (self->join),
                                      ip_released_cb, self);
    }
}

static void
begin_ports (Sweep *self)
{
  for (guint i = 0; i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);

      if (port_has_to_go (self, port))
        os_network_service_delete_port_async (os_snapshot_get_network_service (self->snapshot),
                                              port->id, wk_join_begin (self->join),
                                              port_deleted_cb, self);
    }
}

/* Groups tell nothing of whether somebody is about to use them. */
static void
begin_groups (Sweep *self)
{
  if (self->is_late || self->kept != NULL)
    return;
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
  WK_AWAIT (flow, os_complete_marks_async (self->snapshot, WK_RESUME (flow)));
  os_complete_marks_finish (self->snapshot, WK_RESULT (flow), &self->error);

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  if (self->marks != NULL)
    begin_marked_lists (self);
  else
    begin_lists (self, NULL, NULL);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  end_step (self, WK_RESULT (flow));
  set_deadline (self);

  /* A floating IP that has lost its port looks as if anybody might take it: it goes first. */
  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_ips (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  end_step (self, WK_RESULT (flow));

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_ports (self);
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
  g_clear_pointer (&self->deadline, g_date_time_unref);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->ports);
  g_ptr_array_unref (self->ips);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_strfreev (self->live);
  g_clear_pointer (&self->marks, g_hash_table_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

static Sweep *
sweep_new (OsSnapshot *snapshot)
{
  Sweep *self = g_new0 (Sweep, 1);

  self->snapshot = g_object_ref (snapshot);
  self->ips = g_ptr_array_new_with_free_func ((GDestroyNotify) os_floating_ip_free);
  self->ports = g_ptr_array_new_with_free_func ((GDestroyNotify) os_port_free);
  self->groups = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_free);
  return self;
}

void
os_sweep_async (OsSnapshot         *snapshot,
                GHashTable         *marks,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  Sweep *self = sweep_new (snapshot);

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

gboolean
os_may_sweep_orphans (OsSnapshot   *snapshot,
                      const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED)
         && os_floating_pool_may_sweep (os_snapshot_get_floating_pool (snapshot),
                                        os_snapshot_get_clock (snapshot));
}

void
os_sweep_orphans_async (OsSnapshot         *snapshot,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  Sweep *self = sweep_new (snapshot);

  self->live = os_live_starts_list ();
  self->is_late = TRUE;
  wk_flow_start (snapshot, cancellable, callback, user_data, os_sweep_orphans_async, sweep_run,
                 self, sweep_free);
}

void
os_sweep_orphans_finish (OsSnapshot   *snapshot,
                         GAsyncResult *result)
{
  g_autoptr(GError) error = NULL;

  if (!wk_flow_finish_boolean (result, snapshot, os_sweep_orphans_async, &error))
    g_debug ("what was left over stays: %s", error->message);
}

void
os_sweep_twins_async (OsSnapshot         *snapshot,
                      const char         *mark,
                      GPtrArray          *kept,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  Sweep *self = sweep_new (snapshot);

  self->marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (self->marks, g_strdup (mark));
  self->kept = g_ptr_array_ref (kept);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_sweep_twins_async, sweep_run, self,
                 sweep_free);
}

gboolean
os_sweep_twins_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_sweep_twins_async, error);
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
