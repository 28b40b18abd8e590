/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/list-leftovers.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/address-intent.h"
#include "operations/complete-marks.h"
#include "operations/inventory.h"
#include "operations/ownership.h"

/* In the order in which it can be removed. */
static const WelkinLeftoverKind kinds[] = {
  WELKIN_LEFTOVER_SERVER,         WELKIN_LEFTOVER_PORT,         WELKIN_LEFTOVER_FLOATING_IP,
  WELKIN_LEFTOVER_SECURITY_GROUP, WELKIN_LEFTOVER_SERVER_GROUP, WELKIN_LEFTOVER_VOLUME,
};

typedef struct
{
  /* inputs */
  OsSnapshot  *snapshot;  /* (owned) */
  char       **live;      /* (owned) start-ids */

  /* while running */
  WkJoin      *join;      /* (owned) (nullable) */
  OsInventory *inventory; /* (owned) */

  GHashTable  *idle;      /* (owned) ids of what is left over, and may hold other things */
  GPtrArray   *leftovers; /* (owned) of WelkinLeftover */
} List;

WelkinLeftover *
os_date_leftover (OsSnapshot     *snapshot,
                  WelkinLeftover *leftover,
                  GDateTime      *changed)
{
  g_autoptr(WelkinLeftover) ageless = leftover;
  g_autoptr(GDateTime) now = os_client_dup_cloud_time (os_snapshot_get_client (snapshot));

  return welkin_leftover_with_age (ageless,
                                   g_date_time_difference (now, changed) / G_TIME_SPAN_SECOND);
}

/* What of it is left behind. */

static gboolean
is_ours (List          *self,
         const OsThing *thing)
{
  return os_mark_is_ours (thing->mark, os_snapshot_get_environ_uuid (self->snapshot), NULL);
}

/* mark: (nullable) */
static gboolean
is_live (List       *self,
         const char *mark)
{
  g_autofree char *start_id = os_mark_dup_start_id (mark);

  return start_id != NULL && g_strv_contains ((const char *const *) self->live, start_id);
}

/* What is on something that is left over is not in use. */
static gboolean
is_used (List          *self,
         const OsThing *thing)
{
  return thing->is_used
         && (thing->holder_id == NULL || !g_hash_table_contains (self->idle, thing->holder_id));
}

