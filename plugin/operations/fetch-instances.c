/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/fetch-instances.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "base/join.h"
#include "operations/ownership.h"
#include "operations/recent-servers.h"
#include "values/welkin-error.h"

/* So many are asked for one by one. */
#define FEW 4
#define MAX_ID 64

typedef struct
{
  OsSnapshot *snapshot;  /* (owned) */
  GHashTable *wanted;    /* (owned) (nullable) ids that are not found yet; NULL: all of ours */
  gboolean    is_listed; /* what is still wanted was not in the list */
  WkJoin     *join;      /* (owned) (nullable) */
  WkAttempt   attempt;   /* at those that were started a moment ago */
  OsFetched  *fetched;   /* (owned) */
} Fetch;

void
os_fetched_free (OsFetched *self)
{
  g_ptr_array_unref (self->foreign_ids);
  g_clear_pointer (&self->flavors, g_ptr_array_unref);
  g_ptr_array_unref (self->details);
  g_free (self);
}

static void
keep_server (Fetch          *self,
             const OsServer *server)
{
  if (os_server_is_gone (server))
    return;
  if (os_snapshot_owns_server (self->snapshot, server))
    g_ptr_array_add (self->fetched->details, os_detail_new (server));
  else if (self->wanted != NULL)
    g_ptr_array_add (self->fetched->foreign_ids, g_strdup (server->id));
  else
    g_debug ("server %s has a name like ours, but is not ours", server->id);
}

static void
take_wanted (Fetch          *self,
             const OsServer *server)
{
  if (g_hash_table_remove (self->wanted, server->id))
    keep_server (self, server);
}

/* A page at a time, so that of a long list only what is wanted is ever in memory. */
static void
page_cb (GPtrArray *records,
         gpointer   data)
{
  Fetch *self = data;

  for (guint i = 0; i < records->len; i++)
    {
      const OsServer *server = g_ptr_array_index (records, i);

      if (self->wanted == NULL)
        keep_server (self, server);
      else
        take_wanted (self, server);
    }
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Fetch *self = user_data;
  GError *error = NULL;
  GPtrArray *rest = os_compute_list_servers_finish (OS_COMPUTE (source), result, &error);

  g_clear_pointer (&rest, g_ptr_array_unref);
  wk_join_end (self->join, error);
}

static void
flavors_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Fetch *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_autoptr(GError) error = NULL;

  self->fetched->flavors = os_compute_list_flavors_finish (compute, result, &error);
  if (error != NULL)
    g_debug ("without flavors: %s", error->message);
  wk_join_end (self->join, NULL);
}

static void
server_got_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Fetch *self = user_data;
  GError *error = NULL;
  g_autoptr(OsServer) server = os_compute_get_server_finish (OS_COMPUTE (source), result, &error);

  if (server != NULL)
    take_wanted (self, server);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (&error);
  wk_join_end (self->join, error);
}

static void
begin_list (Fetch *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  g_autofree char *filter = os_name_server_filter (os_snapshot_get_prefix (self->snapshot),
                                                   welkin_config_get_name (config));

  os_compute_list_servers_async (os_snapshot_get_compute (self->snapshot), filter, page_cb, self,
                                 wk_join_begin (self->join), listed_cb, self);
}

static void
begin_flavors (Fetch *self)
{
  os_compute_list_flavors_async (os_snapshot_get_compute (self->snapshot),
                                 wk_join_begin (self->join), flavors_listed_cb, self);
}

static void
begin_gets (Fetch *self)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->wanted);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    os_compute_get_server_async (os_snapshot_get_compute (self->snapshot), id,
                                 wk_join_begin (self->join), server_got_cb, self);
}

static gboolean
is_long_known (gpointer id,
               gpointer value,
               gpointer user_data)
{
  Fetch *self = user_data;

  return !os_recent_servers_has (id, wk_clock_get_seconds (os_snapshot_get_clock (self->snapshot)));
}

