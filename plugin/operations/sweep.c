/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/sweep.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/complete-marks.h"
#include "operations/inventory.h"
#include "operations/live-starts.h"
#include "operations/ownership.h"

/* Marks in one question: more would make a URL that proxies refuse. */
#define MARKS_PER_QUERY 16
/* Of what another host may be making a server for. */
#define ORPHAN_MINUTES 15

/* What is swept, in the order in which it goes: a floating IP that has lost its port looks as if
 * anybody might take it. */
static const WelkinLeftoverKind kinds[] = {
  WELKIN_LEFTOVER_FLOATING_IP,
  WELKIN_LEFTOVER_PORT,
  WELKIN_LEFTOVER_SECURITY_GROUP,
  WELKIN_LEFTOVER_VOLUME,
};

typedef struct
{
  /* inputs */
  OsSnapshot  *snapshot;  /* (owned) */
  GHashTable  *marks;     /* (owned) (nullable) */
  char       **live;      /* (owned) (nullable) start-ids: what has another one goes */
  gboolean     is_late;   /* only what nobody has touched for a while goes */
  GPtrArray   *kept;      /* (owned) (nullable) ids of what stays; then all groups do */

  /* while running */
  WkJoin      *join;      /* (owned) (nullable) */
  OsInventory *inventory; /* (owned) */
  guint        step;      /* of the kinds */
  GDateTime   *deadline;  /* (owned) (nullable) what was touched since stays, where is_late */

  GError      *error;     /* (owned) (nullable) the first one */
} Sweep;

/* What is being removed. */
typedef struct
{
  Sweep         *sweep;
  const OsThing *thing;
} RemoveCall;

/* What there is. */

/* Volumes go with their servers: only an environment that ends looks for those that did not. */
static gboolean
is_swept (Sweep             *self,
          WelkinLeftoverKind kind)
{
  return kind != WELKIN_LEFTOVER_VOLUME || (self->marks == NULL && self->live == NULL);
}

/* query: (nullable), and the same for floating IPs. Of nova's only intents tell which are ours. */
static void
begin_lists (Sweep              *self,
             const char *const  *query,
             const char *const  *ip_query)
{
  gboolean is_blind = os_snapshot_get_nova_network (self->snapshot) != NULL
                      && os_snapshot_get_intents (self->snapshot) == NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean is_ip = kinds[i] == WELKIN_LEFTOVER_FLOATING_IP;

      if (is_swept (self, kinds[i]) && !(is_ip && is_blind))
        os_inventory_begin (self->inventory, kinds[i], is_ip ? ip_query : query, self->join);
    }
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

/* (transfer full) (nullable) */
static GDateTime *
get_time (const OsThing *thing)
{
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();

  return thing->changed != NULL ? g_date_time_new_from_iso8601 (thing->changed, utc) : NULL;
}

static void
take_newest (GDateTime **newest,
             GPtrArray  *things)
{
  for (guint i = 0; i < things->len; i++)
    {
      g_autoptr(GDateTime) time = get_time (g_ptr_array_index (things, i));

      if (time == NULL || (*newest != NULL && g_date_time_compare (time, *newest) <= 0))
        continue;
      g_clear_pointer (newest, g_date_time_unref);
      *newest = g_steal_pointer (&time);
    }
}

/* By the cloud's own clock, which is not ours: the newest port or group is that of the start which
 * asks. */
static void
set_deadline (Sweep *self)
{
  g_autoptr(GDateTime) newest = NULL;

  take_newest (&newest, os_inventory_get (self->inventory, WELKIN_LEFTOVER_PORT));
  take_newest (&newest, os_inventory_get (self->inventory, WELKIN_LEFTOVER_SECURITY_GROUP));
  if (newest != NULL)
    self->deadline = g_date_time_add_minutes (newest, -ORPHAN_MINUTES);
}