/* mark: (nullable) that tells of a start; state: why it is there */
static void
add (List          *self,
     const OsThing *thing,
     const char    *mark,
     gboolean       is_marked,
     const char    *state)
{
  g_autofree char *machine_id = os_mark_get_word (mark, "machine");
  g_autofree char *start_id = os_mark_dup_start_id (mark);
  g_autoptr(GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr(GDateTime) time =
    is_marked && thing->changed != NULL ? g_date_time_new_from_iso8601 (thing->changed, utc)
                                        : NULL;
  WelkinLeftover *leftover = welkin_leftover_new (thing->kind, thing->id, thing->name, machine_id,
                                                  start_id, time, is_marked, state);

  g_ptr_array_add (self->leftovers, time != NULL
                                      ? os_date_leftover (self->snapshot, leftover, time)
                                      : leftover);
}

static void
add_marked (List          *self,
            const OsThing *thing)
{
  g_autofree char *start = os_mark_get_word (thing->mark, "start");
  const char *state = start != NULL ? _("of a start that is not recorded")
                                    : _("of no start that is known");

  /* The environment's own group and the global one are of no start. */
  if (thing->kind == WELKIN_LEFTOVER_SECURITY_GROUP && start == NULL)
    return;
  if (thing->kind == WELKIN_LEFTOVER_SERVER_GROUP)
    state = _("no machine is in it");
  g_hash_table_add (self->idle, thing->id);
  add (self, thing, thing->mark, TRUE, state);
}

/* What the names of such things begin with; a number may follow. (transfer full) (nullable) */
static char *
make_prefix (List              *self,
             WelkinLeftoverKind kind)
{
  const char *prefix = os_snapshot_get_prefix (self->snapshot);
  const char *name = welkin_config_get_name (os_snapshot_get_config (self->snapshot));

  switch ((int) kind)
    {
    case WELKIN_LEFTOVER_SERVER:
      return os_name_server (prefix, name, "");
    case WELKIN_LEFTOVER_PORT:
      return g_strdup_printf ("%s-%s-", prefix, os_snapshot_get_environ_uuid (self->snapshot));
    case WELKIN_LEFTOVER_SECURITY_GROUP:
      return os_name_group (prefix, name, "");
    default:
      return NULL;
    }
}

/* "PREFIX" and a number: any other rest may belong to an environment with a longer name, unless
 * the UUID is in it. */
static gboolean
is_named_alike (const OsThing *thing,
                const char    *prefix)
{
  const char *rest;

  if (prefix == NULL || thing->name == NULL || !g_str_has_prefix (thing->name, prefix))
    return FALSE;
  rest = thing->name + strlen (prefix);
  return thing->kind == WELKIN_LEFTOVER_PORT
         || (*rest != '\0' && strspn (rest, "0123456789") == strlen (rest));
}

static void
judge (List          *self,
       const OsThing *thing,
       const char    *prefix)
{
  g_autofree char *environ = os_mark_get_word (thing->mark, "env");

  if (is_used (self, thing) || is_live (self, thing->mark))
    return;
  if (is_ours (self, thing))
    add_marked (self, thing);
  else if (environ == NULL && is_named_alike (thing, prefix))
    add (self, thing, NULL, FALSE, _("named like this environment's, without its mark"));
}

static gboolean
is_reserved (List          *self,
             const OsThing *ip)
{
  GPtrArray *servers = os_inventory_get (self->inventory, WELKIN_LEFTOVER_SERVER);

  for (guint i = 0; i < servers->len; i++)
    if (g_strcmp0 (((OsThing *) g_ptr_array_index (servers, i))->reserved, ip->id) == 0)
      return TRUE;
  return FALSE;
}

/* Nova's carry no mark: those of servers go with them, and of the others only what was noted tells
 * whose they are. */
static void
judge_novas_ip (List          *self,
                const OsThing *thing)
{
  g_autofree char *doubtful = os_get_doubtful_mark (thing->mark);

  if (thing->is_used || is_reserved (self, thing)
      || is_live (self, doubtful != NULL ? doubtful : thing->mark))
    return;
  if (is_ours (self, thing))
    add_marked (self, thing);
  else if (doubtful != NULL)
    add (self, thing, doubtful, FALSE, _("unused, and perhaps of a start that was cut off"));
  else
    add (self, thing, NULL, FALSE, _("unused, and nothing tells whose it is"));
}

static void
judge_kind (List              *self,
            WelkinLeftoverKind kind)
{
  GPtrArray *things = os_inventory_get (self->inventory, kind);
  gboolean is_novas_ip = kind == WELKIN_LEFTOVER_FLOATING_IP
                         && os_snapshot_get_nova_network (self->snapshot) != NULL;
  g_autofree char *prefix = make_prefix (self, kind);

  for (guint i = 0; i < things->len; i++)
    if (is_novas_ip)
      judge_novas_ip (self, g_ptr_array_index (things, i));
    else
      judge (self, g_ptr_array_index (things, i), prefix);
}

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  List *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* Which services there are is known after a login. */
  WK_AWAIT (flow, os_client_login_async (os_snapshot_get_client (self->snapshot),
                                         WK_RESUME (flow)));
  if (!os_client_login_finish (os_snapshot_get_client (self->snapshot), WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_complete_marks_async (self->snapshot, WK_RESUME (flow)));
  if (!os_complete_marks_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    os_inventory_begin (self->inventory, kinds[i], NULL, self->join);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    judge_kind (self, kinds[i]);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->leftovers),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
list_free (gpointer user_data)
{
  List *self = user_data;

  g_clear_pointer (&self->leftovers, g_ptr_array_unref);
  g_hash_table_unref (self->idle);
  os_inventory_free (self->inventory);
  g_clear_pointer (&self->join, wk_join_unref);
  g_strfreev (self->live);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_list_leftovers_async (OsSnapshot         *snapshot,
                         const char *const  *live_start_ids,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  List *self = g_new0 (List, 1);

  self->snapshot = g_object_ref (snapshot);
  self->live = g_strdupv ((char **) live_start_ids);
  self->inventory = os_inventory_new (snapshot);
  self->idle = g_hash_table_new (g_str_hash, g_str_equal);
  self->leftovers = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_leftover_unref);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_leftovers_async, list_run,
                 self, list_free);
}

GPtrArray *
os_list_leftovers_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_leftovers_async, error);
}