/* Of those that were not found, some may only not be seen yet: the others are missing. */
static gboolean
wants_another_look (Fetch *self)
{
  if (self->wanted == NULL)
    return FALSE;
  g_hash_table_foreach_remove (self->wanted, is_long_known, self);
  return g_hash_table_size (self->wanted) > 0;
}

static int
compare_details (gconstpointer a,
                 gconstpointer b)
{
  const OsDetail *left = *(const OsDetail *const *) a;
  const OsDetail *right = *(const OsDetail *const *) b;
  int order = g_strcmp0 (os_detail_get_created (left), os_detail_get_created (right));

  return order != 0 ? order : g_strcmp0 (os_detail_get_id (left), os_detail_get_id (right));
}

static void
fetch_run (WkFlow  *flow,
           gpointer user_data)
{
  Fetch *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  self->is_listed = self->wanted == NULL || g_hash_table_size (self->wanted) > FEW;
  if (self->is_listed || g_hash_table_size (self->wanted) > 0)
    begin_flavors (self);
  if (self->is_listed)
    begin_list (self);
  else
    begin_gets (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("cannot list servers"));
  g_clear_pointer (&self->join, wk_join_unref);

  /* A list may lack a server that is there: one in a cell which is down, or that was renamed. */
  if (self->is_listed && self->wanted != NULL)
    {
      self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
      begin_gets (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot look at server"));
      g_clear_pointer (&self->join, wk_join_unref);
    }

  while (wants_another_look (self))
    {
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      if (!wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
        break;
      self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
      begin_gets (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        break;
      g_clear_pointer (&self->join, wk_join_unref);
    }
  if (error != NULL)
    WK_FAIL (flow, &error, _("cannot look at server"));

  g_ptr_array_sort (self->fetched->details, compare_details);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->fetched), (GDestroyNotify) os_fetched_free);

  WK_FLOW_END (flow);
}

static void
fetch_free (gpointer user_data)
{
  Fetch *self = user_data;

  g_clear_pointer (&self->fetched, os_fetched_free);
  g_clear_pointer (&self->join, wk_join_unref);
  wk_attempt_clear (&self->attempt);
  g_clear_pointer (&self->wanted, g_hash_table_unref);
  g_object_unref (self->snapshot);
  g_free (self);
}

/* An empty id would ask nova for the list, and one with odd characters for something else. */
static gboolean
makes_sense (const char *id)
{
  gsize length = strlen (id);

  return length >= 1 && length <= MAX_ID
         && strspn (id, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-") == length;
}

static GHashTable *
make_set (const char *const *ids)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (gsize i = 0; ids[i] != NULL; i++)
    {
      if (makes_sense (ids[i]))
        g_hash_table_add (set, g_strdup (ids[i]));
    }
  return set;
}

static void
start_fetch (OsSnapshot         *snapshot,
             const char *const  *ids,
             gpointer            tag,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  Fetch *self = g_new0 (Fetch, 1);

  self->snapshot = g_object_ref (snapshot);
  self->wanted = ids != NULL ? make_set (ids) : NULL;
  wk_attempt_init (&self->attempt, &wk_attempt_short, os_snapshot_get_clock (snapshot));
  self->fetched = g_new0 (OsFetched, 1);
  self->fetched->details = g_ptr_array_new_with_free_func ((GDestroyNotify) os_detail_unref);
  self->fetched->foreign_ids = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (snapshot, cancellable, callback, user_data, tag, fetch_run, self, fetch_free);
}

void
os_list_instances_async (OsSnapshot         *snapshot,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  start_fetch (snapshot, NULL, os_list_instances_async, cancellable, callback, user_data);
}

OsFetched *
os_list_instances_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_instances_async, error);
}

void
os_find_instances_async (OsSnapshot         *snapshot,
                         const char *const  *ids,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  start_fetch (snapshot, ids, os_find_instances_async, cancellable, callback, user_data);
}

OsFetched *
os_find_instances_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_find_instances_async, error);
}
