/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/ensure-group.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/base-group.h"
#include "operations/make-group.h"
#include "operations/make-rules.h"
#include "values/welkin-error.h"

/* Groups are dated by the second: whoever makes one after this has passed makes a younger one. */
#define RACE_SECONDS 1.0

typedef struct
{
  /* inputs */
  OsFirewall     *firewall;    /* (owned) */
  char           *name;        /* (owned) */
  char           *description; /* (owned) */
  WelkinConfig   *config;      /* (owned) (nullable) */

  /* while running */
  GPtrArray      *groups;      /* (owned) those that there are */
  WkJoin         *join;        /* (owned) (nullable) */
  GPtrArray      *missing;     /* (owned) (nullable) */
  GPtrArray      *surplus;     /* (owned) (nullable) */
  gboolean        has_vanished;
  GError         *refusal;     /* (owned) (nullable) of a second group of this name */

  OsEnsuredGroup *ensured;     /* (owned) */
} EnsureGroup;

void
os_ensured_group_free (OsEnsuredGroup *self)
{
  g_free (self->id);
  g_free (self);
}

/* The rules that the group is to have, as far as this cloud can have them. */
static GPtrArray *
dup_rules (EnsureGroup *self,
           const char  *id)
{
  GPtrArray *rules = os_base_group_dup_rules (self->config, id);

  for (guint i = rules->len; i > 0 && !os_firewall_has_ipv6 (self->firewall); i--)
    {
      if (os_security_group_rule_is_ipv6 (g_ptr_array_index (rules, i - 1)))
        g_ptr_array_remove_index (rules, i - 1);
    }
  return rules;
}

static const OsSecurityGroup *
choose_group (EnsureGroup *self)
{
  return os_choose_group (self->groups, self->name, self->description);
}

static void
list_groups (EnsureGroup        *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  const char *query[] = { "name", self->name, NULL };

  os_firewall_list_groups_async (self->firewall, query, cancellable, callback, user_data);
}

static gboolean
take_groups (EnsureGroup  *self,
             GAsyncResult *result,
             GError      **error)
{
  GPtrArray *groups = os_firewall_list_groups_finish (self->firewall, result, error);

  if (groups == NULL)
    return FALSE;
  g_ptr_array_unref (self->groups);
  self->groups = groups;
  return TRUE;
}

/* A new group. */

static void
rules_made_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;

  os_make_rules_finish (self->firewall, result, &error);
  wk_join_end (self->join, error);
}

static void
look_again_run (WkFlow  *flow,
                gpointer user_data)
{
  EnsureGroup *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_clock_sleep_async (os_firewall_get_clock (self->firewall), RACE_SECONDS,
                                        WK_RESUME (flow)));
  if (!wk_clock_sleep_finish (os_firewall_get_clock (self->firewall), WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, list_groups (self, WK_RESUME (flow)));
  if (!take_groups (self, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
looked_again_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;

  wk_flow_finish_boolean (result, self->firewall, look_again_run, &error);
  wk_join_end (self->join, error);
}

/* Fills a new group and looks, meanwhile, whether another process made one at the same time. */
static void
begin_filling (EnsureGroup *self)
{
  g_autoptr(GPtrArray) rules = NULL;

  if (self->config != NULL)
    {
      rules = dup_rules (self, self->ensured->id);
      os_make_rules_async (self->firewall, rules, wk_join_begin (self->join), rules_made_cb, self);
    }
  wk_flow_start (self->firewall, wk_join_begin (self->join), looked_again_cb, self, look_again_run,
                 look_again_run, self, NULL);
}

/* Where names are unique, somebody else's group stands in the way. */
static GError *
make_conflict (EnsureGroup *self)
{
  GError *error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_CONFLICT,
                               _("there is a security group \"%s\" that is not ours: %s"),
                               self->name, self->refusal->message);

  welkin_error_set_hint (error, _("Choose another name for the environment, or another "
                                  "resource-prefix."));
  return error;
}

static void
note_made (EnsureGroup *self,
           WkFlow      *flow,
           const char  *id)
{
  self->ensured->id = g_strdup (id);
  self->ensured->was_made = TRUE;
  wk_undo_push (wk_flow_get_undo (flow), _("security group"), self->firewall, id,
                (WkUndoAsync) os_firewall_delete_group_async,
                (WkUndoFinish) os_firewall_delete_group_finish);
}

/* Somebody else's is older: ours is gone, or stays as what nobody uses. */
static void
note_unmade (EnsureGroup *self,
             WkFlow      *flow)
{
  wk_undo_forget (wk_flow_get_undo (flow), self->ensured->id);
  self->ensured->was_made = FALSE;
  g_clear_pointer (&self->ensured->id, g_free);
}

/* A group that is there. */

/* What the group has and has not; FALSE when there is nothing to do. */
static gboolean
compare_group (EnsureGroup *self)
{
  const OsSecurityGroup *group = choose_group (self);
  g_autoptr(GPtrArray) desired = NULL;

  if (self->config == NULL)
    return FALSE;

  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->surplus, g_ptr_array_unref);
  desired = dup_rules (self, group->id);
  os_base_group_compare (group, desired, &self->missing, &self->surplus);
  if (welkin_config_get_boolean (self->config, "secgroup-keep-extra"))
    g_ptr_array_set_size (self->surplus, 0);
  if (self->missing->len > 0 || self->surplus->len > 0)
    g_info ("security group %s: %u rules are missing, %u are too many", self->name,
            self->missing->len, self->surplus->len);
  return self->missing->len > 0 || self->surplus->len > 0;
}

