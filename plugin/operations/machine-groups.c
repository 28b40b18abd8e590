/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/machine-groups.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/make-group.h"
#include "operations/ownership.h"
#include "operations/remove-group.h"
#include "values/welkin-error.h"

/* What groups that all machines share are called in an undo, where an id is wanted. */
#define SHARED_GROUPS "shared"

struct _OsMachineGroups
{
  /* inputs */
  OsSnapshot *snapshot;    /* (owned) */
  char       *machine_id;  /* (owned) */
  char       *mark;        /* (owned) */
  WkUndo     *undo;        /* (owned) */
  gboolean    is_guarded;  /* there is something for security groups to guard */

  WkJoin     *join;        /* (owned) (nullable) while they are ensured */
  guint       n_tries;     /* at that */

  char      **shared_ids;  /* (owned) (nullable) groups that all machines are in */
  guint       n_holds;     /* how often they were got */
  char       *own_id;      /* (owned) (nullable) the machine's own group */
  char       *apart_id;    /* (owned) (nullable) the server group, "" when there is none */
};

static gboolean
has_port_security (const OsNetworkPlan *networks)
{
  if (networks->is_novas)
    return TRUE;
  for (guint i = 0; i < networks->networks->len; i++)
    {
      OsPlannedNetwork *network = g_ptr_array_index (networks->networks, i);

      if (network->has_port_security)
        return TRUE;
    }
  return FALSE;
}

OsMachineGroups *
os_machine_groups_new (OsSnapshot          *snapshot,
                       const OsNetworkPlan *networks,
                       const char          *machine_id,
                       const char          *mark,
                       WkUndo              *undo)
{
  OsMachineGroups *self = g_new0 (OsMachineGroups, 1);

  self->snapshot = g_object_ref (snapshot);
  self->machine_id = g_strdup (machine_id);
  self->mark = g_strdup (mark);
  self->undo = wk_undo_ref (undo);
  self->is_guarded = has_port_security (networks);
  if (!self->is_guarded)
    g_message ("the network has no port security: nothing guards the ports of machine %s",
               machine_id);
  return self;
}

void
os_machine_groups_free (OsMachineGroups *self)
{
  g_free (self->apart_id);
  g_free (self->own_id);
  g_strfreev (self->shared_ids);
  g_clear_pointer (&self->join, wk_join_unref);
  wk_undo_unref (self->undo);
  g_free (self->mark);
  g_free (self->machine_id);
  g_object_unref (self->snapshot);
  g_free (self);
}

static const char *
get_word (OsMachineGroups *self,
          const char      *key)
{
  return welkin_config_get_string (os_snapshot_get_config (self->snapshot), key);
}

/* Ensuring them. */

static void
shared_ensured_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  OsMachineGroups *self = user_data;
  OsSharedGroups *groups = os_snapshot_get_shared_groups (self->snapshot);
  GError *error = NULL;

  g_clear_pointer (&self->shared_ids, g_strfreev);
  self->shared_ids = os_shared_groups_ensure_finish (groups, result, &error);
  if (self->shared_ids != NULL)
    {
      self->n_holds++;
      wk_undo_push (self->undo, _("security group"), groups, SHARED_GROUPS,
                    (WkUndoAsync) os_shared_groups_release_async,
                    (WkUndoFinish) os_shared_groups_release_finish);
    }
  wk_join_end (self->join, error);
}

static void
own_made_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  OsMachineGroups *self = user_data;
  GError *error = NULL;
  g_autoptr(OsSecurityGroup) group = os_make_group_finish (result, &error);

  if (group != NULL)
    {
      self->own_id = g_strdup (group->id);
      wk_undo_push (self->undo, _("security group"), os_snapshot_get_firewall (self->snapshot),
                    group->id, os_remove_group_async, os_remove_group_finish);
    }
  wk_join_end (self->join, error);
}

static void
apart_ensured_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  OsMachineGroups *self = user_data;
  OsApartGroup *group = os_snapshot_get_apart_group (self->snapshot);
  GError *error = NULL;

  self->apart_id = os_apart_group_ensure_finish (group, result, &error);
  if (self->apart_id != NULL)
    wk_undo_push (self->undo, _("server group"), group, SHARED_GROUPS,
                  (WkUndoAsync) os_apart_group_release_async,
                  (WkUndoFinish) os_apart_group_release_finish);
  wk_join_end (self->join, error);
}

