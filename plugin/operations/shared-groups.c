/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/shared-groups.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "base/memo.h"
#include "operations/ensure-group.h"
#include "operations/ownership.h"
#include "operations/remove-group.h"
#include "values/welkin-error.h"

/* How long a list of groups is good for ensuring them, and how long ensured groups are believed
 * in. */
#define LIST_SECONDS   5.0
#define ENSURE_SECONDS 600.0

#define DEFAULT_GROUP "default"

struct _OsSharedGroups
{
  GObject parent;

  OsFirewall   *firewall;    /* (owned) */
  WelkinConfig *config;      /* (owned) */
  char         *base_name;   /* (owned) */
  char         *global_name; /* (owned) (nullable) */
  char         *mark;        /* (owned) */

  WkMemo       *groups;      /* (owned) of GPtrArray of OsSecurityGroup */
  WkMemo       *ids;         /* (owned) of GStrv */
  GPtrArray    *made;        /* (owned) ids of what was made, until a machine is in it */
  guint         n_holders;   /* starts that got the ids and are not over */
};

G_DEFINE_FINAL_TYPE (OsSharedGroups, os_shared_groups, G_TYPE_OBJECT)

/* Which groups there are. */

static void
list_async (gpointer            owner,
            const char         *key,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsSharedGroups *self = owner;
  const char *query[7] = { "name", self->base_name };
  gsize i = 2;

  if (self->global_name != NULL)
    {
      query[i++] = "name";
      query[i++] = self->global_name;
    }
  if (welkin_config_get_boolean (self->config, "use-default-secgroup"))
    {
      query[i++] = "name";
      query[i++] = DEFAULT_GROUP;
    }
  os_firewall_list_groups_async (self->firewall, query, cancellable, callback, user_data);
}

static gpointer
list_finish (gpointer      owner,
             GAsyncResult *result,
             GError      **error)
{
  OsSharedGroups *self = owner;

  return os_firewall_list_groups_finish (self->firewall, result, error);
}

/* Ensuring them. */

typedef struct
{
  OsSharedGroups *shared;     /* (owned) */
  GPtrArray      *groups;     /* (owned) (nullable) */
  WkFlow         *flow;
  WkJoin         *join;       /* (owned) (nullable) */
  GStrvBuilder   *ids;        /* (owned) */
  GPtrArray      *made;       /* (owned) ids of those that were made */
} Ensure;

static void
group_ensured_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Ensure *self = user_data;
  GError *error = NULL;
  g_autoptr(OsEnsuredGroup) group = os_ensure_group_finish (result, &error);

  if (group != NULL)
    g_strv_builder_add (self->ids, group->id);
  if (group != NULL && group->was_made)
    {
      g_ptr_array_add (self->made, g_strdup (group->id));
      wk_undo_push (wk_flow_get_undo (self->flow), _("security group"),
                    self->shared->firewall, group->id, os_remove_group_async,
                    os_remove_group_finish);
    }
  wk_join_end (self->join, error);
}

static void
begin_ensuring (Ensure     *self,
                const char *name,
                gboolean    is_base)
{
  OsGroupRequest request = {
    .firewall = self->shared->firewall,
    .name = name,
    .description = self->shared->mark,
    .config = is_base ? self->shared->config : NULL,
    .groups = self->groups,
  };

  os_ensure_group_async (&request, wk_join_begin (self->join), group_ensured_cb, self);
}

/* The project's own group is only used, never made or changed. */
static gboolean
add_default_group (Ensure  *self,
                   GError **error)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (self->groups, i);

      if (g_strcmp0 (group->name, DEFAULT_GROUP) == 0)
        {
          g_strv_builder_add (self->ids, group->id);
          return TRUE;
        }
    }
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
               _("the project has no security group \"%s\""), DEFAULT_GROUP);
  return FALSE;
}

static void
ensure_run (WkFlow  *flow,
            gpointer user_data)
{
  Ensure *self = user_data;
  OsSharedGroups *shared = self->shared;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_memo_get_async (shared->groups, "", WK_RESUME (flow)));
  self->groups = wk_memo_get_finish (shared->groups, WK_RESULT (flow), &error);
  if (self->groups == NULL)
    WK_FAIL (flow, &error, _("cannot list security groups"));
  if (welkin_config_get_boolean (shared->config, "use-default-secgroup")
      && !add_default_group (self, &error))
    WK_FAIL (flow, &error, NULL);

  self->flow = flow;
  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_ensuring (self, shared->base_name, TRUE);
  if (shared->global_name != NULL)
    begin_ensuring (self, shared->global_name, FALSE);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  wk_memo_invalidate (shared->groups, "");
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  g_ptr_array_extend_and_steal (shared->made, g_steal_pointer (&self->made));
  wk_flow_return_pointer (flow, g_strv_builder_end (self->ids), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
ensure_free (gpointer user_data)
{
  Ensure *self = user_data;

  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->made, g_ptr_array_unref);
  g_strv_builder_unref (self->ids);
  g_object_unref (self->shared);
  g_free (self);
}

static void
ensure_all_async (gpointer            owner,
                  const char         *key,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  Ensure *self = g_new0 (Ensure, 1);

  self->shared = g_object_ref (owner);
  self->ids = g_strv_builder_new ();
  self->made = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (owner, cancellable, callback, user_data, ensure_all_async, ensure_run, self,
                 ensure_free);
}

static gpointer
ensure_all_finish (gpointer      owner,
                   GAsyncResult *result,
                   GError      **error)
{
  return wk_flow_finish_pointer (result, owner, ensure_all_async, error);
}