static void
rule_deleted_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;

  os_firewall_delete_rule_finish (self->firewall, result, &error);
  wk_join_end (self->join, error);
}

static void
begin_deleting_surplus (EnsureGroup *self)
{
  for (guint i = 0; i < self->surplus->len; i++)
    os_firewall_delete_rule_async (self->firewall, g_ptr_array_index (self->surplus, i),
                                   wk_join_begin (self->join), rule_deleted_cb, self);
}

static void
ensure_group_run (WkFlow  *flow,
                  gpointer user_data)
{
  EnsureGroup *self = user_data;
  const OsSecurityGroup *chosen;
  g_autoptr(OsSecurityGroup) made = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      if (choose_group (self) == NULL)
        {
          WK_AWAIT (flow, os_make_group_async (self->firewall, self->name, self->description,
                                               WK_RESUME (flow)));
          made = os_make_group_finish (WK_RESULT (flow), &error);
          if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS))
            {
              g_clear_error (&self->refusal);
              self->refusal = g_steal_pointer (&error);
              WK_AWAIT (flow, list_groups (self, WK_RESUME (flow)));
              if (!take_groups (self, WK_RESULT (flow), &error))
                WK_FAIL (flow, &error, _("cannot list security groups"));
              if (choose_group (self) != NULL)
                continue;
              error = make_conflict (self);
            }
          if (error != NULL)
            WK_FAIL (flow, &error, NULL);
          note_made (self, flow, made->id);

          self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
          begin_filling (self);
          WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
          if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, _("cannot set up security group"));
          g_clear_pointer (&self->join, wk_join_unref);

          chosen = choose_group (self);
          if (chosen == NULL || g_str_equal (chosen->id, self->ensured->id))
            break;
          WK_AWAIT (flow, os_firewall_delete_group_async (self->firewall, self->ensured->id,
                                                          WK_RESUME_SHIELDED (flow)));
          if (!os_firewall_delete_group_finish (self->firewall, WK_RESULT (flow), &error))
            g_info ("security group %s was made twice, and the second one stays: %s", self->name,
                    error->message);
          g_clear_error (&error);
          note_unmade (self, flow);
        }

      /* What is missing comes before what is too much goes, so that nobody is shut out. */
      self->ensured->id = g_strdup (choose_group (self)->id);
      if (!compare_group (self))
        break;
      WK_AWAIT (flow, os_make_rules_async (self->firewall, self->missing, WK_RESUME (flow)));
      if (os_make_rules_finish (self->firewall, WK_RESULT (flow), &error))
        {
          self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
          begin_deleting_surplus (self);
          WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
          if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, _("cannot set up security group"));
          break;
        }

      /* Somebody has deleted the group since it was listed. */
      if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND) || self->has_vanished)
        WK_FAIL (flow, &error, _("cannot set up security group"));
      g_clear_error (&error);
      self->has_vanished = TRUE;
      g_clear_pointer (&self->ensured->id, g_free);
      WK_AWAIT (flow, list_groups (self, WK_RESUME (flow)));
      if (!take_groups (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot list security groups"));
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ensured),
                          (GDestroyNotify) os_ensured_group_free);

  WK_FLOW_END (flow);
}

static void
ensure_group_free (gpointer user_data)
{
  EnsureGroup *self = user_data;

  g_clear_pointer (&self->ensured, os_ensured_group_free);
  g_clear_error (&self->refusal);
  g_clear_pointer (&self->surplus, g_ptr_array_unref);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_ptr_array_unref (self->groups);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_free (self->description);
  g_free (self->name);
  g_object_unref (self->firewall);
  g_free (self);
}

void
os_ensure_group_async (const OsGroupRequest *request,
                       GCancellable         *cancellable,
                       GAsyncReadyCallback   callback,
                       gpointer              user_data)
{
  EnsureGroup *self = g_new0 (EnsureGroup, 1);

  self->firewall = g_object_ref (request->firewall);
  self->name = g_strdup (request->name);
  self->description = g_strdup (request->description);
  if (request->config != NULL)
    self->config = welkin_config_ref (request->config);
  self->groups = g_ptr_array_ref (request->groups);
  self->ensured = g_new0 (OsEnsuredGroup, 1);
  wk_flow_start (NULL, cancellable, callback, user_data, os_ensure_group_async, ensure_group_run,
                 self, ensure_group_free);
}

OsEnsuredGroup *
os_ensure_group_finish (GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_ensure_group_async, error);
}