static void
begin_shared (OsMachineGroups *self)
{
  if (!self->is_guarded)
    return;
  wk_join_begin (self->join);
  os_shared_groups_ensure_async (os_snapshot_get_shared_groups (self->snapshot), NULL,
                                 shared_ensured_cb, self);
}

/* The machine's own group is always a new one: what an earlier start left under its name is not
 * ours to fill, and goes when that machine is stopped. */
static void
begin_own (OsMachineGroups *self,
           GCancellable    *cancellable)
{
  g_autofree char *name = NULL;

  if (!self->is_guarded || self->own_id != NULL
      || !g_str_equal (get_word (self, "firewall-mode"), "instance"))
    return;
  name = os_name_group (os_snapshot_get_prefix (self->snapshot),
                        welkin_config_get_name (os_snapshot_get_config (self->snapshot)),
                        self->machine_id);
  wk_join_begin (self->join);
  os_make_group_async (os_snapshot_get_firewall (self->snapshot), name, self->mark, cancellable,
                       own_made_cb, self);
}

static void
begin_apart (OsMachineGroups *self)
{
  if (self->apart_id != NULL || !g_str_equal (get_word (self, "anti-affinity"), "soft"))
    return;
  wk_join_begin (self->join);
  os_apart_group_ensure_async (os_snapshot_get_apart_group (self->snapshot), NULL,
                               apart_ensured_cb, self);
}

static void
ensure_run (WkFlow  *flow,
            gpointer user_data)
{
  OsMachineGroups *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->n_tries++ > 0)
    os_shared_groups_forget (os_snapshot_get_shared_groups (self->snapshot));
  g_clear_pointer (&self->join, wk_join_unref);
  self->join = wk_join_new (WK_JOIN_COLLECT, NULL);
  begin_shared (self);
  begin_own (self, wk_flow_get_cancellable (flow));
  begin_apart (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error)
      || wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_machine_groups_ensure_async (OsMachineGroups    *self,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  wk_flow_start (self->snapshot, cancellable, callback, user_data, os_machine_groups_ensure_async,
                 ensure_run, self, NULL);
}

gboolean
os_machine_groups_ensure_finish (OsMachineGroups *self,
                                 GAsyncResult    *result,
                                 GError         **error)
{
  return wk_flow_finish_boolean (result, self->snapshot, os_machine_groups_ensure_async, error);
}

gboolean
os_machine_groups_are_lost (OsMachineGroups *self,
                            const GError    *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND) && self->shared_ids != NULL
         && self->n_tries == 1;
}

void
os_machine_groups_keep (OsMachineGroups *self)
{
  for (; self->n_holds > 0; self->n_holds--)
    os_shared_groups_keep (os_snapshot_get_shared_groups (self->snapshot));
  if (self->apart_id != NULL)
    os_apart_group_keep (os_snapshot_get_apart_group (self->snapshot));
}

/* What they are. */

char **
os_machine_groups_list_ids (OsMachineGroups *self)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  if (self->shared_ids != NULL)
    g_strv_builder_addv (ids, (const char **) self->shared_ids);
  if (self->own_id != NULL)
    g_strv_builder_add (ids, self->own_id);
  return g_strv_builder_end (ids);
}

char **
os_machine_groups_list_names (OsMachineGroups *self)
{
  OsFirewall *firewall = os_snapshot_get_firewall (self->snapshot);
  g_auto(GStrv) ids = os_machine_groups_list_ids (self);
  g_autoptr(GStrvBuilder) names = g_strv_builder_new ();

  for (gsize i = 0; ids[i] != NULL; i++)
    g_strv_builder_add (names, os_firewall_get_group_name (firewall, ids[i]));
  return g_strv_builder_end (names);
}

const char *
os_machine_groups_get_server_group_id (OsMachineGroups *self)
{
  return self->apart_id != NULL && *self->apart_id != '\0' ? self->apart_id : NULL;
}