/* Giving them back. */

typedef struct
{
  OsSharedGroups *shared;
  GPtrArray      *ids;  /* (owned) of what is to go */
  guint           next;
} Release;

static void
release_run (WkFlow  *flow,
             gpointer user_data)
{
  Release *self = user_data;
  OsFirewall *firewall = self->shared->firewall;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  for (self->next = 0; self->next < self->ids->len; self->next++)
    {
      WK_AWAIT (flow, os_remove_group_async (firewall, g_ptr_array_index (self->ids, self->next),
                                             WK_RESUME (flow)));
      os_remove_group_finish (firewall, WK_RESULT (flow), &error);
      /* Another process has come to use it. */
      if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
        g_clear_error (&error);
      if (error != NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
release_free (gpointer user_data)
{
  Release *self = user_data;

  g_ptr_array_unref (self->ids);
  g_free (self);
}

OsSharedGroups *
os_shared_groups_new (OsFirewall   *firewall,
                      WelkinConfig *config,
                      const char   *prefix)
{
  OsSharedGroups *self = g_object_new (OS_TYPE_SHARED_GROUPS, NULL);
  const char *name = welkin_config_get_name (config);

  self->firewall = g_object_ref (firewall);
  self->config = welkin_config_ref (config);
  self->base_name = os_name_group (prefix, name, NULL);
  if (g_str_equal (welkin_config_get_string (config, "firewall-mode"), "global"))
    self->global_name = os_name_group (prefix, name, "global");
  self->mark = os_mark_format (welkin_config_get_uuid (config), NULL, NULL);
  return self;
}

void
os_shared_groups_prepare_async (OsSharedGroups     *self,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  g_auto(GStrv) ids = wk_memo_peek (self->ids, "");
  g_autoptr(GTask) task = NULL;

  if (ids == NULL)
    {
      wk_memo_get_async (self->groups, "", cancellable, callback, user_data);
      return;
    }
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, os_shared_groups_prepare_async);
  g_task_return_boolean (task, TRUE);
}

gboolean
os_shared_groups_prepare_finish (OsSharedGroups *self,
                                 GAsyncResult   *result,
                                 GError        **error)
{
  g_autoptr(GPtrArray) groups = NULL;

  if (g_async_result_is_tagged (result, os_shared_groups_prepare_async))
    return g_task_propagate_boolean (G_TASK (result), error);
  groups = wk_memo_get_finish (self->groups, result, error);
  return groups != NULL;
}

void
os_shared_groups_ensure_async (OsSharedGroups     *self,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  wk_memo_get_async (self->ids, "", cancellable, callback, user_data);
}

char **
os_shared_groups_ensure_finish (OsSharedGroups *self,
                                GAsyncResult   *result,
                                GError        **error)
{
  char **ids = wk_memo_get_finish (self->ids, result, error);

  if (ids != NULL)
    self->n_holders++;
  return ids;
}

void
os_shared_groups_forget (OsSharedGroups *self)
{
  wk_memo_invalidate (self->groups, "");
  wk_memo_invalidate (self->ids, "");
}

void
os_shared_groups_keep (OsSharedGroups *self)
{
  g_return_if_fail (self->n_holders > 0);

  self->n_holders--;
  g_ptr_array_set_size (self->made, 0);
}

void
os_shared_groups_release_async (OsSharedGroups     *self,
                                const char         *id,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  Release *release = g_new0 (Release, 1);

  self->n_holders--;
  release->shared = self;
  if (self->n_holders == 0 && self->made->len > 0)
    {
      os_shared_groups_forget (self);
      release->ids = g_steal_pointer (&self->made);
      self->made = g_ptr_array_new_with_free_func (g_free);
    }
  else
    {
      release->ids = g_ptr_array_new ();
    }
  wk_flow_start (self, cancellable, callback, user_data, os_shared_groups_release_async,
                 release_run, release, release_free);
}

gboolean
os_shared_groups_release_finish (OsSharedGroups *self,
                                 GAsyncResult   *result,
                                 GError        **error)
{
  return wk_flow_finish_boolean (result, self, os_shared_groups_release_async, error);
}

static void
os_shared_groups_dispose (GObject *object)
{
  OsSharedGroups *self = OS_SHARED_GROUPS (object);

  wk_memo_close (self->groups);
  wk_memo_close (self->ids);

  G_OBJECT_CLASS (os_shared_groups_parent_class)->dispose (object);
}

static void
os_shared_groups_finalize (GObject *object)
{
  OsSharedGroups *self = OS_SHARED_GROUPS (object);

  wk_memo_unref (self->groups);
  wk_memo_unref (self->ids);
  g_ptr_array_unref (self->made);
  g_free (self->mark);
  g_free (self->global_name);
  g_free (self->base_name);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_clear_object (&self->firewall);

  G_OBJECT_CLASS (os_shared_groups_parent_class)->finalize (object);
}

static void
os_shared_groups_class_init (OsSharedGroupsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = os_shared_groups_dispose;
  object_class->finalize = os_shared_groups_finalize;
}

static void
os_shared_groups_init (OsSharedGroups *self)
{
  self->groups = wk_memo_new (self, LIST_SECONDS, list_async, list_finish,
                              (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->ids = wk_memo_new (self, ENSURE_SECONDS, ensure_all_async, ensure_all_finish,
                           (WkMemoCopy) g_strdupv, (GDestroyNotify) g_strfreev);
  self->made = g_ptr_array_new_with_free_func (g_free);
}