/* Where the cloud keeps no times, everything is young. */
static gboolean
is_untouched (Sweep         *self,
              const OsThing *thing)
{
  g_autoptr(GDateTime) time = NULL;

  if (!self->is_late)
    return TRUE;
  time = get_time (thing);
  return time != NULL && self->deadline != NULL
         && g_date_time_compare (time, self->deadline) < 0;
}

/* What has to go. */

static gboolean
is_of_dead_start (Sweep         *self,
                  const OsThing *thing)
{
  g_autofree char *start_id = os_mark_dup_start_id (thing->mark);

  return start_id != NULL && !g_strv_contains ((const char *const *) self->live, start_id);
}

/* Neutron's filters match more than what is asked for: the mark is looked at again. */
static gboolean
is_meant (Sweep         *self,
          const OsThing *thing)
{
  g_autofree char *mark = os_mark_strip_borrowed (thing->mark);

  if (self->marks == NULL)
    return os_mark_is_ours (thing->mark, os_snapshot_get_environ_uuid (self->snapshot), NULL)
           && (self->live == NULL || is_of_dead_start (self, thing));
  return mark != NULL && g_hash_table_contains (self->marks, mark);
}

static gboolean
is_kept (Sweep         *self,
         const OsThing *thing)
{
  if (self->kept == NULL)
    return FALSE;
  return thing->kind == WELKIN_LEFTOVER_SECURITY_GROUP
         || g_ptr_array_find_with_equal_func (self->kept, thing->id, g_str_equal, NULL);
}

static gboolean
has_to_go (Sweep         *self,
           const OsThing *thing)
{
  const OsThing *port;

  if (!is_meant (self, thing) || !is_untouched (self, thing) || is_kept (self, thing))
    return FALSE;
  /* Groups tell nothing of whether somebody is about to use them. */
  if (thing->kind == WELKIN_LEFTOVER_SECURITY_GROUP)
    return !self->is_late;
  if (self->live == NULL || !thing->is_used)
    return TRUE;
  /* A server that runs is not cut off, whatever is known of its start. */
  if (thing->kind != WELKIN_LEFTOVER_FLOATING_IP)
    return FALSE;
  port = os_inventory_find (self->inventory, WELKIN_LEFTOVER_PORT, thing->holder_id);
  return port != NULL && has_to_go (self, port);
}

/* Removing it. */

static char *
describe_failure (const OsThing *thing)
{
  switch ((int) thing->kind)
    {
    case WELKIN_LEFTOVER_FLOATING_IP:
      return g_strdup (_("cannot release a floating IP"));
    case WELKIN_LEFTOVER_PORT:
      return g_strdup (_("cannot delete a port"));
    case WELKIN_LEFTOVER_SECURITY_GROUP:
      /* TRANSLATORS: %s is the name of a security group; behind it follows why it stays */
      return g_strdup_printf (_("security group %s stays"), thing->name);
    default:
      return NULL;
    }
}

static void
removed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autofree RemoveCall *call = user_data;
  Sweep *self = call->sweep;
  g_autofree char *context = describe_failure (call->thing);
  GError *error = NULL;

  os_thing_remove_finish (call->thing, self->snapshot, result, &error);
  if (context != NULL)
    wk_join_end_with_context (self->join, error, context);
  else
    wk_join_end (self->join, error);
}

static void
begin_removal (Sweep *self)
{
  GPtrArray *things = os_inventory_get (self->inventory, kinds[self->step]);

  for (guint i = 0; i < things->len; i++)
    {
      const OsThing *thing = g_ptr_array_index (things, i);
      RemoveCall *call;

      if (!has_to_go (self, thing))
        continue;
      call = g_new0 (RemoveCall, 1);
      call->sweep = self;
      call->thing = thing;
      os_thing_remove_async (thing, self->snapshot, wk_join_begin (self->join), removed_cb, call);
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

  for (self->step = 0; self->step < G_N_ELEMENTS (kinds); self->step++)
    {
      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_removal (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      end_step (self, WK_RESULT (flow));
    }

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
  os_inventory_free (self->inventory);
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
  self->inventory = os_inventory_new (snapshot);
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
